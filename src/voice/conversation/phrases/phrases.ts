// What a language must be able to say: every sentence of the agent, by what it is for.
import type { Phrase } from "./phrase.ts";
import type { AgentBrief, KnownAppointment, SlotOffer } from "../../port.ts";
import type { Intent, Moment } from "../../understanding/meaning.ts";
import type { CallbackTime, TalkCall } from "../model.ts";

/** What the keys lead to while a question is asked. */
export interface KeyHints {
  canTransfer: boolean;
  isOutbound: boolean;
}

type Slot = Pick<SlotOffer, "date" | "startTime">;

export interface Phrases {
  greeting(brief: Pick<AgentBrief, "greeting" | "agentName">): Phrase;
  identity(call: TalkCall): Phrase;
  /** The same where keys are all that answers. */
  identityKeys(call: TalkCall): Phrase;
  furtherKeys(hints: KeyHints): Phrase;
  whoIsCalling(call: TalkCall): Phrase;
  /** To somebody who may not be the contact. */
  isPersonal(call: TalkCall): Phrase;
  fetch(call: TalkCall): Phrase;
  willWait: Phrase;
  areYouThere: Phrase;
  screened(call: TalkCall): Phrase;

  appointment(appointment: KnownAppointment): Phrase;
  attend: Phrase;
  attendKeys(hints: KeyHints): Phrase;
  book: Phrase;
  bookKeys(hints: KeyHints): Phrase;
  /** There is nothing to be answered but that it was heard. */
  messageKeys(hints: KeyHints): Phrase;
  purposeOfAppointment: Phrase;
  purposeOfBooking: Phrase;
  purposeUnknown: Phrase;
  change: Phrase;
  changeKeys(hints: KeyHints): Phrase;
  /** One for each offer, so that what was told is known one by one. */
  offer(index: number, count: number, slot: SlotOffer): Phrase;
  offerByKey(key: string, slot: Slot): Phrase;
  noneSuits: Phrase;
  offersLead: Phrase;
  /** Nothing is open on the day that was asked for. */
  nearestOffersLead: Phrase;
  which: Phrase;
  whichKeys(count: number): Phrase;
  slot(slot: SlotOffer): Phrase;
  slotQuestion: Phrase;
  day: Phrase;
  dayConflict(moment: Moment): Phrase;
  cancel(appointment: KnownAppointment): Phrase;
  name: Phrase;
  nameAgain: Phrase;
  nameRight(name: string): Phrase;
  /** Shall they be put on the waiting list? */
  wait: Phrase;
  waitlisted: Phrase;
  /** A place of the waiting list. */
  place(slot: SlotOffer): Phrase;
  placeQuestion: Phrase;
  /** Whoever does not want it: do they wait on? */
  stay: Phrase;
  staysWaiting: Phrase;
  leftList: Phrase;
  callback: Phrase;
  callbackTime(time: CallbackTime): Phrase;
  optOut: Phrase;
  /** A model was leading, and does no more. */
  anythingElse: Phrase;
  noted: Phrase;
  /** Chosen by a model: a question that the owner gave no answer to. */
  cannotAnswer: Phrase;
  /** And one about illness, results, medicines or treatment. */
  noAdvice: Phrase;
  sorryToHear: Phrase;
  welcome: Phrase;
  /** While something takes a moment. */
  filler: Phrase;
  /** And while it takes another. */
  stillThere: Phrase;
  doubt(intent: Intent): Phrase;
  yesNoKeys: Phrase;
  /** Key 9, which every menu names. */
  neverAgainKey: Phrase;

  notUnderstood: Phrase;
  cannotHear: Phrase;
  takeYourTime: Phrase;
  ofCourse: Phrase;

  confirmed: Phrase;
  acknowledged: Phrase;
  rescheduled(slot: SlotOffer): Phrase;
  booked(slot: SlotOffer): Phrase;
  gone: Phrase;
  nothingOpen: Phrase;
  cancelled: Phrase;
  declined: Phrase;
  changeRequested: Phrase;
  callLater(time: CallbackTime | null): Phrase;
  optedOut: Phrase;
  wrongNumber: Phrase;
  notReached: Phrase;
  transfer: Phrase;
  transferRefused: Phrase;
  nobodyToTransferTo: Phrase;
  /** After what sounds like a cry for help. */
  danger: Phrase;
  /** They were not understood three times: with somebody to transfer the call to, and without. */
  notUnderstoodTransfer: Phrase;
  notUnderstoodAlone: Phrase;
  emergency: Phrase;
  emergencyAlone: Phrase;
  /** While the desk is called, in an emergency, and what became of it. */
  callingDesk: Phrase;
  deskRings: Phrase;
  deskBusy: Phrase;
  deskNoAnswer: Phrase;
  /** For whoever answers at the desk. */
  forDesk(call: TalkCall): Phrase;
  /** For a machine: anybody may hear it. */
  message(call: TalkCall): Phrase;
  notSaved: Phrase;
  /** The calendar does not answer. */
  unreachable: Phrase;
  goodbye: Phrase;
}
