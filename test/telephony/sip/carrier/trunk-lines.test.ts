// Whether a trunk accepts another call now, and which waiters are woken.
import { beforeEach, expect, test } from "bun:test";
import { settle } from "../../../support/manual-clock.ts";
import { callOrder } from "../../carrier-log.ts";
import { trunkAt } from "../call/agent-under-test.ts";
import { beat, trunkState } from "./fake-worker.ts";
import { MainSide } from "./main-side.ts";

let main: MainSide;
beforeEach(() => {
  main = new MainSide();
  main.start();
});

const closed = (reason: string, until: number | null = null) => ({ kind: "closed", reason, until });

test("a number without a trunk has none", () => {
  main.run();
  expect(main.carrier.trunkLines(null)).toEqual(closed("number_has_no_trunk") as never);
});

test("there is none on an unknown trunk, and none before the worker runs and has checked the trunk", () => {
  expect(main.carrier.trunkLines("main")).toEqual(closed("trunk_unavailable") as never);
  main.workers.last().say({ type: "ready", port: 5060 });
  expect(main.carrier.trunkLines("main")).toEqual(closed("trunk_unavailable") as never);
  main.workers.last().say(beat());
  expect(main.carrier.trunkLines("main").kind).toBe("open");
  expect(main.carrier.trunkLines("other")).toEqual(closed("trunk_unavailable") as never);
});

test.each([
  ["is down", { state: "down" }, null],
  ["rests", { restingUntilMs: 1_800_000_000_000 }, 1_800_000_000_000],
  ["has no address yet", { state: "unknown", address: null }, null],
] as const)("there is none on a trunk that %s", (_, state, until) => {
  main.run();
  main.workers.last().say({ type: "trunkState", state: trunkState(state) });
  expect(main.carrier.trunkLines("main")).toEqual(closed("trunk_unavailable", until) as never);
});

test("there is none while audio leaves more than 20 ms late", () => {
  main.run();
  main.workers.last().say(beat({ lagP99Ms: 20.5 }));
  expect(main.carrier.trunkLines("main")).toEqual(closed("overloaded") as never);
  main.workers.last().say(beat({ lagP99Ms: 20 }));
  expect(main.carrier.trunkLines("main").kind).toBe("open");
});

test("every call in either direction takes a line at once, and gives it back at its end", async () => {
  main.run();
  main.carrier.dial(callOrder({ callId: "out", trunkId: "main", recordingFile: "" }));
  expect(main.carrier.trunkLines("main")).toEqual({ kind: "open", lines: 2 });
  main.workers
    .last()
    .say({ type: "arrived", callId: "in", trunkId: "main", from: "+91981", to: "+9111", isToAccount: false });
  expect(main.carrier.trunkLines("main")).toEqual({ kind: "open", lines: 1 });
  await settle();
  main.workers.last().say({ type: "ended", callId: "out", end: { kind: "failed", code: "busy", message: "Busy." } });
  main.arrivals[0]!.reject("no_line");
  expect(main.carrier.trunkLines("main")).toEqual({ kind: "open", lines: 3 });
});

test("no more calls are open than the trunk's pace sends in two seconds", async () => {
  main.carrier.setTrunks([trunkAt(5060, { lines: 100, callsPerSecond: 1 })]);
  main.run();
  const places = () => main.carrier.trunkLines("main");
  expect(places()).toEqual({ kind: "open", lines: 3, spacingMs: 1_000 });
  for (const callId of ["a", "b", "c"]) main.carrier.dial(callOrder({ callId, trunkId: "main", recordingFile: "" }));
  expect(places()).toEqual({ kind: "open", lines: 0, spacingMs: 1_000 });
  await main.clock.advance(1_000);
  expect(places()).toEqual({ kind: "open", lines: 1, spacingMs: 1_000 });
  await main.clock.advance(2_000);
  expect(places()).toMatchObject({ lines: 3 });
});

test("a slow trunk opens for one call at a time, and again with other settings", async () => {
  main.carrier.setTrunks([trunkAt(5060, { lines: 100, callsPerSecond: 0.1 })]);
  main.run();
  const places = () => main.carrier.trunkLines("main");
  expect(places()).toEqual({ kind: "open", lines: 1, spacingMs: 10_000 });
  main.carrier.dial(callOrder({ callId: "a", trunkId: "main", recordingFile: "" }));
  expect(places()).toMatchObject({ lines: 0 });
  await main.clock.advance(10_000);
  expect(places()).toMatchObject({ lines: 1 });
  main.carrier.dial(callOrder({ callId: "b", trunkId: "main", recordingFile: "" }));
  main.carrier.setTrunks([trunkAt(5060, { lines: 100, callsPerSecond: 50 })]);
  main.workers.last().say(beat());
  expect(places()).toEqual({ kind: "open", lines: 98 });
});

test("waiters are woken when the worker is ready and when a trunk accepts calls again, not at every heartbeat", () => {
  main.run();
  expect(main.wokenTimes).toBe(2);
  main.workers.last().say(beat());
  main.workers.last().say(beat({ lagP99Ms: 40 }));
  expect(main.wokenTimes).toBe(2);
  main.workers.last().say(beat());
  expect(main.wokenTimes).toBe(3);
  main.workers.last().say({ type: "trunkState", state: trunkState({ state: "down" }) });
  main.workers.last().say({ type: "trunkState", state: trunkState() });
  expect(main.wokenTimes).toBe(4);
});
