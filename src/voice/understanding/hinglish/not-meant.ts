// Markers of quoted and hypothetical speech in Hindi, in the spelling of spelling.ts: "maan lo ki maine haan kaha".
// "Maine haan kaha" is meant literally.
import type { NotMeant } from "../language.ts";

const SOMEBODY = "(?:main|maine|mainne|mai|hum|humne|aap|aapne|wo|usne|usane|unhone|unhonne|patient|mareez)";
const DO = "(?:lo|le|lena|lijiye|lijie|lijiyega|do|de|dena|dijiye|dijie)";
const ANSWER = "(?:haan|nahi|ji|yes|no|theek)";
const SAID = "(?:bola|boli|bole|bolo|bolun|bolu|kaha|kahi|kahe|kahun|kahu|keh|kah|diya|di|de|dun|confirm|agree)";

const IMAGINED = [
  ` (?:maan|man|samajh|soch) ${DO}(?: \\|)? (?:ki|ke|${SOMEBODY})`,
  ` (?:maano|mano|maniye|maaniye|samjho|samjhiye|samajhiye|samjhie|socho|sochiye|sochie)(?: \\|)? (?:ki|ke|${SOMEBODY})`,
  " (?:farz|farj|pharj|pharz|kalpana|imagine|pretend|suppose|assume) (?:karo|kar)",
  ` (?:agar|yadi|jaise(?: ki)?) ${SOMEBODY}(?: [^ |]+){0,2}? ${ANSWER}`,
  ` (?:likh|bolo|keh|kah|bata|note karo|note kar) ${DO}(?: (?:ki|ke))? ${SOMEBODY}`,
];

export const NOT_MEANT: NotMeant = {
  imagined: new RegExp(`(?:${IMAGINED.join("|")})(?= )`, "g"),
  quoted: new RegExp(` (?:wo|usne|usane|unhone|unhonne)(?: ne)? ${ANSWER}(?= (?:[^ |]+ ){0,2}${SAID} )`, "g"),
};
