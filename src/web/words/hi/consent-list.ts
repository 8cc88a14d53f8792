// Hindi texts of lists of consents.
import type { consentList as English } from "../en/consent-list.ts";
import type { Translated } from "../translated.ts";

export const consentList: Translated<typeof English> = {
  title: "सहमतियाँ",
  note: "लोगों ने किस बारे में कॉल के लिए हाँ कहा है। किसी एक की सहमति और उसका इतिहास उनके पेज पर है। सहमतियों की सूची जोड़ी जा सकती है; जिसने सूची की तारीख़ के बाद सहमति वापस ली, उसकी वापसी बनी रहती है।",
  import: "सूची जोड़ें",
  export: "CSV में निकालें",
  file: "CSV फ़ाइल",
  fileHint:
    "पहली पंक्ति में कॉलम के नाम: contact_number, और चाहें तो purpose, basis, granted_on, until और reference. तारीख़ ऐसे: 2026-11-20. 1,00,000 पंक्तियों तक।",
  purpose: "कॉल का मक़सद",
  wholeHint: "जिन पंक्तियों में अपना न लिखा हो, उनके लिए।",
  basis: "सहमति कैसे दी",
  inFile: "जैसा फ़ाइल में है",
  start: "जोड़ें",
  noNumbers: "पहली पंक्ति में “contact_number” कॉलम होना चाहिए।",
  nothing: "शीर्षक के बाद फ़ाइल में कोई पंक्ति नहीं है।",
  tooMany: "फ़ाइल में 1,00,000 से ज़्यादा पंक्तियाँ हैं। उसे बाँट लें।",
  tooLarge: "फ़ाइल 20 MB से बड़ी है। उसे बाँट लें।",
  progress: "कहाँ तक पहुँचा",
  sofar: (done: string, all: string) => `${all} में से ${done} पंक्तियाँ।`,
  counts: (granted: string, unchanged: string, refused: string) =>
    `${granted} दर्ज हुईं, ${unchanged} पहले से दर्ज थीं, ${refused} नहीं ली गईं।`,
  refused: "जो पंक्तियाँ नहीं ली गईं",
  more: (count: string) => `और ${count}.`,
  line: "पंक्ति",
  why: "कारण",
};
