// The phrases that every language provides, by purpose.
import type { Phrase } from "../phrase.ts";
import type { KnownAppointment, SlotOffer } from "../../../calendar/desk-port.ts";
import type { Purpose } from "../../../payloads/lawful.ts";
import type { AgentBrief } from "../../port.ts";
import type { Intent, Moment } from "../../understanding/meaning.ts";
import type { CallbackTime, TalkCall } from "../model.ts";

/** Which keys to name in a question. */
export interface KeyHints {
  canTransfer: boolean;
  isOutbound: boolean;
}

type Slot = Pick<SlotOffer, "date" | "startTime">;

export interface Phrases {
  /** The notice before everything else: who calls, and that the voice is automatic. */
  opening(hospital: string): Phrase;
  /** The notice that the call is recorded. */
  isRecorded: Phrase;
  /** The key that stops it, for keypad calls. */
  stopRecordingKey: Phrase;
  mayRecord: Phrase;
  /** After a yes, a no, and a withdrawal. */
  recordingOn: Phrase;
  notRecorded: Phrase;
  recordingStopped: Phrase;
  /** Whether further calls of this purpose are welcome; after a yes, and a no. */
  mayCall(purpose: Purpose): Phrase;
  willCall: Phrase;
  willNotCall: Phrase;
  /** The number to call back, in E.164. */
  callbackNumber(number: string): Phrase;
  /** How to stop the calls, by word and by key. */
  howToStop: Phrase;
  /** The same in a voicemail. */
  howToStopLater: Phrase;
  greeting(brief: Pick<AgentBrief, "greeting" | "agentName">): Phrase;
  identity(call: TalkCall): Phrase;
  /** The same for keypad calls. */
  identityKeys(call: TalkCall): Phrase;
  furtherKeys(hints: KeyHints): Phrase;
  whoIsCalling(call: TalkCall): Phrase;
  /** For a speaker who may not be the contact. */
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
  /** The only answer is that the message was heard. */
  messageKeys(hints: KeyHints): Phrase;
  purposeOfAppointment: Phrase;
  purposeOfBooking: Phrase;
  purposeUnknown: Phrase;
  change: Phrase;
  changeKeys(hints: KeyHints): Phrase;
  /** One phrase per offer, so that each is tracked as told separately. */
  offer(index: number, count: number, slot: SlotOffer): Phrase;
  offerByKey(key: string, slot: Slot): Phrase;
  noneSuits: Phrase;
  offersLead: Phrase;
  /** No slot is open on the requested day. */
  nearestOffersLead: Phrase;
  which: Phrase;
  whichKeys(count: number): Phrase;
  slot(slot: SlotOffer): Phrase;
  slotQuestion: Phrase;
  day: Phrase;
  dayConflict(moment: Moment): Phrase;
  cancel(appointment: KnownAppointment): Phrase;
  /** Where only the hospital's own system can cancel. */
  requestCancel(appointment: KnownAppointment): Phrase;
  name: Phrase;
  nameAgain: Phrase;
  nameRight(name: string): Phrase;
  /** Asks whether to join the waiting list. */
  wait: Phrase;
  waitlisted: Phrase;
  /** Offers a waiting-list place. */
  place(slot: SlotOffer): Phrase;
  placeQuestion: Phrase;
  /** Asks a callee who declined the place whether to stay on the list. */
  stay: Phrase;
  staysWaiting: Phrase;
  leftList: Phrase;
  callback: Phrase;
  callbackTime(time: CallbackTime): Phrase;
  optOut: Phrase;
  /** Resumes after a model stopped leading. */
  anythingElse: Phrase;
  noted: Phrase;
  /** Chosen by a model for a question without an approved answer. */
  cannotAnswer: Phrase;
  /** Chosen by a model for questions about illness, results, medicines or treatment. */
  noAdvice: Phrase;
  sorryToHear: Phrase;
  welcome: Phrase;
  /** Covers a short wait. */
  filler: Phrase;
  /** Covers a longer wait. */
  stillThere: Phrase;
  doubt(intent: Intent): Phrase;
  yesNoKeys: Phrase;
  /** Key 9, named in every menu. */
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
  cancelRequested: Phrase;
  declined: Phrase;
  changeRequested: Phrase;
  callLater(time: CallbackTime | null): Phrase;
  optedOut: Phrase;
  wrongNumber: Phrase;
  notReached: Phrase;
  transfer: Phrase;
  transferRefused: Phrase;
  nobodyToTransferTo: Phrase;
  /** Asked after an utterance that resembles a cry for help. */
  danger: Phrase;
  /** After three utterances that were not understood: with and without a transfer target. */
  notUnderstoodTransfer: Phrase;
  notUnderstoodAlone: Phrase;
  emergency: Phrase;
  emergencyAlone: Phrase;
  /** During and after a call to the desk in an emergency. */
  callingDesk: Phrase;
  deskRings: Phrase;
  deskBusy: Phrase;
  deskNoAnswer: Phrase;
  /** For the person who answers at the desk. */
  forDesk(call: TalkCall): Phrase;
  /** For an answering machine; reveals nothing private. */
  message(call: TalkCall): Phrase;
  notSaved: Phrase;
  /** The calendar is unreachable. */
  unreachable: Phrase;
  goodbye: Phrase;
}
