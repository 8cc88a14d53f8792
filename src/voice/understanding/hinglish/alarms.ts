// Emergency patterns in Hindi, in the normalised spelling of spelling.ts. Same order as en/alarms.ts: denials and
// everyday terms, clear alarms, then single words of danger, which lead to the danger question.
import type { IntentRule } from "../language.ts";
import { SAID_NEAR } from "../meaning.ts";
import { patterns } from "../patterns.ts";

const lists = {
  mein: "mein|me|main|par|pe",
  trouble: "takleef|taklif|dikkat|pareshani|problem",
  nahiHai: "nahi hai|nahi tha|nahi thi|nahi hota|nahi hua|nahi ho raha",
};
const says = (...sources: string[]) => patterns(sources, { lists });
const saysInOneClause = (...sources: string[]) => patterns(sources, { lists, sameClause: true });

/** "Khoon ki jaanch" is a blood test. */
const EVERYDAY = saysInOneClause(
  "khoon (ki|ka|ke)? (jaanch|test|report|reports|sample|group|pressure)",
  "saans ... koi {trouble} nahi",
  "saans (bilkul)? theek",
);

const ALARMS = says(
  "seene {mein}? ... dard",
  "chest {mein} ... (pain|pen|dard)",
  "chest dard",
  "dil ka daura",
  "saans ... (nahi|phool|ruk|rukiye|atak|takleef|taklif|dikkat)",
  // Without its nasal "saans" becomes "saas", a mother-in-law who comes and goes.
  "saas (nahi)? (le|lene|phool)",
  "khoon ... (bah|beh|nikal|ruk|rukiye|aa|ulti)",
  "behosh",
  "hosh (mein nahi|kho|me nahi)",
  "(mar|marr) (raha|jaunga|jaungi|jaoonga|jayega|jayegi)",
  "(aatmahatya|khudkushi|zeher|zehar|jahar|lakwa|bachao)",
  "(marna|mar jaana) (chahta|chahti)",
  "ambulance (bulao|bhejo|chahiye|bula|bhej)",
  "(daura|dora|attack|stroke) (pad|pada|aaya|aa|hua)",
  "saanp ... (kaat|kaata|kata|das|dasa)",
  "emergency hai",
);

/** Denials about oneself; no question follows. "Dard nahi ja raha" means that the pain does not go away. */
const NEAR_DENIED = saysInOneClause(
  "(koi|ab|bilkul)? dard {nahiHai}",
  "dard nahi$",
  "dard (bilkul|ab)? (theek|kam|khatam) (hai|ho|hua|tha)",
  "dard (ki|ka|ke) (dawa|goli|doctor|tablet|medicine|injection)",
  "(phone|mobile|network|call|signal|line|bijli) gir",
);

const NEAR = says(
  "dard",
  "saans",
  "saas nahi aa",
  "khoon",
  "hosh",
  "seene {mein}",
  "seene (bhari|bhaari|jakad|tight)",
  "gir (gaya|pada|padi|pade|para|pari)",
  "(bah|beh) raha",
  "(saanp|chakkar|ulti|ghabrahat)",
  "madad (karo|kar|chahiye)",
);

export const HINDI_ALARMS: readonly IntentRule[] = [
  // "Seene mein dard nahi ja raha" means that the pain does not go away.
  { says: says("seene {mein}? (koi)? dard nahi hai$"), means: { emergency: 0.5 } },
  { says: EVERYDAY, means: {} },
  { says: ALARMS, means: { emergency: 0.95 } },
  { says: NEAR_DENIED, means: {} },
  { says: NEAR, means: { alarm_like: SAID_NEAR } },
];
