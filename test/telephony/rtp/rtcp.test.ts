import { expect, test } from "bun:test";
import fc from "fast-check";
import { estimateMos } from "../../../src/telephony/rtp/quality.ts";
import { createReception } from "../../../src/telephony/rtp/reception.ts";
import { createReportExchange } from "../../../src/telephony/rtp/report-exchange.ts";
import { buildRtcp, middleNtp, parseRtcp, roundTripMs } from "../../../src/telephony/rtp/rtcp.ts";

const NOW_MS = Date.parse("2026-11-15T06:00:00.250Z");

test("a sender report is laid out as RFC 3550 draws it", () => {
  const bytes = buildRtcp({
    ssrc: 0x0102_0304,
    cname: "a@b",
    sender: { nowMs: NOW_MS, rtpTimestamp: 0xdead_beef, packets: 50, octets: 8_000 },
    block: {
      ssrc: 0x0a0b_0c0d,
      fractionLost: 12,
      cumulativeLost: -3,
      extendedHighest: 0x1_0005,
      jitter: 40,
      lastSenderReport: 0x1234_5678,
      sinceLastSenderReportMs: 1_500,
    },
    goodbye: true,
  });
  const ntpSeconds = (Math.floor(NOW_MS / 1_000) + 2_208_988_800).toString(16);
  expect(bytes.toString("hex").match(/.{8}/g)).toEqual([
    "81c8000c",
    "01020304",
    ntpSeconds,
    "40000000",
    "deadbeef",
    "00000032",
    "00001f40",
    "0a0b0c0d",
    "0cfffffd",
    "00010005",
    "00000028",
    "12345678",
    "00018000",
    "81ca0003",
    "01020304",
    "01036140",
    "62000000",
    "81cb0001",
    "01020304",
  ]);
});

test("without anything sent it is a receiver report", () => {
  const bytes = buildRtcp({ ssrc: 1, cname: "x", sender: null, block: null });
  expect([bytes[0], bytes[1], bytes.readUInt16BE(2)]).toEqual([0x80, 201, 1]);
  expect(bytes.length % 4).toBe(0);
});

test("what one side reports the other reads, and finds the round trip in it", () => {
  const [a, b] = [createReportExchange(1), createReportExchange(2)];
  const state = (remoteSsrc: number, nowMs: number) => ({
    sender: { nowMs: NOW_MS + nowMs, rtpTimestamp: 0, packets: 1, octets: 160 },
    reception: createReception(),
    remoteSsrc,
    nowMs,
  });
  // A's report travels 30 ms, waits 2 s at B, and B's travels 50 ms back.
  b.receive(a.build(state(2, 0), false), NOW_MS + 30, 30);
  a.receive(b.build(state(1, 2_030), false), NOW_MS + 2_080, 2_080);
  expect(a.remote.roundTripMs).toBeCloseTo(80, 0);
  expect(a.remote.lossShare).toBe(0);
  expect(b.remote.roundTripMs).toBeNull();
});

test("a report block about another source is ignored", () => {
  const block = {
    ssrc: 99,
    fractionLost: 200,
    cumulativeLost: 5,
    extendedHighest: 1,
    jitter: 1,
    lastSenderReport: 1,
    sinceLastSenderReportMs: 0,
  };
  expect(parseRtcp(buildRtcp({ ssrc: 5, cname: "x", sender: null, block }), 7)?.ofUs).toBeNull();
  expect(parseRtcp(buildRtcp({ ssrc: 5, cname: "x", sender: null, block }), 99)?.ofUs?.fractionLost).toBe(200);
});

test("a round trip that cannot be is not believed", () => {
  const ofUs = {
    fractionLost: 0,
    cumulativeLost: 0,
    jitter: 0,
    lastSenderReport: middleNtp(NOW_MS),
    delaySinceLast: 0,
  };
  expect(roundTripMs(NOW_MS + 40, ofUs)).toBeCloseTo(40, 0);
  expect(roundTripMs(NOW_MS - 500, ofUs)).toBeNull();
  expect(roundTripMs(NOW_MS, { ...ofUs, lastSenderReport: 0 })).toBeNull();
});

test("random bytes never throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.constantFrom(200, 201, 203, 7), (bytes, type) => {
      if (bytes.length > 4) [bytes[0], bytes[1], bytes[2], bytes[3]] = [0x82, type, 0, bytes[3]! % 16];
      parseRtcp(bytes, 1);
    }),
    { numRuns: 2_000 },
  );
});

test("loss is what was expected and did not come, over the wrap, since the last report and in all", () => {
  const reception = createReception();
  for (let i = 0; i < 100; i++) if (i % 4 !== 1) reception.record((65_500 + i) & 0xffff, i * 160, i * 20);
  expect(reception.report()).toMatchObject({ fractionLost: 64, cumulativeLost: 25, extendedHighest: 65_599 });
  expect([reception.expected, reception.lost, reception.received]).toEqual([100, 25, 75]);
  for (let i = 100; i < 200; i++) reception.record((65_500 + i) & 0xffff, i * 160, i * 20);
  expect(reception.report()).toMatchObject({ fractionLost: 0, cumulativeLost: 25 });
});

test("a steady stream has no jitter; packets that are 10 ms early and late in turn have close to 20 ms", () => {
  const steady = createReception();
  const shaky = createReception();
  for (let i = 0; i < 500; i++) {
    steady.record(i, i * 160, 1_000 + i * 20);
    shaky.record(i, i * 160, 1_000 + i * 20 + (i % 2 ? 10 : -10));
  }
  expect(steady.jitterMs).toBe(0);
  expect(shaky.jitterMs).toBeCloseTo(20, 0);
});

test("a new source is not a loss of thousands", () => {
  const reception = createReception();
  for (let i = 0; i < 10; i++) reception.record(i, i, i);
  reception.restart();
  for (let i = 0; i < 10; i++) reception.record(40_000 + i, i, i);
  for (let i = 0; i < 10; i++) reception.record(10 + i, i, i); // started over without a word
  expect([reception.received, reception.expected, reception.lost]).toEqual([30, 30, 0]);
});

test("the score of a good line is 4.4, and falls with loss and with delay", () => {
  expect(estimateMos({ lossShare: 0, oneWayDelayMs: 20 })).toBeCloseTo(4.4, 1);
  expect(estimateMos({ lossShare: 0.05, oneWayDelayMs: 80 })).toBeCloseTo(3.8, 1);
  expect(estimateMos({ lossShare: 0, oneWayDelayMs: 500 })).toBeLessThan(3);
  expect(estimateMos({ lossShare: 1, oneWayDelayMs: 2_000 })).toBe(1);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      fc.double({ min: 0, max: 900, noNaN: true }),
      (lossShare, oneWayDelayMs) => {
        const score = estimateMos({ lossShare, oneWayDelayMs });
        expect(score).toBeWithin(1, 4.5);
        expect(estimateMos({ lossShare: lossShare + 0.1, oneWayDelayMs })).toBeLessThanOrEqual(score);
        expect(estimateMos({ lossShare, oneWayDelayMs: oneWayDelayMs + 100 })).toBeLessThanOrEqual(score);
      },
    ),
  );
});
