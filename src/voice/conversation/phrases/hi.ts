// All phrases of the agent in Hindi. Sentences are short because the callee hears them once, on a telephone.
import { digitByDigit } from "../../../speech/tts/hindi/spoken-number.ts";
import { spokenPhone } from "../../../speech/tts/spoken-phone.ts";
import { spokenDate, spokenMoment } from "../../../speech/tts/hindi/spoken-time.ts";
import type { Purpose } from "../../../payloads/lawful.ts";
import type { Intent } from "../../understanding/meaning.ts";
import type { KeyHints, Phrases } from "./phrases.ts";
import { joined, keyMenu, notice, phrase, recordable } from "../phrase.ts";

const NEVER_AGAIN = "अगर आप चाहते हैं कि हम फिर कॉल न करें, तो नौ दबाइए।";

const furtherKeys = ({ canTransfer, isOutbound }: KeyHints) => [
  canTransfer && "किसी से बात करने के लिए तीन दबाइए।",
  isOutbound && "बाद में कॉल पाने के लिए चार दबाइए।",
  isOutbound && NEVER_AGAIN,
];

/** Confirmation questions for low-confidence intents. */
const DOUBTS: Partial<Record<Intent, string>> = {
  yes: "क्या आपने हाँ कहा?",
  no: "क्या आपने नहीं कहा?",
  another_time: "क्या आपको दूसरा समय चाहिए?",
  cancel_appointment: "क्या आप अपॉइंटमेंट रद्द करना चाहते हैं?",
  person: "क्या आप किसी से बात करना चाहते हैं?",
  do_not_call: "क्या आप चाहते हैं कि हम आपको फिर कॉल न करें?",
  not_interested: "क्या आपको इसमें रुचि नहीं है?",
  call_later: "क्या हम आपको बाद में कॉल करें?",
  wrong_number: "क्या यह गलत नंबर है?",
  not_that_person: "क्या आप कोई और हैं?",
};

/** After "क्या हमारी ऑटोमैटिक सहायक आपको". */
const PURPOSES: Readonly<Record<Purpose, string>> = {
  transactional: "आपकी बुकिंग और अनुरोधों",
  service: "आपके इलाज, जैसे अपॉइंटमेंट और जाँच,",
  promotional: "स्वास्थ्य शिविर, पैकेज और ऑफ़र",
};

const COUNTED = ["पहला", "दूसरा", "तीसरा", "चौथा", "पाँचवाँ"];
const COUNTED_FOR = ["पहले", "दूसरे", "तीसरे", "चौथे", "पाँचवें"];

export const hindi: Phrases = {
  opening: (hospital) => notice("opening", `नमस्ते, मैं ${hospital} की ऑटोमैटिक सहायक हूँ।`, "caller", "automatic"),
  isRecorded: notice("is_recorded", "यह कॉल रिकॉर्ड की जा रही है।", "recording"),
  stopRecordingKey: phrase("stop_recording_key", "रिकॉर्डिंग बंद करने के लिए कभी भी सात दबाइए।"),
  mayRecord: notice("may_record", "क्या हम यह कॉल रिकॉर्ड कर सकते हैं?", "recording"),
  recordingOn: phrase("recording_on", "धन्यवाद। यह कॉल रिकॉर्ड की जा रही है।"),
  notRecorded: phrase("not_recorded", "ठीक है। यह कॉल रिकॉर्ड नहीं की जा रही है।"),
  recordingStopped: phrase("recording_stopped", "ठीक है। रिकॉर्डिंग बंद कर दी गई है।"),
  mayCall: (purpose) => phrase("may_call", `क्या हमारी ऑटोमैटिक सहायक आपको ${PURPOSES[purpose]} के बारे में कॉल कर सकती है?`),
  willCall: phrase("will_call", "ठीक है। हमने लिख लिया है कि हम आपको कॉल कर सकते हैं।"),
  willNotCall: phrase("will_not_call", "ठीक है। हम इस बारे में आपको कॉल नहीं करेंगे।"),
  callbackNumber: (number) =>
    notice(
      "callback_number",
      `आप हमें इस नंबर पर कॉल कर सकते हैं, प्लस ${spokenPhone(number, digitByDigit) ?? number}।`,
      "callback",
    ),
  howToStop: notice("how_to_stop", "ये कॉल बंद करने के लिए, कॉल मत कीजिए बोलिए, या नौ दबाइए।", "stop"),
  howToStopLater: notice("how_to_stop", "ये कॉल बंद करने के लिए, इस नंबर पर हमें बताइए, या हमारी कॉल आने पर नौ दबाइए।", "stop"),
  greeting: ({ greeting, agentName }) =>
    recordable("greeting", greeting.trim() || `नमस्ते। यह ${agentName} की ओर से कॉल है।`),
  identity: ({ contactName }) =>
    phrase("identity", contactName ? `क्या मैं ${contactName} से बात कर रही हूँ?` : "क्या आप अभी बात कर सकते हैं?"),
  identityKeys: ({ contactName }) =>
    phrase(
      "identity_keys",
      contactName
        ? `अगर मैं ${contactName} से बात कर रही हूँ, तो एक दबाइए। अगर नहीं, तो दो दबाइए।`
        : "अगर आप अभी बात कर सकते हैं, तो एक दबाइए। अगर नहीं, तो दो दबाइए।",
    ),
  furtherKeys: (hints) => keyMenu("further_keys", hints, ...furtherKeys(hints)),
  whoIsCalling: ({ agentName, notices }) =>
    notices
      ? notice("who", `मैं ${notices.hospital} की ऑटोमैटिक सहायक हूँ।`, "caller", "automatic")
      : phrase("who", `मैं ${agentName} हूँ। यह अस्पताल की ओर से अपने आप होने वाली कॉल है।`),
  isPersonal: ({ contactName }) =>
    phrase("personal", `मेरे पास एक संदेश है, जो केवल ${contactName ?? "इस नंबर के व्यक्ति"} के लिए है।`),
  fetch: ({ contactName }) => phrase("fetch", `क्या ${contactName ?? "वे"} फ़ोन पर आ सकते हैं?`),
  willWait: phrase("will_wait", "धन्यवाद। मैं प्रतीक्षा करूँगी।"),
  areYouThere: phrase("are_you_there", "क्या आप सुन रहे हैं?"),
  screened: ({ agentName, contactName, notices }) => {
    const message = `${contactName ?? "आप"} के लिए एक निजी संदेश है।`;
    return notices
      ? notice("screened", `मैं ${notices.hospital} की ऑटोमैटिक सहायक हूँ। ${message}`, "caller", "automatic")
      : phrase("screened", `मैं ${agentName} हूँ। ${message}`);
  },

  appointment: (appointment) => phrase("appointment", `आपका अपॉइंटमेंट है, ${spokenMoment(appointment)}।`),
  attend: phrase("attend", "क्या आप आएँगे?"),
  attendKeys: (hints) =>
    keyMenu("attend_keys", hints, "पक्का करने के लिए एक दबाइए।", "दूसरे समय के लिए दो दबाइए।", ...furtherKeys(hints)),
  book: phrase("book", "क्या आप अपॉइंटमेंट लेना चाहते हैं?"),
  bookKeys: (hints) =>
    keyMenu("book_keys", hints, "अपॉइंटमेंट लेने के लिए एक दबाइए।", "अगर नहीं, तो दो दबाइए।", ...furtherKeys(hints)),
  messageKeys: (hints) =>
    keyMenu("message_keys", hints, "अगर आपने यह संदेश सुन लिया है तो एक दबाइए।", ...furtherKeys(hints)),
  purposeOfAppointment: phrase("purpose", "मैं आपके अपॉइंटमेंट के बारे में कॉल कर रही हूँ।"),
  purposeOfBooking: phrase("purpose", "मैं आपको अपॉइंटमेंट देने के लिए कॉल कर रही हूँ।"),
  purposeUnknown: phrase("purpose", "अस्पताल की ओर से आपके लिए एक संदेश है।"),
  change: phrase("change", "क्या आपको दूसरा समय चाहिए?"),
  changeKeys: () => joined("change_keys", "दूसरे समय के लिए एक दबाइए।", "अपॉइंटमेंट रद्द करने के लिए दो दबाइए।"),
  offer: (index, count, slot) =>
    phrase(
      "offer",
      count === 1 ? `यह समय खाली है, ${spokenMoment(slot)}।` : `${COUNTED[index] ?? "अगला"}, ${spokenMoment(slot)}।`,
    ),
  offerByKey: (key, slot) => phrase("offer", `${spokenMoment(slot)}। इसके लिए ${digitByDigit(key)} दबाइए।`),
  noneSuits: phrase("none_suits", "अगर इनमें से कोई समय ठीक नहीं है तो शून्य दबाइए।"),
  offersLead: phrase("offers", "ये समय खाली हैं।"),
  nearestOffersLead: phrase("offers_nearest", "वह समय खाली नहीं है। उसके पास के समय ये हैं।"),
  which: phrase("which", "आपके लिए कौन सा ठीक रहेगा?"),
  whichKeys: (count) =>
    joined(
      "which_keys",
      ...COUNTED_FOR.slice(0, count).map((word, i) => `${word} के लिए ${digitByDigit(String(i + 1))} दबाइए।`),
      "अगर कोई ठीक नहीं है तो शून्य दबाइए।",
    ),
  slot: (slot) => phrase("slot", `${spokenMoment(slot)}।`),
  slotQuestion: phrase("slot_question", "क्या मैं इसे बुक कर दूँ?"),
  day: phrase("day", "आपके लिए कौन सा दिन और समय ठीक रहेगा?"),
  dayConflict: ({ date }) =>
    phrase(
      "day_conflict",
      date ? `मुझे दिन ठीक से समझ नहीं आया। क्या आपका मतलब ${spokenDate(date)} है?` : "आपका मतलब कौन सा दिन है?",
    ),
  requestCancel: (appointment) =>
    phrase(
      "request_cancel",
      `आपका अपॉइंटमेंट है, ${spokenMoment(appointment)}। क्या मैं अस्पताल को बता दूँ कि आप इसे रद्द करना चाहते हैं?`,
    ),
  cancel: (appointment) => phrase("cancel", `आपका अपॉइंटमेंट है, ${spokenMoment(appointment)}। क्या मैं इसे रद्द कर दूँ?`),
  name: phrase("name", "कृपया अपना नाम बताइए।"),
  nameAgain: phrase("name", "कृपया अपना नाम एक बार फिर बताइए।"),
  nameRight: (name) => phrase("name_right", `आपका नाम ${name} है। क्या यह ठीक है?`),
  wait: phrase("wait", "क्या मैं आपका नाम प्रतीक्षा सूची में लिख दूँ? जगह खाली होने पर हम आपको कॉल करेंगे।"),
  waitlisted: phrase("waitlisted", "आपका नाम प्रतीक्षा सूची में है। जगह खाली होने पर हम आपको कॉल करेंगे।"),
  place: (slot) => phrase("place", `आपके लिए एक जगह खाली हुई है, ${spokenMoment(slot)}।`),
  placeQuestion: phrase("place_question", "क्या आप इसे लेना चाहेंगे?"),
  stay: phrase("stay", "क्या आप प्रतीक्षा सूची में बने रहना चाहेंगे?"),
  staysWaiting: phrase("stays_waiting", "आपका नाम प्रतीक्षा सूची में है। दूसरी जगह खाली होने पर हम आपको कॉल करेंगे।"),
  leftList: phrase("left_list", "आपका नाम अब प्रतीक्षा सूची में नहीं है।"),
  callback: phrase("callback", "हम आपको फिर कब कॉल करें?"),
  callbackTime: (time) => phrase("callback_time", `हम आपको कॉल करेंगे, ${spokenMoment(time)}। क्या यह ठीक है?`),
  optOut: phrase("opt_out", "क्या हम इस नंबर पर फिर कभी कॉल न करें?"),
  anythingElse: phrase("anything_else", "क्या कुछ और है जो अस्पताल को जानना चाहिए?"),
  noted: phrase("noted", "धन्यवाद। आपने जो कहा, अस्पताल उसे पढ़ेगा।"),
  cannotAnswer: phrase("cannot_answer", "इसका जवाब मेरे पास नहीं है। कृपया अस्पताल से पूछिए।"),
  noAdvice: phrase("no_advice", "इलाज की सलाह मेरे पास नहीं है। कृपया अपने डॉक्टर से पूछिए।"),
  sorryToHear: phrase("sorry_to_hear", "यह सुनकर दुख हुआ।"),
  welcome: phrase("welcome", "आपका स्वागत है।"),
  filler: phrase("filler", "एक क्षण रुकिए।"),
  stillThere: phrase("still_there", "बस थोड़ा और रुकिए।"),
  doubt: (intent) => phrase("doubt", `मुझे ठीक से समझ नहीं आया। ${DOUBTS[intent] ?? "क्या यह ठीक है?"}`),
  yesNoKeys: phrase("yes_no_keys", "हाँ के लिए एक दबाइए, नहीं के लिए दो।"),
  neverAgainKey: notice("never_again_key", NEVER_AGAIN, "stop"),

  notUnderstood: phrase("not_understood", "क्षमा कीजिए, मुझे समझ नहीं आया।"),
  cannotHear: phrase("cannot_hear", "क्षमा कीजिए, आपकी आवाज़ ठीक से नहीं आ रही। कृपया फ़ोन के बटन दबाकर जवाब दीजिए।"),
  takeYourTime: phrase("take_your_time", "ज़रूर, आराम से।"),
  ofCourse: phrase("of_course", "ज़रूर।"),

  confirmed: recordable("confirmed", "धन्यवाद। आपका अपॉइंटमेंट पक्का हो गया है।"),
  acknowledged: phrase("acknowledged", "धन्यवाद। बस इतना ही।"),
  rescheduled: (slot) => phrase("rescheduled", `धन्यवाद। अब आपका अपॉइंटमेंट है, ${spokenMoment(slot)}।`),
  booked: (slot) => phrase("booked", `धन्यवाद। आपका अपॉइंटमेंट है, ${spokenMoment(slot)}।`),
  gone: phrase("gone", "क्षमा कीजिए, यह समय अभी अभी किसी और ने ले लिया है।"),
  nothingOpen: phrase("nothing_open", "क्षमा कीजिए, अभी कोई समय खाली नहीं है।"),
  cancelled: phrase("cancelled", "आपका अपॉइंटमेंट रद्द हो गया है।"),
  cancelRequested: phrase("cancel_requested", "हमने अस्पताल को बता दिया है कि आप अपना अपॉइंटमेंट रद्द करना चाहते हैं।"),
  declined: phrase("declined", "ठीक है।"),
  changeRequested: recordable("change_requested", "हमने नोट कर लिया है। दूसरा समय तय करने के लिए अस्पताल आपको कॉल करेगा।"),
  callLater: (time) =>
    phrase(
      "call_later",
      time ? `धन्यवाद। हम आपको कॉल करेंगे, ${spokenMoment(time)}।` : "धन्यवाद। हम आपको आधे घंटे बाद फिर कॉल करेंगे।",
    ),
  optedOut: phrase("opted_out", "हमने नोट कर लिया है। हम इस नंबर पर फिर कॉल नहीं करेंगे। आपको परेशानी हुई, इसके लिए क्षमा कीजिए।"),
  wrongNumber: phrase("wrong_number", "आपको परेशानी हुई, इसके लिए क्षमा कीजिए।"),
  notReached: phrase("not_reached", "धन्यवाद। हम फिर कभी कोशिश करेंगे।"),
  transfer: recordable("transfer", "कृपया लाइन पर बने रहिए।"),
  transferRefused: phrase("transfer_refused", "क्षमा कीजिए, अभी कोई आपकी कॉल नहीं ले सकता।"),
  nobodyToTransferTo: phrase("person_wanted", "हमने नोट कर लिया है कि आप किसी से बात करना चाहते हैं। अस्पताल आपको कॉल करेगा।"),
  danger: phrase("danger", "क्या आपको दर्द है, या कोई ख़तरा है?"),
  notUnderstoodTransfer: phrase(
    "not_understood_transfer",
    "क्षमा कीजिए, मैं आपकी बात समझ नहीं पा रही हूँ। मैं आपको किसी से जोड़ रही हूँ।",
  ),
  notUnderstoodAlone: phrase(
    "not_understood_alone",
    "क्षमा कीजिए, मैं आपकी बात समझ नहीं पा रही हूँ। अस्पताल से कोई आपको कॉल करेगा। अगर किसी को ख़तरा है, तो तुरंत आपातकालीन नंबर पर कॉल कीजिए।",
  ),
  emergency: phrase(
    "emergency",
    "यह आपात स्थिति हो सकती है। अगर किसी को ख़तरा है, तो फ़ोन रखकर तुरंत आपातकालीन नंबर पर कॉल कीजिए। मैं आपको किसी से जोड़ रही हूँ।",
  ),
  emergencyAlone: phrase(
    "emergency",
    "यह आपात स्थिति हो सकती है। मैं इसमें मदद नहीं कर सकती। कृपया फ़ोन रखकर तुरंत आपातकालीन नंबर पर कॉल कीजिए।",
  ),
  callingDesk: phrase("calling_desk", "मैं अभी अस्पताल को कॉल कर रही हूँ। कृपया लाइन पर बने रहिए।"),
  deskRings: phrase("desk_rings", "घंटी बज रही है। कृपया लाइन पर बने रहिए।"),
  deskBusy: phrase("desk_busy", "क्षमा कीजिए, अस्पताल की लाइन व्यस्त है।"),
  deskNoAnswer: phrase("desk_no_answer", "क्षमा कीजिए, अस्पताल में किसी ने फ़ोन नहीं उठाया।"),
  forDesk: ({ agentName }) => phrase("for_desk", `मैं ${agentName} हूँ। फ़ोन पर कोई आपात स्थिति में हो सकता है। आप अब जुड़ गए हैं।`),
  message({ agentName, isTriedAgain, notices }) {
    const missed = `आपसे बात नहीं हो सकी${isTriedAgain ? ", हम फिर कोशिश करेंगे" : ""}।`;
    return notices
      ? notice("message", `मैं ${notices.hospital} की ऑटोमैटिक सहायक हूँ। ${missed}`, "caller", "automatic")
      : phrase("message", `मैं ${agentName} हूँ। ${missed} नमस्ते।`);
  },
  unreachable: phrase("unreachable", "क्षमा कीजिए, अभी कैलेंडर नहीं खुल रहा है। अस्पताल आपको कॉल करेगा।"),
  notSaved: phrase("not_saved", "क्षमा कीजिए, यह सहेजा नहीं जा सका। कृपया अस्पताल को कॉल कीजिए।"),
  goodbye: recordable("goodbye", "धन्यवाद। नमस्ते।"),
};
