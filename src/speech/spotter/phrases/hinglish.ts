// Alarm phrases that mix English and Hindi, limited to the vocabulary of an English model: it has "mein" and "hai", but
// not "dard", "saans" and "khoon". The rules for recognised text cover those (voice/understanding/hinglish/intents.ts).
import type { SpottedPhrases } from "./spotted-phrases.ts";

export const HINGLISH: SpottedPhrases = {
  alarms: ["chest mein pain", "emergency hai"],
  denials: [],
  harmless: [],
};
