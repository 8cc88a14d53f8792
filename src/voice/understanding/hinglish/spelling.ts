// One spelling for each Hindi word that the rules know, however a recogniser or a person writes it: in Latin letters in many
// ways, or in Devanagari.

/** Spelling that the rules use → others, and Devanagari. */
const SPELLINGS: Readonly<Record<string, string>> = {
  haan: "han haa haaan हाँ हां हा",
  "haan ji": "hanji haanji",
  nahi: "nahin nahee naheen nhi nai नहीं नही ना",
  ji: "jee जी",
  theek: "thik thheek theeq ठीक",
  hai: "hain है हैं",
  achha: "accha acha achchha achcha अच्छा",
  bilkul: "bilkool बिल्कुल बिलकुल",
  zaroor: "jarur jaroor zarur ज़रूर जरूर",
  sahi: "sahee सही",
  galat: "ghalat galath गलत ग़लत",
  number: "nambar namber नंबर नम्बर",
  kaun: "kon koun कौन",
  kya: "kyaa क्या",
  kyun: "kyon kyu kyo क्यों",
  kahan: "kahaan कहाँ कहां",
  naam: "नाम",
  phir: "fir फिर",
  dobara: "dubara dobaara दोबारा",
  dheere: "dhire dheeray धीरे",
  zor: "jor ज़ोर जोर",
  awaaz: "awaz aawaz aavaaz आवाज़ आवाज",
  bolo: "boliye boliyega bolna boliyo bol बोलो बोलिए बोलिये",
  karo: "kariye kariyega kijiye kijiyega karna karein karen karni karwana कीजिए करो करना",
  mat: "मत",
  phone: "fon फोन फ़ोन",
  call: "कॉल",
  band: "बंद",
  baad: "bad बाद",
  mein: "में",
  abhi: "अभी",
  busy: "vyast व्यस्त बिजी",
  hoon: "hun hu hoo हूँ हूं",
  main: "मैं",
  wo: "woh vo voh वो वह",
  unka: "unki unke uska uski uske unkaa उनका उनकी उसका उसकी",
  mera: "meri mere मेरा मेरी मेरे",
  sakta: "sakti sakte sakunga sakungi paunga paungi payenge paayega payega सकता सकती",
  aaunga: "aaungi aunga aungi aayenge aaenge aaoonga आऊँगा आऊंगा आऊंगी",
  raha: "rahi rahe रहा रही रहे",
  baat: "बात",
  kisi: "किसी",
  koi: "कोई",
  aur: "और",
  dusra: "doosra dusre doosre dusri doosri दूसरा दूसरे दूसरी",
  pehla: "pehli pehle pahla pahle पहला पहली",
  teesra: "tisra teesri teesre तीसरा",
  din: "दिन",
  chahiye: "chahie chahiyee चाहिए",
  rukiye: "ruko rukna ruk thehro thahro thahriye theheriye रुकिए रुको",
  minute: "minat minut मिनट",
  dhanyavad: "dhanyavaad dhanyawad dhanyabad धन्यवाद",
  shukriya: "shukria शुक्रिया",
  namaste: "namaskar नमस्ते नमस्कार",
  seene: "sine seena chhati chaati chati सीने छाती",
  dard: "दर्द",
  saans: "sans saas साँस सांस",
  khoon: "khun खून",
  behosh: "behoshi बेहोश",
  kal: "कल",
  aaj: "आज",
  parso: "parson parsoon parsu परसों",
  subah: "subha suba subeh सुबह",
  dopahar: "dopeher dupahar dopehar दोपहर",
  shaam: "sham शाम",
  raat: "rat रात",
  baje: "bajey baj बजे",
  hafte: "hafta haftey saptah हफ्ते हफ़्ते सप्ताह",
  mahine: "mahina maheene महीने",
  agle: "agla agli अगले अगला",
  tarikh: "tareekh tarik तारीख",
  ghante: "ghanta ghanton घंटे",
  saadhe: "sadhe saade sade साढ़े साढे",
  sava: "sawa सवा",
  paune: "pone पौने",
  somvar: "somwar somvaar somwaar सोमवार",
  mangalvar: "mangalwar mangalvaar mangalwaar मंगलवार",
  budhvar: "budhwar budhvaar budhwaar बुधवार",
  guruvar: "guruwar guruvaar guruwaar brihaspativar veervar गुरुवार",
  shukravar: "shukrawar shukravaar shukrawaar शुक्रवार",
  shanivar: "shaniwar shanivaar shaniwaar शनिवार",
  ravivar: "raviwar ravivaar raviwaar itvar itwar itvaar itwaar रविवार इतवार",
};

const BY_VARIANT: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLINGS).flatMap(([word, variants]) =>
    variants.split(" ").map((variant) => [variant, word] as const),
  ),
);

/** English words that are spelt like a Hindi one. */
const ENGLISH_TOO = new Set([
  "bad",
  "band",
  "main",
  "call",
  "phone",
  "number",
  "minute",
  "mat",
  "din",
  "sans",
  "sine",
  "pone",
  "rat",
  "sham",
]);

/** Words that Hindi sentences hold and English ones do not. */
const IS_HINDI =
  /\p{Script=Devanagari}| (?:hai|hain|haan|nahi|nahin|ji|karo|karna|kariye|mein|ko|ke|ka|ki|se|baje|hoon|hun|raha|rahi|kal|aaj|abhi|theek|thik|aap|main hoon|ho|baad|seene|dard) /u;

export function respelt(words: string): string {
  const isHindi = IS_HINDI.test(words);
  return words.replaceAll(/[\p{L}\p{M}]+/gu, (word) =>
    isHindi || !ENGLISH_TOO.has(word) ? (BY_VARIANT.get(word) ?? word) : word,
  );
}
