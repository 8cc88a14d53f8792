// A call over a network with 3 % loss, up to 50 ms jitter, late and duplicate packets: the audio on both sides. Time is
// simulated; ./scripts/bench loss prints the figures.
import { beforeAll, describe, expect, test } from "bun:test";
import { loadFlite } from "../../../src/speech/tts/flite.ts";
import { changedAt, heardByPeer, heardByUs, type Numbering } from "../../support/impaired-call.ts";
import { speechLike } from "../../support/sounds.ts";
import { BAD_NETWORK, GOOD_NETWORK, passThrough } from "../../support/impaired-network.ts";

const SENTENCE =
  "Good morning, this is the hospital. Your appointment is on Tuesday, at ten thirty in the morning. Please press one to confirm.";
let said: Int16Array;
beforeAll(async () => {
  said = (await loadFlite())(SENTENCE);
});

describe("the network itself", () => {
  const sent = Array.from({ length: 20_000 }, (_, i) => ({ atMs: i * 20, packet: i }));

  test("does the same to the same packets, and as much harm as it says", () => {
    const passage = passThrough(sent, BAD_NETWORK);
    expect(passThrough(sent, BAD_NETWORK)).toEqual(passage);
    expect(passThrough(sent, { ...BAD_NETWORK, seed: 2 }).arrivals).not.toEqual(passage.arrivals);
    expect(passage.lost / sent.length).toBeWithin(0.027, 0.033);
    expect(passage.duplicated / sent.length).toBeWithin(0.017, 0.023);
    expect(passage.outOfOrder / sent.length).toBeGreaterThan(0.15);
    const delays = passage.arrivals.map(({ atMs, packet }) => atMs - packet * 20);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeWithin(90, 130);
    expect(passThrough(sent, { ...BAD_NETWORK, lossShare: 0.1, lossBurst: 3 }).lost / sent.length).toBeWithin(
      0.08,
      0.12,
    );
  });

  test("that is good harms nothing", () => {
    expect(passThrough(sent, GOOD_NETWORK)).toEqual({ arrivals: sent, lost: 0, duplicated: 0, outOfOrder: 0 });
  });
});

test.each([1, 2, 3])("we hear the peer: every loss is made up, nothing is late, nothing twice (seed %d)", (seed) => {
  const { match, passage, stats } = heardByUs(said, { ...BAD_NETWORK, seed });
  expect(match.correlation).toBeGreaterThan(0.985);
  expect(match.gaps).toBeLessThanOrEqual(passage.lost);
  // 60 ms of our own, a tick, and what the first packet was late by.
  expect(match.longestLagMs).toBeLessThanOrEqual(140);
  expect(stats).toMatchObject({
    lostPackets: passage.lost,
    latePackets: 0,
    duplicatePackets: passage.duplicated,
    gaps: passage.lost,
    jitterBufferMs: 60,
  });
  expect(stats.lossShare).toBeCloseTo(passage.lost / (said.length / 160), 2);
});

test("packets of 30 ms, each loss a frame and a half, do as well", () => {
  const { match, stats } = heardByUs(said, BAD_NETWORK, { packetMs: 30 });
  expect(match.correlation).toBeGreaterThan(0.98);
  expect(stats.latePackets).toBe(0);
});

test("the peer hears us: what was not lost on the way is there, in its place", () => {
  const { match, passage } = heardByPeer(said, { ...BAD_NETWORK, heldBackShare: 0 });
  expect(match.gaps).toBeLessThanOrEqual(passage.lost);
  expect(match.correlation).toBeGreaterThan(0.96);
  expect([match.shortestLagMs, match.longestLagMs]).toEqual([100, 100]);
});

test("a good network costs 60 ms and nothing else, both ways", () => {
  const us = heardByUs(said, GOOD_NETWORK);
  expect(us.match).toEqual({ correlation: expect.closeTo(1, 3), gaps: 0, shortestLagMs: 60, longestLagMs: 60 });
  expect(heardByPeer(said, GOOD_NETWORK).match).toMatchObject({ correlation: expect.closeTo(1, 3), gaps: 0 });
});

test("losses in a row are faded over, counted, and followed by the right words", () => {
  const { match, passage, stats } = heardByUs(said, { ...BAD_NETWORK, lossShare: 0.1, lossBurst: 3 });
  expect(match.correlation).toBeGreaterThan(0.85);
  expect(stats.lostPackets).toBe(passage.lost);
  expect(stats.gaps).toBe(passage.lost);
});

test("jitter of 100 ms makes the window longer, up to 120 ms, and little comes too late", () => {
  const { stats } = heardByUs(said, { ...BAD_NETWORK, jitterMs: 100 });
  expect(stats.jitterBufferMs).toBeWithin(80, 121);
  expect(stats.latePackets).toBeLessThanOrEqual(4);
});

describe("a peer that begins to count anew in the middle of a call is heard again within 200 ms", () => {
  const CHANGE = 200;
  const [FIRST_SOUND, LAST] = [10, -25];
  const changes: Record<string, Partial<Numbering>> = {
    "another source, as after a transfer": { ssrc: 9, sequence: 17, timestamp: 5_000_000 },
    "another time": { timestamp: 5_000_000 },
    "half a second back in time": { timestamp: (0xffff_8000 + CHANGE * 160 - 4_000) >>> 0 },
    "another sequence": { sequence: 30_000 },
    "a hundred back in sequence": { sequence: (65_500 + CHANGE - 100) & 0xffff },
    "both, from the same source": { sequence: 20_000, timestamp: 77 },
  };

  test.each(Object.entries(changes))("%s", (_, change) => {
    for (const network of [GOOD_NETWORK, BAD_NETWORK]) {
      const { frames, stats } = heardByUs(speechLike(8, 1), network, { numbering: changedAt(CHANGE, change) });
      expect(frames.slice(FIRST_SOUND, LAST).filter((isHeard) => !isHeard).length).toBeLessThanOrEqual(10);
      expect(stats.receivedPackets).toBeGreaterThan(380);
    }
  });
});
