// A television behind the caller: told by its level once it went on and on, and never at the price of the caller.
import { describe, expect, test } from "bun:test";
import { createForeground, type Foreground } from "../../../src/voice/turns/foreground.ts";
import { inRoom, roomNamed } from "../../support/patient/room.ts";
import { sayWithFlite } from "../../support/patient/voices.ts";

const FRAME = 160;
const ms = (samples: number) => samples / 8;

/** The shares of windows that are let through: while the words last, and in the same sound after them. */
function hear(foreground: Foreground, sound: Int16Array, fromMs = 0) {
  const passed: boolean[] = [];
  for (let at = 0; at + FRAME <= sound.length; at += FRAME) {
    foreground.tick(sound.subarray(at, at + FRAME));
    passed.push(foreground.judge(0.9, fromMs + ms(at + FRAME)) > 0);
  }
  return passed;
}
const share = (passed: readonly boolean[]) => passed.filter(Boolean).length / Math.max(1, passed.length);

const words = sayWithFlite("Yes, I will come on Tuesday in the morning.", "rms");
/** Its voices are made when it is first switched on, which takes a few seconds. */
const television = (seconds: number, seed: number) => inRoom(new Int16Array(0), roomNamed("television", seed), seconds);

describe("four voices, 10 dB below the caller's,", () => {
  test("count for nothing once they are known, and the caller is heard through them", () => {
    const foreground = createForeground();
    expect(share(hear(foreground, television(3, 1)))).toBe(1);
    foreground.learnBackground(0, 3_000);
    expect(foreground.hasBackground).toBe(true);
    expect(share(hear(foreground, television(20, 2), 3_000))).toBeLessThan(0.3);
    const spoken = hear(foreground, inRoom(words, roomNamed("television", 3), 0), 23_000);
    expect(share(spoken)).toBeGreaterThan(0.85);
    // From the first word on.
    expect(share(spoken.slice(0, 15))).toBeGreaterThan(0.5);
  }, 60_000);

  test("are told from a caller who was understood before", () => {
    const foreground = createForeground();
    hear(foreground, words);
    foreground.learnCaller(0, ms(words.length));
    // Their own words were taken for background, by mistake: they are heard all the same.
    foreground.learnBackground(0, ms(words.length));
    expect(share(hear(foreground, words, ms(words.length)))).toBeGreaterThan(0.8);
  });
});

test("without any background nothing is held back, and silence teaches nothing", () => {
  const foreground = createForeground();
  expect(share(hear(foreground, words))).toBe(1);
  foreground.learnBackground(60_000, 70_000);
  expect(foreground.hasBackground).toBe(false);
  hear(foreground, new Int16Array(8_000), ms(words.length));
  expect(foreground.judge(0.4, ms(words.length) + 1_000)).toBe(0.4);
});
