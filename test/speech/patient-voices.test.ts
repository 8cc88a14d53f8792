// Trial patients: deterministic audio, and distinct voices.
import { describe, expect, test } from "bun:test";
import { activeRms } from "../support/patient/levels.ts";
import { inRoom, roomNamed } from "../support/patient/room.ts";
import { sayWithFlite } from "../support/patient/voices.ts";

describe("the room of a patient", () => {
  const words = sayWithFlite("Yes, this is Asha.", "rms");

  test("a television is 10 dB below the words, and the same for the same seed", () => {
    const alone = inRoom(new Int16Array(0), roomNamed("television", 1), 20);
    const belowDb = 20 * Math.log10(3_300 / activeRms(alone));
    expect(belowDb).toBeGreaterThan(8);
    expect(belowDb).toBeLessThan(12);
    expect(inRoom(new Int16Array(0), roomNamed("television", 1), 20)).toEqual(alone);
    expect(inRoom(new Int16Array(0), roomNamed("television", 2), 20)).not.toEqual(alone);
  }, 180_000);

  test("words are recognisable over it", () => {
    const heard = inRoom(words, roomNamed("television", 1), 0);
    expect(heard).not.toEqual(words);
    expect(Math.abs(20 * Math.log10(activeRms(heard) / activeRms(words)))).toBeLessThan(3);
  }, 180_000);

  test("an unknown room is refused", () => {
    expect(() => roomNamed("kitchen", 1)).toThrow("There is no room kitchen: quiet, loss, television, or decibels.");
  });
});

test("the voices of Flite are different people, as loud as each other", () => {
  const said = ["awb", "rms", "slt"].map((voice) => sayWithFlite("I have chest pain.", voice));
  expect(new Set(said.map((samples) => samples.length)).size).toBe(3);
  for (const samples of said) expect(activeRms(samples)).toBeWithin(3_000, 4_200);
}, 180_000);
