// What the keypad agent's conversation is made of: its phases, what it remembers, what happens to it, what it does.
import type { TransferEnd } from "../../telephony/port.ts";
import type { KnownAppointment, SlotOffer } from "../port.ts";
import type { KeypadWords, SpokenLine } from "./words.ts";

export type Phase =
  | "greeting"
  | "lookingUp"
  | "menu"
  | "listening"
  | "confirming"
  | "requesting"
  | "offering"
  | "offers"
  | "choosing"
  | "booking"
  | "announcing"
  | "transferring"
  | "telling"
  /** A key contradicted the last words: the calendar takes back what they said. */
  | "undoing"
  /** Nothing suits: would they like to be on the waiting list? */
  | "waitMenu"
  | "waitChoosing"
  | "joining"
  /** A place of the waiting list, and whether they want it. */
  | "place"
  | "placeChoosing"
  /** They do not: do they wait on? */
  | "stayMenu"
  | "stayChoosing"
  | "declining"
  | "over";

/** What the contact's keys came to. `not_saved`: the calendar refused, failed, or did not answer. */
export type KeypadAnswer =
  | "confirmed"
  | "acknowledged"
  | "change_requested"
  | "rescheduled"
  | "booked"
  | "transferred"
  | "handed_over"
  | "transfer_refused"
  | "call_later"
  | "not_interested"
  /** A voicemail, and no message reached its end. */
  | "machine_answered"
  | "message_left"
  | "nothing_open"
  | "waitlisted"
  /** Of a place of the waiting list: not wanted, or taken back. */
  | "stays_waiting"
  | "left_list"
  | "place_gone"
  | "not_saved"
  | "none";

/** What is fixed for the call before it is answered. */
export interface KeypadCall {
  /** In the language of the call. */
  words: KeypadWords;
  canBook: boolean;
  /** Whether there is a waiting list. */
  canWait?: boolean;
  /** The call is about one place of the waiting list. */
  hasPlace?: boolean;
  canTransfer: boolean;
  /** We called them, so they may be called again, or rather not. */
  isOutbound: boolean;
  hasRecordedMenu: boolean;
  /** Null where the greeting is the built-in voice's. */
  recordedGreeting: SpokenLine | null;
  /** For a machine. */
  message: SpokenLine;
}

/** What the other side has been told by now, by how far the sound has really gone out. */
export interface Heard {
  isTold(line: SpokenLine): boolean;
  /** It is being said, or comes next in what is being said. */
  isUnderWay(line: SpokenLine): boolean;
}

export interface KeypadState {
  readonly phase: Phase;
  readonly answer: KeypadAnswer;
  /** As it stands: the new one once it was moved. */
  readonly appointment: KnownAppointment | null;
  readonly hasAppointment: boolean;
  /** The words that a key about the appointment must have waited for; null where there is none. */
  readonly teller: SpokenLine | null;
  readonly offers: readonly SlotOffer[];
  /** Pressed before the appointment was known, and so before it was told. */
  readonly earlyKey: string | null;
  readonly wasMenuHeard: boolean;
  readonly silences: number;
  readonly wrongKeys: number;
  readonly placesGone: number;
  readonly refusals: number;
  /** Whoever does not want the place waits on. */
  readonly staysWaiting: boolean;
}

export type KeypadEvent =
  /** `wasHeard`: there was sound for at least one line. */
  | { type: "said"; wasHeard: boolean }
  | { type: "silence" }
  | { type: "key"; key: string }
  /** What answered is a machine that takes messages. */
  | { type: "machine" }
  /** `canBeNamed`: there is a voice for its day and time. */
  | { type: "lookedUp"; appointment: KnownAppointment | null | "unknown"; canBeNamed: boolean }
  | { type: "confirmed"; isDone: boolean }
  | { type: "changeRequested"; isDone: boolean }
  | { type: "offered"; offers: readonly SlotOffer[] }
  | { type: "booked"; slot: SlotOffer | null }
  | { type: "joined"; isDone: boolean }
  | { type: "declined"; isDone: boolean }
  /** `appointment`: as it stands now. */
  | { type: "undone"; isDone: boolean; appointment: KnownAppointment | null }
  /** The calendar was asked, and failed at once or did not answer in time. */
  | { type: "unreachable"; isLate: boolean }
  | { type: "transferred"; outcome: TransferEnd };

/** Each but the last ends with exactly one event: say → said, listen → silence, book → booked. */
export type Action =
  | { do: "say"; lines: readonly SpokenLine[] }
  | { do: "listen"; forMs: number }
  | { do: "lookUp" | "confirm" | "requestChange" | "offer" | "transfer" | "join" | "undo" }
  | { do: "decline"; stays: boolean }
  | { do: "book"; label: string }
  /** The last: no event follows. */
  | { do: "hangUp" };

/** Without an action, what is under way goes on. */
export interface Move {
  state: KeypadState;
  action: Action | null;
}

export const FIRST_STATE: KeypadState = {
  phase: "greeting",
  answer: "none",
  appointment: null,
  hasAppointment: false,
  teller: null,
  offers: [],
  earlyKey: null,
  wasMenuHeard: false,
  silences: 0,
  wrongKeys: 0,
  placesGone: 0,
  refusals: 0,
  staysWaiting: true,
};
