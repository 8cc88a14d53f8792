// What the agent may not claim: that it is human, that the callee agreed to be recorded, that a notice was given.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { claimSentences, claimsIn, type Claim } from "../../../src/voice/conversation/claims.ts";
import { english } from "../../../src/voice/conversation/phrases/en.ts";
import { hindi } from "../../../src/voice/conversation/phrases/hi.ts";
import { cpuMsOf } from "../../support/cpu-time.ts";
import type { Phrase } from "../../../src/voice/conversation/phrase.ts";

const HOSPITAL = "City Hospital";
const claimed = (text: string, hospital: string | null = HOSPITAL) => [
  ...new Set(claimsIn(claimSentences(text), hospital).map(({ claim }) => claim)),
];

const FALSE: Readonly<Record<Claim, readonly string[]>> = {
  human: [
    "I am a human.",
    "I'm human.",
    "Yes, I am a real person, calling from City Hospital.",
    "Of course I am a human being, just like you.",
    "I am as human as you.",
    "I am, in fact, of course human.",
    "I am really a live human operator.",
    "This is a real person speaking.",
    "You are talking to a real human.",
    "You're speaking with a person, I promise that.",
    "I am a nurse at the hospital.",
    "I am a woman of thirty.",
    "I am not a robot.",
    "I'm not a machine, I promise.",
    "This isn't an automated call.",
    "This call is not automatic.",
    "I am definitely not an AI.",
    "You are not talking to a computer.",
    "This is not a recording.",
    "Not a robot.",
    "Yes, real person here.",
    "A human is talking to you right now.",
    "We are human beings.",
    "I am. A human.",
    "I-am a hu-man.",
    "I am h.u.m.a.n!",
    "I am a H U M A N.",
    "I aaaam a huuuuman.",
    "I am a hümän.",
    "मैं एक इंसान हूँ।",
    "जी, मैं सच में इंसान ही हूं।",
    "मैं असली औरत हूँ।",
    "आप एक असली व्यक्ति से बात कर रहे हैं।",
    "मैं कोई रोबोट नहीं हूँ।",
    "यह ऑटोमैटिक कॉल नहीं है।",
    "यह कोई मशीन नहीं है।",
    "मैं human हूँ।",
    "Main insaan hoon.",
    "Main koi robot nahi hoon.",
    "Aap ek insaan se baat kar rahe hain.",
  ],
  agreed: [
    "You agreed to be recorded.",
    "You have already agreed to the recording.",
    "You said yes to being recorded.",
    "You gave us your permission to record this call.",
    "You've consented to this call being recorded.",
    "With your consent this call is recorded.",
    "This call is recorded because you agreed.",
    "This call is recorded with your permission.",
    "By staying on the line you agree to be recorded.",
    "Your consent to the recording has been noted.",
    "आपने रिकॉर्डिंग के लिए सहमति दी है।",
    "आपने कॉल रिकॉर्ड करने की अनुमति दी थी।",
    "आप रिकॉर्डिंग के लिए सहमत हो चुके हैं।",
    "आपकी सहमति से यह कॉल रिकॉर्ड हो रही है।",
    "रिकॉर्डिंग के लिए आपने हाँ कहा था।",
    "Aapne recording ke liye haan kaha tha.",
  ],
  unrecorded: [
    "This call is not recorded.",
    "You are not being recorded.",
    "We do not record calls.",
    "I am not recording this.",
    "The recording is switched off.",
    "यह कॉल रिकॉर्ड नहीं हो रही है।",
  ],
  toldWho: [
    "I already told you who I am.",
    "We have told you who is calling.",
    "I've already introduced myself.",
    "मैंने आपको बता दिया है कि मैं कौन हूँ।",
    "मैंने अपना परिचय दे दिया है।",
  ],
  toldHowToStop: [
    "We already told you how to stop.",
    "I explained to you how to stop these calls.",
    "You already know how to stop these calls.",
    "हमने आपको बता दिया है कि कॉल कैसे बंद करें।",
    "मैंने कॉल बंद करने का तरीका बता दिया है।",
  ],
};

/** True, or nothing of the kind. */
const ALLOWED = [
  "A human will call you back.",
  "Would you like to speak to a human?",
  "Would you like to talk to a real person?",
  "A person from the hospital will call you.",
  "Here I am. A person will call you back.",
  "Press 3 to speak to a person.",
  "I am connecting you to a person.",
  "I am transferring you to a human operator.",
  "I am not a human.",
  "I am not a real person, I am an automatic assistant.",
  "I am an automatic assistant.",
  "I am a virtual receptionist.",
  "I am a doctor's assistant.",
  "I am a human resources assistant.",
  "Are you a robot?",
  "You are not a machine.",
  "This is a personal message for Ravi.",
  "This is not an automatic confirmation.",
  "This is not a computer error.",
  "When you are talking to a person at the desk, ask for the form.",
  "I am calling about a woman in your family.",
  "This is Asha, an AI assistant of City Hospital.",
  "Miriam: a human will call you.",
  "This is in person, not by video.",
  "This is a person-centred hospital.",
  "The reminder repeats. This is not automatic.",
  "Do you agree to be recorded?",
  "Would you agree to be recorded?",
  "May we have your permission to record this call?",
  "May we record this call?",
  "You have not agreed to be recorded.",
  "If you agree, this call is recorded.",
  "You agreed to come with your medical records.",
  "You agreed to come at ten. This call is recorded.",
  "You said yes to the appointment.",
  "This call is recorded.",
  "How do I stop these calls? Say stop calling.",
  "I told you the time of your appointment.",
  "Who is calling?",
  "क्या आप किसी इंसान से बात करना चाहेंगे?",
  "एक इंसान आपको वापस कॉल करेगा।",
  "मैं इंसान नहीं हूँ।",
  "ये डॉक्टर हैं, जो आपको देखेंगे।",
  "मैं अस्पताल की ऑटोमैटिक सहायक हूँ।",
  "क्या आप रिकॉर्डिंग के लिए सहमत हैं?",
  "क्या हम यह कॉल रिकॉर्ड कर सकते हैं?",
  "आपने रिकॉर्डिंग की अनुमति नहीं दी।",
  "अगर आप सहमत हैं तो कॉल रिकॉर्ड होगी।",
  "आपका अपॉइंटमेंट ऑटोमैटिक नहीं है।",
  "Kya aap kisi insaan se baat karna chahenge?",
];

const EVERY = Object.entries(FALSE).flatMap(([claim, lines]) => lines.map((line) => [claim, line] as const));

describe("is found:", () => {
  test.each(EVERY)("%s: %s", (claim, line) => {
    expect(claimed(line)).toEqual([claim as Claim]);
  });
});

describe("is allowed:", () => {
  test.each(ALLOWED)("%s", (line) => {
    expect(claimed(line)).toEqual([]);
  });
});

test("a claim among other sentences is found with its place", () => {
  const sentences = claimSentences("Good morning, Dr. Rao is in. I am a human. Will you come?");
  expect(claimsIn(sentences, HOSPITAL)).toEqual([{ claim: "human", from: 2, to: 2 }]);
});

test("words of the hospital's name claim nothing, and hide nothing", () => {
  expect(claimed("This is Real Human Care.", "Real Human Care")).toEqual([]);
  expect(claimed("This is Real Human Care. I am a human.", "Real Human Care")).toEqual(["human"]);
  expect(claimed("I am a human.", "Human")).toEqual(["human"]);
});

/** The other case, and marks between words and letters. */
const MARKS = ["", "-", "*", "_", "'", "...", "\u200b", "\u00ad"];
const BETWEEN = [" ", "  ", ", ", " - ", "... ", "\n", "! "];
const disguised = fc.record({
  line: fc.constantFrom(...EVERY.filter(([claim, line]) => claim !== "unrecorded" && !/\b\w \w \w\b/.test(line))),
  upper: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  mark: fc.constantFrom(...MARKS),
  every: fc.integer({ min: 2, max: 5 }),
  between: fc.constantFrom(...BETWEEN),
});

test("case, punctuation, invisible characters and gaps hide no claim to be human", () => {
  fc.assert(
    fc.property(disguised, ({ line: [claim, line], upper, mark, every, between }) => {
      const words = line.split(/(?<=[\p{L}\p{M}\p{N}]) (?=[\p{L}\p{N}])/u);
      // Clauses hide a consent that is spread over many words: "You agreed, yes, to come. This call is recorded."
      const joint = claim === "human" ? between : " ";
      const hidden = words
        .map((word) =>
          claim === "human" && word.length > every ? word.slice(0, every) + mark + word.slice(every) : word,
        )
        .join(joint);
      const text = Array.from(hidden, (letter, i) => (upper[i % 8] ? letter.toUpperCase() : letter)).join("");
      expect(claimed(text), text).toContain(claim as Claim);
    }),
    { numRuns: 1_000 },
  );
});

const phrasesOf = (phrases: typeof english): Phrase[] => {
  const call = { agentName: "Asha", contactName: "Ravi", isTriedAgain: true, notices: { hospital: HOSPITAL } };
  const slot = { label: "A", date: "2026-05-06", startTime: "09:00", endTime: "09:30" };
  const given: readonly unknown[][] = [[call], [slot], [HOSPITAL], ["+912212345678"], [0, 2, slot], ["1", slot], [2]];
  const made = (value: unknown): Phrase[] => {
    if (typeof value !== "function") return [value as Phrase];
    return given.flatMap((args) => {
      try {
        return [(value as (...all: unknown[]) => Phrase)(...args)];
      } catch {
        return [];
      }
    });
  };
  return Object.values(phrases).flatMap(made);
};

test("no phrase of our own claims anything but that the call is not recorded", () => {
  for (const phrases of [english, hindi]) {
    const texts = phrasesOf(phrases).map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(90);
    for (const text of texts) expect([[], ["unrecorded"]], text).toContainEqual(claimed(text, HOSPITAL));
    expect(texts.filter((text) => claimed(text).length > 0)).toEqual([phrases.notRecorded.text]);
  }
});

test("the longest texts cost little", async () => {
  for (const part of ["I am not ", "you agreed ", "i m a n y ", "आपने रिकॉर्डिंग ", "a ", "एक "]) {
    const text = part.repeat(Math.ceil(4_000 / part.length));
    expect(await cpuMsOf(() => claimed(text)), part).toBeLessThan(200);
  }
});
