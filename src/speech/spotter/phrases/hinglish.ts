// Alarm phrases that mix English with Hindi, as far as a model of English has the words: "mein" and "hai" it knows, "dard",
// "saans" and "khoon" it does not. Those stay with the rules for recognised text (voice/understanding/hinglish/intents.ts).
import type { SpottedPhrases } from "./spotted-phrases.ts";

export const HINGLISH: SpottedPhrases = {
  alarms: ["chest mein pain", "emergency hai"],
  denials: [],
  harmless: [],
};
