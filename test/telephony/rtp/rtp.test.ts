import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  emptyRtpHeader,
  isRtcp,
  parseRtp,
  sequenceDistance,
  timestampDistance,
  writeRtpHeader,
} from "../../../src/telephony/rtp/rtp.ts";

const uint16 = fc.integer({ min: 0, max: 0xffff });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });

test("what is written is what is read", () => {
  // Types 64 to 95 with the marker are RTCP's numbers (RFC 5761) and therefore unassigned.
  const payloadType = fc.integer({ min: 0, max: 127 }).filter((type) => type < 64 || type > 95);
  fc.assert(
    fc.property(payloadType, fc.boolean(), uint16, uint32, uint32, (type, marker, sequence, timestamp, ssrc) => {
      const bytes = new Uint8Array(12 + 160);
      writeRtpHeader(bytes, type, marker, sequence, timestamp, ssrc);
      const header = emptyRtpHeader();
      expect(parseRtp(bytes, header)).toBeTrue();
      expect(header).toEqual({
        payloadType: type,
        marker,
        sequence,
        timestamp,
        ssrc,
        payloadStart: 12,
        payloadEnd: 172,
      });
    }),
  );
});

test("random bytes never throw, and a payload never leaves its packet", () => {
  const header = emptyRtpHeader();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, makeVersion2) => {
      if (makeVersion2 && bytes.length > 0) bytes[0] = (bytes[0]! & 0x3f) | 0x80;
      if (!parseRtp(bytes, header)) return;
      expect(header.payloadStart).toBeGreaterThanOrEqual(12);
      expect(header.payloadEnd).toBeGreaterThanOrEqual(header.payloadStart);
      expect(header.payloadEnd).toBeLessThanOrEqual(bytes.length);
      expect(Object.keys(header)).toHaveLength(7);
    }),
    { numRuns: 2_000 },
  );
});

function packet(first: number, rest: number[] = []): Uint8Array {
  return Uint8Array.from([first, 0, 0, 1, 0, 0, 0, 160, 0, 0, 0, 7, ...rest]);
}

test("contributors, extension and padding are stepped over", () => {
  const header = emptyRtpHeader();
  // Two contributors, an extension of one word, two bytes of audio, three of padding.
  const contributors = [1, 1, 1, 1, 2, 2, 2, 2];
  const extension = [0xbe, 0xde, 0, 1, 9, 9, 9, 9];
  expect(parseRtp(packet(0xb2, [...contributors, ...extension, 5, 6, 0, 0, 3]), header)).toBeTrue();
  expect([header.payloadStart, header.payloadEnd]).toEqual([28, 30]);
});

test("what cannot be RTP is refused", () => {
  const refused: [why: string, bytes: Uint8Array][] = [
    ["too short", packet(0x80).subarray(0, 11)],
    ["version 1", packet(0x40)],
    ["contributors beyond the end", packet(0x81)],
    ["an extension beyond the end", packet(0x90, [0, 0, 0, 9])],
    ["half an extension header", packet(0x90, [0, 0])],
    ["padding of nothing", packet(0xa0, [1, 0])],
    ["padding longer than the packet", packet(0xa0, [1, 200])],
    ["RTCP", Uint8Array.from([0x80, 200, 0, 6, ...new Uint8Array(24)])],
  ];
  for (const [why, bytes] of refused) expect([why, parseRtp(bytes, emptyRtpHeader())]).toEqual([why, false]);
  expect(isRtcp(refused.at(-1)![1])).toBeTrue();
});

test("distances go the short way round the wrap", () => {
  expect(timestampDistance(100, 0xffff_ff00)).toBe(356);
  expect(timestampDistance(0xffff_ff00, 100)).toBe(-356);
  expect(sequenceDistance(2, 0xfffe)).toBe(4);
  expect(sequenceDistance(0xfffe, 2)).toBe(-4);
});
