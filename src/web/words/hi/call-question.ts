// Hindi texts of the question before a call.
import { formatNumber } from "../../format.ts";
import type { callQuestion as English } from "../en/call-question.ts";
import type { Translated } from "../translated.ts";

export const callQuestion: Translated<typeof English> = {
  title: "हर कॉल से पहले सवाल",
  note: "डायल करने से ठीक पहले Ringward आपके अपने सिस्टम से पूछता है कि कॉल जाए या नहीं: हो सकता है कि मरीज़ की मृत्यु हो गई हो, वे भर्ती हों या आ चुके हों। Ringward sign किए हुए POST में कॉल, एजेंट, मक़सद और नंबर भेजता है, नाम नहीं, और 2 सेकंड तक go, wait या drop का इंतज़ार करता है।",
  url: "पता",
  urlHint: "सिर्फ़ https. नेटवर्क के वही नियम हैं जो वेबहुक के पतों के।",
  fails: "जवाब न मिले तो",
  failsNames: {
    closed: "कॉल रुके, और फिर पूछा जाए",
    open: "कॉल चली जाए",
  },
  ownersOnly: "इसे सिर्फ़ प्रशासक बदल सकते हैं।",
  saved: "सहेजा गया। अगली कॉल के बारे में पूछा जाएगा।",
  secretTitle: "सवाल का signing secret",
  secret: "Signing secret",
  tryIt: "आज़माएँ",
  answers: { go: "जाने दें", wait: "रुकें", drop: "छोड़ दें", failed: "कोई सही जवाब नहीं" },
  outcome: (answer: string, detail: string, ms: number) =>
    `${answer}${detail === "" ? "" : `: ${detail}`} (${formatNumber(ms)} ms)`,
  overlap: (until: string) => `${until} तक webhook-signature में पुराने secret का हस्ताक्षर भी रहेगा।`,
  rotate: "नया secret",
  rotateTitle: "नया signing secret बनाएँ?",
  rotateText: "नया secret तुरंत अपने सिस्टम को दें: अगले सवाल से x-webhook-signature उसी से बनेगा।",
  rotated: "नया secret ऊपर दिखाया गया है।",
  remove: "पूछना बंद करें",
  removeTitle: "कॉल से पहले पूछना बंद करें?",
  removeText: "कॉल बिना सवाल के जाएँगी, जो जवाब का इंतज़ार कर रही हैं वे भी।",
  removed: "कॉल अब बिना सवाल के जाती हैं।",
};
