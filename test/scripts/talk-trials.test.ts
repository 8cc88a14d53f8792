// What a run of talk-trials comes to: its goals, its table, and how long a patient was left in silence.
import { describe, expect, test } from "bun:test";
import { trialGoals, trialTable, type TrialResult } from "../../scripts/talk-trials-table.ts";
import { trials } from "../support/patient/cases.ts";
import { longestWait } from "../support/patient/turns.ts";

const RIGHT: TrialResult = {
  room: "quiet",
  voice: "emma",
  name: "yes",
  faults: [],
  isWrongBooking: false,
  isAlarm: false,
  hasKeys: false,
  isDeaf: false,
  silenceMs: 1_200,
};
const isRobotic = (voice: string) => voice === "kal";
const missed = (...results: TrialResult[]) =>
  trialGoals(results, isRobotic).flatMap(({ isReached, words }) => (isReached ? [] : [words]));
const times = (count: number, change: Partial<TrialResult> = {}) =>
  Array.from({ length: count }, () => ({ ...RIGHT, ...change }));
const wrong = { faults: ["it came to none"] };

describe("a goal is missed", () => {
  test("by no run in which everything is right", () => {
    expect(missed(...times(20), ...times(20, { room: "10" }))).toEqual([]);
  });

  test("below 95 % in quiet and below 85 % at 10 dB, of voices that people have", () => {
    expect(missed(...times(19), ...times(1, wrong))).toEqual([]);
    expect(missed(...times(18), ...times(2, wrong))).toEqual(["room quiet: 90 % of 20 right, 95 % wanted"]);
    expect(missed(...times(17, { room: "10" }), ...times(3, { room: "10", ...wrong }))).toEqual([]);
    expect(missed(...times(16, { room: "10" }), ...times(4, { room: "10", ...wrong }))).toHaveLength(1);
    expect(missed(...times(20), ...times(20, { voice: "kal", ...wrong }))).toEqual([]);
    expect(missed(...times(1, { room: "television", ...wrong }))).toEqual([]);
  });

  test("by one wrong effect, in any voice and room", () => {
    expect(missed(...times(99), { ...RIGHT, voice: "kal", room: "loss", isWrongBooking: true })).toEqual([
      "wrong effects: 1, 0 wanted",
    ]);
  });

  test("by an alarm that ended in goodbye, and not by one that came to a person", () => {
    const alarm = (faults: string[]) => ({ ...RIGHT, room: "20", isAlarm: true, faults });
    expect(missed(alarm(["it came to confirmed"]))).toEqual(["alarms that ended in goodbye: 1, 0 wanted"]);
    expect(missed(alarm(["it came to not_understood"]))).toEqual([]);
    expect(missed(alarm(["it was handed over: busy"]))).toEqual([]);
  });

  test("by a silence of more than three seconds", () => {
    expect(missed({ ...RIGHT, silenceMs: 3_000 })).toEqual([]);
    expect(missed({ ...RIGHT, silenceMs: 3_100 })).toEqual(["longest silence of the agent: 3.1 s, 3.0 s at most"]);
  });
});

test("the table names each call that was wrong or too silent, and counts robotic voices by themselves", () => {
  const table = trialTable([RIGHT, { ...RIGHT, voice: "kal", ...wrong }, { ...RIGHT, silenceMs: 4_000 }], isRobotic);
  expect(table).toContain("wrong: yes (quiet, kal): it came to none");
  expect(table).toContain("wrong: yes (quiet, emma, silent for 4.0 s): ");
  expect(table).toMatch(/robotic voices +1 +0 +0 % +1/);
  expect(table).toMatch(/other voices +2 +2 +100 % +0/);
});

describe("the longest wait for the agent", () => {
  /** Of 8 kHz: silence and voice in turn, in seconds. */
  const sound = (...seconds: number[]) =>
    Int16Array.from(seconds.flatMap((length, at) => Array<number>(8_000 * length).fill(at % 2 === 0 ? 0 : 4_000)));
  const act = (from: number, to: number) => ({ from: 8_000 * from, to: 8_000 * to });

  test("is from the end of what the patient did to the agent's voice", () => {
    // The agent speaks from 0 to 1, and from 4 to 5 s.
    const heard = sound(0, 1, 3, 1, 2);
    expect(longestWait(heard, [act(1, 2)]).ms).toBe(2_000);
    expect(longestWait(heard, []).ms).toBe(0);
  });

  test("is nothing where the agent speaks already, and goes to the end of the call where it says nothing more", () => {
    expect(longestWait(sound(0, 4, 1), [act(1, 2)]).ms).toBe(0);
    expect(longestWait(sound(0, 1, 6), [act(1, 2)]).ms).toBe(5_000);
  });

  test("ends where the patient goes on, and is not counted for the machine's part", () => {
    expect(longestWait(sound(0, 1, 9), [act(1, 2), act(4, 9)]).ms).toBe(2_000);
    expect(longestWait(sound(0, 1, 9), [act(1, 2)], () => 8_000)).toEqual({ ms: 8_000, cpuWaitMs: 8_000 });
  });
});

test("every case has a name of its own, and there are enough of them for ninety calls a night", () => {
  const names = trials().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(4 * names.length).toBeGreaterThanOrEqual(90);
});
