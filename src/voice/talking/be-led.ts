// A turn answered by a language model. The request runs while our own phrases play, and the fallback phrases are
// synthesised in parallel.
import type { TalkAction, TalkCall, TalkEvent, TalkState } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import type { Recognised } from "../../speech/ears/port.ts";
import type { Phrase } from "../conversation/phrase.ts";
import { isBackchannel } from "../turns/end-of-turn.ts";
import type { Meaning } from "../understanding/meaning.ts";
import { Lead, type LeadOptions, type LedOptions } from "../model-led/lead.ts";
import type { AgentTools, TalkResult } from "../port.ts";
import type { TalkLog } from "./talk-log.ts";
import type { Speaking } from "./speaking.ts";

/** Null if the call has no model or no recognition. */
export function leadFor(
  options: Pick<LeadOptions, "clock" | "logger" | "brief" | "start"> & { tools: AgentTools; led?: LedOptions },
  truthful: LeadOptions["truthful"],
  prepare: LeadOptions["prepare"],
): Lead | null {
  const { tools, led, clock, logger, brief, start } = options;
  return tools.chat && tools.ears
    ? new Lead({ clock, logger, brief, start, client: tools.chat, truthful, prepare, ...led })
    : null;
}

export const ledResult = (
  lead: Lead | null,
  { sent }: AgentTools,
): Pick<TalkResult, "led" | "sent" | "modelDetails"> => ({
  ...(lead && { led: lead.counts(), modelDetails: Object.keys(lead.details()) }),
  ...(sent && { sent: sent() }),
});

export interface LedTurn {
  lead: Lead | null;
  speaking: Speaking;
  log: TalkLog;
  state: TalkState;
  call: TalkCall;
  context: TalkContext;
  /** The first words of the answer have arrived. */
  first(): void;
}

/** Speculative request on provisional words, before the end of turn is certain. */
export function guessLed({ text }: Recognised, meaning: Meaning, turn: LedTurn): void {
  const { lead, log, call, context, first } = turn;
  // A backchannel ("mhm") needs no answer.
  if (isBackchannel(text)) return;
  const { state, action } = nextTalkMove(turn.state, { type: "heard", meaning }, context);
  if (!lead || action?.do !== "lead") return;
  const { phrases } = context;
  const said = [...log.transcript(), { speaker: "user" as const, text, timestamp: 0 }, ...phrasesSaid(action.phrases)];
  lead.guess({ state, call, now: context.now, said, phrases, first });
}

const phrasesSaid = (phrases: readonly Phrase[]): Utterance[] =>
  phrases.map(({ text }) => ({ speaker: "agent", text, timestamp: 0 }));

/** Null if the callee spoke meanwhile. */
export async function beLed(
  { phrases }: Extract<TalkAction, { do: "lead" }>,
  { lead, speaking, log, state, call, context, first }: LedTurn,
): Promise<TalkEvent | null> {
  if (!lead) return { type: "unled" };
  const { filler } = context.phrases;
  const before = [...log.transcript(), ...phrasesSaid(phrases)];
  const answer = lead.answer({ state, call, now: context.now, said: before, phrases: context.phrases, first });
  const otherwise = nextTalkMove(state, { type: "unled" }, context).action;
  speaking.prepare([...phrases, filler, ...(otherwise?.do === "say" ? otherwise.phrases : [])]);
  const said = await speaking.say(oneAfterTheOther(phrases, answer.phrases()));
  if (said?.type !== "said") return said;
  const end = lead.ended(answer);
  return end.kind === "unled" ? { type: "unled" } : { type: "led", suggestion: end.suggestion, ending: end.ending };
}

async function* oneAfterTheOther(phrases: readonly Phrase[], then: AsyncIterable<Phrase>): AsyncGenerator<Phrase> {
  yield* phrases;
  yield* then;
}
