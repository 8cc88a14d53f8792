// Random conversations with notices: the first sound says who calls and that the voice is automatic, and nothing about
// the appointment is said before that was played to its end. Nothing is recorded before its notice or a yes.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { noticedBefore, play, randomTalk, recordedRightly } from "./random-talk.ts";

test("nothing precedes the opening, and nothing about the appointment is said before it was heard", async () => {
  let told = 0;
  let recorded = 0;
  await fc.assert(
    fc.asyncProperty(randomTalk, async (talk) => {
      const { stage, result } = await play(talk);
      const [first] = stage.heard();
      if (first !== undefined) expect(first).toMatch(/automatic assistant of City Hospital/);
      told += noticedBefore(result);
      recorded += recordedRightly(stage.happened, result);
    }),
    { numRuns: 40 },
  );
  expect(told).toBeGreaterThan(3);
  expect(recorded).toBeGreaterThan(3);
}, 180_000);
