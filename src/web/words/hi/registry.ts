// Hindi texts of registry results.
import type { registry as English } from "../en/registry.ts";
import type { Translated } from "../translated.ts";

export const registry: Translated<typeof English> = {
  title: "रजिस्ट्री के नतीजे",
  note: "प्रचार की कॉल से पहले सूची को किसी रजिस्ट्री से मिलाया जाता है, जैसे भारत की NCPR से। जिस नंबर को रजिस्ट्री ने मना किया, उसे प्रचार वाले एजेंट कॉल नहीं करते, जब तक नई जाँच में अनुमति न मिले।",
  import: "जाँच का नतीजा जोड़ें",
  export: "CSV में निकालें",
  none: "अब तक कोई नतीजा नहीं जोड़ा गया।",
  registry: "रजिस्ट्री",
  date: "जाँच की तारीख़",
  dateHint: "ज़्यादा से ज़्यादा 31 दिन पुरानी।",
  verdict: "नतीजा",
  verdicts: { allowed: "अनुमति", refused: "मनाही" },
  numbers: "नंबर",
  file: "CSV फ़ाइल",
  fileHint: "हर पंक्ति में एक नंबर और allowed या refused. 1,00,000 पंक्तियों तक; शीर्षक छोड़ दिया जाता है।",
  start: "जोड़ें",
  nothing: "फ़ाइल में कोई नंबर नहीं है।",
  tooMany: "फ़ाइल में 1,00,000 से ज़्यादा पंक्तियाँ हैं। उसे बाँट लें।",
  progress: "कहाँ तक पहुँचा",
  sofar: (done: string, all: string, refused: string) => `${all} में से ${done} पंक्तियाँ, ${refused} पर रजिस्ट्री की मनाही`,
  faults: (count: string) => `जो पंक्तियाँ समझ नहीं आईं: ${count}`,
  line: "पंक्ति",
  why: "कारण",
};
