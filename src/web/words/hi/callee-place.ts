// Hindi texts of the place of a contact.
import type { calleePlace as English } from "../en/callee-place.ts";
import type { Translated } from "../translated.ts";

export const calleePlace: Translated<typeof English> = {
  zone: "समय क्षेत्र",
  zoneHint: "सिर्फ़ तब, जब वे अपने नंबर की जगह पर नहीं रहते।",
  region: "अमेरिकी राज्य, जैसे CA",
};
