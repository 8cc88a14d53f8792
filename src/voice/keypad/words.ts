// Every sentence the keypad agent says with the built-in voice, and which recording takes its place.
import type { RecordedKind } from "../../payloads/recorded-words.ts";
import { spokenMoment } from "../../speech/tts/spoken-time.ts";
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

const spoken = (name: string, text: string): SpokenLine => ({ name, text, recorded: null });
const recordable = (kind: RecordedKind, text: string): SpokenLine => ({ name: kind, text, recorded: kind });

export const words = {
  greeting: ({ greeting, agentName }: AgentBrief) =>
    recordable("greeting", greeting.trim() || `Hello. This is ${agentName}.`),
  appointment: (appointment: KnownAppointment) =>
    spoken("appointment", `Your appointment is on ${spokenMoment(appointment)}.`),
  menu: (choices: Choices) => recordable("menu", menuText(choices)),
  confirmed: recordable("confirmed", "Thank you. Your appointment is confirmed."),
  acknowledged: spoken("acknowledged", "We have noted that you heard this message."),
  changeRequested: recordable("change_requested", "We have noted it. The hospital will call you to find another time."),
  offersLead: spoken("offers", "These times are open."),
  offer: (key: string, slot: SlotOffer) => spoken("offer", `Press ${key} for ${spokenMoment(slot)}.`),
  noneSuits: spoken("none_suits", `Press ${NONE_SUITS_KEY} if none of these suits you.`),
  nothingOpen: spoken("nothing_open", "We are sorry, there is no time open at the moment."),
  gone: spoken("gone", "We are sorry, this time has just been taken."),
  rescheduled: (slot: SlotOffer) =>
    spoken("rescheduled", `Thank you. Your appointment is now on ${spokenMoment(slot)}.`),
  booked: (slot: SlotOffer) => spoken("booked", `Thank you. Your appointment is on ${spokenMoment(slot)}.`),
  transfer: recordable("transfer", "Please hold the line."),
  transferRefused: spoken("transfer_refused", "We are sorry, nobody can take your call at the moment."),
  callLater: spoken("call_later", `We will call you again in ${CALL_LATER_MINUTES} minutes.`),
  notInterested: spoken(
    "not_interested",
    "We have noted that you do not want this call. We are sorry to have troubled you.",
  ),
  /** Anybody may hear it: neither the contact's name nor what it is about. */
  message: ({ agentName }: AgentBrief) =>
    spoken("message", `This is ${agentName}. We are sorry to have missed you, and will try again.`),
  notSaved: spoken("not_saved", "We are sorry, your answer could not be saved. Please call the hospital."),
  goodbye: recordable("goodbye", "Thank you. Goodbye."),
};

function menuText({ hasAppointment, canBook, canTransfer, isOutbound }: Choices): string {
  const sentences = [
    hasAppointment ? "Press 1 to confirm." : "Press 1 if you have heard this message.",
    hasAppointment ? "Press 2 for another time." : canBook && "Press 2 to book an appointment.",
    canTransfer && `Press ${PERSON_KEY} to speak to a person.`,
    isOutbound && `Press ${CALL_LATER_KEY} to be called later.`,
    isOutbound && `Press ${NOT_INTERESTED_KEY} if you do not want this call.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}
