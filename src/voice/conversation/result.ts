// The result of a call in English, for the hospital's staff. Derived by rules from recorded events; null if unknown.
import type { EmergencyOutcome } from "../../payloads/emergency.ts";
import type { CallAnalytics } from "../../payloads/conversation.ts";
import { instantOf } from "../../core/zones.ts";
import type { AgentBrief, Agreed } from "../port.ts";
import type { Outcome, TalkState } from "./model.ts";

/** Callback delay when the callee names no time. */
const CALL_LATER_MINUTES = 30;

/** `unsettled`: an operation or question was pending when the call ended. */
export type FinalOutcome = Outcome | "unsettled";

export interface TalkEnd {
  state: TalkState;
  by: "us" | "peer";
  keys: string;
  /** Turns of the callee with recognised words. */
  wordsHeard: number;
  /** Turns in which the callee spoke and recognition failed. */
  unrecognised: number;
  /** Recognition failed during the call and did not recover. */
  isLost: boolean;
  /** The agent said at least one phrase. */
  hasSpoken: boolean;
  /** A transfer target exists. */
  canTransfer: boolean;
  /** A call without recognition: only keys were answers. */
  isByKeys: boolean;
}

interface Finding {
  summary: string;
  next_steps: string;
  /** The summary states the reason first. */
  isHandover?: true;
  disposition?: CallAnalytics["disposition"];
  sentiment?: CallAnalytics["sentiment"];
}

const FINDINGS: Readonly<Record<FinalOutcome, Finding>> = {
  confirmed: {
    summary: "The contact confirmed the appointment.",
    next_steps: "Expect the contact at the appointment.",
    sentiment: "positive",
  },
  acknowledged: { summary: "The contact heard the message.", next_steps: "None." },
  change_requested: {
    summary: "The contact wants another time, and none was agreed on.",
    next_steps: "Call the contact to find a time.",
  },
  rescheduled: {
    summary: "The contact chose another time, and the appointment was moved.",
    next_steps: "Expect the contact at the new time.",
    disposition: "appointment_booked",
    sentiment: "positive",
  },
  booked: {
    summary: "The contact chose one of the times on offer, and the appointment was booked.",
    next_steps: "Expect the contact at the appointment.",
    disposition: "appointment_booked",
    sentiment: "positive",
  },
  cancelled: { summary: "The contact cancelled the appointment.", next_steps: "The time is open again." },
  cancel_requested: {
    summary: "The contact wants to cancel the appointment. The hospital's own system was told.",
    next_steps: "See that the hospital's own system cancels it.",
  },
  declined: {
    summary: "The contact is not interested.",
    next_steps: "Do not call again about this.",
    disposition: "not_interested",
    sentiment: "negative",
  },
  transferred: {
    summary: "The call was transferred.",
    isHandover: true,
    next_steps: "The member of staff who took the call follows up.",
    disposition: "transferred",
  },
  handed_over: {
    summary: "The exchange took over the call and did not report whether it was answered.",
    isHandover: true,
    next_steps: "Check that a person spoke to the contact.",
    disposition: "transferred",
  },
  transfer_refused: {
    summary: "The contact asked for a person, but nobody took the call.",
    next_steps: "Call the contact: they wanted to speak to a person.",
  },
  person_wanted: {
    summary: "The contact asked for a person, and there is nobody to transfer calls to.",
    next_steps: "Call the contact: they wanted to speak to a person.",
  },
  call_later: {
    summary: "The contact had no time and is called again.",
    next_steps: "None: the call is scheduled.",
    disposition: "callback_scheduled",
  },
  opted_out: {
    summary: "The contact does not want to be called. The number is on the do-not-disturb list.",
    next_steps: "Do not call again.",
    disposition: "not_interested",
    sentiment: "negative",
  },
  wrong_number: {
    summary: "It was the wrong number.",
    next_steps: "Check the contact's number.",
    sentiment: "negative",
  },
  not_reached: {
    summary:
      "Somebody else answered, and the contact could not come to the phone. Nothing was told of what the call is about.",
    next_steps: "Call again at another time.",
  },
  emergency: {
    summary: "The contact said or may have said something that is an emergency.",
    next_steps: "Call the contact at once.",
    sentiment: "negative",
  },
  not_understood: {
    summary: "The contact spoke and was not understood.",
    next_steps: "Listen to the recording and call the contact at once: they may need help.",
  },
  machine_answered: {
    summary: "A voicemail answered. No message was left.",
    next_steps: "Try again later.",
    disposition: "voicemail",
  },
  message_left: {
    summary: "A voicemail answered. A short message without details was left.",
    next_steps: "Try again later.",
    disposition: "voicemail",
  },
  nothing_open: {
    summary: "The contact wanted an appointment, but none could be offered.",
    next_steps: "Open more windows, then call again.",
  },
  waitlisted: {
    summary: "Nothing suited, and the contact was put on the waiting list.",
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
    summary: "The contact answered, but the calendar did not take the answer.",
    next_steps: "Call the contact: their answer was not saved.",
  },
  unsettled: {
    summary: "The contact began to answer, and the call ended before it was done.",
    next_steps: "Read the transcript and look at the appointment, then call the contact.",
  },
  none: { summary: "The contact gave no answer.", next_steps: "Call again, or reach the contact in another way." },
};

const UNSAID: Finding = {
  summary: "Nothing was said to them.",
  next_steps: "Call again. Where the agent's language is not English, record its words.",
};

/** Open questions that imply a wish of the callee. */
const UNSETTLED_QUESTIONS: readonly TalkState["question"][] = [
  "change",
  "offers",
  "slot",
  "day",
  "cancel",
  "callback_time",
  "opt_out",
  "name",
  "name_right",
  "wait",
  "stay",
  "doubt",
];

/** The closing was started. */
const isFinished = ({ stage }: TalkState) => stage === "telling" || stage === "leaving" || stage === "over";

export function finalOutcome(state: TalkState): FinalOutcome {
  const { stage, question, outcome, reopened, isOptedOut } = state;
  if (isOptedOut && outcome === "none") return "opted_out";
  if (isFinished(state)) return outcome;
  if (outcome !== "none") return outcome;
  if (question === "open") return "acknowledged";
  // An answer that was taken back does not count.
  return stage === "working" || reopened > 0 || UNSETTLED_QUESTIONS.includes(question) ? "unsettled" : outcome;
}

const HANDED_OVER: Readonly<Record<EmergencyOutcome, string>> = {
  connected: " They were connected to a person.",
  handed_over: " The exchange took over the call and did not report whether it was answered.",
  busy: " The desk was busy. They were told to call the emergency number.",
  no_answer: " The desk did not answer. They were told to call the emergency number.",
  refused: " The desk could not be reached. They were told to call the emergency number.",
  gone: " The exchange took the call over, and nobody answered.",
  no_desk: " There is nobody to transfer calls to. They were told to call the emergency number.",
  hung_up: " They hung up before a person answered.",
};

/** Result of the emergency transfer; null if the call was not an emergency. */
export function handoverOf({ state, canTransfer }: TalkEnd): EmergencyOutcome | null {
  if (finalOutcome(state) !== "emergency") return null;
  return state.handover ?? (canTransfer ? "hung_up" : "no_desk");
}

export function analyseTalk({ agentName, direction }: AgentBrief, end: TalkEnd): CallAnalytics {
  const { state, by, hasSpoken } = end;
  const outcome = finalOutcome(state);
  const finding = outcome === "none" && !hasSpoken ? UNSAID : FINDINGS[outcome];
  const reached = direction === "outbound" ? `${agentName} called the contact.` : `The contact called ${agentName}.`;
  const endedBy = isFinished(state)
    ? ""
    : by === "peer"
      ? " The contact hung up."
      : " The call was hung up from this side.";
  const reason = state.hasGivenUp ? "The agent did not understand the contact. " : "The contact asked for a person. ";
  const why = finding.isHandover ? reason : "";
  const handover = handoverOf(end);
  const handedOver = handover === null ? "" : HANDED_OVER[handover];
  return {
    summary: `${reached} ${why}${finding.summary}${handedOver}${endedBy}`,
    sentiment: finding.sentiment ?? "neutral",
    next_steps: finding.next_steps,
    disposition:
      handover === "connected"
        ? "transferred"
        : (finding.disposition ?? (by === "peer" && !isFinished(state) ? "ended_by_customer" : "session_ended")),
  };
}

/** Agreements outside the calendar so far. */
export function agreedIn(state: TalkState, brief: AgentBrief): Agreed {
  const outcome = finalOutcome(state);
  if (outcome === "opted_out" || state.isOptedOut) return { optOut: true };
  const isAnswered = state.consent === "given" || state.consent === "refused";
  const purpose = isAnswered ? brief.asksConsentFor : undefined;
  return {
    ...(purpose && { consent: { purpose, isGiven: state.consent === "given" } }),
    ...(outcome === "call_later" && callbackIn(state, brief)),
  };
}

function callbackIn({ callback }: TalkState, { timeZone }: AgentBrief): Agreed {
  if (!callback) return { callbackInMinutes: CALL_LATER_MINUTES };
  const [hours = 0, minutes = 0] = callback.startTime.split(":").map(Number);
  return { callbackAt: instantOf(callback.date, hours * 60 + minutes, timeZone) };
}

/** `appointment_*` describes the appointment after the call, if the agent knew one. */
export function talkDetails(end: TalkEnd): Record<string, unknown> {
  const { state, keys, wordsHeard, isByKeys } = end;
  const { appointment, callback, callerName, consent, isContact } = state;
  const speech = faultOfSpeech(end);
  const outcome = finalOutcome(state);
  const handover = handoverOf(end);
  return {
    answer: outcome,
    // Deprecated alias of `answer`; removed in the next release.
    ...(isByKeys && { keypad_answer: outcome }),
    answered_by: wordsHeard > 0 ? (keys === "" ? "voice" : "voice and keypad") : keys === "" ? null : "keypad",
    voice_turns: wordsHeard,
    keypad_turns: keys.length,
    spoke_with_contact: isContact,
    keys,
    ...(callerName !== null && { caller_name: callerName }),
    ...(handover !== null && { emergency_outcome: handover }),
    ...(consent !== null && { consent_answer: consent === "asked" ? null : consent }),
    ...(speech && { speech }),
    ...(outcome === "call_later" &&
      (callback
        ? { callback_date: callback.date, callback_time: callback.startTime }
        : { callback_in_minutes: CALL_LATER_MINUTES })),
    ...(appointment && { appointment_date: appointment.date, appointment_time: appointment.startTime }),
  };
}

function faultOfSpeech({ isLost, unrecognised }: TalkEnd): string | null {
  if (isLost) return "was lost during the call; it went on by keypad";
  return unrecognised === 0 ? null : `was not recognised in ${unrecognised} turn${unrecognised === 1 ? "" : "s"}`;
}
