// Organisation values that an agent's texts refer to.
import { KNOWN_NAMES, type KnownValues } from "../payloads/known-values.ts";
import { namesPlaceholder } from "./template.ts";

/** Names that occur in the agent's texts. */
export function knownNamesIn({ greeting, prompt }: { greeting: string; prompt: string }): (keyof KnownValues)[] {
  return KNOWN_NAMES.filter((name) => namesPlaceholder(greeting, name) || namesPlaceholder(prompt, name));
}
