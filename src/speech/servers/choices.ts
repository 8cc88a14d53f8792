// Selects the model servers of a call by its language.
import { languageNamed } from "../languages.ts";
import type { CommandAddress, ModelServers, ServerAddress } from "./port.ts";

/** By role, in order of preference. Survives structuredClone. */
export interface ServerChoices {
  language: readonly ServerAddress[];
  recognition: readonly (ServerAddress | CommandAddress)[];
  voice: readonly (ServerAddress | CommandAddress)[];
}

export const NO_SERVERS: ServerChoices = { language: [], recognition: [], voice: [] };

export function serversFor(choices: ServerChoices, language: string): ModelServers {
  const first = <T extends { languages: readonly string[] }>(servers: readonly T[]): T | null =>
    servers.find(({ languages }) => covers(languages, language)) ?? null;
  return {
    language: first(choices.language),
    recognition: first(choices.recognition),
    voice: first(choices.voice),
  };
}

/** "hi" covers "hi-IN" and "Hindi"; an empty list covers every language. */
export function covers(languages: readonly string[], language: string): boolean {
  if (languages.length === 0) return true;
  const wanted = language.trim().toLowerCase().replaceAll("_", "-");
  const named = languageNamed(language);
  return languages.some((each) => {
    const covered = each.toLowerCase();
    return wanted === covered || named === covered || wanted.startsWith(`${covered}-`);
  });
}
