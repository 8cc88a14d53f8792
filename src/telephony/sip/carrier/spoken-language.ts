// What an agent can be heard in. Nobody is rung to hear silence.
import type { Voice } from "../../../speech/tts/port.ts";
import type { DialRequest } from "../../port.ts";

/** The language asked for, otherwise the one that the agent is written in; null where the voice has neither. */
export function spokenLanguage({ agent }: DialRequest, voice: Voice | null): string | null {
  return [agent.language, agent.ownLanguage].find((language) => voice?.speaks(language)) ?? null;
}

export function hasGreeting(request: DialRequest, voice: Voice | null): boolean {
  return request.agent.prompts.some(({ kind }) => kind === "greeting") || spokenLanguage(request, voice) !== null;
}
