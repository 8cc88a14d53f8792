import { describe, expect, test } from "bun:test";
import { createSourceLock, type SourceLock } from "../../../../src/telephony/sip/media/source-lock.ts";

const SDP = "192.0.2.1";
const NAT = "198.51.100.7";
const STRANGER = "203.0.113.9";

function expecting(): SourceLock {
  const lock = createSourceLock();
  lock.expect(SDP, 4_000);
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

test("before any SDP nobody is heard and there is nowhere to send", () => {
  const lock = createSourceLock();
  expect(send(lock, SDP, 4_000, 1, 5, 0)).not.toContain("accepted");
  expect(lock.target).toBeNull();
});

test("the expected machine is believed from its first packet, on whatever port", () => {
  const lock = expecting();
  expect(lock.target).toEqual({ address: SDP, port: 4_000 });
  expect(send(lock, SDP, 61_000, 1, 3, 0)).toEqual(["new_source", "accepted", "accepted"]);
  expect(lock.target).toMatchObject({ address: SDP, port: 61_000 });
});

test("a peer behind a NAT is followed after three packets in sequence", () => {
  const lock = expecting();
  expect(send(lock, NAT, 7_000, 1, 4, 0)).toEqual(["ignored", "ignored", "new_source", "accepted"]);
  expect(lock.target).toMatchObject({ address: NAT, port: 7_000 });
});

test("scattered packets from elsewhere prove nothing", () => {
  const lock = expecting();
  for (let i = 0; i < 20; i++) expect(lock.judge(STRANGER, 9_000, i % 2, i * 7, i * 20)).toBe("ignored");
  expect(lock.target).toMatchObject({ address: SDP });
});

describe("once locked", () => {
  test("a stranger is ignored while the peer talks, even with its SSRC", () => {
    const lock = expecting();
    for (let ms = 0; ms < 4_000; ms += 20) {
      const sequence = ms / 20;
      expect(lock.judge(SDP, 4_000, 1, sequence, ms)).not.toBe("ignored");
      expect(lock.judge(STRANGER, 9_000, 1, sequence, ms)).toBe("ignored");
      expect(lock.judge(STRANGER, 9_000, 66, sequence, ms)).toBe("ignored");
    }
  });

  test("a stranger with another SSRC from another machine is never followed, however long the silence", () => {
    const lock = expecting();
    send(lock, SDP, 4_000, 1, 5, 0);
    expect(send(lock, STRANGER, 9_000, 66, 50, 60_000)).not.toContain("new_source");
  });

  test("the peer's own stream is followed to a new address after half a second of silence", () => {
    const lock = expecting();
    send(lock, SDP, 4_000, 1, 5, 0);
    expect(send(lock, NAT, 7_000, 1, 2, 100)).toEqual(["ignored", "ignored"]);
    expect(send(lock, NAT, 7_000, 1, 3, 1_000)).toEqual(["ignored", "new_source", "accepted"]);
    expect(lock.target).toMatchObject({ address: NAT, port: 7_000 });
  });

  test("a new stream from the same address takes over with its second packet", () => {
    const lock = expecting();
    send(lock, SDP, 4_000, 1, 5, 0);
    expect(send(lock, SDP, 4_000, 2, 3, 100)).toEqual(["ignored", "new_source", "accepted"]);
    expect(lock.ssrc).toBe(2);
  });

  test("two streams mixed from one address do not make it flap", () => {
    const lock = expecting();
    send(lock, SDP, 4_000, 1, 5, 0);
    for (let i = 0; i < 20; i++) {
      expect(lock.judge(SDP, 4_000, 2, i, 200 + i * 20)).toBe("ignored");
      expect(lock.judge(SDP, 4_000, 1, 10 + i, 200 + i * 20)).toBe("accepted");
    }
  });

  test("another port of the expected machine may take over after two seconds of silence", () => {
    const lock = expecting();
    send(lock, SDP, 4_000, 1, 5, 0);
    expect(send(lock, SDP, 5_000, 2, 4, 1_000)).not.toContain("new_source");
    expect(send(lock, SDP, 5_000, 2, 4, 2_500, 500)).toEqual(["ignored", "ignored", "new_source", "accepted"]);
  });

  test("whoever came first from elsewhere gives way to the address that the signalling named", () => {
    const lock = expecting();
    send(lock, STRANGER, 9_000, 66, 10, 0);
    expect(lock.target).toMatchObject({ address: STRANGER });
    expect(send(lock, SDP, 4_000, 1, 3, 200)).toEqual(["ignored", "new_source", "accepted"]);
    expect(send(lock, STRANGER, 9_000, 66, 10, 300)).not.toContain("new_source");
  });

  test("a new SDP with a new address forgets what was learned; with the same address it does not", () => {
    const lock = expecting();
    send(lock, NAT, 7_000, 1, 4, 0);
    lock.expect(SDP, 4_000);
    expect(lock.target).toMatchObject({ address: NAT });
    lock.expect("192.0.2.50", 4_400);
    expect(lock.target).toEqual({ address: "192.0.2.50", port: 4_400 });
    expect(lock.judge("192.0.2.50", 4_400, 9, 1, 500)).toBe("new_source");
  });
});
