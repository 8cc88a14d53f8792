// More than 400 ordinary sentences of callees: the sentences of the other measurements, the paraphrases of the
// understanding tests, and answers to a reminder with varying days and times.
import { join } from "node:path";
import { HELD_OUT } from "../test/voice/understanding/held-out.ts";
import { CLINIC_SENTENCES } from "./clinic-sentences.ts";

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const TIMES = ["nine in the morning", "ten thirty", "half past eleven", "two in the afternoon", "four o'clock"];
const PATTERNS: readonly ((day: string, time: string) => string)[] = [
  (day, time) => `Can I come on ${day} at ${time} instead?`,
  (day, time) => `I am working on ${day} until ${time}, I will not be able to come.`,
  (day, time) => `Yes, ${day} at ${time} is fine for me.`,
  (day, time) => `My son will bring me to the hospital on ${day} at ${time}.`,
];

const TALK = [
  "I have just been to the market.",
  "I have just paid the bill.",
  "I have checked the date already.",
  "We had to change the test to another day.",
  "Is it the blood test or the x-ray?",
  "Shall I bring my blood reports along?",
  "Do I have to come on an empty stomach for the blood test?",
  "Is the heart doctor there on that day?",
  "My blood pressure is normal these days.",
  "I take my tablets every morning.",
  "Can you change my tablets appointment to the afternoon?",
  "I do not have any pain any more.",
  "There is no pain, thank you, I am much better.",
  "I am breathing much better now, thanks to the doctor.",
  "He is sleeping, do you want me to wake him up?",
  "I fell asleep in the waiting room last time.",
  "She passed her exam and we are travelling.",
  "My father passed away two years ago.",
  "The children are at school until three.",
  "Please tell the doctor that I said hello.",
];

export async function everydaySentences(): Promise<string[]> {
  const callees = await Bun.file(join(import.meta.dir, "callee-sentences.txt")).text();
  const answers = PATTERNS.flatMap((pattern) => DAYS.flatMap((day) => TIMES.map((time) => pattern(day, time))));
  return [
    ...new Set([
      ...callees.trim().split("\n"),
      ...CLINIC_SENTENCES.map(({ written }) => written),
      ...HELD_OUT.filter(([intent]) => intent !== "emergency").map(([, text]) => text),
      ...TALK,
      ...answers,
    ]),
  ].filter((sentence) => !sentence.includes("chest pain"));
}
