// What a language must be able to say: every sentence of the agent, by what it is for.
import type { SpokenLine } from "./spoken-line.ts";
import type { AgentBrief, KnownAppointment, SlotOffer } from "../../port.ts";
import type { Intent, Moment } from "../../understanding/meaning.ts";
import type { CallbackTime, TalkCall } from "../model.ts";

/** What the keys lead to while a question is asked. */
export interface KeyHints {
  canTransfer: boolean;
  isOutbound: boolean;
}

type Slot = Pick<SlotOffer, "date" | "startTime">;

export interface Lines {
  greeting(brief: Pick<AgentBrief, "greeting" | "agentName">): SpokenLine;
  identity(call: TalkCall): SpokenLine;
  /** The same where keys are all that answers. */
  identityKeys(call: TalkCall): SpokenLine;
  furtherKeys(hints: KeyHints): SpokenLine;
  whoIsCalling(call: TalkCall): SpokenLine;
  /** To somebody who may not be the contact. */
  isPersonal(call: TalkCall): SpokenLine;
  fetch(call: TalkCall): SpokenLine;
  willWait: SpokenLine;
  areYouThere: SpokenLine;
  screened(call: TalkCall): SpokenLine;

  appointment(appointment: KnownAppointment): SpokenLine;
  attend: SpokenLine;
  attendKeys(hints: KeyHints): SpokenLine;
  book: SpokenLine;
  bookKeys(hints: KeyHints): SpokenLine;
  /** There is nothing to be answered but that it was heard. */
  messageKeys(hints: KeyHints): SpokenLine;
  purposeOfAppointment: SpokenLine;
  purposeOfBooking: SpokenLine;
  purposeUnknown: SpokenLine;
  change: SpokenLine;
  changeKeys(hints: KeyHints): SpokenLine;
  /** One for each offer, so that what was told is known one by one. */
  offer(index: number, count: number, slot: SlotOffer): SpokenLine;
  offerByKey(key: string, slot: Slot): SpokenLine;
  noneSuits: SpokenLine;
  offersLead: SpokenLine;
  /** Nothing is open on the day that was asked for. */
  nearestOffersLead: SpokenLine;
  which: SpokenLine;
  whichKeys(count: number): SpokenLine;
  slot(slot: SlotOffer): SpokenLine;
  slotQuestion: SpokenLine;
  day: SpokenLine;
  dayConflict(moment: Moment): SpokenLine;
  cancel(appointment: KnownAppointment): SpokenLine;
  name: SpokenLine;
  nameAgain: SpokenLine;
  nameRight(name: string): SpokenLine;
  /** Shall they be put on the waiting list? */
  wait: SpokenLine;
  waitlisted: SpokenLine;
  /** A place of the waiting list. */
  place(slot: SlotOffer): SpokenLine;
  placeQuestion: SpokenLine;
  /** Whoever does not want it: do they wait on? */
  stay: SpokenLine;
  staysWaiting: SpokenLine;
  leftList: SpokenLine;
  callback: SpokenLine;
  callbackTime(time: CallbackTime): SpokenLine;
  optOut: SpokenLine;
  /** A model was leading, and does no more. */
  anythingElse: SpokenLine;
  noted: SpokenLine;
  /** Chosen by a model: a question that the owner gave no answer to. */
  cannotAnswer: SpokenLine;
  /** And one about illness, results, medicines or treatment. */
  noAdvice: SpokenLine;
  sorryToHear: SpokenLine;
  welcome: SpokenLine;
  /** While something takes a moment. */
  filler: SpokenLine;
  /** And while it takes another. */
  stillThere: SpokenLine;
  doubt(intent: Intent): SpokenLine;
  yesNoKeys: SpokenLine;
  /** Key 9, which every menu names. */
  neverAgainKey: SpokenLine;

  notUnderstood: SpokenLine;
  cannotHear: SpokenLine;
  takeYourTime: SpokenLine;
  ofCourse: SpokenLine;

  confirmed: SpokenLine;
  acknowledged: SpokenLine;
  rescheduled(slot: SlotOffer): SpokenLine;
  booked(slot: SlotOffer): SpokenLine;
  gone: SpokenLine;
  nothingOpen: SpokenLine;
  cancelled: SpokenLine;
  declined: SpokenLine;
  changeRequested: SpokenLine;
  callLater(time: CallbackTime | null): SpokenLine;
  optedOut: SpokenLine;
  wrongNumber: SpokenLine;
  notReached: SpokenLine;
  transfer: SpokenLine;
  transferRefused: SpokenLine;
  nobodyToTransferTo: SpokenLine;
  /** After what sounds like a cry for help. */
  danger: SpokenLine;
  /** They were not understood three times: with somebody to transfer the call to, and without. */
  notUnderstoodTransfer: SpokenLine;
  notUnderstoodAlone: SpokenLine;
  emergency: SpokenLine;
  emergencyAlone: SpokenLine;
  /** While the desk is called, in an emergency, and what became of it. */
  callingDesk: SpokenLine;
  deskRings: SpokenLine;
  deskBusy: SpokenLine;
  deskNoAnswer: SpokenLine;
  /** For whoever answers at the desk. */
  forDesk(call: TalkCall): SpokenLine;
  /** For a machine: anybody may hear it. */
  message(call: TalkCall): SpokenLine;
  notSaved: SpokenLine;
  /** The calendar does not answer. */
  unreachable: SpokenLine;
  goodbye: SpokenLine;
}
