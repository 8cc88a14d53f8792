// Capacity for conversations from measured speeds and load.
import { expect, test } from "bun:test";
import { createTalkLoad } from "../../src/speech/talk-load.ts";
import { createManualClock } from "../support/manual-clock.ts";

const MANY_CORES = 64;
const newLoad = (cores = MANY_CORES) => createTalkLoad({ clock: createManualClock(), cores });

test("capacity is unknown before a recogniser was measured", () => {
  const load = newLoad();
  load.measured("voice", 60);
  expect(load.mostCalls(1)).toBeNull();
});

test("at first the measured time decides: a machine twice as slow serves half, two recognisers twice as many", () => {
  const load = newLoad();
  load.measured("recogniser", 250);
  expect(load.mostCalls(1)).toBe(20);
  expect(load.mostCalls(2)).toBe(40);
  load.measured("recogniser", 500);
  expect(load.mostCalls(1)).toBe(10);
  load.measured("recogniser", 60_000);
  expect(load.mostCalls(1)).toBe(1);
});

test("there is one voice, however many recognisers there are", () => {
  const load = newLoad();
  load.measured("recogniser", 250);
  load.measured("voice", 40);
  expect(load.mostCalls(1)).toBe(20);
  expect(load.mostCalls(8)).toBe(31);
  expect(load.measuredMs).toEqual({ recogniser: 250, spotter: null, voice: 40 });
});

test("recogniser, voice and line share the cores", () => {
  const load = newLoad(1);
  load.measured("recogniser", 250);
  load.measured("voice", 50);
  // A call takes 2.5 % of a core for recognition, 2 % for speech and 2 % for its line.
  expect(load.mostCalls(1)).toBe(10);
});

test("phrase spotters share the cores too, and must keep up", async () => {
  const load = newLoad(1);
  load.measured("recogniser", 250);
  load.measured("spotter", 200);
  // A call takes 2.5 % of a core for words, 4 % for alarms and 2 % for its line.
  expect([load.mostCalls(1), load.mostCalls(1, 1)]).toEqual([15, 8]);
  const large = newLoad();
  large.measured("recogniser", 250);
  large.measured("spotter", 200);
  expect([large.mostCalls(8), large.mostCalls(8, 3)]).toEqual([160, 60]);
});

test("later the actual load of calls decides", async () => {
  const clock = createManualClock();
  const load = createTalkLoad({ clock, cores: MANY_CORES });
  load.measured("recogniser", 250);
  load.listening(4);
  // Four calls keep the recogniser busy for 390 ms of each second: each takes a little under a tenth.
  for (let second = 0; second < 120; second++) {
    await clock.advance(1_000);
    load.worked("recogniser", 390);
  }
  expect(load.mostCalls(1)).toBe(5);
  for (let second = 0; second < 120; second++) {
    await clock.advance(1_000);
    load.worked("voice", 800);
  }
  expect(load.mostCalls(8)).toBeLessThan(4);
  expect(load.calls).toBe(4);
});
