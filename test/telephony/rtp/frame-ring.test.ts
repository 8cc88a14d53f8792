// The frame ring compared with a plain list of samples, for writes of any length.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { FrameRing } from "../../../src/telephony/rtp/frame-ring.ts";

const FRAME = 160;
const packetOf = (length: number, value: number) => new Uint8Array(length).fill(value);

/** What is there of the due frame, null for what is missing. */
function take(ring: FrameRing): (number | null)[] {
  const [into, present] = [new Uint8Array(FRAME), new Uint8Array(FRAME)];
  const held = ring.take(into, present);
  const samples = [...into].map((byte, i) => (held === FRAME || (held > 0 && present[i] === 1) ? byte : null));
  expect(samples.filter((sample) => sample !== null)).toHaveLength(held);
  return samples;
}

test("a packet that begins and ends in the middle of frames leaves its parts in each of them", () => {
  const ring = new FrameRing();
  ring.lay(100, packetOf(300, 7), 20, 300);
  expect(take(ring)).toEqual(Array.from({ length: FRAME }, (_, i) => (i < 100 ? null : 7)));
  expect(take(ring)).toEqual(Array.from({ length: FRAME }, () => 7));
  expect(take(ring)).toEqual(Array.from({ length: FRAME }, (_, i) => (i < 60 ? 7 : null)));
});

test("what was left behind in a place is not found there a second later", () => {
  const ring = new FrameRing();
  ring.lay(0, packetOf(80, 1), 0, 80);
  ring.lay(FRAME, packetOf(FRAME, 2), 0, FRAME);
  ring.skip(2);
  ring.lay(48 * FRAME + 80, packetOf(80, 3), 0, 80);
  ring.skip(48);
  expect(take(ring)).toEqual(Array.from({ length: FRAME }, (_, i) => (i < 80 ? null : 3)));
  expect(take(ring)).toEqual(Array.from({ length: FRAME }, () => null));
});

test("whatever lies over, beside and apart from each other is found as it was laid last", () => {
  const laid = fc.record({
    at: fc.nat(6_400),
    length: fc.oneof(fc.constantFrom(80, 160, 240, 320), fc.integer({ min: 1, max: 1_280 })),
    isOnFrame: fc.boolean(),
    value: fc.nat(255),
  });
  const step = fc.record({ packets: fc.array(laid, { maxLength: 4 }), skipped: fc.constantFrom(0, 0, 0, 1, 7) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 70 }), (steps) => {
      const ring = new FrameRing();
      const model = new Map<number, number>();
      let due = 0;
      for (const { packets, skipped } of steps) {
        for (const { at, length, isOnFrame, value } of packets) {
          const start = isOnFrame ? at - (at % FRAME) : at;
          ring.lay(start, packetOf(length, value), 0, length);
          for (let i = 0; i < length; i++) model.set(due + start + i, value);
        }
        ring.skip(skipped);
        due += skipped * FRAME;
        expect(take(ring)).toEqual(Array.from({ length: FRAME }, (_, i) => model.get(due + i) ?? null));
        due += FRAME;
      }
    }),
    { numRuns: 100 },
  );
});

test("a stream that begins anew finds nothing of the one before", () => {
  const ring = new FrameRing();
  ring.lay(30, packetOf(400, 9), 0, 400);
  ring.clear();
  for (let i = 0; i < 3; i++) expect(take(ring)).toEqual(Array.from({ length: FRAME }, () => null));
});
