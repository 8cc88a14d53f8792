// Hindi texts of alarms.
import type { alarms as English } from "../en/alarms.ts";
import type { Translated } from "../translated.ts";

export const alarms: Translated<typeof English> = {
  title: "अलार्म",
  none: "कोई अलार्म नहीं है।",
  past: "पुराने अलार्म",
  nonePast: "पिछले 90 दिनों में कोई नहीं।",
  severity: "गंभीरता",
  severities: { warning: "चेतावनी", critical: "अलार्म" },
  what: "क्या ठीक नहीं है",
  since: "कब से",
  from: "कब से",
  until: "कब तक",
  test: "परीक्षण संदेश भेजें",
  noMail: "अलार्म ई-मेल से नहीं भेजे जाते। मशीन के प्रशासक mail.host और mail.alarms_to सेट करते हैं।",
  mailTo: (count) => (count === 1 ? "अलार्म एक ई-मेल पते पर जाते हैं।" : `अलार्म ${count} ई-मेल पतों पर जाते हैं।`),
  tested: "परीक्षण संदेश भेज दिया गया।",
};
