// Hindi hedges that weaken a yes or no, in the spelling of spelling.ts: "agar chhutti mili to haan", "aap hospital se
// ho na?".
import type { Hedges } from "../language.ts";

const BOTH =
  / (?:agar|yadi|shayad|dekhte|dekhta|dekhti|dekhunga|dekhenge|sochta|sochti|sochunga|sochenge|sochna|puchna|puchh|poochh|poochna|puchke|poochke|pata nahi|maloom nahi|malum nahi|tay nahi|pakka nahi|kya pata|ho sakta|lagta|koshish|kaun|kahan|kab|kyun|kitna|kitne|kitni|kaise|kya matlab|jo marzi|kuch bhi|aapki marzi|mazaak|mazak)(?= )/;
const YES =
  / (?:lekin|magar|par|bas ek|boliye|bolo(?! (?:raha|rahi|hoon))|bataiye|batao|kahiye|sun raha|sun rahi|suniye|hello|bata dunga|bata dungi|bol dunga|bol dungi|keh dunga|message mila|yaad hai|pata hai|maloom hai|malum hai|suna)(?= )/;
const TAG = / (?:na|hai na|haina|ho na|he na|kya|hai kya|ho kya)(?: \|)? $/;
/** "Ji boliye" answers "Am I speaking with …?", and "aa jaunga na" answers "Will you come?". */
const OWN = / (?:aaunga|aaungi|jaunga|jaungi|jayega|aayenge|chalega|theek|haan|main)(?: ji)? na(?: \|)? $/;

export const HEDGES: Hedges = {
  both: [BOTH],
  yes: [YES],
  tag: (words) => TAG.test(words) && !OWN.test(words),
};
