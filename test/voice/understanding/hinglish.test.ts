// Hindi mixed into English, in Latin letters and in Devanagari.
import { describe, expect, test } from "bun:test";
import type { Expecting, Hearing, Intent } from "../../../src/voice/understanding/meaning.ts";
import { understand } from "../../../src/voice/understanding/understand.ts";
import { HEARING } from "./hearing.ts";

const hear = (text: string, hearing: Partial<Hearing>) => understand(text, { ...HEARING, ...hearing });

const TABLE: Readonly<Partial<Record<Expecting, Partial<Record<Intent, readonly string[]>>>>> = {
  yes_no: {
    yes: [
      "Haan.",
      "haan ji",
      "ji haan",
      "Ji.",
      "han",
      "theek hai",
      "Thik hai.",
      "bilkul",
      "haan theek hai",
      "zaroor",
      "chalega",
      "ho jayega",
      "main aaunga",
      "haan main aaungi",
      "kar do",
      "haan, book kar do",
      "koi baat nahi",
      "koi dikkat nahi",
      "sahi hai",
      "haan yes",
      "हाँ",
      "जी हाँ",
      "ठीक है",
      "बिल्कुल",
      "pakka",
    ],
    no: [
      "Nahi.",
      "nahin",
      "ji nahi",
      "nahi ji",
      "nahi aa sakta",
      "main nahi aa paunga",
      "nahi aaungi",
      "bilkul nahi",
      "nahi chahiye",
      "nahi ho payega",
      "नहीं",
      "जी नहीं",
      "nahi nahi",
    ],
    another_time: [
      "koi aur din",
      "kisi aur din",
      "dusra din",
      "koi dusra time",
      "time badal do",
      "date change kar do",
      "kal nahi ho payega",
      "aaj nahi",
      "agle din",
      "appointment aage kar do",
    ],
    cancel_appointment: [
      "cancel kar do",
      "appointment cancel kar dijiye",
      "nahi chahiye appointment",
      "haan cancel kar do",
    ],
    who_is_this: ["kaun?", "kaun bol raha hai", "aap kaun", "kahan se bol rahe hain", "aapka naam kya hai", "कौन"],
    what_is_it_about: ["kis liye phone kiya", "kya kaam hai", "kyun call kiya", "kya baat hai", "kis baare mein"],
    repeat: ["phir se boliye", "dobara bolo", "kya bola", "kya kaha aapne", "samajh nahi aaya", "kya?", "fir se"],
    slower: ["dheere boliye", "dhire dhire bolo", "aaram se bolo"],
    louder: ["zor se boliye", "jor se bolo", "awaaz kam hai", "sunai nahi de raha"],
    person: [
      "kisi se baat karni hai",
      "doctor se baat karao",
      "kisi insaan se baat karwa do",
      "operator se baat karni hai",
    ],
    do_not_call: ["phone mat karo", "call mat karna", "dobara phone mat karna", "phone karna band karo"],
    call_later: [
      "baad mein phone karo",
      "baad mein",
      "abhi busy hoon",
      "main abhi meeting mein hoon",
      "shaam ko phone karna",
      "kal call karo",
      "thodi der baad",
      "gaadi chala raha hoon",
      "abhi nahi",
    ],
    hold_on: ["ek minute", "ek second", "rukiye", "ruko", "do minute rukiye"],
    emergency: [
      "seene mein dard hai",
      "mere seene mein bahut dard ho raha hai",
      "saans nahi aa rahi",
      "khoon beh raha hai",
      "wo behosh ho gaye",
      "dil ka daura pada hai",
      "bachao",
      "सीने में दर्द है",
    ],
    thanks_or_bye: ["dhanyavad", "shukriya", "bahut shukriya", "धन्यवाद"],
  },
  identity: {
    yes: ["haan bol raha hoon", "main bol rahi hoon", "haan main hi hoon", "ji boliye", "haan ji"],
    wrong_number: ["galat number", "galat number hai", "rong number", "गलत नंबर", "yahan koi Anita nahi hai"],
    not_that_person: ["main nahi hoon", "wo ghar par nahi hai", "wo bahar gaye hain"],
    child_or_relative: [
      "main unka beta hoon",
      "main uski patni bol rahi hoon",
      "mummy ghar par nahi hai",
      "papa so rahe hain",
    ],
  },
  anything: { backchannel: ["haan", "ji", "achha", "haan haan", "theek hai"] },
};

for (const [expecting, intents] of Object.entries(TABLE) as [Expecting, Record<Intent, string[]>][]) {
  for (const [intent, texts] of Object.entries(intents) as [Intent, string[]][]) {
    describe(`asked for ${expecting}, ${intent} is what is meant by`, () => {
      test.each(texts)("%p", (text) => expect(hear(text, { expecting }).intents[0]?.intent).toBe(intent));
    });
  }
}

describe("days and times:", () => {
  test.each([
    ["kal", "2026-11-16", null, null],
    ["kal subah", "2026-11-16", null, "morning"],
    ["kal subah das baje", "2026-11-16", "10:00", "morning"],
    ["parso shaam ko", "2026-11-17", null, "evening"],
    ["parson", "2026-11-17", null, null],
    ["aaj shaam paanch baje", "2026-11-15", "17:00", "evening"],
    ["agle hafte somvar ko", "2026-11-16", null, null],
    ["mangalvar ko", "2026-11-17", null, null],
    ["shukrawar", "2026-11-20", null, null],
    ["saadhe das baje", null, "10:30", null],
    ["sava gyarah baje", null, "11:15", null],
    ["paune char baje", null, "15:45", null],
    ["dhai baje", null, "14:30", null],
    ["do baje", null, "14:00", null],
    ["kal dopahar do baje", "2026-11-16", "14:00", "afternoon"],
    ["ek ghante baad", "2026-11-15", "10:00", null],
    ["aadhe ghante mein", "2026-11-15", "09:30", null],
    ["do din baad", "2026-11-17", null, null],
    ["ikkis tarikh", "2026-11-21", null, null],
    ["21 tarikh ko", "2026-11-21", null, null],
    ["tomorrow das baje", "2026-11-16", "10:00", null],
    ["Monday ko subah", "2026-11-16", null, "morning"],
    ["कल सुबह", "2026-11-16", null, "morning"],
    ["kal 10 baje call karo", "2026-11-16", "10:00", null],
  ])("%p", (text, date, time, partOfDay) => {
    expect(hear(text, { expecting: "day_or_time" }).moment).toMatchObject({ date, time, partOfDay, conflict: false });
  });
});

describe("choosing:", () => {
  const offers = [
    { date: "2026-11-19", startTime: "10:30" },
    { date: "2026-11-20", startTime: "16:00" },
  ];
  test.each([
    ["pehla wala", 0],
    ["dusra wala", 1],
    ["guruvar", 0],
    ["saadhe das baje", 0],
    ["shaam nahi, subah wala", 0],
    ["char baje", 1],
    ["koi bhi", 0],
  ])("%p takes number %d", (text, index) =>
    expect(hear(text, { expecting: "choice", offers }).choice?.index).toBe(index),
  );
});

test("English words that look like Hindi ones stay English", () => {
  expect(hear("The line is bad.", { expecting: "yes_no" }).intents[0]?.intent).toBe("repeat");
  expect(hear("Do it.", { expecting: "yes_no" }).intents[0]?.intent).toBe("yes");
  expect(hear("That's a bad time.", { expecting: "identity" }).intents[0]?.intent).toBe("call_later");
});

test("an unsupported language is read as English", () => {
  expect(hear("Yes.", { language: "ta-IN" }).intents[0]?.intent).toBe("yes");
});
