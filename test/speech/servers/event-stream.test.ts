import { expect, test } from "bun:test";
import fc from "fast-check";
import { createEventStream } from "../../../src/speech/servers/chat/event-stream.ts";

const STREAM = Buffer.from(
  '\ufeff: keep-alive\r\n\r\ndata: {"a":"हाँ"}\n\nevent: x\rdata:one\rdata: two\r\rid: 7\r\n\r\n: \n\ndata\n\ndata: [DONE]\r\n\r\n',
);
const EVENTS = ['{"a":"हाँ"}', "one\ntwo", "", "[DONE]"];

function eventsOf(pieces: readonly Uint8Array[]): string[] {
  const stream = createEventStream();
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
}

test("a stream gives the same events for every chunk boundary", () => {
  expect(eventsOf([STREAM])).toEqual(EVENTS);
  for (let at = 0; at <= STREAM.length; at++) {
    expect(eventsOf([STREAM.subarray(0, at), STREAM.subarray(at)])).toEqual(EVENTS);
  }
  expect(eventsOf(Array.from(STREAM, (byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
});

test("wherever it is cut, several times", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      expect(eventsOf(at.slice(1).map((end, i) => STREAM.subarray(at[i], end)))).toEqual(EVENTS);
    }),
    { numRuns: 200 },
  );
});

test("the last event counts without an empty line behind it", () => {
  expect(eventsOf([Buffer.from("data: a\n\ndata: b")])).toEqual(["a", "b"]);
});
