// Everything that the keypad agent says in Hindi. Between commas and stops stand pieces that come again from call to call,
// so that each is made once and remembered. Days and times are pieces of their own for the same reason.
import { digitByDigit } from "../../../speech/tts/hindi/spoken-number.ts";
import { spokenMoment } from "../../../speech/tts/hindi/spoken-time.ts";
import { recordable, sentences, spoken, type KeypadWords } from "../words.ts";

export const hindi: KeypadWords = {
  greeting: ({ greeting, agentName }) =>
    recordable("greeting", greeting.trim() || `नमस्ते। यह ${agentName} की ओर से कॉल है।`),
  appointment: (appointment) => spoken("appointment", `आपका अपॉइंटमेंट है, ${spokenMoment(appointment)}।`),
  menu: ({ hasAppointment, canBook, canTransfer, isOutbound }) =>
    recordable(
      "menu",
      sentences(
        hasAppointment ? "पक्का करने के लिए एक दबाइए।" : "अगर आपने यह संदेश सुन लिया है तो एक दबाइए।",
        hasAppointment ? "दूसरे समय के लिए दो दबाइए।" : canBook && "अपॉइंटमेंट लेने के लिए दो दबाइए।",
        canTransfer && "किसी से बात करने के लिए तीन दबाइए।",
        isOutbound && "बाद में कॉल पाने के लिए चार दबाइए।",
        isOutbound && "अगर आप यह कॉल नहीं चाहते तो नौ दबाइए।",
      ),
    ),
  confirmed: recordable("confirmed", "धन्यवाद। आपका अपॉइंटमेंट पक्का हो गया है।"),
  acknowledged: spoken("acknowledged", "हमने नोट कर लिया है कि आपने यह संदेश सुना।"),
  changeRequested: recordable("change_requested", "हमने नोट कर लिया है। दूसरा समय तय करने के लिए अस्पताल आपको कॉल करेगा।"),
  offersLead: spoken("offers", "ये समय खाली हैं।"),
  offer: (key, slot) => spoken("offer", `${spokenMoment(slot)}। इसके लिए ${digitByDigit(key)} दबाइए।`),
  noneSuits: spoken("none_suits", "अगर इनमें से कोई समय ठीक नहीं है तो शून्य दबाइए।"),
  nothingOpen: spoken("nothing_open", "क्षमा कीजिए, अभी कोई समय खाली नहीं है।"),
  gone: spoken("gone", "क्षमा कीजिए, यह समय अभी अभी किसी और ने ले लिया है।"),
  wait: spoken(
    "wait",
    "प्रतीक्षा सूची में नाम लिखवाने के लिए एक दबाइए। जगह खाली होने पर हम आपको कॉल करेंगे। अगर नहीं, तो दो दबाइए।",
  ),
  waitlisted: spoken("waitlisted", "आपका नाम प्रतीक्षा सूची में है। जगह खाली होने पर हम आपको कॉल करेंगे।"),
  place: (slot) => spoken("place", `आपके लिए एक जगह खाली हुई है, ${spokenMoment(slot)}।`),
  placeKeys: spoken("place_keys", "इसे लेने के लिए एक दबाइए। अगर यह समय ठीक नहीं है, तो दो दबाइए।"),
  stay: spoken("stay", "प्रतीक्षा सूची में बने रहने के लिए एक दबाइए। सूची से हटने के लिए दो दबाइए।"),
  staysWaiting: spoken("stays_waiting", "आपका नाम प्रतीक्षा सूची में है। दूसरी जगह खाली होने पर हम आपको कॉल करेंगे।"),
  leftList: spoken("left_list", "आपका नाम अब प्रतीक्षा सूची में नहीं है।"),
  rescheduled: (slot) => spoken("rescheduled", `धन्यवाद। अब आपका अपॉइंटमेंट है, ${spokenMoment(slot)}।`),
  booked: (slot) => spoken("booked", `धन्यवाद। आपका अपॉइंटमेंट है, ${spokenMoment(slot)}।`),
  transfer: recordable("transfer", "कृपया लाइन पर बने रहिए।"),
  transferRefused: spoken("transfer_refused", "क्षमा कीजिए, अभी कोई आपकी कॉल नहीं ले सकता।"),
  callLater: spoken("call_later", "हम आपको आधे घंटे बाद फिर कॉल करेंगे।"),
  notInterested: spoken(
    "not_interested",
    "हमने नोट कर लिया है कि आप यह कॉल नहीं चाहते। आपको परेशानी हुई, इसके लिए क्षमा कीजिए।",
  ),
  message: ({ agentName, isTriedAgain }) =>
    spoken("message", `यह ${agentName} की ओर से कॉल है। आपसे बात नहीं हो सकी${isTriedAgain ? ", हम फिर कोशिश करेंगे" : ""}।`),
  unreachable: spoken("unreachable", "क्षमा कीजिए, अभी कैलेंडर नहीं खुल रहा है। अस्पताल आपको कॉल करेगा।"),
  notSaved: spoken("not_saved", "क्षमा कीजिए, आपका जवाब सहेजा नहीं जा सका। कृपया अस्पताल को कॉल कीजिए।"),
  goodbye: recordable("goodbye", "धन्यवाद। नमस्ते।"),
};
