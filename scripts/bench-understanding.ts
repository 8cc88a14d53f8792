// How well the rules carry over to paraphrases that none was written from, and how long understanding takes.
import { ASKED, HELD_OUT } from "../test/voice/understanding/held-out.ts";
import type { Hearing } from "../src/voice/understanding/meaning.ts";
import { understand } from "../src/voice/understanding/understand.ts";

const HEARING: Hearing = {
  expecting: "anything",
  offers: [
    { date: "2026-11-19", startTime: "10:30" },
    { date: "2026-11-20", startTime: "16:00" },
  ],
  today: "2026-11-15",
  nowTime: "09:00",
  lastOffered: { date: "2026-11-19", startTime: "10:30" },
  language: "en-IN",
};
const ROUNDS = 20;

const byIntent = new Map<string, { right: number; of: number }>();
for (const [intent, text] of HELD_OUT) {
  const { intents } = understand(text, { ...HEARING, expecting: ASKED[intent] });
  const tally = byIntent.get(intent) ?? { right: 0, of: 0 };
  const isRight = intents[0]?.intent === intent;
  byIntent.set(intent, { right: tally.right + Number(isRight), of: tally.of + 1 });
  if (isRight) continue;
  const heard = intents.map((likely) => `${likely.intent} ${likely.confidence}`).join(", ") || "nothing";
  console.log(`missed  ${intent}: ${JSON.stringify(text)} was taken for ${heard}`);
}
const right = byIntent.values().reduce((sum, tally) => sum + tally.right, 0);
for (const [intent, tally] of byIntent) console.log(`${String(tally.right).padStart(4)} of ${tally.of}  ${intent}`);
console.log(`${right} of ${HELD_OUT.length} (${((100 * right) / HELD_OUT.length).toFixed(1)} %), most likely intent`);

/** The median of each text, because a busy machine says nothing about the rules. */
const medians = HELD_OUT.map(([intent, text]) => {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    understand(text, { ...HEARING, expecting: ASKED[intent] });
    return performance.now() - began;
  }).toSorted((a, b) => a - b);
  return times[ROUNDS / 2] ?? 0;
}).toSorted((a, b) => a - b);
const at = (share: number) => (medians[Math.floor((medians.length - 1) * share)] ?? 0).toFixed(2);
console.log(`time of one: typically ${at(0.5)} ms, the slowest text ${at(1)} ms`);
