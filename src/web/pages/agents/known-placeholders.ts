// Placeholders offered for completion: those of every call, those in use, and those of the library.
import { ALWAYS_KNOWN, placeholdersOf, type AgentForm } from "./agent-form.ts";
import { withoutDoubles, type Suggestion } from "./placeholder-completion.ts";
import { said } from "../../words.ts";

const words = said.agents.knownPlaceholders;

export interface LibraryNeeds {
  needs: readonly Suggestion[];
}

export function knownPlaceholders(
  { greeting, prompt }: Pick<AgentForm, "greeting" | "prompt">,
  library: readonly LibraryNeeds[],
): Suggestion[] {
  const ofLibrary = library.flatMap(({ needs }) => needs);
  const meaningOf = (name: string) => ofLibrary.find((one) => one.name === name)?.meaning ?? words.inUse;
  return withoutDoubles([
    ...ALWAYS_KNOWN.map((name) => ({ name, meaning: words[name] })),
    ...placeholdersOf(greeting, prompt).map((name) => ({ name, meaning: meaningOf(name) })),
    ...ofLibrary.map(({ name, meaning }) => ({ name, meaning })),
  ]);
}
