// What is said while something takes a moment. It is made before anybody waits for it.
import { phrasesIn } from "../conversation/phrases/languages.ts";
import type { TalkState } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import type { Phrase } from "../conversation/phrases/phrase.ts";
import type { AgentBrief, AgentTools } from "../port.ts";
import type { Speaking } from "./speaking.ts";

/**
 * The first one first. What is built in takes a moment only where the machine is too slow for calls; servers may at any
 * time.
 */
export function coversFor({ language, models }: AgentBrief, { chat }: AgentTools): readonly Phrase[] {
  const { filler, stillThere } = phrasesIn(language);
  return models || chat ? [filler, stillThere] : [];
}

/** Somebody waits until their words are recognised. What would be said without them is made meanwhile. */
export function coverFor(speaking: Speaking, state: TalkState, context: TalkContext): void {
  speaking.cover();
  const { action } = nextTalkMove(state, { type: "deaf" }, context);
  if (action?.do === "say") speaking.prepare(action.phrases);
}

/** Somebody waits until the calendar has answered. What is said where it does not is made meanwhile. */
export function coverDesk(speaking: Speaking, { language }: AgentBrief, answered: Promise<unknown>): Promise<void> {
  const { filler, unreachable } = phrasesIn(language);
  return speaking.coverUntil(answered, [filler, unreachable]);
}
