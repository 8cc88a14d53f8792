import { describe, expect, test } from "bun:test";
import { createLogSink, MOST_WAITING_BYTES, type LineStream } from "../../src/core/log-sink.ts";

/** A stream whose reader the test plays: nothing leaves or fails before it says so. */
function playedStream() {
  const waiting: { text: string; done: (error?: Error | null) => void }[] = [];
  let written = "";
  let writes = 0;
  let hears = (_: Error) => {};
  const stream: LineStream = {
    write(text, done) {
      writes += 1;
      waiting.push({ text, done });
    },
    on: (_, listener) => void (hears = listener),
  };
  return {
    stream,
    written: () => written,
    writes: () => writes,
    waitingBytes: () => waiting.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    /** The reader takes what is there, and what comes meanwhile. */
    read() {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        written += next.text;
        next.done();
      }
    },
    fail(code: string) {
      const error = Object.assign(new Error(`${code}: write`), { code });
      for (const { done } of waiting.splice(0)) done(error);
      hears(error);
    },
  };
}

/** Each line ends its turn, unless a test ends turns itself. */
function sinkOn(played: ReturnType<typeof playedStream>, afterTurn = (flush: () => void) => flush()) {
  return createLogSink(played.stream, (lost) => `${lost} lost`, afterTurn);
}

describe("the lines of one turn", () => {
  function inTurns() {
    const played = playedStream();
    const turns: (() => void)[] = [];
    const sink = sinkOn(played, (flush) => void turns.push(flush));
    return { played, sink, endTurn: () => turns.splice(0).forEach((flush) => flush()), turns };
  }

  test("leave in one write at its end", () => {
    const { played, sink, endTurn, turns } = inTurns();
    for (let i = 0; i < 100; i++) sink.writeLine(`${i}`);
    expect([played.writes(), turns.length]).toEqual([0, 1]);
    endTurn();
    expect(played.writes()).toBe(1);
    played.read();
    expect(played.written().split("\n")).toHaveLength(101);
    sink.writeLine("next");
    endTurn();
    played.read();
    expect(played.written()).toEndWith("99\nnext\n");
  });

  test("leave at once with an error, which may be the last", () => {
    const { played, sink, endTurn } = inTurns();
    sink.writeLine("before", "info");
    sink.writeLine("broken", "error");
    played.read();
    expect(played.written()).toBe("before\nbroken\n");
    endTurn();
    expect(played.writes()).toBe(1);
  });

  test("leave before the process ends", async () => {
    const { played, sink } = inTurns();
    sink.writeLine("one");
    sink.flush();
    expect(played.writes()).toBe(1);
    sink.writeLine("two");
    const drained = sink.drained();
    played.read();
    await drained;
    expect(played.written()).toBe("one\ntwo\n");
  });

  test("are each counted where they are lost", () => {
    const { played, sink, endTurn } = inTurns();
    for (let i = 0; i < 40; i++) sink.writeLine("gone");
    endTurn();
    played.fail("EPIPE");
    expect(sink.lostLines()).toBe(40);
    sink.writeLine("here");
    endTurn();
    played.read();
    expect(played.written()).toBe("\nhere\n40 lost\n");
  });

  test("take a bounded amount of memory", () => {
    const { played, sink } = inTurns();
    for (let i = 0; i < 5_000; i++) sink.writeLine("x".repeat(999));
    expect(played.waitingBytes()).toBeLessThanOrEqual(MOST_WAITING_BYTES + 1_000);
    expect(sink.lostLines()).toBeGreaterThan(3_900);
  });
});

test("a turn of the event loop ends by itself", async () => {
  const played = playedStream();
  const sink = createLogSink(played.stream, (lost) => `${lost} lost`);
  sink.writeLine("one");
  sink.writeLine("two");
  expect(played.writes()).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(played.writes()).toBe(1);
});

test("lines are written as they come", () => {
  const played = playedStream();
  const sink = sinkOn(played);
  sink.writeLine("one");
  sink.writeLine("two");
  played.read();
  expect(played.written()).toBe("one\ntwo\n");
  expect([sink.lostLines(), sink.note()]).toEqual([0, null]);
});

test.each(["EPIPE", "ENOSPC", "EIO"])("%s loses lines, which are counted, and throws nothing", (code) => {
  const played = playedStream();
  const sink = sinkOn(played);
  for (let i = 0; i < 3; i++) {
    sink.writeLine("gone");
    played.fail(code);
  }
  expect(sink.lostLines()).toBe(3);
  expect(sink.note()).toBe(`3 log lines were lost since the start. Why the last one was: ${code}.`);
});

test("when there is room again, lines are written on a line of their own and the loss is told once", () => {
  const played = playedStream();
  const sink = sinkOn(played);
  sink.writeLine("gone");
  sink.writeLine("gone, too");
  played.fail("ENOSPC");
  sink.writeLine("here");
  played.read();
  sink.writeLine("as usual");
  played.read();
  expect(played.written()).toBe("\nhere\n2 lost\nas usual\n");
  // Told is told: the count goes on, the note does not.
  expect([sink.lostLines(), sink.note()]).toEqual([2, null]);
});

test("a loss that could not be told is told later", () => {
  const played = playedStream();
  const sink = sinkOn(played);
  sink.writeLine("gone");
  played.fail("ENOSPC");
  sink.writeLine("gone");
  played.fail("ENOSPC");
  sink.writeLine("here");
  played.read();
  expect(played.written()).toBe("\nhere\n2 lost\n");
});

test("shutdown can wait until the last line is written", async () => {
  const played = playedStream();
  const sink = sinkOn(played);
  await sink.drained();
  sink.writeLine("last");
  let hasLeft = false;
  const drained = sink.drained().then(() => (hasLeft = true));
  await Promise.resolve();
  expect(hasLeft).toBeFalse();
  played.read();
  await drained;
});

describe("a reader that does not read", () => {
  test("costs a bounded amount of memory, however much is logged", () => {
    const played = playedStream();
    const sink = sinkOn(played);
    for (let i = 0; i < 5_000; i++) sink.writeLine("x".repeat(999));
    expect(played.waitingBytes()).toBeLessThanOrEqual(MOST_WAITING_BYTES + 1_000);
    expect(sink.lostLines()).toBe(5_000 - played.waitingBytes() / 1_000);
    played.read();
    expect(played.written()).toEndWith(`${sink.lostLines()} lost\n`);
  });

  test("is no matter for one line that is too long by itself", () => {
    const played = playedStream();
    const sink = sinkOn(played);
    sink.writeLine("x".repeat(MOST_WAITING_BYTES + 1));
    sink.writeLine("short");
    played.read();
    expect(played.written()).toBe("short\n1 lost\n");
  });
});
