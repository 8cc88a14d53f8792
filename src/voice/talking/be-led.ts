// A turn that a language model answers: it is asked while our own lines are said, and what would be said without it is made ready
// beside it.
import type { TalkAction, TalkCall, TalkEvent, TalkState } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import { nextTalkMove } from "../conversation/steps.ts";
import type { SpokenLine } from "../keypad/words.ts";
import { Lead, type LeadOptions, type LedOptions } from "../model-led/lead.ts";
import type { AgentTools, TalkResult } from "../port.ts";
import type { TalkLog } from "../talk-log.ts";
import type { Speaking } from "./speaking.ts";

/** Null where no model was given for the call. */
export function leadFor(
  options: Pick<LeadOptions, "clock" | "logger" | "brief" | "start"> & { tools: AgentTools; led?: LedOptions },
  prepare: LeadOptions["prepare"],
): Lead | null {
  const { tools, led, clock, logger, brief, start } = options;
  return tools.chat ? new Lead({ clock, logger, brief, start, client: tools.chat, prepare, ...led }) : null;
}

export const ledResult = (lead: Lead | null, { sent }: AgentTools): Pick<TalkResult, "led" | "sent"> => ({
  ...(lead && { led: lead.counts() }),
  ...(sent && { sent: sent() }),
});

export interface LedTurn {
  lead: Lead | null;
  speaking: Speaking;
  log: TalkLog;
  state: TalkState;
  call: TalkCall;
  context: TalkContext;
  /** Its first words are there. */
  first(): void;
}

/** Null where somebody spoke meanwhile: then it is about something else. */
export async function beLed(
  { lines }: Extract<TalkAction, { do: "lead" }>,
  { lead, speaking, log, state, call, context, first }: LedTurn,
): Promise<TalkEvent | null> {
  if (!lead) return { type: "unled" };
  const { filler } = context.lines;
  const ours = lines.map(({ text }) => ({ speaker: "agent", text, timestamp: 0 }));
  const answer = lead.answer({ state, call, now: context.now, said: [...log.transcript(), ...ours], filler, first });
  const otherwise = nextTalkMove(state, { type: "unled" }, context).action;
  speaking.prepare([...lines, filler, ...(otherwise?.do === "say" ? otherwise.lines : [])]);
  const said = await speaking.say(oneAfterTheOther(lines, answer.lines()));
  if (!said) return null;
  const end = lead.ended(answer);
  return end.kind === "unled" ? { type: "unled" } : { type: "led", suggestion: end.suggestion, ending: end.ending };
}

async function* oneAfterTheOther(
  lines: readonly SpokenLine[],
  then: AsyncIterable<SpokenLine>,
): AsyncGenerator<SpokenLine> {
  yield* lines;
  yield* then;
}
