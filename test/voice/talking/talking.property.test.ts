// Random speech, keys, silences and faults: the agent never throws, and always hangs up in the end.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { setTalkingStage } from "./callee.ts";

const TEXTS = [
  "Yes.",
  "No.",
  "mhm",
  "",
  "Another day please.",
  "The second one.",
  "Tomorrow at ten.",
  "Who is this?",
  "I want to speak to a person.",
  "Call me later.",
  "Do not call me again.",
  "Wrong number.",
  "Bananas and",
  "Please leave a message after the tone.",
];

type Happening =
  | { says: string; forMs: number; thenMs: number }
  | { press: string }
  | { passMs: number }
  | { amplitude: number }
  | { breaks: "ears" | "recogniser" | "recognition" };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      says: fc.constantFrom(...TEXTS),
      forMs: fc.oneof(fc.integer({ min: 40, max: 1_500 }), fc.constantFrom(2_500, 5_000, 9_000)),
      thenMs: fc.integer({ min: 0, max: 1_500 }),
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom("1", "2", "3", "4", "9", "*", "0").map((press) => ({ press })) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5_000 }).map((passMs) => ({ passMs })) },
  // A television, its louder words, and callers.
  { weight: 2, arbitrary: fc.constantFrom(600, 1_000, 2_000, 3_300).map((amplitude) => ({ amplitude })) },
  { weight: 1, arbitrary: fc.constantFrom("ears", "recogniser", "recognition").map((breaks) => ({ breaks }) as const) },
);

test("every call ends without an error of the agent", async () => {
  const ends = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 14 }), fc.boolean(), async (happenings, isRefused) => {
      const stage = setTalkingStage({ transfer: () => Promise.resolve(isRefused ? "refused" : "answered") });
      await stage.answer();
      for (const each of happenings) {
        if ("says" in each) await stage.says(each.says, each);
        else if ("amplitude" in each) stage.isAsLoudAs(each.amplitude);
        else if ("press" in each) await stage.press(each.press);
        else if ("passMs" in each) await stage.pass(each.passMs);
        else if (each.breaks === "ears") stage.loseEars();
        else if (each.breaks === "recogniser") stage.recogniserHangs();
        else stage.willHear(null);
      }
      // Three silences and everything between them, with one patient wait.
      for (let i = 0; i < 40 && !stage.happened.includes("hang up"); i++) await stage.pass(4_000);
      expect(stage.happened).toContain("hang up");
      expect(stage.logLines.join()).not.toContain("failed; the call is hung up");
      const { transcript, extractedDetails } = stage.agent.ended("us");
      const seconds = transcript.map(({ timestamp }) => timestamp);
      expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
      ends.add(extractedDetails?.["answer"]);
    }),
    { numRuns: 30 },
  );
  expect(ends.size).toBeGreaterThan(2);
}, 180_000);
