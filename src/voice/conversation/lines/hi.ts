// Everything the agent may say in Hindi. Short sentences: they are heard once, on a telephone.
import { digitByDigit } from "../../../speech/tts/hindi/spoken-number.ts";
import { spokenDate, spokenMoment } from "../../../speech/tts/hindi/spoken-time.ts";
import type { Intent } from "../../understanding/meaning.ts";
import type { KeyHints, Lines } from "./lines.ts";
import { joined, line, recordable } from "./spoken-line.ts";

const NEVER_AGAIN = "अगर आप चाहते हैं कि हम फिर कॉल न करें, तो नौ दबाइए।";

const furtherKeys = ({ canTransfer, isOutbound }: KeyHints) => [
  canTransfer && "किसी से बात करने के लिए तीन दबाइए।",
  isOutbound && "बाद में कॉल पाने के लिए चार दबाइए।",
  isOutbound && NEVER_AGAIN,
];

/** What is asked after before it is done: "Did I understand you, that …?" */
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

const COUNTED = ["पहला", "दूसरा", "तीसरा", "चौथा", "पाँचवाँ"];
const COUNTED_FOR = ["पहले", "दूसरे", "तीसरे", "चौथे", "पाँचवें"];

export const hindi: Lines = {
  greeting: ({ greeting, agentName }) =>
    recordable("greeting", greeting.trim() || `नमस्ते। यह ${agentName} की ओर से कॉल है।`),
  identity: ({ contactName }) =>
    line("identity", contactName ? `क्या मैं ${contactName} से बात कर रही हूँ?` : "क्या आप अभी बात कर सकते हैं?"),
  identityKeys: ({ contactName }) =>
    line(
      "identity_keys",
      contactName
        ? `अगर मैं ${contactName} से बात कर रही हूँ, तो एक दबाइए। अगर नहीं, तो दो दबाइए।`
        : "अगर आप अभी बात कर सकते हैं, तो एक दबाइए। अगर नहीं, तो दो दबाइए।",
    ),
  furtherKeys: (hints) => joined("further_keys", ...furtherKeys(hints)),
  whoIsCalling: ({ agentName }) => line("who", `मैं ${agentName} हूँ। यह अस्पताल की ओर से अपने आप होने वाली कॉल है।`),
  isPersonal: ({ contactName }) =>
    line("personal", `मेरे पास एक संदेश है, जो केवल ${contactName ?? "इस नंबर के व्यक्ति"} के लिए है।`),
  fetch: ({ contactName }) => line("fetch", `क्या ${contactName ?? "वे"} फ़ोन पर आ सकते हैं?`),
  willWait: line("will_wait", "धन्यवाद। मैं प्रतीक्षा करूँगी।"),
  areYouThere: line("are_you_there", "क्या आप सुन रहे हैं?"),
  screened: ({ agentName, contactName }) =>
    line("screened", `मैं ${agentName} हूँ। ${contactName ?? "आप"} के लिए एक निजी संदेश है।`),

  appointment: (appointment) => line("appointment", `आपका अपॉइंटमेंट है, ${spokenMoment(appointment)}।`),
  attend: line("attend", "क्या आप आएँगे?"),
  attendKeys: (hints) =>
    joined("attend_keys", "पक्का करने के लिए एक दबाइए।", "दूसरे समय के लिए दो दबाइए।", ...furtherKeys(hints)),
  book: line("book", "क्या आप अपॉइंटमेंट लेना चाहते हैं?"),
  bookKeys: (hints) =>
    joined("book_keys", "अपॉइंटमेंट लेने के लिए एक दबाइए।", "अगर नहीं, तो दो दबाइए।", ...furtherKeys(hints)),
  messageKeys: (hints) => joined("message_keys", "अगर आपने यह संदेश सुन लिया है तो एक दबाइए।", ...furtherKeys(hints)),
  purposeOfAppointment: line("purpose", "मैं आपके अपॉइंटमेंट के बारे में कॉल कर रही हूँ।"),
  purposeOfBooking: line("purpose", "मैं आपको अपॉइंटमेंट देने के लिए कॉल कर रही हूँ।"),
  purposeUnknown: line("purpose", "अस्पताल की ओर से आपके लिए एक संदेश है।"),
  change: line("change", "क्या आपको दूसरा समय चाहिए?"),
  changeKeys: () => joined("change_keys", "दूसरे समय के लिए एक दबाइए।", "अपॉइंटमेंट रद्द करने के लिए दो दबाइए।"),
  offer: (index, count, slot) =>
    line(
      "offer",
      count === 1 ? `यह समय खाली है, ${spokenMoment(slot)}।` : `${COUNTED[index] ?? "अगला"}, ${spokenMoment(slot)}।`,
    ),
  offerByKey: (key, slot) => line("offer", `${spokenMoment(slot)}। इसके लिए ${digitByDigit(key)} दबाइए।`),
  noneSuits: line("none_suits", "अगर इनमें से कोई समय ठीक नहीं है तो शून्य दबाइए।"),
  offersLead: line("offers", "ये समय खाली हैं।"),
  nearestOffersLead: line("offers_nearest", "वह समय खाली नहीं है। उसके पास के समय ये हैं।"),
  which: line("which", "आपके लिए कौन सा ठीक रहेगा?"),
  whichKeys: (count) =>
    joined(
      "which_keys",
      ...COUNTED_FOR.slice(0, count).map((word, i) => `${word} के लिए ${digitByDigit(String(i + 1))} दबाइए।`),
      "अगर कोई ठीक नहीं है तो शून्य दबाइए।",
    ),
  slot: (slot) => line("slot", `${spokenMoment(slot)}।`),
  slotQuestion: line("slot_question", "क्या मैं इसे बुक कर दूँ?"),
  day: line("day", "आपके लिए कौन सा दिन और समय ठीक रहेगा?"),
  dayConflict: ({ date }) =>
    line(
      "day_conflict",
      date ? `मुझे दिन ठीक से समझ नहीं आया। क्या आपका मतलब ${spokenDate(date)} है?` : "आपका मतलब कौन सा दिन है?",
    ),
  cancel: (appointment) => line("cancel", `आपका अपॉइंटमेंट है, ${spokenMoment(appointment)}। क्या मैं इसे रद्द कर दूँ?`),
  name: line("name", "कृपया अपना नाम बताइए।"),
  nameAgain: line("name", "कृपया अपना नाम एक बार फिर बताइए।"),
  nameRight: (name) => line("name_right", `आपका नाम ${name} है। क्या यह ठीक है?`),
  wait: line("wait", "क्या मैं आपका नाम प्रतीक्षा सूची में लिख दूँ? जगह खाली होने पर हम आपको कॉल करेंगे।"),
  waitlisted: line("waitlisted", "आपका नाम प्रतीक्षा सूची में है। जगह खाली होने पर हम आपको कॉल करेंगे।"),
  place: (slot) => line("place", `आपके लिए एक जगह खाली हुई है, ${spokenMoment(slot)}।`),
  placeQuestion: line("place_question", "क्या आप इसे लेना चाहेंगे?"),
  stay: line("stay", "क्या आप प्रतीक्षा सूची में बने रहना चाहेंगे?"),
  staysWaiting: line("stays_waiting", "आपका नाम प्रतीक्षा सूची में है। दूसरी जगह खाली होने पर हम आपको कॉल करेंगे।"),
  leftList: line("left_list", "आपका नाम अब प्रतीक्षा सूची में नहीं है।"),
  callback: line("callback", "हम आपको फिर कब कॉल करें?"),
  callbackTime: (time) => line("callback_time", `हम आपको कॉल करेंगे, ${spokenMoment(time)}। क्या यह ठीक है?`),
  optOut: line("opt_out", "क्या हम इस नंबर पर फिर कभी कॉल न करें?"),
  anythingElse: line("anything_else", "क्या कुछ और है जो अस्पताल को जानना चाहिए?"),
  noted: line("noted", "धन्यवाद। आपने जो कहा, अस्पताल उसे पढ़ेगा।"),
  cannotAnswer: line("cannot_answer", "इसका जवाब मेरे पास नहीं है। कृपया अस्पताल से पूछिए।"),
  noAdvice: line("no_advice", "इलाज की सलाह मेरे पास नहीं है। कृपया अपने डॉक्टर से पूछिए।"),
  sorryToHear: line("sorry_to_hear", "यह सुनकर दुख हुआ।"),
  welcome: line("welcome", "आपका स्वागत है।"),
  filler: line("filler", "एक क्षण रुकिए।"),
  stillThere: line("still_there", "बस थोड़ा और रुकिए।"),
  doubt: (intent) => line("doubt", `मुझे ठीक से समझ नहीं आया। ${DOUBTS[intent] ?? "क्या यह ठीक है?"}`),
  yesNoKeys: line("yes_no_keys", "हाँ के लिए एक दबाइए, नहीं के लिए दो।"),
  neverAgainKey: line("never_again_key", NEVER_AGAIN),

  notUnderstood: line("not_understood", "क्षमा कीजिए, मुझे समझ नहीं आया।"),
  cannotHear: line("cannot_hear", "क्षमा कीजिए, आपकी आवाज़ ठीक से नहीं आ रही। कृपया फ़ोन के बटन दबाकर जवाब दीजिए।"),
  takeYourTime: line("take_your_time", "ज़रूर, आराम से।"),
  ofCourse: line("of_course", "ज़रूर।"),

  confirmed: recordable("confirmed", "धन्यवाद। आपका अपॉइंटमेंट पक्का हो गया है।"),
  acknowledged: line("acknowledged", "धन्यवाद। बस इतना ही।"),
  rescheduled: (slot) => line("rescheduled", `धन्यवाद। अब आपका अपॉइंटमेंट है, ${spokenMoment(slot)}।`),
  booked: (slot) => line("booked", `धन्यवाद। आपका अपॉइंटमेंट है, ${spokenMoment(slot)}।`),
  gone: line("gone", "क्षमा कीजिए, यह समय अभी अभी किसी और ने ले लिया है।"),
  nothingOpen: line("nothing_open", "क्षमा कीजिए, अभी कोई समय खाली नहीं है।"),
  cancelled: line("cancelled", "आपका अपॉइंटमेंट रद्द हो गया है।"),
  declined: line("declined", "ठीक है।"),
  changeRequested: recordable("change_requested", "हमने नोट कर लिया है। दूसरा समय तय करने के लिए अस्पताल आपको कॉल करेगा।"),
  callLater: (time) =>
    line(
      "call_later",
      time ? `धन्यवाद। हम आपको कॉल करेंगे, ${spokenMoment(time)}।` : "धन्यवाद। हम आपको आधे घंटे बाद फिर कॉल करेंगे।",
    ),
  optedOut: line("opted_out", "हमने नोट कर लिया है। हम इस नंबर पर फिर कॉल नहीं करेंगे। आपको परेशानी हुई, इसके लिए क्षमा कीजिए।"),
  wrongNumber: line("wrong_number", "आपको परेशानी हुई, इसके लिए क्षमा कीजिए।"),
  notReached: line("not_reached", "धन्यवाद। हम फिर कभी कोशिश करेंगे।"),
  transfer: recordable("transfer", "कृपया लाइन पर बने रहिए।"),
  transferRefused: line("transfer_refused", "क्षमा कीजिए, अभी कोई आपकी कॉल नहीं ले सकता।"),
  nobodyToTransferTo: line("person_wanted", "हमने नोट कर लिया है कि आप किसी से बात करना चाहते हैं। अस्पताल आपको कॉल करेगा।"),
  danger: line("danger", "क्या आपको दर्द है, या कोई ख़तरा है?"),
  notUnderstoodTransfer: line(
    "not_understood_transfer",
    "क्षमा कीजिए, मैं आपकी बात समझ नहीं पा रही हूँ। मैं आपको किसी से जोड़ रही हूँ।",
  ),
  notUnderstoodAlone: line(
    "not_understood_alone",
    "क्षमा कीजिए, मैं आपकी बात समझ नहीं पा रही हूँ। अस्पताल से कोई आपको कॉल करेगा। अगर किसी को ख़तरा है, तो तुरंत आपातकालीन नंबर पर कॉल कीजिए।",
  ),
  emergency: line(
    "emergency",
    "यह आपात स्थिति हो सकती है। अगर किसी को ख़तरा है, तो फ़ोन रखकर तुरंत आपातकालीन नंबर पर कॉल कीजिए। मैं आपको किसी से जोड़ रही हूँ।",
  ),
  emergencyAlone: line(
    "emergency",
    "यह आपात स्थिति हो सकती है। मैं इसमें मदद नहीं कर सकती। कृपया फ़ोन रखकर तुरंत आपातकालीन नंबर पर कॉल कीजिए।",
  ),
  callingDesk: line("calling_desk", "मैं अभी अस्पताल को कॉल कर रही हूँ। कृपया लाइन पर बने रहिए।"),
  deskRings: line("desk_rings", "घंटी बज रही है। कृपया लाइन पर बने रहिए।"),
  deskBusy: line("desk_busy", "क्षमा कीजिए, अस्पताल की लाइन व्यस्त है।"),
  deskNoAnswer: line("desk_no_answer", "क्षमा कीजिए, अस्पताल में किसी ने फ़ोन नहीं उठाया।"),
  forDesk: ({ agentName }) => line("for_desk", `मैं ${agentName} हूँ। फ़ोन पर कोई आपात स्थिति में हो सकता है। आप अब जुड़ गए हैं।`),
  message: ({ agentName, isTriedAgain }) =>
    line("message", `मैं ${agentName} हूँ। आपसे बात नहीं हो सकी${isTriedAgain ? ", हम फिर कोशिश करेंगे" : ""}। नमस्ते।`),
  unreachable: line("unreachable", "क्षमा कीजिए, अभी कैलेंडर नहीं खुल रहा है। अस्पताल आपको कॉल करेगा।"),
  notSaved: line("not_saved", "क्षमा कीजिए, यह सहेजा नहीं जा सका। कृपया अस्पताल को कॉल कीजिए।"),
  goodbye: recordable("goodbye", "धन्यवाद। नमस्ते।"),
};
