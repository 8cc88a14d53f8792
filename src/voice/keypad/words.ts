// What the keypad agent needs words for. Each language has a file of them in lines/.
import type { RecordedKind } from "../../payloads/recorded-words.ts";
import type { AgentBrief, KnownAppointment, SlotOffer } from "../port.ts";

/** Something to be said: a recording where the hospital made one, otherwise the text. */
export interface SpokenLine {
  /** For the log and for the transcript of a recording. */
  name: string;
  text: string;
  recorded: RecordedKind | null;
}

/** What the keys lead to on this call. */
export interface Choices {
  hasAppointment: boolean;
  canBook: boolean;
  canTransfer: boolean;
  isOutbound: boolean;
}

export const NONE_SUITS_KEY = "0";
export const PERSON_KEY = "3";
export const CALL_LATER_KEY = "4";
export const NOT_INTERESTED_KEY = "9";
/** When people who have no time now are called again. */
export const CALL_LATER_MINUTES = 30;

/** Every sentence that the keypad agent says, by what it is for. */
export interface KeypadWords {
  greeting(brief: Pick<AgentBrief, "greeting" | "agentName">): SpokenLine;
  appointment(appointment: KnownAppointment): SpokenLine;
  menu(choices: Choices): SpokenLine;
  confirmed: SpokenLine;
  acknowledged: SpokenLine;
  changeRequested: SpokenLine;
  offersLead: SpokenLine;
  /** One for each key, so that what was told is known one by one. */
  offer(key: string, slot: Pick<SlotOffer, "date" | "startTime">): SpokenLine;
  noneSuits: SpokenLine;
  nothingOpen: SpokenLine;
  gone: SpokenLine;
  /** Shall they be put on the waiting list? */
  wait: SpokenLine;
  waitlisted: SpokenLine;
  /** A place of the waiting list, and its keys. */
  place(slot: Pick<SlotOffer, "date" | "startTime">): SpokenLine;
  placeKeys: SpokenLine;
  /** Whoever does not want it: do they wait on? */
  stay: SpokenLine;
  staysWaiting: SpokenLine;
  leftList: SpokenLine;
  rescheduled(slot: Pick<SlotOffer, "date" | "startTime">): SpokenLine;
  booked(slot: Pick<SlotOffer, "date" | "startTime">): SpokenLine;
  transfer: SpokenLine;
  transferRefused: SpokenLine;
  callLater: SpokenLine;
  notInterested: SpokenLine;
  /** Anybody may hear it: neither the contact's name nor what it is about. */
  message(brief: Pick<AgentBrief, "agentName" | "isTriedAgain">): SpokenLine;
  notSaved: SpokenLine;
  /** The calendar does not answer. */
  unreachable: SpokenLine;
  goodbye: SpokenLine;
}

export const spoken = (name: string, text: string): SpokenLine => ({ name, text, recorded: null });
export const recordable = (kind: RecordedKind, text: string): SpokenLine => ({ name: kind, text, recorded: kind });

/** The sentences that hold on this call. */
export const sentences = (...each: readonly (string | false)[]): string =>
  each.filter((sentence) => sentence !== false).join(" ");
