// All phrases of the agent in English. Sentences are short because the callee hears them once, on a telephone.
import { spokenPhone } from "../../../speech/tts/spoken-phone.ts";
import { spokenDate, spokenMoment } from "../../../speech/tts/spoken-time.ts";
import type { Purpose } from "../../../payloads/lawful.ts";
import type { Intent } from "../../understanding/meaning.ts";
import type { KeyHints, Phrases } from "./phrases.ts";
import { joined, keyMenu, notice, phrase, recordable } from "../phrase.ts";

const NEVER_AGAIN = "Press 9 if you do not want to be called again.";

const furtherKeys = ({ canTransfer, isOutbound }: KeyHints) => [
  canTransfer && "Press 3 to speak to a person.",
  isOutbound && "Press 4 to be called later.",
  isOutbound && NEVER_AGAIN,
];

/** Confirmation questions for low-confidence intents. */
const DOUBTS: Partial<Record<Intent, string>> = {
  yes: "Was that a yes?",
  no: "Was that a no?",
  another_time: "Do you want another time?",
  cancel_appointment: "Do you want to cancel the appointment?",
  person: "Do you want to speak to a person?",
  do_not_call: "Do you want us not to call you any more?",
  not_interested: "Are you not interested?",
  call_later: "Shall we call you later?",
  wrong_number: "Do I have the wrong number?",
  not_that_person: "Are you somebody else?",
};

/** After "May our automatic assistant call you about". */
const PURPOSES: Readonly<Record<Purpose, string>> = {
  transactional: "your bookings and requests",
  service: "your care, such as reminders and check-ups",
  promotional: "health camps, packages and offers",
};

const COUNTED = ["first", "second", "third", "fourth", "fifth"];

export const english: Phrases = {
  opening: (hospital) =>
    notice("opening", `Hello, this is the automatic assistant of ${hospital}.`, "caller", "automatic"),
  isRecorded: notice("is_recorded", "This call is recorded.", "recording"),
  stopRecordingKey: phrase("stop_recording_key", "Press 7 at any time to stop the recording."),
  mayRecord: notice("may_record", "May we record this call?", "recording"),
  recordingOn: phrase("recording_on", "Thank you. This call is recorded."),
  notRecorded: phrase("not_recorded", "All right. This call is not recorded."),
  recordingStopped: phrase("recording_stopped", "All right. The recording has stopped."),
  mayCall: (purpose) => phrase("may_call", `May our automatic assistant call you about ${PURPOSES[purpose]}?`),
  willCall: phrase("will_call", "All right. We have noted that we may call you."),
  willNotCall: phrase("will_not_call", "All right. We will not call you about that."),
  callbackNumber: (number) =>
    notice("callback_number", `You can call us on plus ${spokenPhone(number) ?? number}.`, "callback"),
  howToStop: notice("how_to_stop", "To stop these calls, say stop calling, or press 9.", "stop"),
  howToStopLater: notice(
    "how_to_stop",
    "To stop these calls, tell us on that number, or press 9 when we call.",
    "stop",
  ),
  greeting: ({ greeting, agentName }) => recordable("greeting", greeting.trim() || `Hello. This is ${agentName}.`),
  identity: ({ contactName }) =>
    phrase("identity", contactName ? `Am I speaking with ${contactName}?` : "Do you have a moment to talk?"),
  identityKeys: ({ contactName }) =>
    phrase(
      "identity_keys",
      contactName
        ? `If I am speaking with ${contactName}, press 1. If not, press 2.`
        : "Press 1 if you have a moment. Press 2 if not.",
    ),
  furtherKeys: (hints) => keyMenu("further_keys", hints, ...furtherKeys(hints)),
  whoIsCalling: ({ agentName, notices }) =>
    notices
      ? notice("who", `This is the automatic assistant of ${notices.hospital}.`, "caller", "automatic")
      : phrase("who", `This is ${agentName}, an automatic call for the hospital.`),
  isPersonal: ({ contactName }) =>
    phrase("personal", `I have a message that is for ${contactName ?? "the person with this number"} alone.`),
  fetch: ({ contactName }) => phrase("fetch", `Can ${contactName ?? "they"} come to the phone?`),
  willWait: phrase("will_wait", "Thank you. I will wait."),
  areYouThere: phrase("are_you_there", "Are you still there?"),
  screened: ({ agentName, contactName, notices }) => {
    const message = `calling for ${contactName ?? "you"} with a personal message.`;
    return notices
      ? notice("screened", `This is the automatic assistant of ${notices.hospital}, ${message}`, "caller", "automatic")
      : phrase("screened", `This is ${agentName}, ${message}`);
  },

  appointment: (appointment) => phrase("appointment", `Your appointment is on ${spokenMoment(appointment)}.`),
  attend: phrase("attend", "Will you come?"),
  attendKeys: (hints) =>
    keyMenu("attend_keys", hints, "Press 1 to confirm.", "Press 2 for another time.", ...furtherKeys(hints)),
  book: phrase("book", "Would you like to book an appointment?"),
  bookKeys: (hints) =>
    keyMenu("book_keys", hints, "Press 1 to book an appointment.", "Press 2 if not.", ...furtherKeys(hints)),
  messageKeys: (hints) =>
    keyMenu("message_keys", hints, "Press 1 if you have heard this message.", ...furtherKeys(hints)),
  purposeOfAppointment: phrase("purpose", "I am calling about your appointment."),
  purposeOfBooking: phrase("purpose", "I am calling to offer you an appointment."),
  purposeUnknown: phrase("purpose", "I am calling with a message from the hospital."),
  change: phrase("change", "Would you like another time?"),
  changeKeys: () => joined("change_keys", "Press 1 for another time.", "Press 2 to cancel the appointment."),
  offer: (index, count, slot) =>
    phrase(
      "offer",
      count === 1 ? `I have ${spokenMoment(slot)}.` : `The ${COUNTED[index] ?? "next"} is ${spokenMoment(slot)}.`,
    ),
  offerByKey: (key, slot) => phrase("offer", `Press ${key} for ${spokenMoment(slot)}.`),
  noneSuits: phrase("none_suits", "Press 0 if none of these suits you."),
  offersLead: phrase("offers", "These times are open."),
  nearestOffersLead: phrase("offers_nearest", "That is not open. The nearest times are these."),
  which: phrase("which", "Which one suits you?"),
  whichKeys: (count) =>
    joined(
      "which_keys",
      ...COUNTED.slice(0, count).map((word, i) => `Press ${i + 1} for the ${word}.`),
      "Press 0 if none suits you.",
    ),
  slot: (slot) => phrase("slot", `${spokenMoment(slot)}.`),
  slotQuestion: phrase("slot_question", "Shall I book it?"),
  day: phrase("day", "Which day and time would suit you?"),
  dayConflict: ({ date }) =>
    phrase(
      "day_conflict",
      date ? `I am not sure of the day. Do you mean ${spokenDate(date)}?` : "Which day do you mean?",
    ),
  cancel: (appointment) => phrase("cancel", `Shall I cancel your appointment on ${spokenMoment(appointment)}?`),
  requestCancel: (appointment) =>
    phrase(
      "request_cancel",
      `Your appointment is on ${spokenMoment(appointment)}. Shall I tell the hospital that you want to cancel it?`,
    ),
  name: phrase("name", "May I have your name, please?"),
  nameAgain: phrase("name", "Please say your name once more."),
  nameRight: (name) => phrase("name_right", `Your name is ${name}. Is that right?`),
  wait: phrase("wait", "Shall I put you on the waiting list? We will call you when a place opens."),
  waitlisted: phrase("waitlisted", "You are on the waiting list. We will call you when a place opens."),
  place: (slot) => phrase("place", `A place has opened for you on ${spokenMoment(slot)}.`),
  placeQuestion: phrase("place_question", "Would you like it?"),
  stay: phrase("stay", "Would you like to stay on the waiting list?"),
  staysWaiting: phrase("stays_waiting", "You stay on the waiting list. We will call you when another place opens."),
  leftList: phrase("left_list", "You are not on the waiting list any more."),
  callback: phrase("callback", "When shall we call you again?"),
  callbackTime: (time) => phrase("callback_time", `We will call you on ${spokenMoment(time)}. Is that right?`),
  optOut: phrase("opt_out", "Shall we never call this number again?"),
  anythingElse: phrase("anything_else", "Is there anything else that the hospital should know?"),
  noted: phrase("noted", "Thank you. The hospital will read what you said."),
  cannotAnswer: phrase("cannot_answer", "I cannot answer that. Please ask the hospital."),
  noAdvice: phrase("no_advice", "I cannot give medical advice. Please ask your doctor."),
  sorryToHear: phrase("sorry_to_hear", "I am sorry to hear that."),
  welcome: phrase("welcome", "You are welcome."),
  filler: phrase("filler", "One moment, please."),
  stillThere: phrase("still_there", "Just a moment longer."),
  doubt: (intent) => phrase("doubt", `I am not sure that I understood you. ${DOUBTS[intent] ?? "Is that right?"}`),
  yesNoKeys: phrase("yes_no_keys", "Press 1 for yes, or 2 for no."),
  neverAgainKey: notice("never_again_key", NEVER_AGAIN, "stop"),

  notUnderstood: phrase("not_understood", "Sorry, I did not understand that."),
  cannotHear: phrase("cannot_hear", "I am sorry, I cannot hear you well. Please answer with the keys of your phone."),
  takeYourTime: phrase("take_your_time", "Of course, take your time."),
  ofCourse: phrase("of_course", "Of course."),

  confirmed: recordable("confirmed", "Thank you. Your appointment is confirmed."),
  acknowledged: phrase("acknowledged", "Thank you. That is all."),
  rescheduled: (slot) => phrase("rescheduled", `Thank you. Your appointment is now on ${spokenMoment(slot)}.`),
  booked: (slot) => phrase("booked", `Thank you. Your appointment is on ${spokenMoment(slot)}.`),
  gone: phrase("gone", "I am sorry, that time has just been taken."),
  nothingOpen: phrase("nothing_open", "I am sorry, there is no time open at the moment."),
  cancelled: phrase("cancelled", "Your appointment is cancelled."),
  cancelRequested: phrase("cancel_requested", "I have told the hospital that you want to cancel your appointment."),
  declined: phrase("declined", "All right."),
  changeRequested: recordable("change_requested", "I have noted it. The hospital will call you to find another time."),
  callLater: (time) =>
    phrase(
      "call_later",
      time
        ? `Thank you. We will call you on ${spokenMoment(time)}.`
        : "Thank you. We will call you again in half an hour.",
    ),
  optedOut: phrase(
    "opted_out",
    "I have noted it. We will not call this number again. I am sorry to have troubled you.",
  ),
  wrongNumber: phrase("wrong_number", "I am sorry to have troubled you."),
  notReached: phrase("not_reached", "Thank you for telling us."),
  transfer: recordable("transfer", "Please hold the line."),
  transferRefused: phrase("transfer_refused", "I am sorry, nobody can take your call at the moment."),
  nobodyToTransferTo: phrase(
    "person_wanted",
    "I have noted that you want to speak to a person. The hospital will call you.",
  ),
  danger: phrase("danger", "Are you in pain or in danger?"),
  notUnderstoodTransfer: phrase(
    "not_understood_transfer",
    "I am sorry, I cannot understand you. I am connecting you to a person.",
  ),
  notUnderstoodAlone: phrase(
    "not_understood_alone",
    "I am sorry, I cannot understand you. A person from the hospital will call you. If anybody is in danger, call the emergency number now.",
  ),
  emergency: phrase(
    "emergency",
    "This may be an emergency. If anybody is in danger, hang up and call the emergency number now. I am connecting you to a person.",
  ),
  emergencyAlone: phrase(
    "emergency",
    "This may be an emergency. I cannot help with that. Please hang up and call the emergency number now.",
  ),
  callingDesk: phrase("calling_desk", "I am calling the hospital now. Please stay on the line."),
  deskRings: phrase("desk_rings", "It is ringing. Please stay on the line."),
  deskBusy: phrase("desk_busy", "I am sorry, the line of the hospital is busy."),
  deskNoAnswer: phrase("desk_no_answer", "I am sorry, nobody answered at the hospital."),
  forDesk: ({ agentName }) =>
    phrase("for_desk", `This is ${agentName}. A caller may be in an emergency. You are connected now.`),
  message({ agentName, isTriedAgain, notices }) {
    const missed = `I am sorry to have missed you${isTriedAgain ? ", and will try again" : ""}.`;
    return notices
      ? notice("message", `This is the automatic assistant of ${notices.hospital}. ${missed}`, "caller", "automatic")
      : phrase("message", `This is ${agentName}. ${missed} Goodbye.`);
  },
  unreachable: phrase("unreachable", "I am sorry, I cannot reach the calendar just now. Somebody will call you back."),
  notSaved: phrase("not_saved", "I am sorry, that could not be saved. Please call the hospital."),
  goodbye: recordable("goodbye", "Thank you. Goodbye."),
};
