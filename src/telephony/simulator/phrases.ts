// What is said in a simulated call, per language. A language that is missing here is spoken in English.

export interface Phrases {
  /** For an agent without a greeting. */
  hello: string;
  myNameIs(agent: string): string;
  amISpeakingWith(contact: string): string;
  yesGoOn: string;
  purpose(sentence: string): string;
  understood: string;
  factIs(key: string, value: string): string;
  noted(facts: string): string;
  thatIsRight: string;
  whichTime: string;
  theMorning: string;
  slot(date: string, time: string): string;
  or: string;
  offer(slots: string): string;
  theFirstOne: string;
  booked(slot: string): string;
  takenMeanwhile: string;
  nothingOpen: string;
  thankYou: string;
  goodbye: string;
  notInterested: string;
  noFurtherTrouble: string;
  callAgainLater: string;
  callbackIn(minutes: number): string;
  ratherAPerson: string;
  connectingYou: string;
  noTime: string;
  leaveAMessage: string;
  sorryToMissYou: string;
}

const ENGLISH: Phrases = {
  hello: "Hello.",
  myNameIs: (agent) => `My name is ${agent}.`,
  amISpeakingWith: (contact) => `Am I speaking with ${contact}?`,
  yesGoOn: "Yes, please go on.",
  purpose: (sentence) => `I am calling about this: ${sentence}`,
  understood: "I see, thank you.",
  factIs: (key, value) => `${key} is ${value}`,
  noted: (facts) => `I have noted: ${facts}. Is that right?`,
  thatIsRight: "Yes, that is right.",
  whichTime: "Which time of day suits you best, should we need to reach you again?",
  theMorning: "The morning suits me best.",
  slot: (date, time) => `${date}, from ${time}`,
  or: "or",
  offer: (slots) => `I can offer you ${slots}. Which of these suits you?`,
  theFirstOne: "The first one, please.",
  booked: (slot) => `You are booked for ${slot}.`,
  takenMeanwhile: "I am sorry, that place has just been taken. The hospital will call you with another time.",
  nothingOpen: "I am sorry, there is no place open in the next days. The hospital will call you when there is.",
  thankYou: "I have written that down. Thank you for your time, and goodbye.",
  goodbye: "Thank you, goodbye.",
  notInterested: "Thank you for calling, but I am not interested in this.",
  noFurtherTrouble: "I understand, and I will make a note of it. Thank you for telling me, and goodbye.",
  callAgainLater: "I cannot talk just now. Could you call me again a little later?",
  callbackIn: (minutes) => `Of course. I will call you again in ${minutes} minutes. Goodbye until then.`,
  ratherAPerson: "I would rather speak about this with a member of staff.",
  connectingYou: "Of course. Please stay on the line, I am connecting you with a colleague now.",
  noTime: "Sorry, I have no time for this.",
  leaveAMessage: "The person you have called is not available. Please leave a message after the tone.",
  sorryToMissYou: "I am sorry to have missed you. Goodbye.",
};

/** Worded so that neither speaker has a gender. */
const HINDI: Phrases = {
  hello: "नमस्ते।",
  myNameIs: (agent) => `मेरा नाम ${agent} है।`,
  amISpeakingWith: (contact) => `क्या मेरी बात ${contact} से हो रही है?`,
  yesGoOn: "जी हाँ, कहिए।",
  purpose: (sentence) => `यह फ़ोन इस बारे में है: ${sentence}`,
  understood: "अच्छा, धन्यवाद।",
  factIs: (key, value) => `${key}: ${value}`,
  noted: (facts) => `मेरे पास यह जानकारी दर्ज है – ${facts}। क्या यह सही है?`,
  thatIsRight: "जी हाँ, यह सही है।",
  whichTime: "अगर हमें आपसे फिर बात करनी हो, तो दिन का कौन सा समय आपके लिए सबसे अच्छा रहेगा?",
  theMorning: "मेरे लिए सुबह का समय सबसे अच्छा है।",
  slot: (date, time) => `${date}, ${time} बजे से`,
  or: "या",
  offer: (slots) => `ये समय मिल सकते हैं: ${slots}। कौन सा ठीक रहेगा?`,
  theFirstOne: "पहला वाला, कृपया।",
  booked: (slot) => `आपका समय तय हो गया है: ${slot}।`,
  takenMeanwhile: "क्षमा कीजिए, यह समय अभी-अभी भर गया। अस्पताल दूसरे समय के लिए फ़ोन करेगा।",
  nothingOpen: "क्षमा कीजिए, आने वाले दिनों में कोई समय ख़ाली नहीं है। समय मिलने पर अस्पताल फ़ोन करेगा।",
  thankYou: "मैंने यह लिख लिया है। आपके समय के लिए धन्यवाद, नमस्ते।",
  goodbye: "धन्यवाद, नमस्ते।",
  notInterested: "फ़ोन करने के लिए धन्यवाद, लेकिन मुझे इसमें रुचि नहीं है।",
  noFurtherTrouble: "ठीक है, यह बात दर्ज कर ली गई है। बताने के लिए धन्यवाद, नमस्ते।",
  callAgainLater: "अभी बात करना संभव नहीं है। क्या थोड़ी देर बाद फिर बात हो सकती है?",
  callbackIn: (minutes) => `ज़रूर। आपको ${minutes} मिनट बाद फिर फ़ोन किया जाएगा। तब तक के लिए नमस्ते।`,
  ratherAPerson: "इस बारे में किसी कर्मचारी से बात करना मुझे बेहतर लगेगा।",
  connectingYou: "ज़रूर। कृपया लाइन पर बने रहिए, आपकी बात अभी एक सहकर्मी से करवाई जा रही है।",
  noTime: "माफ़ कीजिए, मेरे पास इसके लिए समय नहीं है।",
  leaveAMessage: "आपने जिन्हें फ़ोन किया है, वे अभी उपलब्ध नहीं हैं। कृपया टोन के बाद अपना संदेश छोड़ें।",
  sorryToMissYou: "खेद है कि आपसे बात नहीं हो सकी। नमस्ते।",
};

const PHRASES = new Map([
  ["en", ENGLISH],
  ["hi", HINDI],
]);

/** `language` is a BCP 47 tag; its first subtag decides. */
export function phrasesFor(language: string): Phrases {
  return PHRASES.get(language.toLowerCase().split(/[-_]/)[0] ?? "") ?? ENGLISH;
}
