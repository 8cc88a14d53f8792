// Keypad calls with random keys, silences and faults.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Sound } from "../../../src/telephony/port.ts";
import { APPOINTMENT, OFFERS, setStage, soundOf } from "../stage.ts";

const MOST_CALL_MS = 10 * 60_000;

type Fate = "done" | "nothing" | "fails" | "hangs";
const fate = fc.constantFrom<Fate>("done", "nothing", "fails", "hangs");

function meet<Value>(each: Fate, done: Value, nothing: Value): Promise<Value> {
  if (each === "fails") return Promise.reject(new Error("down"));
  return each === "hangs" ? new Promise(() => {}) : Promise.resolve(each === "done" ? done : nothing);
}

test("any keys and faults end the call in bounded time, with one hang-up and no duplicate writes", async () => {
  const happening = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("1", "2", "3", "4", "9", "0", "7", "#", "*") },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { maxLength: 25 }),
      fc.record({
        appointment: fate,
        confirm: fate,
        change: fate,
        offer: fate,
        book: fate,
        voice: fate,
        transfer: fate,
      }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      async (happenings, fates, canBook, isDeaf, isOpen) => {
        const stage = setStage({
          brief: { announcesOpenly: isOpen },
          isDeaf,
          recorded: isDeaf ? ["menu"] : [],
          voice: () => meet<Sound | null>(fates.voice, soundOf(1_000), null),
          transfer: () => meet<"answered" | "refused">(fates.transfer, "answered", "refused"),
          desk: {
            canBook,
            appointment: () => meet<typeof APPOINTMENT | null>(fates.appointment, APPOINTMENT, null),
            confirm: () => meet(fates.confirm, true, false),
            requestChange: () => meet(fates.change, true, false),
            offer: () => meet(fates.offer, OFFERS, []),
            book: (label) => meet(fates.book, OFFERS.find((offer) => offer.label === label) ?? null, null),
          },
        });
        await stage.answer();
        const startedAt = stage.clock.now();
        let presses = 0;
        for (const each of happenings) {
          const savedBefore = saved(stage.happened);
          if (typeof each === "number") {
            await stage.clock.advance(each);
            // Only a key pressed before the appointment was known still has a pending effect.
            expect(saved(stage.happened) - savedBefore).toBeLessThanOrEqual(1);
          } else {
            presses++;
            await stage.press(each);
            expect(saved(stage.happened) - savedBefore).toBeLessThanOrEqual(1);
          }
        }
        await stage.clock.advance(Math.max(0, MOST_CALL_MS - (stage.clock.now() - startedAt)));
        expect(stage.count("hang up")).toBe(1);
        expect(stage.happened.at(-1)).toBe("hang up");
        expect(saved(stage.happened)).toBeLessThanOrEqual(presses);
        const undone = stage.count("desk: undo");
        expect(stage.count("desk: confirm")).toBeLessThanOrEqual(1 + undone);
        expect(stage.count("desk: change")).toBeLessThanOrEqual(1 + undone);
        expect(stage.agent.ended("us").extractedDetails).not.toMatchObject({ answer: "unsettled" });
      },
    ),
    { numRuns: 150 },
  );
}, 180_000);

const saved = (happened: readonly string[]): number =>
  happened.filter((what) => what === "desk: confirm" || what.startsWith("desk: book")).length;
