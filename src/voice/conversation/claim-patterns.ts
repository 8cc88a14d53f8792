// Patterns of claims.ts, in words without accents and marks:
//   "i am {filler}* {person}"   words, lists, up to three of a list
//   "a|an human|person?"        alternatives, and an optional word
//   "you agreed ... recorded"   up to six words between, none of them a negation
//   "^not a robot $"            the beginning and the end of a clause
//   "person -{after}"           the next word is not in the list

export type Claim = "human" | "agreed" | "unrecorded" | "toldWho" | "toldHowToStop";

export interface ClaimRule {
  claim: Claim;
  /** No claim after one of these words. */
  notAfter?: string;
  /** No claim in a clause with one of these words before its end. */
  notWith?: string;
  /** A negation that follows takes the claim back, as in Hindi. */
  isRefusable?: boolean;
  says: readonly string[];
}

export const NEGATIONS = "not nt no never dont havent didnt hasnt नहीं नही मत ना nahi nahin nai mat";

export const LISTS: Readonly<Record<string, string>> = {
  filler:
    "yes really actually just also truly indeed definitely certainly absolutely only still very much honestly like you too totally completely genuinely simply as obviously surely literally 100 percent hundred so",
  article: "a an the your one some another any",
  real: "real live actual true genuine living breathing normal ordinary fellow flesh and blood proper natural young physical",
  person: "human humans person",
  kind: "being beings person voice caller agent operator nurse",
  role: "nurse doctor physician man woman lady gentleman girl guy boy receptionist operator employee mother father clerk colleague secretary",
  after:
    "like sounding s resource resources right rights error problem test scan room screen expert diagnosis assistant assistants bot bots centred centered",
  machine:
    "robot robots robocall robocaller machine machines computer computers bot bots chatbot voicebot ai automaton algorithm",
  made: "automated automatic virtual synthetic computerised computerized robotic simulated digital artificial ai computer machine",
  thing: "call caller voice assistant message agent system reminder intelligence line one thing",
  talking: "speaking talking chatting",
  now: "now right here",
  already: "have had ve did also already just previously earlier both all clearly kindly then once before",
  agree:
    "agree agreed consent consented accept accepted allow allowed permit permitted approve approved authorised authorized",
  consent: "consent permission approval agreement okay ok",
  recorded: "recorded recording recordings taped taping",
  call: "this the your our it you us call calls",
  tell: "told explained mentioned informed stated announced said showed",
  noted: "noted given stored saved received documented",
  stop: "stop end unsubscribe",
  hindiFiller:
    "तो एक भी ही कोई सच में वास्तव असल बिल्कुल सचमुच आप जैसा जैसी आपकी तरह बस जी हां to ek bhi hi koi sach mein me bilkul aap jaisa jaisi ji haan",
  hindiReal: "असली सच्चा सच्ची जीता जागता जीती जागती जिंदा साधारण आम asli sachcha sacchi jeeta jaagta zinda real live",
  hindiPerson:
    "इंसान इन्सान मनुष्य मानव आदमी औरत महिला व्यक्ति लडकी लडका नर्स डॉक्टर ह्यूमन पर्सन insaan insan manushya manav aadmi admi aurat mahila vyakti ladki ladka nurse doctor human person",
  hindiAm: "हूं हु हैं बोल hoon hun hu hoo hain bol",
  hindiMachine:
    "रोबोट रोबॉट मशीन कंप्यूटर कम्प्यूटर बॉट एआई रिकॉर्डिंग सॉफ्टवेयर ऑटोमैटिक ऑटोमेटिक ऑटोमेटेड स्वचालित कृत्रिम वर्चुअल robot machine computer bot ai recording software automatic automated virtual",
  hindiThing: "कॉल आवाज सहायक सहायिका एजेंट सिस्टम संदेश call awaaz sahayak agent system voice",
  hindiI: "मैं मै हम यह ये main mai hum yah yeh ye",
  hindiNot: "नहीं नही ना थोडी थोडे nahi nahin nai thodi",
  hindiYouDid: "आपने तुमने aapne apne",
  hindiRecord: "रिकॉर्ड रिकॉर्डिंग रेकॉर्ड रेकॉर्डिंग record recording",
  hindiConsent:
    "हां सहमति सहमत अनुमति इजाजत मंजूरी स्वीकृति स्वीकार राजी परमिशन haan han sahmati sahmat anumati ijazat ijaazat manzoori permission agree allow raazi razi",
  hindiWeDid: "मैंने मैने हमने maine humne",
  hindiTell: "बता कह दे दिया bata kah de diya",
  hindiStop: "बंद रोक रोकने रोकना रोकें band rok rokne",
};

const I_AM = ["i am", "im", "i m", "iam"];
const notOf = (who: string): string[] => [`${who} isnt|aint|arent`, `${who} isn|ain|aren t`];
const NOT_ME = [
  ...[...I_AM, "this call is", "this voice is", "we are"].map((who) => `${who} {filler}* not|never`),
  ...["this call", "this voice", "i", "we"].flatMap(notOf),
];
const NOT_THIS = ["this is {filler}* not|never", ...notOf("this")];
const YOU_ARE = ["you are", "youre", "you re"];
const MACHINES = [
  "{machine} -{after}",
  "{made} voice|phone? {thing}",
  "recorded message|voice",
  "language model",
  "computer program",
];
const PERSON = "{real}* {person} {kind}? -{after}";
const THE_PERSON = `{filler}* {article}? ${PERSON}`;

const each = (starts: readonly string[], ends: readonly string[]): string[] =>
  starts.flatMap((start) => ends.map((end) => `${start} ${end}`));

const CONDITIONS = "when if once until unless whether before after";
const QUESTIONS = `${CONDITIONS} do does will would can could may should did have must shall`;
const AGREED = ["{agree}", "said yes|okay|ok", "opted in", "signed up", "gave|given us|me? your|the|full? {consent}"];

export const CLAIM_RULES: readonly ClaimRule[] = [
  {
    claim: "human",
    notAfter: CONDITIONS,
    says: [
      ...each(I_AM, [
        THE_PERSON,
        "{filler}* a|an {real}* {role} -{after}",
        "{filler}* a staff member",
        "{filler}* a member of",
        "{filler}* made? of? flesh and blood",
      ]),
      "we are {filler}* {real}* human|humans being|beings? -{after}",
      `this call|voice? is from|by? ${THE_PERSON}`,
      ...each(YOU_ARE, [`{filler}* {talking} to|with ${THE_PERSON}`]),
      ...each(
        [...NOT_ME, ...NOT_THIS],
        [
          ...MACHINES.map((machine) => `{filler}* {article}? ${machine}`),
          ...MACHINES.map((machine) => `{filler}* {talking} to|with {article}? ${machine}`),
          "{filler}* a|the recording",
        ],
      ),
      ...each(NOT_ME, ["{filler}* {article}? {made} $"]),
      ...each(
        [...YOU_ARE.map((you) => `${you} {filler}* not`), "you arent", "you aren t"],
        MACHINES.map((machine) => `{filler}* {talking} to|with {article}? ${machine}`),
      ),
      "human|person is {talking} to|with you {now}* $",
      "human|person is calling you {now}* $",
      ...MACHINES.map((machine) => `^no? not a|an ${machine} $`),
      "^yes? a? {real}* human|person here|speaking",
      "मैं|मै|हम|main|mai|hum {hindiFiller}* {hindiReal}* {hindiPerson} ही|तो|भी|hi|to|bhi? {hindiAm}",
      "आप|aap {hindiFiller}* {hindiReal}* {hindiPerson} से|se ही|hi? बात|baat कर|kar रहे|रही|rahe|rahi|rhe|rhi",
      "{hindiI} कॉल|call? {hindiFiller}* {hindiMachine} {hindiThing}? {hindiNot}",
      "आप|aap {hindiFiller}* {hindiMachine} से|se बात|baat नहीं|nahi|nahin कर|kar",
    ],
  },
  {
    claim: "agreed",
    notAfter: QUESTIONS,
    says: [
      ...AGREED.flatMap((agreed) => [
        `you {already}* ${agreed} ... {recorded}`,
        `you {already}* ${agreed} ... record {call}`,
        `{recorded} because|as|since|which|that|like? you {already}* ${agreed}`,
      ]),
      ...["with", "by", "on", "under", "thanks to", "we have", "we got", "i have", "i got"].flatMap((how) => [
        `${how} your {consent} ... {recorded}`,
        `${how} your {consent} ... record {call}`,
      ]),
      "{recorded} ... with|by|on your {consent}",
      "your {consent} to|for|about ... {recorded} is|was {noted}",
      "your {consent} to|for|about ... {recorded} has been {noted}",
    ],
  },
  {
    claim: "agreed",
    notWith: "क्या अगर यदि kya agar yadi",
    isRefusable: true,
    says: [
      "{hindiYouDid} ... {hindiRecord} ... {hindiConsent}",
      "{hindiYouDid} ... {hindiConsent} ... {hindiRecord}",
      "आप|aap ... {hindiRecord} ... सहमत|राजी|sahmat|raazi|razi|agree",
      "आपकी|aapki|apki {hindiConsent} ... {hindiRecord}",
      "{hindiRecord} ... {hindiYouDid} ... {hindiConsent}",
      "{hindiRecord} ... आपकी|aapki|apki {hindiConsent}",
    ],
  },
  {
    claim: "unrecorded",
    says: [
      "call|conversation|line|this is|s? not|never being|getting? recorded|taped",
      "you|we are not|never being|getting? recorded|taped",
      "youre|you re? not|never being|getting? recorded|taped",
      "call|conversation|line|this isnt being|getting? recorded|taped",
      "call|conversation|line|this isn t being|getting? recorded|taped",
      "nothing is|gets being? recorded|taped",
      "nothing will be recorded|taped",
      "i|we am|are|do|will? not|never|dont|arent be? recording|record|taping|tape",
      "im not recording|taping",
      "recording is|was off|disabled|stopped",
      "recording is|was switched|turned off",
      "{hindiRecord} हो|की|कर|किया|जा|ho|ki|kar? {hindiNot}",
    ],
  },
  {
    claim: "toldWho",
    notAfter: CONDITIONS,
    says: [
      "i|we|ive|weve {already}* {tell} to? you? {already}* who i|we|it|this am|are|is",
      "i|we|ive|weve {already}* {tell} to? you? {already}* who is calling",
      "i|we|ive|weve {already}* introduced|identified myself|ourselves",
      "you {already}* know|heard who i|we am|are",
      "you {already}* know|heard who is calling",
      "{hindiWeDid} ... {hindiTell} ... मैं|हम कौन हूं|हैं",
      "{hindiWeDid} ... मैं|हम कौन हूं|हैं ... {hindiTell}",
      "{hindiWeDid} ... अपना|apna नाम|परिचय|naam|parichay ... {hindiTell}",
    ],
  },
  {
    claim: "toldHowToStop",
    notAfter: CONDITIONS,
    says: [
      "i|we|ive|weve {already}* {tell} to? you? {already}* how to|you can|could? {stop}",
      "i|we|ive|weve {already}* {tell} to? you? {already}* how to|you can|could? opt out",
      "you {already}* know|heard how to {stop}",
      "{hindiWeDid} ... {hindiStop} ... {hindiTell}",
      "{hindiWeDid} ... {hindiTell} ... {hindiStop}",
    ],
  },
];
