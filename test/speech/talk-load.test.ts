// How many calls can be listened to, from what the recognisers tell.
import { expect, test } from "bun:test";
import { createTalkLoad } from "../../src/speech/talk-load.ts";
import { createManualClock } from "../support/manual-clock.ts";

test("nothing is promised before a recogniser told how quick it is", () => {
  expect(createTalkLoad({ clock: createManualClock() }).mostCalls(1)).toBeNull();
});

test("at first the measured time decides: a machine twice as slow serves half, two recognisers twice as many", () => {
  const load = createTalkLoad({ clock: createManualClock() });
  load.measured(250);
  expect(load.mostCalls(1)).toBe(10);
  expect(load.mostCalls(2)).toBe(21);
  load.measured(500);
  expect(load.mostCalls(1)).toBe(5);
  load.measured(60_000);
  expect(load.mostCalls(1)).toBe(1);
});

test("then what calls really ask for decides", async () => {
  const clock = createManualClock();
  const load = createTalkLoad({ clock });
  load.measured(250);
  load.listening(4);
  // Four calls keep the recogniser busy for 390 ms of each second: each takes a little under a tenth of it.
  for (let second = 0; second < 120; second++) {
    await clock.advance(1_000);
    load.recognised(390);
  }
  expect(load.mostCalls(1)).toBe(5);
  expect(load.calls).toBe(4);
});
