// Random event orders: the turn machine never throws, reports no turn twice, and always makes progress.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TurnCommand, TurnEvent, TurnState } from "../../../src/voice/turns/turn-model.ts";
import { FIRST_TURN_STATE, nextTurnMove, wakeAtMs } from "../../../src/voice/turns/turns.ts";
import { WINDOW_MS } from "../../../src/voice/turns/voice-run.ts";
import { wordsOf } from "./turn-script.ts";

type Happening =
  | { windows: number; probability: number; isEcho: boolean }
  /** The recogniser answers this request, counted from the newest. */
  | { answers: number; text: string | null; close: "sentence" | "hanging" | "open" }
  | { does: "speaks" | "listens" | "key" | "lost" }
  | { stallMs: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      windows: fc.integer({ min: 1, max: 40 }),
      probability: fc.constantFrom(0, 0.2, 0.4, 0.6, 0.95, Number.NaN),
      isEcho: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      answers: fc.integer({ min: 0, max: 3 }),
      text: fc.constantFrom(null, "", "Yes.", "mhm", "on Friday and", "I will come"),
      close: fc.constantFrom("sentence", "hanging", "open"),
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom("speaks", "listens", "key", "lost").map((does) => ({ does }) as const) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 10_000 }).map((stallMs) => ({ stallMs })) },
);

test("every order of events ends with each turn reported once and nothing left paused", () => {
  const seen = { turns: 0, pauses: 0, cancels: 0 };
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      let state: TurnState = FIRST_TURN_STATE;
      let nowMs = 0;
      let isPaused = false;
      const asked: number[] = [];
      const told = new Set<number>();
      let lastToMs = 0;

      function obey(command: TurnCommand): void {
        if (command.do === "recognise") {
          expect(command.toMs).toBeGreaterThan(command.fromMs);
          // Ears keep 30 s.
          expect(nowMs - command.fromMs).toBeLessThan(30_000 + 10_000);
          asked.push(command.segment);
        } else if (command.do === "pause") {
          expect(isPaused).toBe(false);
          isPaused = true;
          seen.pauses++;
        } else if (command.do === "resume" || command.do === "cancel") {
          expect(isPaused).toBe(true);
          isPaused = false;
          if (command.do === "cancel") seen.cancels++;
        } else if (command.do === "turn") {
          const { segment, fromMs, toMs } = command.turn;
          if (segment > 0) expect(told.has(segment)).toBe(false);
          told.add(segment);
          expect(fromMs).toBeGreaterThanOrEqual(lastToMs);
          expect(toMs).toBeGreaterThanOrEqual(fromMs);
          lastToMs = toMs;
          seen.turns++;
        }
      }
      function tell(event: TurnEvent): void {
        const move = nextTurnMove(state, event);
        state = move.state;
        move.commands.forEach(obey);
      }
      function passTo(untilMs: number): void {
        for (let at = wakeAtMs(state); at !== null && at <= untilMs; at = wakeAtMs(state)) {
          nowMs = Math.max(nowMs, at);
          tell({ type: "elapsed", nowMs });
        }
        nowMs = untilMs;
      }

      for (const each of happenings) {
        if ("windows" in each) {
          for (let i = 0; i < each.windows; i++) {
            passTo(nowMs + WINDOW_MS);
            tell({ type: "voice", probability: each.probability, isEcho: each.isEcho, atMs: nowMs, nowMs });
          }
        } else if ("answers" in each) {
          const ending = { asked: "anything", isAnswered: false, close: each.close } as const;
          const words = each.text === null ? null : wordsOf(each.text);
          tell({ type: "recognised", segment: asked.at(-1 - each.answers) ?? 0, words, ending, nowMs });
        } else if ("does" in each) {
          if (each.does === "listens") tell({ type: "listens", silenceAfterMs: 8_000, nowMs });
          else if (each.does === "speaks") tell({ type: "speaks", isKept: false, nowMs });
          else tell({ type: each.does, nowMs });
        } else {
          passTo(nowMs + each.stallMs);
        }
      }
      passTo(nowMs + 20_000);
      expect(isPaused).toBe(false);
      expect(state.segment).toBeNull();
      expect(wakeAtMs(state)).toBeNull();
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(seen.turns, seen.pauses, seen.cancels)).toBeGreaterThan(10);
});
