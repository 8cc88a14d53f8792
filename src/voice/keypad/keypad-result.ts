// What a call with the keypad agent is said to have come to, in English: the hospital's staff reads it.
import type { CallAnalytics } from "../../payloads/conversation.ts";
import { CALL_LATER_MINUTES } from "./words.ts";
import type { KeypadAnswer, KeypadState, Phase } from "./keypad-model.ts";
import type { AgentBrief } from "../port.ts";

/** `unsettled`: a key was pressed, and the call ended before what it leads to was done. */
export type FinalAnswer = KeypadAnswer | "unsettled";

const UNSETTLED_PHASES: ReadonlySet<Phase> = new Set([
  "confirming",
  "requesting",
  "offering",
  "offers",
  "choosing",
  "booking",
  "undoing",
  "announcing",
  "transferring",
  "waitMenu",
  "waitChoosing",
  "joining",
  "stayMenu",
  "stayChoosing",
  "declining",
]);

const DISPOSITIONS: Partial<Record<FinalAnswer, CallAnalytics["disposition"]>> = {
  booked: "appointment_booked",
  rescheduled: "appointment_booked",
  transferred: "transferred",
  handed_over: "transferred",
  call_later: "callback_scheduled",
  not_interested: "not_interested",
  machine_answered: "voicemail",
  message_left: "voicemail",
};

const FINDINGS: Record<FinalAnswer, { summary: string; next_steps: string }> = {
  confirmed: {
    summary: "The contact confirmed the appointment by keypad.",
    next_steps: "Expect the contact at the appointment.",
  },
  acknowledged: { summary: "The contact pressed 1: they have heard the message.", next_steps: "None." },
  change_requested: {
    summary: "The contact asked for another time by keypad and chose none.",
    next_steps: "Call the contact to find another time.",
  },
  rescheduled: {
    summary: "The contact chose another time by keypad, and the appointment was moved.",
    next_steps: "Expect the contact at the new time.",
  },
  booked: {
    summary: "The contact chose one of the slots that were offered by keypad, and the appointment was booked.",
    next_steps: "Expect the contact at the appointment.",
  },
  transferred: {
    summary: "The contact asked for a person. The call was transferred.",
    next_steps: "The member of staff who took the call follows up.",
  },
  handed_over: {
    summary:
      "The contact asked for a person. The exchange took the call over and did not tell whether somebody answered.",
    next_steps: "Make sure that somebody spoke to the contact.",
  },
  transfer_refused: {
    summary: "The contact asked for a person, but nobody took the call.",
    next_steps: "Call the contact: they wanted to speak to a person.",
  },
  call_later: {
    summary: `The contact had no time and is called again in ${CALL_LATER_MINUTES} minutes.`,
    next_steps: "None: the call is scheduled.",
  },
  not_interested: {
    summary: "The contact said by keypad that they do not want this call.",
    next_steps: "Do not call again about this.",
  },
  machine_answered: {
    summary: "A voicemail answered. No message was left.",
    next_steps: "Try again later.",
  },
  message_left: {
    summary: "A voicemail answered. A short message without details was left.",
    next_steps: "Try again later.",
  },
  nothing_open: {
    summary: "The contact wanted to book by keypad, but no appointment could be offered.",
    next_steps: "Open more windows, then call again.",
  },
  waitlisted: {
    summary: "Nothing suited, and the contact asked by keypad to be put on the waiting list.",
    next_steps: "None: they are called when a place opens.",
  },
  stays_waiting: {
    summary: "The contact did not want the place of the waiting list, and stays on the list.",
    next_steps: "None: they are called when another place opens.",
  },
  left_list: {
    summary: "The contact did not want the place of the waiting list, and left the list.",
    next_steps: "None.",
  },
  place_gone: {
    summary: "The place of the waiting list was taken before it could be offered. The contact stays on the list.",
    next_steps: "None: they are called when another place opens.",
  },
  not_saved: {
    summary: "The contact answered by keypad, but the calendar did not take the answer.",
    next_steps: "Call the contact: their answer was not saved.",
  },
  unsettled: {
    summary: "The contact began to answer by keypad, and the call ended before it was done.",
    next_steps: "Look at the keys that were pressed and at the appointment, then call the contact.",
  },
  none: {
    summary: "The contact gave no answer by keypad.",
    next_steps: "Call again, or reach the contact in another way.",
  },
};

/** Whoever heard silence gave no answer to anything. */
const UNSAID = {
  summary: "Nothing was said to them.",
  next_steps:
    "Call again. Where the agent's language is neither English nor Hindi, record its words: the built-in voice has no other.",
};

export interface TalkEnd {
  state: KeypadState;
  by: "us" | "peer";
  keys: string;
  /** Whether the agent said anything. */
  hasSpoken: boolean;
}

function finalAnswer({ phase, answer, earlyKey }: KeypadState): FinalAnswer {
  const isUnsettled = UNSETTLED_PHASES.has(phase) || (phase === "lookingUp" && earlyKey !== null);
  return isUnsettled ? "unsettled" : answer;
}

export function analyseKeypad({ agentName, direction }: AgentBrief, end: TalkEnd): CallAnalytics {
  const { state, by } = end;
  const answer = finalAnswer(state);
  const { summary, next_steps } = answer === "none" && !end.hasSpoken ? UNSAID : FINDINGS[answer];
  const reached = direction === "outbound" ? `${agentName} reached the contact.` : `The contact called ${agentName}.`;
  const isFinished = state.phase === "telling" || state.phase === "over";
  const endedBy = isFinished ? "" : by === "peer" ? " The contact hung up." : " The call was hung up from this side.";
  return {
    summary: `${reached} ${summary}${endedBy}`,
    sentiment: answer === "not_interested" ? "negative" : "neutral",
    next_steps,
    disposition: DISPOSITIONS[answer] ?? (by === "peer" && !isFinished ? "ended_by_customer" : "session_ended"),
  };
}

/** `appointment_*` is the appointment as it stands after the call, where the agent knew of one. */
export function keypadDetails({ state, keys }: TalkEnd): Record<string, unknown> {
  return {
    keypad_answer: finalAnswer(state),
    keys,
    ...(state.answer === "call_later" && { callback_in_minutes: CALL_LATER_MINUTES }),
    ...(state.appointment && {
      appointment_date: state.appointment.date,
      appointment_time: state.appointment.startTime,
    }),
  };
}
