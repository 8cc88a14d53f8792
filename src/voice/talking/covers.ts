// Filler phrases that cover a wait. They are synthesised in advance.
import { phrasesIn } from "../conversation/phrases/languages.ts";
import type { TalkState } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import type { Phrase } from "../conversation/phrase.ts";
import type { AgentBrief, AgentTools } from "../port.ts";
import type { Speaking } from "./speaking.ts";

/** In order of use. Built-in speech is slow only on machines too weak for calls; servers may be slow at any time. */
export function coversFor({ language, models }: AgentBrief, { chat }: AgentTools): readonly Phrase[] {
  const { filler, stillThere } = phrasesIn(language);
  return models || chat ? [filler, stillThere] : [];
}

/** Covers the wait for recognition and synthesises the fallback phrases meanwhile. */
export function coverFor(speaking: Speaking, state: TalkState, context: TalkContext): void {
  speaking.cover();
  const { action } = nextTalkMove(state, { type: "deaf" }, context);
  if (action?.do === "say") speaking.prepare(action.phrases);
}

/** Covers the wait for the calendar and synthesises the failure phrase meanwhile. */
export function coverDesk(speaking: Speaking, { language }: AgentBrief, answered: Promise<unknown>): Promise<void> {
  const { filler, unreachable } = phrasesIn(language);
  return speaking.coverUntil(answered, [filler, unreachable]);
}
