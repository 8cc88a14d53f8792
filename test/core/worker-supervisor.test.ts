// Worker supervision: missed heartbeats, crashes, restarts and shutdown.
import { describe, expect, test } from "bun:test";
import { createLogger } from "../../src/core/logger.ts";
import { createSupervisor, type SignOfLife } from "../../src/core/worker-supervisor.ts";
import { createManualClock, settle } from "../support/manual-clock.ts";

type To = "start" | "work" | "goodbye";
type From = SignOfLife | { type: "done" };

interface FakeWorker {
  told: To[];
  say: (message: From) => void;
  die: (reason: string) => void;
  isTerminated: boolean;
}

function setStage(options: { failingStarts?: number } = {}) {
  const clock = createManualClock();
  const logLines: string[] = [];
  const workers: FakeWorker[] = [];
  const heard: string[] = [];
  let deaths = 0;
  let failingStarts = options.failingStarts ?? 0;
  const supervisor = createSupervisor<To, From>({
    clock,
    logger: createLogger(clock, "debug", (line) => void logLines.push(line)),
    name: "The worker",
    startWorker() {
      if (failingStarts-- > 0) throw new Error("Too many files are open.");
      const worker: FakeWorker = { told: [], say: () => {}, die: () => {}, isTerminated: false };
      workers.push(worker);
      return {
        post: (message) => void worker.told.push(message),
        onMessage: (listener) => void (worker.say = listener),
        onEnd: (listener) => void (worker.die = listener),
        terminate: () => void (worker.isTerminated = true),
      };
    },
    firstMessage: () => "start",
    heard: ({ type }) => void heard.push(type),
    died: () => void deaths++,
  });
  const last = () => workers.at(-1)!;
  return {
    clock,
    supervisor,
    workers,
    last,
    heard,
    logLines,
    deaths: () => deaths,
    run: () => last().say({ type: "ready" }),
    /** How many seconds it takes until the next one is started, after each of these deaths. */
    async waitsAfter(count: number) {
      const waits: number[] = [];
      for (let death = 0; death < count; death++) {
        last().die("it threw");
        const before = workers.length;
        let seconds = 0;
        for (; workers.length === before; seconds++) await clock.advance(1_000);
        waits.push(seconds);
      }
      return waits;
    },
  };
}

test("one that cannot even be started is tried again later, and nothing died", async () => {
  const { clock, supervisor, workers, logLines, deaths } = setStage({ failingStarts: 2 });
  expect(supervisor.status()).toEqual({ worker: "failed", message: "Too many files are open.", restarts: 0 });
  supervisor.post("work");
  await clock.advance(59_000);
  expect(workers).toHaveLength(0);
  await clock.advance(1_000);
  expect(workers).toHaveLength(1);
  expect(workers[0]!.told).toEqual(["start"]);
  expect(deaths()).toBe(0);
  expect(logLines.filter((line) => line.includes("cannot start"))).toHaveLength(2);
});

describe("silence", () => {
  test("of ten seconds and more is death: it is ended, what it held is lost, and a new one starts", async () => {
    const { clock, supervisor, workers, last, run, deaths } = setStage();
    run();
    await clock.advance(9_000);
    last().say({ type: "beat" });
    await clock.advance(9_000);
    expect(deaths()).toBe(0);
    await clock.advance(2_500);
    expect(deaths()).toBe(1);
    expect(workers[0]!.isTerminated).toBe(true);
    expect(supervisor.status()).toMatchObject({ worker: "failed", message: expect.stringContaining("started again") });
    await clock.advance(1_000);
    expect(workers).toHaveLength(2);
    expect(last().told).toEqual(["start"]);
  });

  test("is broken by anything that it says, not by beats alone", async () => {
    const { clock, last, run, deaths } = setStage();
    run();
    for (let times = 0; times < 6; times++) {
      await clock.advance(9_000);
      last().say({ type: "done" });
    }
    expect(deaths()).toBe(0);
  });

  test("from the beginning is death, too: a worker that never gets ready is not waited for", async () => {
    const { clock, workers } = setStage();
    await clock.advance(13_000);
    expect(workers).toHaveLength(2);
  });

  test("is judged by checks: a thread that was held up itself hears the beats that waited first", async () => {
    const { clock, workers, last, run } = setStage();
    run();
    // One check was due in the minute that it was away, however long that was.
    clock.jump(60_000);
    await clock.advance(2_500);
    last().say({ type: "beat" });
    await clock.advance(9_000);
    expect(workers).toHaveLength(1);
  });
});

describe("after a death", () => {
  test("the next is started after 1, 2, 4 … and at most 30 seconds", async () => {
    const { supervisor, waitsAfter } = setStage();
    expect(await waitsAfter(7)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(supervisor.status().restarts).toBe(7);
  });

  test("and a good minute the next death costs one second again", async () => {
    const { clock, last, run, waitsAfter } = setStage();
    await waitsAfter(4);
    run();
    for (let seconds = 0; seconds < 61; seconds++) {
      await clock.advance(1_000);
      last().say({ type: "beat" });
    }
    expect(await waitsAfter(1)).toEqual([1]);
  });

  test("nothing that the old one still says is heard, and nothing is told to it", async () => {
    const { clock, supervisor, workers, heard, run } = setStage();
    run();
    workers[0]!.die("it threw");
    supervisor.post("work");
    workers[0]!.say({ type: "done" });
    workers[0]!.die("it exited");
    await clock.advance(1_000);
    workers[0]!.say({ type: "done" });
    supervisor.post("work");
    expect(heard).toEqual(["ready"]);
    expect(workers.map(({ told }) => told)).toEqual([["start"], ["start", "work"]]);
  });

  test("the log says why, and the status that all is well once the next is ready", async () => {
    const { clock, supervisor, last, run, logLines } = setStage();
    last().die("it threw");
    expect(logLines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: "error", message: "The worker failed; a new one is started.", reason: "it threw", restart_in_ms: 1_000 },
    ]);
    await clock.advance(1_000);
    expect(supervisor.status().worker).toBe("starting");
    run();
    expect(supervisor.status()).toEqual({ worker: "running", message: null, restarts: 1 });
  });
});

test("a worker that cannot start says why in the status, and is tried again every 30 seconds", async () => {
  const { clock, supervisor, workers, last, run } = setStage();
  last().say({ type: "cannotStart", message: "Port 5060 is taken." });
  expect(supervisor.status()).toMatchObject({ worker: "failed", message: "Port 5060 is taken." });
  await clock.advance(29_000);
  expect(workers).toHaveLength(1);
  await clock.advance(1_000);
  last().say({ type: "cannotStart", message: "Port 5060 is taken." });
  await clock.advance(30_000);
  expect(workers).toHaveLength(3);
  run();
  expect(supervisor.status()).toEqual({ worker: "running", message: null, restarts: 2 });
});

describe("stopping", () => {
  test("says goodbye, and is done when the worker says that it has stopped", async () => {
    const { clock, supervisor, last, run, deaths, workers } = setStage();
    run();
    let isDone = false;
    const stopped = supervisor.stop("goodbye", 3_000).then(() => (isDone = true));
    await settle();
    expect(last().told).toEqual(["start", "goodbye"]);
    expect(isDone).toBe(false);
    last().say({ type: "stopped" });
    await stopped;
    expect(last().isTerminated).toBe(true);
    await clock.advance(60_000);
    expect(workers).toHaveLength(1);
    expect(deaths()).toBe(0);
  });

  test("waits for the drain and five seconds more, then ends the worker, for good", async () => {
    const { clock, supervisor, last, run, workers } = setStage();
    run();
    const stopped = supervisor.stop("goodbye", 3_000);
    for (let seconds = 0; seconds < 8; seconds++) {
      last().say({ type: "beat" });
      expect(last().isTerminated).toBe(false);
      await clock.advance(1_000);
    }
    await stopped;
    expect(last().isTerminated).toBe(true);
    await clock.advance(60_000);
    expect(workers).toHaveLength(1);
  });

  test("is done at once where the worker dies of it, and no new one is started", async () => {
    const { clock, supervisor, last, run, workers, deaths } = setStage();
    run();
    const stopped = supervisor.stop("goodbye", 3_000);
    last().die("it threw");
    await stopped;
    await clock.advance(60_000);
    expect(workers).toHaveLength(1);
    expect(deaths()).toBe(1);
  });

  test("between two workers ends the wait for the next", async () => {
    const { clock, supervisor, last, workers } = setStage();
    last().die("it threw");
    await supervisor.stop("goodbye");
    await clock.advance(60_000);
    expect(workers).toHaveLength(1);
  });
});
