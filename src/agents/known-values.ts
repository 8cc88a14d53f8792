// Which of the values that an organisation is known by an agent's texts name.
import { KNOWN_NAMES, type KnownValues } from "../payloads/known-values.ts";
import { namesPlaceholder } from "./template.ts";

/** Those that the agent's texts name. */
export function knownNamesIn({ greeting, prompt }: { greeting: string; prompt: string }): (keyof KnownValues)[] {
  return KNOWN_NAMES.filter((name) => namesPlaceholder(greeting, name) || namesPlaceholder(prompt, name));
}
