// The noise gate in front of the recogniser: what is left of a caller's words between quieter voices.
import { describe, expect, test } from "bun:test";
import { foregroundSound } from "../../../src/speech/ears/foreground-sound.ts";

const SAMPLES_PER_MS = 8;
/** −20 dB and −30 dB of full scale. */
const CALLER = 3_300;
const TELEVISION = 1_000;
const GATE_DB = -25;

const sound = (...parts: readonly { ms: number; amplitude: number }[]) =>
  Int16Array.from(
    parts.flatMap(({ ms, amplitude }) =>
      Array.from({ length: ms * SAMPLES_PER_MS }, (_, at) => (at % 2 === 0 ? amplitude : -amplitude)),
    ),
  );
const television = (ms: number) => ({ ms, amplitude: TELEVISION });
const caller = (ms: number) => ({ ms, amplitude: CALLER });
const loudest = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe("the noise gate", () => {
  test("keeps the caller's words with their edges, and leaves out what is before and after them", () => {
    const heard = foregroundSound(sound(television(2_000), caller(500), television(2_000)), GATE_DB);
    const ms = (heard?.length ?? 0) / SAMPLES_PER_MS;
    expect(ms).toBeGreaterThan(700);
    expect(ms).toBeLessThan(1_200);
    expect(loudest(heard ?? new Int16Array())).toBe(CALLER);
  });

  test("attenuates the voices between two words of the caller", () => {
    const heard = foregroundSound(sound(caller(500), television(2_000), caller(500)), GATE_DB);
    const middle = heard?.slice(1_400 * SAMPLES_PER_MS, 1_800 * SAMPLES_PER_MS) ?? new Int16Array();
    expect(middle.length).toBe(400 * SAMPLES_PER_MS);
    expect(loudest(middle)).toBeLessThan(TELEVISION / 50);
  });

  test("finds nothing in quieter voices alone, nor in silence", () => {
    expect(foregroundSound(sound(television(3_000)), GATE_DB)).toBeNull();
    expect(foregroundSound(new Int16Array(8_000), GATE_DB)).toBeNull();
    expect(foregroundSound(new Int16Array(0), GATE_DB)).toBeNull();
  });

  test("does not open for a click", () => {
    expect(foregroundSound(sound(television(1_000), caller(60), television(1_000)), GATE_DB)).toBeNull();
  });
});
