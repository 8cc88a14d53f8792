// Finds the opening notices in an owner's greeting: who calls, and that the voice is automatic. Its first sentence must
// say of the speaker "this is the automatic assistant of the hospital", in one of a few forms. In doubt the notices
// count as missing, and the fixed sentence is spoken.

/** The greeting up to the end of the sentence with the notices, and the remainder. */
export interface NoticedGreeting {
  head: string;
  rest: string;
}

/** Closed list. A greeting may be in another language than the call. */
const KINDS =
  "automatic|automated|virtual|artificial|computeri[sz]ed|computer|robotic|ai|a\\.i\\.|swachalit|" +
  "स्वचालित|ऑटोमैटिक|ऑटोमेटिक|ऑटोमेटेड|वर्चुअल|कंप्यूटर|कम्प्यूटर|कृत्रिम|एआई|ए\\.? ?आई\\.?";
const BETWEEN = "voice|phone|telephone|calling|powered|based|health|care|hospital|वॉइस|वॉयस|फ़ोन|फोन";
const THINGS =
  "assistant|voice|call|caller|calling system|agent|system|receptionist|reminder|message|helper|sahayak|sahayika|" +
  "सहायक|सहायिका|असिस्टेंट|आवाज़|आवाज|कॉल|एजेंट|सिस्टम|संदेश";
/** Stands for the hospital's name. */
const NAME = "…";
const WORD_START = "(?<![\\p{L}\\p{M}\\p{N}])";
const WORD_END = "(?![\\p{L}\\p{M}\\p{N}])";
const AUTOMATIC = `(?:(?:${KINDS}|artificial intelligence)(?:[- ](?:${BETWEEN})){0,2}[- ](?:${THINGS})|voicebot|chatbot)`;
const MENTIONED = new RegExp(`${WORD_START}${AUTOMATIC}${WORD_END}`, "iu");
const SALUTATION =
  "(?:(?:hello|hi|hey|there|good (?:morning|afternoon|evening|day)|greetings|dear|sir|madam|and|" +
  "namaste|namaskar|ji|नमस्ते|नमस्कार|जी)[ ,!–-]+)*,? ?";
/** "Asha, " */
const ITSELF = "(?:[^,?!।:;…]{1,50}, )?";
const SPEAKER =
  "(?:this is|it is|it['’]s|i am|i['’]m|my name is [^,?!।:;…]{1,50}?,? and i(?: am|['’]m)|" +
  "you (?:are|have|['’]ve) (?:speaking with|speaking to|talking to|reached))";
/** No noun follows, as in "the AI system manager". */
const END = "(?= ?(?:[,.!–।:;-]|$)| (?:from|of|about|for|to|regarding|calling|speaking|with|on)(?: |$))";
const OF = "(?:calling |speaking )?(?:of|from|at|for|on behalf of) (?:the )?(?:[^,?!।:;… ]+ ){0,3}?(?:at )?(?:the )?";
const FORMS = [
  `${SPEAKER} ${ITSELF}(?:the |an? |your )?${AUTOMATIC} ${OF}${NAME}`,
  `${SPEAKER} ${ITSELF}(?:the )?${NAME}(?:['’]s)? ${AUTOMATIC}${END}`,
  `(?:this is )?${NAME} (?:speaking|calling|here),? (?:and )?this is (?:the |an? )?${AUTOMATIC}${END}`,
  `(?:मैं|यह|ये|main|mai|yah|yeh|ye) ${ITSELF}${NAME} (?:की|का|के|से|ki|ka|ke|se)(?: (?:ओर|तरफ़|तरफ|or|taraf) (?:से|se))?` +
    `(?: (?:एक|ek))? ${AUTOMATIC} (?:हूँ|हूं|है|हैं|बोल|hoon|hun|hai|bol)${WORD_END}`,
];
const SAYS = new RegExp(`^${SALUTATION}(?:${FORMS.join("|")})`, "iu");
/** "This is not an automated call", "unlike an automated call". */
const NEGATION = new RegExp(
  `${WORD_START}(?:not?|never|unlike|without|instead|rather|isnt|arent|\\p{L}+n['’]t|nahin?|bajaye?|नहीं|नही|न|ना|बजाय|बिना)${WORD_END}`,
  "iu",
);
/** "Hello Ravi." may stand before the sentence. */
const MOST_SALUTATION_WORDS = 4;
const ABBREVIATION = /(?:^|[\s(])(?:dr|st|mr|mrs|ms|prof|no|a\.i|डॉ|श्री)\.$/iu;

/** `callee`: a name that is left out of the search, because it is a value of the call. Null if a notice is missing. */
export function noticedGreeting(greeting: string, hospital: string, callee: string | null): NoticedGreeting | null {
  const sentences = sentencesOf(greeting);
  const [first = ""] = sentences;
  const isSalutation = first.split(" ").length <= MOST_SALUTATION_WORDS && !first.endsWith("?");
  for (const count of isSalutation ? [1, 2] : [1]) {
    const sentence = sentences[count - 1];
    if (sentence === undefined || !says(sentence, hospital, callee)) continue;
    return { head: sentences.slice(0, count).join(" "), rest: sentences.slice(count).join(" ") };
  }
  return null;
}

function says(sentence: string, hospital: string, callee: string | null): boolean {
  // First, because most greetings end here and the expressions of the names are built for each call.
  if (!MENTIONED.test(sentence)) return false;
  const name = spaced(hospital);
  const words = callee === null || callee.trim() === "" ? sentence : sentence.replaceAll(wholly(callee), " ");
  if (name === "" || !wholly(name).test(words) || sentence.endsWith("?")) return false;
  // Words of the name itself do not describe the voice: "Virtual Care Hospital".
  const others = words.replaceAll(wholly(name), NAME).replaceAll(/\s+/gu, " ").trim();
  return SAYS.test(others) && !NEGATION.test(others);
}

function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const part of spaced(text).split(/(?<=[.!?।…]) /u)) {
    const before = sentences.at(-1);
    if (before !== undefined && ABBREVIATION.test(before)) sentences[sentences.length - 1] = `${before} ${part}`;
    else if (part !== "") sentences.push(part);
  }
  return sentences;
}

const spaced = (text: string): string => text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const wholly = (name: string): RegExp => new RegExp(`${WORD_START}${escaped(spaced(name))}${WORD_END}`, "giu");
