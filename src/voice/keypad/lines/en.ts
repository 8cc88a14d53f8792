// Everything that the keypad agent says in English.
import { spokenMoment } from "../../../speech/tts/spoken-time.ts";
import {
  CALL_LATER_KEY,
  CALL_LATER_MINUTES,
  NONE_SUITS_KEY,
  NOT_INTERESTED_KEY,
  PERSON_KEY,
  recordable,
  sentences,
  spoken,
  type KeypadWords,
} from "../words.ts";

export const english: KeypadWords = {
  greeting: ({ greeting, agentName }) => recordable("greeting", greeting.trim() || `Hello. This is ${agentName}.`),
  appointment: (appointment) => spoken("appointment", `Your appointment is on ${spokenMoment(appointment)}.`),
  menu: ({ hasAppointment, canBook, canTransfer, isOutbound }) =>
    recordable(
      "menu",
      sentences(
        hasAppointment ? "Press 1 to confirm." : "Press 1 if you have heard this message.",
        hasAppointment ? "Press 2 for another time." : canBook && "Press 2 to book an appointment.",
        canTransfer && `Press ${PERSON_KEY} to speak to a person.`,
        isOutbound && `Press ${CALL_LATER_KEY} to be called later.`,
        isOutbound && `Press ${NOT_INTERESTED_KEY} if you do not want this call.`,
      ),
    ),
  confirmed: recordable("confirmed", "Thank you. Your appointment is confirmed."),
  acknowledged: spoken("acknowledged", "We have noted that you heard this message."),
  changeRequested: recordable("change_requested", "We have noted it. The hospital will call you to find another time."),
  offersLead: spoken("offers", "These times are open."),
  offer: (key, slot) => spoken("offer", `Press ${key} for ${spokenMoment(slot)}.`),
  noneSuits: spoken("none_suits", `Press ${NONE_SUITS_KEY} if none of these suits you.`),
  nothingOpen: spoken("nothing_open", "We are sorry, there is no time open at the moment."),
  gone: spoken("gone", "We are sorry, this time has just been taken."),
  wait: spoken(
    "wait",
    "Press 1 to be put on the waiting list. We will call you when a place opens. Press 2 if you do not want that.",
  ),
  waitlisted: spoken("waitlisted", "You are on the waiting list. We will call you when a place opens."),
  place: (slot) => spoken("place", `A place has opened for you on ${spokenMoment(slot)}.`),
  placeKeys: spoken("place_keys", "Press 1 to take it. Press 2 if you do not want it."),
  stay: spoken("stay", "Press 1 to stay on the waiting list. Press 2 to be taken off it."),
  staysWaiting: spoken("stays_waiting", "You stay on the waiting list. We will call you when another place opens."),
  leftList: spoken("left_list", "You are not on the waiting list any more."),
  rescheduled: (slot) => spoken("rescheduled", `Thank you. Your appointment is now on ${spokenMoment(slot)}.`),
  booked: (slot) => spoken("booked", `Thank you. Your appointment is on ${spokenMoment(slot)}.`),
  transfer: recordable("transfer", "Please hold the line."),
  transferRefused: spoken("transfer_refused", "We are sorry, nobody can take your call at the moment."),
  callLater: spoken("call_later", `We will call you again in ${CALL_LATER_MINUTES} minutes.`),
  notInterested: spoken(
    "not_interested",
    "We have noted that you do not want this call. We are sorry to have troubled you.",
  ),
  message: ({ agentName, isTriedAgain }) =>
    spoken(
      "message",
      `This is ${agentName}. We are sorry to have missed you${isTriedAgain ? ", and will try again" : ""}.`,
    ),
  unreachable: spoken(
    "unreachable",
    "We are sorry, we cannot reach the calendar just now. Somebody will call you back.",
  ),
  notSaved: spoken("not_saved", "We are sorry, your answer could not be saved. Please call the hospital."),
  goodbye: recordable("goodbye", "Thank you. Goodbye."),
};
