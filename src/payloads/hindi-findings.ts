// Hindi for what the rules write about a call: its summary, its next steps and its details. They are stored in English,
// sentence by sentence. For the dashboard and for shared calls; a test compares the table with the rules.

/** English sentence → Hindi. A longer sentence is before one that it starts with. */
const SENTENCES: readonly (readonly [english: string, hindi: string])[] = [
  ["The contact confirmed the appointment.", "मरीज़ ने अपॉइंटमेंट पक्का किया।"],
  ["Expect the contact at the appointment.", "मरीज़ अपॉइंटमेंट पर आएँगे।"],
  ["The contact heard the message.", "मरीज़ ने संदेश सुन लिया।"],
  ["None: the call is scheduled.", "कुछ नहीं: कॉल तय है।"],
  ["None: they are called when a place opens.", "कुछ नहीं: जगह ख़ाली होने पर कॉल जाएगी।"],
  ["None: they are called when another place opens.", "कुछ नहीं: दूसरी जगह ख़ाली होने पर कॉल जाएगी।"],
  ["None.", "कुछ नहीं।"],
  ["The contact wants another time, and none was agreed on.", "मरीज़ को दूसरा समय चाहिए, पर कोई तय नहीं हुआ।"],
  ["Call the contact to find a time.", "कॉल करके समय तय करें।"],
  ["The contact chose another time, and the appointment was moved.", "मरीज़ ने दूसरा समय चुना, और अपॉइंटमेंट बदल दिया गया।"],
  ["Expect the contact at the new time.", "मरीज़ नए समय पर आएँगे।"],
  [
    "The contact chose one of the times on offer, and the appointment was booked.",
    "मरीज़ ने बताए गए समय में से एक चुना, और अपॉइंटमेंट बुक हुआ।",
  ],
  ["The contact cancelled the appointment.", "मरीज़ ने अपॉइंटमेंट रद्द किया।"],
  ["The time is open again.", "वह समय फिर ख़ाली है।"],
  [
    "The contact wants to cancel the appointment. The hospital's own system was told.",
    "मरीज़ अपॉइंटमेंट रद्द करना चाहते हैं। अस्पताल के सिस्टम को बता दिया गया।",
  ],
  ["See that the hospital's own system cancels it.", "देखें कि अस्पताल का सिस्टम इसे रद्द करे।"],
  ["The contact is not interested.", "मरीज़ की रुचि नहीं है।"],
  ["Do not call again about this.", "इस बारे में फिर कॉल न करें।"],
  ["The call was transferred.", "कॉल ट्रांसफ़र की गई।"],
  ["The member of staff who took the call follows up.", "जिस कर्मचारी ने कॉल ली, वही आगे देखेंगे।"],
  [
    "The exchange took over the call and did not report whether it was answered.",
    "एक्सचेंज ने कॉल ले ली, और पता नहीं किसी ने उठाया या नहीं।",
  ],
  ["Check that a person spoke to the contact.", "देख लें कि किसी ने मरीज़ से बात की।"],
  ["The contact asked for a person, but nobody took the call.", "मरीज़ ने किसी व्यक्ति से बात माँगी, पर किसी ने कॉल नहीं ली।"],
  ["Call the contact: they wanted to speak to a person.", "मरीज़ को कॉल करें: वे किसी व्यक्ति से बात करना चाहते थे।"],
  [
    "The contact asked for a person, and there is nobody to transfer calls to.",
    "मरीज़ ने किसी व्यक्ति से बात माँगी, पर कॉल जोड़ने के लिए कोई नहीं है।",
  ],
  ["The contact had no time and is called again.", "मरीज़ के पास समय नहीं था; फिर कॉल जाएगी।"],
  [
    "The contact does not want to be called. The number is on the do-not-disturb list.",
    "मरीज़ कॉल नहीं चाहते। नंबर ‘कॉल न करें’ सूची में है।",
  ],
  ["Do not call again.", "फिर कॉल न करें।"],
  ["It was the wrong number.", "नंबर ग़लत था।"],
  ["Check the contact's number.", "मरीज़ का नंबर जाँचें।"],
  [
    "Somebody else answered, and the contact could not come to the phone. Nothing was told of what the call is about.",
    "किसी और ने उठाया, और मरीज़ फ़ोन पर नहीं आ सके। कॉल किस बारे में है, यह नहीं बताया गया।",
  ],
  ["Call again at another time.", "किसी और समय फिर कॉल करें।"],
  [
    "The contact said or may have said something that is an emergency.",
    "मरीज़ ने ऐसा कुछ कहा जो आपात स्थिति है या हो सकती है।",
  ],
  ["Call the contact at once.", "मरीज़ को तुरंत कॉल करें।"],
  ["The contact spoke and was not understood.", "मरीज़ बोले, पर बात समझ में नहीं आई।"],
  [
    "Listen to the recording and call the contact at once: they may need help.",
    "रिकॉर्डिंग सुनें और तुरंत कॉल करें: उन्हें मदद चाहिए हो सकती है।",
  ],
  ["A voicemail answered. No message was left.", "वॉइसमेल ने उठाया। कोई संदेश नहीं छोड़ा गया।"],
  ["Try again later.", "बाद में फिर कोशिश करें।"],
  [
    "A voicemail answered. A short message without details was left.",
    "वॉइसमेल ने उठाया। बिना जानकारी वाला छोटा संदेश छोड़ा गया।",
  ],
  [
    "The contact wanted an appointment, but none could be offered.",
    "मरीज़ को अपॉइंटमेंट चाहिए था, पर कोई समय नहीं बताया जा सका।",
  ],
  ["Open more windows, then call again.", "और OPD समय खोलें, फिर कॉल करें।"],
  [
    "Nothing suited, and the contact was put on the waiting list.",
    "कोई समय ठीक नहीं लगा, और मरीज़ को प्रतीक्षा सूची में डाला गया।",
  ],
  [
    "The contact did not want the place of the waiting list, and stays on the list.",
    "मरीज़ ने प्रतीक्षा सूची की जगह नहीं ली, और सूची में बने हैं।",
  ],
  [
    "The contact did not want the place of the waiting list, and left the list.",
    "मरीज़ ने प्रतीक्षा सूची की जगह नहीं ली, और सूची से हट गए।",
  ],
  [
    "The place of the waiting list was taken before it could be offered. The contact stays on the list.",
    "प्रतीक्षा सूची की जगह बताने से पहले ही भर गई। मरीज़ सूची में बने हैं।",
  ],
  ["The contact answered, but the calendar did not take the answer.", "मरीज़ ने जवाब दिया, पर कैलेंडर में दर्ज नहीं हुआ।"],
  ["Call the contact: their answer was not saved.", "मरीज़ को कॉल करें: उनका जवाब दर्ज नहीं हुआ।"],
  [
    "The contact began to answer, and the call ended before it was done.",
    "मरीज़ ने जवाब देना शुरू किया, पर कॉल पहले ही ख़त्म हो गई।",
  ],
  [
    "Read the transcript and look at the appointment, then call the contact.",
    "बातचीत पढ़ें, अपॉइंटमेंट देखें, फिर मरीज़ को कॉल करें।",
  ],
  ["The contact gave no answer.", "मरीज़ ने जवाब नहीं दिया।"],
  ["Call again, or reach the contact in another way.", "फिर कॉल करें, या किसी और तरह से संपर्क करें।"],
  ["Nothing was said to them.", "उनसे कुछ नहीं कहा गया।"],
  [
    "Call again. Where the agent's language is not English, record its words.",
    "फिर कॉल करें। एजेंट की भाषा अंग्रेज़ी न हो तो उसके शब्द रिकॉर्ड करें।",
  ],
  ["They were connected to a person.", "उन्हें किसी व्यक्ति से जोड़ा गया।"],
  [
    "The desk was busy. They were told to call the emergency number.",
    "डेस्क व्यस्त था। उनसे आपातकालीन नंबर पर कॉल करने को कहा गया।",
  ],
  [
    "The desk did not answer. They were told to call the emergency number.",
    "डेस्क पर किसी ने नहीं उठाया। उनसे आपातकालीन नंबर पर कॉल करने को कहा गया।",
  ],
  [
    "The desk could not be reached. They were told to call the emergency number.",
    "डेस्क से संपर्क नहीं हुआ। उनसे आपातकालीन नंबर पर कॉल करने को कहा गया।",
  ],
  ["The exchange took the call over, and nobody answered.", "एक्सचेंज ने कॉल ले ली, और किसी ने नहीं उठाया।"],
  [
    "There is nobody to transfer calls to. They were told to call the emergency number.",
    "कॉल जोड़ने के लिए कोई नहीं है। उनसे आपातकालीन नंबर पर कॉल करने को कहा गया।",
  ],
  ["They hung up before a person answered.", "किसी के उठाने से पहले उन्होंने फ़ोन रख दिया।"],
  ["The contact hung up.", "मरीज़ ने फ़ोन रख दिया।"],
  ["The call was hung up from this side.", "कॉल इस तरफ़ से काटी गई।"],
  ["The agent did not understand the contact.", "एजेंट मरीज़ की बात नहीं समझ सका।"],
  ["The contact asked for a person.", "मरीज़ ने किसी व्यक्ति से बात माँगी।"],
];

/** The first sentence of a summary names the agent. */
const CALLED = /^(.{1,200}?) called the contact\.\s*/;
const WAS_CALLED = /^The contact called (.{1,200}?)\.(?:\s+|$)/;

/** Null if the text is not from the rules, as that of a language model. */
export function findingInHindi(text: string): string | null {
  const found: string[] = [];
  let rest = text.trim();
  for (const [pattern, hindi] of [
    [CALLED, (agent: string) => `${agent} की ओर से मरीज़ को कॉल गई।`],
    [WAS_CALLED, (agent: string) => `मरीज़ ने ${agent} को कॉल की।`],
  ] as const) {
    const [first, agent] = pattern.exec(rest) ?? [];
    if (first === undefined || agent === undefined) continue;
    found.push(hindi(agent));
    rest = rest.slice(first.length);
    break;
  }
  while (rest !== "") {
    const known = SENTENCES.find(([english]) => rest.startsWith(english));
    if (!known) return null;
    found.push(known[1]);
    rest = rest.slice(known[0].length).trim();
  }
  return found.length === 0 ? null : found.join(" ");
}

const DETAILS: Readonly<Record<string, string>> = {
  answer: "जवाब",
  keypad_answer: "बटन से जवाब",
  answered_by: "कैसे जवाब दिया",
  voice_turns: "कितनी बार बोले",
  keypad_turns: "कितने बटन दबाए",
  spoke_with_contact: "मरीज़ से ही बात हुई",
  keys: "बटन",
  caller_name: "कॉल करने वाले का नाम",
  emergency_outcome: "आपात कॉल का नतीजा",
  consent_answer: "सहमति पर जवाब",
  speech: "बात की पहचान",
  callback_date: "फिर कॉल की तारीख़",
  callback_time: "फिर कॉल का समय",
  callback_in_minutes: "कितने मिनट बाद फिर कॉल",
  appointment_date: "अपॉइंटमेंट की तारीख़",
  appointment_time: "अपॉइंटमेंट का समय",
};

/** Values of `answer`, `answered_by`, `emergency_outcome` and `consent_answer`. */
const VALUES: Readonly<Record<string, string>> = {
  confirmed: "पक्का किया",
  acknowledged: "संदेश सुना",
  change_requested: "दूसरा समय चाहिए",
  rescheduled: "समय बदला",
  booked: "बुक हुआ",
  cancelled: "रद्द किया",
  cancel_requested: "रद्द करना चाहते हैं",
  declined: "रुचि नहीं",
  transferred: "ट्रांसफ़र की गई",
  handed_over: "एक्सचेंज ने कॉल ली",
  transfer_refused: "किसी ने कॉल नहीं ली",
  person_wanted: "किसी व्यक्ति से बात चाहिए",
  call_later: "बाद में कॉल",
  opted_out: "कॉल न करें",
  wrong_number: "ग़लत नंबर",
  not_reached: "किसी और ने उठाया",
  emergency: "आपात स्थिति",
  not_understood: "समझ में नहीं आया",
  machine_answered: "वॉइसमेल",
  message_left: "वॉइसमेल पर संदेश",
  nothing_open: "कोई जगह ख़ाली नहीं",
  waitlisted: "प्रतीक्षा सूची में",
  stays_waiting: "प्रतीक्षा सूची में बने हैं",
  left_list: "प्रतीक्षा सूची से हटे",
  place_gone: "जगह पहले ही भर गई",
  not_saved: "दर्ज नहीं हुआ",
  unsettled: "अधूरा रहा",
  none: "कोई जवाब नहीं",
  voice: "बोलकर",
  keypad: "बटन से",
  "voice and keypad": "बोलकर और बटन से",
  connected: "व्यक्ति से जोड़ा गया",
  busy: "व्यस्त",
  no_answer: "किसी ने नहीं उठाया",
  refused: "मना किया",
  gone: "किसी ने नहीं उठाया",
  no_desk: "जोड़ने के लिए कोई नहीं",
  hung_up: "फ़ोन रख दिया",
  given: "दी",
};
const WITH_VALUES: readonly string[] = [
  "answer",
  "keypad_answer",
  "answered_by",
  "emergency_outcome",
  "consent_answer",
];

/** Null for fields of an agent's own. */
export const detailNameInHindi = (key: string): string | null => DETAILS[key] ?? null;

export function detailValueInHindi(key: string, value: string): string | null {
  if (WITH_VALUES.includes(key)) return VALUES[value] ?? null;
  if (key !== "speech") return null;
  const [, turns] = /^was not recognised in (\d+) turns?$/.exec(value) ?? [];
  return turns === undefined ? "बीच में बंद हो गई; कॉल बटन से आगे चली" : `${turns} बार बात पहचानी नहीं गई`;
}
