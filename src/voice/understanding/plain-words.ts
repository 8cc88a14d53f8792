// Normalised words for the rules: lower case, contractions expanded, fillers removed, one space before each word and
// one at the end, " |" at the end of a clause: "Um, I can't." becomes " i can not | ".

/** About one minute of speech; bounds the work for any text. */
const MAX_CHARS = 1_000;

/** In this order, with and without the apostrophe, because recognisers omit it. */
const WRITTEN_OUT: readonly (readonly [contraction: RegExp, words: string])[] = [
  [/\bwon'?t\b/g, "will not"],
  [/\b(?:can'?t|cannot)\b/g, "can not"],
  [/\bain'?t\b/g, "is not"],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must|need)n'?t\b/g, "$1 not"],
  [/\bi'?m\b/g, "i am"],
  [/\b(i|you|we|they)'?ve\b/g, "$1 have"],
  [/\b(i|you|he|she|we|they|it|that|who|there)'ll\b/g, "$1 will"],
  [/\b(i|you|he|she|we|they|it|that|who|there)'d\b/g, "$1 would"],
  [/\b(you|we|they|who|what)'re\b/g, "$1 are"],
  [/\blet'?s\b/g, "let us"],
  [/\b(that|what|who|there)s\b/g, "$1 is"],
  [/\b(that|what|who|where|there|it|he|she|here|how|when|this|everything|nobody|name)'s\b/g, "$1 is"],
  [/'s(?= (?:not|here|out|in|at|asleep|sleeping|my|a|the|gone|busy|too|very|having|been|using)\b)/g, " is"],
  // Archaic spellings that recognisers produce.
  [/\bto-(day|morrow|night)\b/g, "to$1"],
  [/\bthe morrow\b/g, "tomorrow"],
  [/\bgonna\b/g, "going to"],
  [/\bwanna\b/g, "want to"],
  [/\bgotta\b/g, "have got to"],
  [/\blemme\b/g, "let me"],
  [/\bgimme\b/g, "give me"],
  [/\bdunno\b/g, "do not know"],
  [/\bany more\b/g, "anymore"],
  [/\ball right\b/g, "alright"],
  [/\bo'? ?clock\b/g, "oclock"],
  [/\bma'?am\b/g, "madam"],
  [/\b(?:okey|okay|ok|o\.k\.?)(?=\W|$)/g, "okay"],
  [/\b([ap])\.? ?m\b\.?(?=\W|$)/g, "$1m"],
  [/\b(?:m+[- ]?h+m+|m+[- ]m+|mhm+|uh[- ]?huh|m+)(?=\W|$)/g, "mhm"],
  [/\bh+m+\b/g, "hmm"],
];

/** Fillers and courtesies without meaning of their own. */
const FILLERS =
  /^(?:um+|uhm?|erm?|ah+|oh+|eh|well|just|actually|basically|please|kindly|honestly|simply|also|even|sir|madam|plz|literally|currently)$/;

const NUMBER = /\d|^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/;

/** A full stop inside a number ("10.30", "21.11.2026") belongs to it. */
const WORD_OR_BOUNDARY = /\d+(?:[:./]\d+)*(?:st|nd|rd|th|am|pm)?|[\p{L}\p{M}]+|[.?!,;:।…–—]/gu;

export function plainWords(text: string): string {
  let written = text
    .slice(0, MAX_CHARS)
    .normalize("NFKC")
    .toLowerCase()
    // Zero-width joiners in Devanagari words, and Devanagari digits.
    .replace(/[\u200c\u200d]/g, "")
    .replace(/[०-९]/g, (figure) => String(figure.charCodeAt(0) - 0x966))
    .replace(/[‘’ʼ`´]/g, "'");
  for (const [contraction, words] of WRITTEN_OUT) written = written.replace(contraction, words);
  const kept: string[] = [];
  for (const [word] of written.matchAll(WORD_OR_BOUNDARY)) {
    if (FILLERS.test(word)) continue;
    if (!/[\p{L}\d]/u.test(word)) {
      if (kept.length > 0 && kept.at(-1) !== "|") kept.push("|");
    } else if (!isSaidAgain(word, kept)) kept.push(word);
  }
  return kept.length > 0 ? ` ${kept.join(" ")} ` : " ";
}

/** "No, no, no." is one no; numbers are repeated on purpose. */
function isSaidAgain(word: string, before: readonly string[]): boolean {
  const last = before.at(-1) === "|" ? before.at(-2) : before.at(-1);
  return word === last && !NUMBER.test(word);
}
