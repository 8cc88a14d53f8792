import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createFraming, framed, type Received } from "../../../src/exchange/hl7/mllp.ts";

const textOf = (received: readonly Received[]) =>
  received.map((each) => (each.kind === "message" ? each.bytes.toString() : `too long: ${each.head.toString()}`));

describe("framing", () => {
  test("frames come out the same however the bytes are cut", () => {
    const message = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => (byte < 32 ? 65 : byte)));
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (messages, cuts) => {
          const stream = Buffer.concat(messages.flatMap((each) => [Buffer.from("noise\r\n"), framed(each)]));
          const framing = createFraming(100);
          const received: Received[] = [];
          for (let at = 0; at < stream.length;) {
            const end = at + (cuts.next().value ?? 1);
            received.push(...framing.take(stream.subarray(at, end)));
            at = end;
          }
          expect(received.map((each) => each.kind === "message" && Buffer.from(each.bytes))).toEqual(
            messages.map((each) => Buffer.from(each)),
          );
          expect(framing.isInside).toBe(false);
        },
      ),
    );
  });

  test("several frames in one packet, without CR, and with bytes between them", () => {
    const framing = createFraming(100);
    expect(textOf(framing.take(Buffer.from("\r\n\x0bMSH|1\x1c\x0bMSH|2\x1c\r\n\x0bMSH|3")))).toEqual([
      "MSH|1",
      "MSH|2",
    ]);
    expect(framing.isInside).toBe(true);
    expect(textOf(framing.take(Buffer.from("\x1c\r")))).toEqual(["MSH|3"]);
  });

  test("a frame that begins anew before its end is the new one alone", () => {
    const framing = createFraming(100);
    expect(textOf(framing.take(Buffer.from("\x0bMSH|cut in ha\x0bMSH|whole\x1c\r")))).toEqual(["MSH|whole"]);
    expect(textOf(framing.take(Buffer.from("\x0bMSH|a\x0bvertical tab\x1c\r")))).toEqual(["MSH|a\x0bvertical tab"]);
  });

  test("a frame that is too long is reported with its beginning, and the next one is read", () => {
    const framing = createFraming(10);
    const first = textOf(framing.take(Buffer.from(`\x0bMSH|${"x".repeat(5_000)}`)));
    const second = textOf(framing.take(Buffer.from(`${"y".repeat(5_000)}\x1c\r\x0bMSH|2\x1c\r`)));
    expect([first, second]).toEqual([[], ["too long: MSH|xxxxxx", "MSH|2"]]);
    expect(framing.size).toBe(0);
  });
});
