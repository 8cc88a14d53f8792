// A television behind the caller: recognised by its level after a while, without losing the caller.
import { describe, expect, test } from "bun:test";
import { createForeground, type Foreground } from "../../../src/voice/turns/foreground.ts";
import { inRoom, roomNamed } from "../../support/patient/room.ts";
import { sayWithFlite } from "../../support/patient/voices.ts";

const FRAME = 160;
const ms = (samples: number) => samples / 8;

/** Shares of windows that pass the gate: during the words, and in the same audio after them. */
function hear(foreground: Foreground, sound: Int16Array, fromMs = 0) {
  const passed: boolean[] = [];
  for (let at = 0; at + FRAME <= sound.length; at += FRAME) {
    foreground.tick(sound.subarray(at, at + FRAME));
    passed.push(foreground.judge(0.9, fromMs + ms(at + FRAME), false) > 0);
  }
  return passed;
}
const share = (passed: readonly boolean[]) => passed.filter(Boolean).length / Math.max(1, passed.length);

const said = sayWithFlite("Yes, I will come on Tuesday in the morning.", "rms");
/** In whole frames. */
const words = said.subarray(0, said.length - (said.length % FRAME));
/** Its voices are synthesised on first use, which takes a few seconds. */
const television = (seconds: number, seed: number) => inRoom(new Int16Array(0), roomNamed("television", seed), seconds);

describe("four voices, 10 dB below the caller's,", () => {
  test("are ignored once learned, and the caller passes", () => {
    const foreground = createForeground();
    expect(share(hear(foreground, television(3, 1)))).toBe(1);
    foreground.learnBackground(0, 3_000);
    expect(foreground.hasBackground).toBe(true);
    // Its loudest syllables reach the caller's level and are short.
    expect(share(hear(foreground, television(20, 2), 3_000))).toBeLessThan(0.12);
    const spoken = hear(foreground, inRoom(words, roomNamed("television", 3), 0), 23_000);
    expect(share(spoken)).toBeGreaterThan(0.85);
    // From the first word on.
    expect(share(spoken.slice(0, 15))).toBeGreaterThan(0.5);
  }, 180_000);

  test.each(["No.", "Yes.", "Yeah."])(
    "do not mask a single %s",
    (word) => {
      const foreground = createForeground();
      hear(foreground, television(3, 1));
      foreground.learnBackground(0, 3_000);
      for (const voice of ["slt", "awb", "rms"] as const)
        expect(
          share(hear(foreground, inRoom(sayWithFlite(word, voice), roomNamed("television", 3), 0.3), 3_000)),
        ).toBeGreaterThan(0.3);
    },
    60_000,
  );

  test("are separated from a caller who was understood before", () => {
    const foreground = createForeground();
    hear(foreground, words);
    foreground.learnCaller(0, ms(words.length));
    // The caller was learned as background by mistake and still passes.
    foreground.learnBackground(0, ms(words.length));
    expect(share(hear(foreground, words, ms(words.length)))).toBeGreaterThan(0.8);
  });
});

test("a television is faint compared to a known caller; the caller is not", () => {
  const foreground = createForeground();
  const caller = inRoom(words, roomNamed("television", 3), 0);
  hear(foreground, caller);
  const [end, after] = [ms(caller.length), ms(caller.length) + 3_000];
  expect(foreground.isFaint(0, end)).toBe(false);
  foreground.learnCaller(0, end);
  expect(foreground.isFaint(0, end)).toBe(false);
  const alone = inRoom(words, roomNamed("television", 4), 3).subarray(words.length);
  hear(foreground, alone, end);
  expect(foreground.isFaint(end, after)).toBe(true);
}, 180_000);

describe("a caller who falls silent before a television", () => {
  const spoken = (room: string) => inRoom(words, roomNamed(room, 3), 3);
  /** First time at which the end of the caller's speech is detected, given all audio from the beginning. */
  function fellIn(sound: Int16Array): number | null {
    const foreground = createForeground();
    for (let at = 0; at + FRAME <= sound.length; at += FRAME) {
      foreground.tick(sound.subarray(at, at + FRAME));
      const fell = foreground.fellSilentAt(0, ms(at + FRAME));
      if (fell !== null) return fell;
    }
    return null;
  }

  test("is detected by quieter audio after the last word", () => {
    const fell = fellIn(spoken("television")) ?? 0;
    expect(fell).toBeGreaterThan(ms(words.length) - 350);
    expect(fell).toBeLessThan(ms(words.length) + 500);
  }, 180_000);

  test("is not detected in the middle of their words", () => {
    expect(fellIn(words)).toBeNull();
    expect(fellIn(television(20, 5))).toBeNull();
  }, 180_000);
});

test("while the agent speaks, only audio about as loud as the caller counts", () => {
  const foreground = createForeground();
  const caller = inRoom(words, roomNamed("television", 3), 0);
  hear(foreground, caller);
  foreground.learnCaller(0, ms(caller.length));
  const alone = inRoom(words, roomNamed("television", 4), 5).subarray(words.length);
  let [over, after, at] = [0, 0, ms(caller.length)];
  for (let from = 0; from + FRAME <= alone.length; from += FRAME) {
    foreground.tick(alone.subarray(from, from + FRAME));
    at += 20;
    over += foreground.judge(0.9, at, true) > 0 ? 1 : 0;
    after += foreground.judge(0.9, at, false) > 0 ? 1 : 0;
  }
  expect(over).toBeLessThan(after / 3);
}, 180_000);

test("a gate that blocks everything is lowered", () => {
  const foreground = createForeground();
  hear(foreground, words);
  // The caller was learned as background.
  foreground.learnBackground(0, ms(words.length));
  const before = share(hear(foreground, words, ms(words.length)));
  for (let silence = 0; silence < 3; silence++) foreground.giveWay();
  const after = share(hear(foreground, words, 2 * ms(words.length)));
  expect(before).toBeLessThan(0.3);
  expect(after).toBeGreaterThan(0.8);
});

test("without background everything passes, and silence teaches nothing", () => {
  const foreground = createForeground();
  expect(share(hear(foreground, words))).toBe(1);
  foreground.learnBackground(60_000, 70_000);
  expect(foreground.hasBackground).toBe(false);
  hear(foreground, new Int16Array(8_000), ms(words.length));
  expect(foreground.judge(0.4, ms(words.length) + 1_000, false)).toBe(0.4);
});

describe("before the caller's level is known,", () => {
  /** So much of it is heard while the agent speaks, or while it listens. */
  function beside(sound: Int16Array, isOurTurn: boolean) {
    const foreground = createForeground();
    let passed = 0;
    for (let at = 0; at + FRAME <= sound.length; at += FRAME) {
      foreground.tick(sound.subarray(at, at + FRAME));
      passed += foreground.judge(0.9, ms(at + FRAME), isOurTurn) > 0 ? 1 : 0;
    }
    return { passed: passed / Math.floor(sound.length / FRAME), hasBackground: foreground.hasBackground };
  }

  test("far voices do not stop the agent, and are background once they talked on beside it", () => {
    const { passed, hasBackground } = beside(television(6, 7), true);
    expect(passed).toBeLessThan(0.25);
    expect(hasBackground).toBe(true);
  }, 180_000);

  test("while the agent listens, far voices count: they may be a quiet caller", () => {
    expect(beside(television(6, 7), false)).toEqual({ passed: 1, hasBackground: false });
  }, 180_000);

  test("a caller at a telephone stops the agent", () => {
    const { passed, hasBackground } = beside(words, true);
    expect(passed).toBeGreaterThan(0.8);
    expect(hasBackground).toBe(false);
  });
});
