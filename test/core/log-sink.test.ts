import { describe, expect, test } from "bun:test";
import { createLogSink, MOST_WAITING_BYTES, type LineStream } from "../../src/core/log-sink.ts";

/** A stream whose reader the test plays: nothing leaves or fails before it says so. */
function playedStream() {
  const waiting: { text: string; done: (error?: Error | null) => void }[] = [];
  let written = "";
  let hears = (_: Error) => {};
  const stream: LineStream = {
    write: (text, done) => void waiting.push({ text, done }),
    on: (_, listener) => void (hears = listener),
  };
  return {
    stream,
    written: () => written,
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

function sinkOn(played: ReturnType<typeof playedStream>) {
  return createLogSink(played.stream, (lost) => `${lost} lost`);
}

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

test("whoever ends can wait for the last line to leave", async () => {
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
