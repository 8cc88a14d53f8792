import { describe, expect, test } from "bun:test";
import type { ExpectedSource } from "../../../src/telephony/rtp/rightful-source.ts";
import { createSourceLock, type SourceLock } from "../../../src/telephony/rtp/source-lock.ts";

const SDP = "192.0.2.1";
const TRUNK = "198.51.100.7";
const STRANGER = "203.0.113.9";
const BESIDE_TRUNK = "198.51.100.200";

const named = (changes: Partial<ExpectedSource> = {}): ExpectedSource => ({
  address: SDP,
  port: 4_000,
  trunkAddresses: [TRUNK],
  symmetricRtp: false,
  ...changes,
});

function answeredLock(changes: Partial<ExpectedSource> = {}): SourceLock {
  const lock = createSourceLock();
  lock.expect(named(changes), 0);
  lock.answered(0);
  return lock;
}

/** `count` packets in sequence, 20 ms apart; returns the judgements. */
function send(
  lock: SourceLock,
  address: string,
  port: number,
  ssrc: number,
  count: number,
  atMs: number,
  sequence = 65_535,
) {
  return Array.from({ length: count }, (_, i) =>
    lock.judge(address, port, ssrc, (sequence + i) & 0xffff, atMs + i * 20),
  );
}

test("before any SDP no source is accepted and there is no destination", () => {
  const lock = createSourceLock();
  expect(send(lock, SDP, 4_000, 1, 5, 0)).not.toContain("accepted");
  expect(lock.target).toBeNull();
});

test("the named place is believed from its first packet, before the answer too", () => {
  const lock = createSourceLock();
  lock.expect(named(), 0);
  expect(send(lock, SDP, 4_000, 1, 3, 0)).toEqual(["new_source", "accepted", "accepted"]);
  expect(lock.target).toMatchObject({ address: SDP, port: 4_000 });
});

test("IPv6 is one address however it is written, and IPv4 on a socket for both is itself", () => {
  const six = answeredLock({ address: "2001:DB8:0:0::1" });
  expect(send(six, "2001:db8::1", 4_000, 1, 1, 0)).toEqual(["new_source"]);
  const both = answeredLock();
  expect(send(both, `::ffff:${SDP}`, 4_000, 1, 2, 0)).toEqual(["new_source", "accepted"]);
});

test.each([
  ["another port of the named machine", SDP, 61_000],
  ["another port of the trunk", TRUNK, 61_000],
  ["a neighbour", "192.0.2.2", 4_000],
  ["a stranger", STRANGER, 4_000],
])("%s is never heard, however long it talks and however silent the peer is", (_, address, port) => {
  const lock = answeredLock();
  expect(new Set(send(lock, address, port, 66, 500, 0))).toEqual(new Set(["ignored"]));
  send(lock, SDP, 4_000, 1, 5, 20_000);
  expect(new Set(send(lock, address, port, 1, 500, 40_000, 10))).toEqual(new Set(["ignored"]));
  expect(lock.target).toMatchObject({ address: SDP, port: 4_000 });
});

describe("the trunk's own machine at the named port", () => {
  test("is heard, and what we say still goes to the named place", () => {
    const lock = answeredLock();
    expect(send(lock, TRUNK, 4_000, 1, 3, 0)).toEqual(["ignored", "new_source", "accepted"]);
    expect(lock.target).toMatchObject({ address: SDP, port: 4_000 });
  });

  test("gives way to the named place at once, and may come back when that is silent", () => {
    const lock = answeredLock();
    send(lock, TRUNK, 4_000, 2, 5, 0);
    expect(send(lock, SDP, 4_000, 1, 3, 100)).toEqual(["ignored", "new_source", "accepted"]);
    expect(send(lock, TRUNK, 4_000, 2, 5, 200, 20)).not.toContain("new_source");
    expect(send(lock, TRUNK, 4_000, 2, 3, 4_000, 60)).toContain("new_source");
  });
});

describe("once locked", () => {
  test("a forged stream from the peer's own address is ignored while the peer talks", () => {
    const lock = answeredLock();
    for (let ms = 0; ms < 4_000; ms += 20) {
      expect(lock.judge(SDP, 4_000, 1, ms / 20, ms)).not.toBe("ignored");
      for (let i = 0; i < 5; i++) expect(lock.judge(SDP, 4_000, 66, ms / 4 + i, ms + 5)).toBe("ignored");
    }
    expect(lock.ssrc).toBe(1);
  });

  test("a new stream of the peer's is heard a tenth of a second after the old one ended", () => {
    const lock = answeredLock();
    send(lock, SDP, 4_000, 1, 5, 0);
    const judged = send(lock, SDP, 4_000, 2, 8, 100);
    expect(judged.indexOf("new_source")).toBeWithin(3, 5);
    expect(judged.at(-1)).toBe("accepted");
    expect(lock.ssrc).toBe(2);
  });

  test("a sequence number out of nowhere is ignored, and believed when the next one follows it", () => {
    const lock = answeredLock();
    send(lock, SDP, 4_000, 1, 5, 0, 100);
    expect(lock.judge(SDP, 4_000, 1, 30_000, 100)).toBe("ignored");
    expect(lock.judge(SDP, 4_000, 1, 105, 110)).toBe("accepted");
    expect(send(lock, SDP, 4_000, 1, 3, 400, 30_001)).toEqual(["ignored", "new_source", "accepted"]);
  });

  test("a new SDP with a new place forgets what was learned; with the same place it does not", () => {
    const lock = answeredLock();
    send(lock, SDP, 4_000, 1, 4, 0);
    lock.expect(named(), 100);
    expect(lock.ssrc).toBe(1);
    lock.expect(named({ address: "192.0.2.50", port: 4_400 }), 200);
    expect(lock.target).toMatchObject({ address: "192.0.2.50", port: 4_400 });
    expect(lock.judge("192.0.2.50", 4_400, 9, 1, 500)).toBe("new_source");
    expect(new Set(send(lock, SDP, 4_000, 1, 50, 5_000, 4))).toEqual(new Set(["ignored"]));
  });
});

describe("where the trunk is behind a NAT", () => {
  const followed = () => answeredLock({ address: "10.0.0.4", symmetricRtp: true });

  test("no new source is accepted before the answer", () => {
    const lock = createSourceLock();
    lock.expect(named({ symmetricRtp: true }), 0);
    expect(send(lock, TRUNK, 61_000, 1, 50, 0)).not.toContain("new_source");
    lock.answered(1_000);
    expect(send(lock, TRUNK, 61_000, 1, 2, 1_000, 49)).toContain("new_source");
  });

  test("the first source of its networks within two seconds is followed, with our voice", () => {
    const lock = followed();
    expect(send(lock, TRUNK, 61_000, 1, 3, 1_500)).toEqual(["ignored", "new_source", "accepted"]);
    expect(lock.target).toMatchObject({ address: TRUNK, port: 61_000 });
    expect(send(lock, BESIDE_TRUNK, 7_000, 66, 200, 1_600)).not.toContain("new_source");
  });

  test("after two seconds no new source is accepted, and a foreign address never is", () => {
    const lock = followed();
    expect(send(lock, STRANGER, 9_000, 66, 90, 0)).not.toContain("new_source");
    expect(send(lock, TRUNK, 61_000, 1, 50, 2_001)).not.toContain("new_source");
    expect(lock.target).toMatchObject({ address: "10.0.0.4" });
  });

  test("a neighbour that came first gives way to the trunk's own address at any time, and both to the named place", () => {
    const lock = followed();
    send(lock, BESIDE_TRUNK, 7_000, 66, 10, 0);
    expect(lock.target).toMatchObject({ address: BESIDE_TRUNK });
    expect(send(lock, TRUNK, 61_000, 1, 2, 10_000)).toEqual(["ignored", "new_source"]);
    expect(send(lock, BESIDE_TRUNK, 7_000, 66, 200, 20_000)).not.toContain("new_source");
    expect(send(lock, "10.0.0.4", 4_000, 2, 2, 30_000)).toEqual(["ignored", "new_source"]);
    expect(lock.target).toMatchObject({ address: "10.0.0.4", port: 4_000 });
  });
});

describe("reports", () => {
  test("are the peer's from its RTP port or the next, with its own SSRC", () => {
    const lock = answeredLock();
    expect(lock.isPeersReport(SDP, 4_001, 5)).toBeTrue();
    send(lock, SDP, 4_000, 1, 3, 0);
    expect(lock.isPeersReport(SDP, 4_001, 1)).toBeTrue();
    expect(lock.isPeersReport(SDP, 4_000, 1)).toBeTrue();
    expect(lock.isPeersReport(SDP, 4_001, 66)).toBeFalse();
    expect(lock.isPeersReport(SDP, 4_002, 1)).toBeFalse();
    expect(lock.isPeersReport(STRANGER, 4_001, 1)).toBeFalse();
  });

  test("come through a NAT from any port of the followed address", () => {
    const lock = answeredLock({ symmetricRtp: true });
    send(lock, TRUNK, 61_000, 1, 3, 0);
    expect(lock.isPeersReport(TRUNK, 1_024, 1)).toBeTrue();
    expect(lock.isPeersReport(BESIDE_TRUNK, 61_001, 1)).toBeFalse();
  });
});
