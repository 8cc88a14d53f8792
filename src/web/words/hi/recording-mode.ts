// Hindi texts of recording modes and of what came of a recording.
import type { recordingMode as English } from "../en/recording-mode.ts";
import type { Translated } from "../translated.ts";

export const recordingMode: Translated<typeof English> = {
  title: "रिकॉर्डिंग",
  label: "कॉल कैसे रिकॉर्ड हो",
  modes: {
    announce: "बताकर",
    ask: "पहले पूछकर",
    off: "रिकॉर्ड न करें",
  },
  hints: {
    announce: "एजेंट बताता है कि कॉल रिकॉर्ड होगी, और उसके बाद रिकॉर्डिंग शुरू होती है।",
    ask: "बोलकर या बटन से हाँ मिलने पर ही रिकॉर्डिंग शुरू होती है। ‘नहीं’ कहने पर कॉल बिना रिकॉर्डिंग के चलती है।",
    off: "कुछ भी रिकॉर्ड नहीं होता।",
  },
  asAppliance: (mode) => `इस मशीन की सेटिंग: ${mode}`,
  asOrganisation: (mode) => `संस्था की सेटिंग: ${mode}`,
  effective: (mode) => `अभी लागू: ${mode}। सबसे सख़्त सेटिंग चलती है।`,
  rules: "कुछ राज्यों और देशों के नियम ज़्यादा सख़्त हैं: वहाँ एजेंट पहले पूछता है, चाहे यहाँ कुछ भी चुना हो।",
  keptDays: (days) => `रिकॉर्डिंग ${days} दिन बाद हटा दी जाती है।`,
  fact: "रिकॉर्डिंग",
  consents: {
    given: "सामने वाले ने हाँ कहा",
    refused: "सामने वाले ने मना किया",
    withdrawn: "सामने वाले ने सहमति वापस ली",
  },
  noAnswer: "सामने वाले ने जवाब नहीं दिया",
  from: (clock) => `${clock} से रिकॉर्ड`,
  between: (from, until) => `${from} से ${until} तक रिकॉर्ड`,
  notRecorded: {
    off: "यह कॉल रिकॉर्ड नहीं हुई: इसके लिए रिकॉर्डिंग बंद है।",
    refused: "यह कॉल रिकॉर्ड नहीं हुई: सामने वाले ने मना किया।",
    noAnswer: "यह कॉल रिकॉर्ड नहीं हुई: रिकॉर्ड करने के सवाल का जवाब नहीं मिला।",
    notAnnounced: "यह कॉल रिकॉर्ड नहीं हुई: सूचना पूरी होने से पहले कॉल ख़त्म हो गई।",
  },
  expired: (day) => `रखने का समय पूरा होने पर रिकॉर्डिंग ${day} को हटा दी गई।`,
  notices: {
    title: "सूचनाएँ",
    caller: "कौन कॉल कर रहा है",
    automatic: "स्वचालित आवाज़",
    recording: "रिकॉर्डिंग",
    callback: "वापस कॉल करने का नंबर",
    stop: "ऐसी कॉल कैसे बंद करें",
  },
  heardAt: (clock) => `${clock} पर सुनी गई`,
  cutOff: "बीच में कटी",
};
