// The rate of password guessing, in figures, and its effect on legitimate users.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createGuessPace, sourceKey, type Try } from "../../src/accounts/guess-pace.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createManualClock } from "../support/manual-clock.ts";

// Hours of an attack are millions of attempts: seconds on a quiet machine.
setDefaultTimeout(180 * SECOND_MS);

const STRANGER = { kind: "stranger" } as const;
const EMAIL = "kamala@hospital.example";
const from = (source: string, email = EMAIL): Try => ({ email, source, by: STRANGER });

function createPace() {
  const clock = createManualClock();
  let passedMs = 0;
  const pace = createGuessPace({ ...clock, elapsedMs: () => passedMs });
  const pass = (ms: number) => void (passedMs += ms);
  /** Milliseconds to wait; Infinity if it is rejected. */
  const waitOf = (attempt: Try): number => {
    const turn = pace.next(attempt);
    return "waitMs" in turn ? turn.waitMs : Infinity;
  };
  /** Wrong guesses in a day from one address that respects Retry-After. */
  const guessesInADay = (by: Try["by"] = STRANGER): number => {
    let guesses = 0;
    for (const end = passedMs + DAY_MS; passedMs < end;) {
      const turn = pace.next({ email: EMAIL, source: "192.0.2.1", by });
      if ("waitMs" in turn) guesses++;
      pass("waitMs" in turn ? turn.waitMs : turn.refusedForMs);
    }
    return guesses;
  };
  return { pace, waitOf, guessesInADay, pass, passedMs: () => passedMs };
}

const addresses = (count: number) => Array.from({ length: count }, (_, i) => from(`10.1.${i >> 8}.${i & 255}`));

describe("guesses at one person's password in a day", () => {
  test("from one address: about 300", () => {
    expect(createPace().guessesInADay()).toBeWithin(250, 310);
  });

  test("from 10,000 addresses: about 4,400, whether they use their reservations on time or late", () => {
    const { waitOf, pass } = createPace();
    const botnet = addresses(10_000);
    let guesses = 0;
    // Eight a second, so that each returns while its reservation is valid.
    for (let i = 0; i < (DAY_MS / SECOND_MS) * 8; i++) {
      if (waitOf(botnet[i % botnet.length]!) < Infinity) guesses++;
      pass(SECOND_MS / 8);
    }
    expect(guesses).toBeWithin(4_200, 4_450);
  });

  test("from one IPv6 network: as from one address", () => {
    expect(sourceKey("2001:db8:0:1::5")).toBe(sourceKey("2001:db8:0:1:aaaa:bbbb:cccc:dddd"));
    expect(sourceKey("2001:db8:0:1::5")).not.toBe(sourceKey("2001:db8:0:2::5"));
    expect(sourceKey("::ffff:192.0.2.1")).toBe("::ffff:192.0.2.1");
    expect(sourceKey("9".repeat(10_000))).toHaveLength(64);
  });

  test("on a stolen device: about 300", () => {
    expect(createPace().guessesInADay({ kind: "device", id: "stolen" })).toBeWithin(250, 320);
  });
});

describe("the delays", () => {
  test("start after the third mistake and double", () => {
    const { pass, waitOf } = createPace();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const waitMs = waitOf(from("192.0.2.1"));
      waits.push(waitMs);
      pass(waitMs);
    }
    expect(waits).toEqual([0, 0, 0, 1, 2, 4, 8, 16].map((seconds) => seconds * SECOND_MS));
  });

  test("are no shorter for concurrent attempts", () => {
    const { waitOf } = createPace();
    const waits = Array.from({ length: 12 }, () => waitOf(from("192.0.2.1")) / SECOND_MS);
    expect(waits).toEqual([0, 0, 0, 1, 3, 7, 15, Infinity, Infinity, Infinity, Infinity, Infinity]);
  });

  test("of one address do not affect another, nor other people at the same address", () => {
    const { waitOf, pass } = createPace();
    for (let i = 0; i < 100; i++) {
      waitOf(from("192.0.2.1"));
      pass(MINUTE_MS);
    }
    expect(waitOf(from("192.0.2.2"))).toBe(0);
    expect(waitOf(from("192.0.2.1", "staff@hospital.example"))).toBe(0);
  });

  test("of one address for many people are slowed as a whole: about 8,700 a day", () => {
    const { pace, pass } = createPace();
    let guesses = 0;
    // Two attempts a second at 5,000 people in rotation: each person alone could be tried without a delay.
    for (let i = 0; i < (DAY_MS / SECOND_MS) * 2; i++) {
      const turn = pace.next(from("192.0.2.1", `staff${i % 5_000}@hospital.example`));
      if ("waitMs" in turn) guesses++;
      pass(SECOND_MS / 2);
    }
    expect(guesses).toBeWithin(8_000, 8_800);
  });

  test("of one address, as of a ward behind a NAT, do not affect people who signed in from there before", () => {
    const { pace, waitOf } = createPace();
    const signedIn = pace.next(from("10.0.0.1"));
    if (!("took" in signedIn)) throw new Error("It was refused.");
    signedIn.took();
    for (let i = 0; i < 10_000; i++) waitOf(from("10.0.0.1", `invented${i}@hospital.example`));
    expect(waitOf(from("10.0.0.1"))).toBe(0);
  });

  test("of one address lock no one out: a newcomer there gets a time, and a reservation", () => {
    const { pace, waitOf, pass } = createPace();
    for (let i = 0; i < 300; i++) waitOf(from("10.0.0.1", `staff${i}@hospital.example`));
    const refused = pace.next(from("10.0.0.1"));
    if (!("refusedForMs" in refused)) throw new Error("It was not refused.");
    expect(refused.refusedForMs).toBeLessThan(HOUR_MS);
    for (let i = 0; i < 2_000; i++) waitOf(from("10.0.0.1", `more${i}@hospital.example`));
    pass(refused.refusedForMs);
    expect(waitOf(from("10.0.0.1"))).toBe(0);
  });

  test("of one address do not apply to correct passwords: a whole shift signs in at once", () => {
    const { pace } = createPace();
    for (let i = 0; i < 1_000; i++) {
      const turn = pace.next(from("10.0.0.1", `staff${i}@hospital.example`));
      if (!("waitMs" in turn)) throw new Error("It was refused.");
      expect(turn.waitMs).toBe(0);
      turn.took();
    }
  });

  test("are cleared by the correct password, and expire one by one", () => {
    const { pace, waitOf, pass } = createPace();
    for (let i = 0; i < 5; i++) waitOf(from("192.0.2.1"));
    pass(20 * SECOND_MS);
    const turn = pace.next(from("192.0.2.1"));
    if ("took" in turn) turn.took();
    expect([1, 2, 3].map(() => waitOf(from("192.0.2.1")))).toEqual([0, 0, 0]);
    pass(30 * MINUTE_MS);
    expect([1, 2, 3].map(() => waitOf(from("192.0.2.1")))).toEqual([0, 0, 0]);
  });

  test("do not depend on changes of the clock", () => {
    const clock = createManualClock();
    const pace = createGuessPace(clock);
    for (let i = 0; i < 7; i++) pace.next(from("192.0.2.1"));
    for (const days of [-30, 60]) {
      clock.jump(days * DAY_MS);
      expect(pace.next(from("192.0.2.1"))).toEqual({ refusedForMs: 31 * SECOND_MS });
    }
  });
});

describe("an attack from many addresses", () => {
  const attack = ({ waitOf, pass }: ReturnType<typeof createPace>, addresses: number) => {
    for (let i = 0; i < addresses * 30; i++) {
      waitOf(from(`198.51.${(i % addresses) >> 8}.${(i % addresses) & 255}`));
      pass(SECOND_MS / 10);
    }
  };

  test("does not affect the person's own device", () => {
    const under = createPace();
    attack(under, 1_000);
    expect(under.waitOf(from("203.0.113.9"))).toBe(Infinity);
    expect(under.waitOf({ ...from("203.0.113.9"), by: { kind: "device", id: "laptop" } })).toBe(0);
    expect(under.waitOf({ ...from("203.0.113.9"), by: { kind: "session" } })).toBe(0);
  });

  /**
   * Every address asks each second. Every half hour the legitimate person comes with a new device and address, follows
   * the instructions, and asks last within the second. Returns the duration and the number of attempts of each sign-in.
   */
  const signInsUnderAttack = (count: number, hours: number) => {
    const { pace, waitOf, pass, passedMs } = createPace();
    const attackers = addresses(count);
    const waiting = new Map<string, { since: number; dueAt: number; tries: number }>();
    const signIns: { minutes: number; tries: number; at: number }[] = [];
    for (; passedMs() < hours * HOUR_MS; pass(SECOND_MS)) {
      const now = passedMs();
      for (const attacker of attackers) waitOf(attacker);
      if (now % (30 * MINUTE_MS) === 0)
        waiting.set(`203.0.113.${waiting.size}/${now}`, { since: now, dueAt: now, tries: 0 });
      for (const [source, person] of waiting) {
        if (person.dueAt > now) continue;
        person.tries++;
        const turn = pace.next(from(source));
        if ("refusedForMs" in turn) person.dueAt = now + turn.refusedForMs;
        else {
          turn.took();
          waiting.delete(source);
          signIns.push({
            minutes: (now + turn.waitMs - person.since) / MINUTE_MS,
            tries: person.tries,
            at: person.since,
          });
        }
      }
    }
    return { signIns, stillWaiting: waiting.size };
  };

  test.each([
    [25, 4],
    [100, 3],
    [200, 2],
  ])(
    "with %d addresses keeps a new device waiting for half a minute per address, once, and then not at all",
    (count, hours) => {
      const { signIns, stillWaiting } = signInsUnderAttack(count, hours);
      expect(stillWaiting).toBe(0);
      expect(signIns).toHaveLength(hours * 2);
      for (const { minutes, tries, at } of signIns) {
        expect(tries).toBeLessThanOrEqual(2);
        expect(at / MINUTE_MS + minutes).toBeLessThanOrEqual(Math.max(at / MINUTE_MS, count / 2));
      }
    },
  );

  test("does not get fresh addresses by pausing for less than a day", () => {
    const { waitOf, pass } = createPace();
    for (const attacker of addresses(20)) waitOf(attacker);
    pass(23 * HOUR_MS);
    for (const attacker of addresses(20)) waitOf(attacker);
    pass(23 * HOUR_MS);
    for (const attacker of addresses(20)) waitOf(attacker);
    expect(Array.from({ length: 20 }, (_, i) => waitOf(from(`203.0.113.${i}`)))).toEqual(
      Array.from({ length: 20 }, () => 0),
    );
  });

  test("cannot fill the queue with abandoned reservations", () => {
    const { pace, waitOf, pass } = createPace();
    for (let day = 0; day < 3; day++) {
      for (const attacker of addresses(200)) waitOf(attacker);
      pass(3 * HOUR_MS);
    }
    for (const attacker of addresses(200)) waitOf(attacker);
    expect(pace.next(from("203.0.113.9"))).toMatchObject({ waitMs: 0 });
  });

  test("delays a person who mistyped on a new device by a minute per address", () => {
    const { pace, waitOf, pass } = createPace();
    const attackers = addresses(100);
    const askAll = (seconds: number) => {
      for (let i = 0; i < seconds; i++, pass(SECOND_MS)) for (const attacker of attackers) waitOf(attacker);
    };
    askAll(2 * 3_600);
    expect(waitOf(from("203.0.113.9"))).toBe(0);
    const refused = pace.next(from("203.0.113.9"));
    if (!("refusedForMs" in refused)) throw new Error("It was not refused.");
    expect(refused.refusedForMs).toBeLessThanOrEqual(102 * MINUTE_MS);
    askAll(Math.ceil(refused.refusedForMs / SECOND_MS));
    expect(waitOf(from("203.0.113.9"))).toBe(0);
  });

  test("keeps a reservation for half an hour, for one attempt", () => {
    for (const [lateMs, isKept] of [
      [30 * MINUTE_MS, true],
      [31 * MINUTE_MS, false],
    ] as const) {
      const { pace, waitOf, pass } = createPace();
      for (const attacker of addresses(300)) waitOf(attacker);
      const refused = pace.next(from("203.0.113.9"));
      if (!("refusedForMs" in refused)) throw new Error("It was not refused.");
      pass(refused.refusedForMs);
      for (let i = 0; i < 2; i++) for (const attacker of addresses(300)) waitOf(attacker);
      pass(lateMs);
      expect(waitOf(from("203.0.113.9")) === 0).toBe(isKept);
      expect(waitOf(from("203.0.113.9"))).toBe(Infinity);
    }
  });

  test("from a single address with invented e-mail addresses removes no one from the queue", () => {
    const { pace, waitOf, pass } = createPace();
    for (const attacker of addresses(100)) waitOf(attacker);
    const refused = pace.next(from("203.0.113.9"));
    if (!("refusedForMs" in refused)) throw new Error("It was not refused.");
    for (let i = 0; i < 45_000; i++) waitOf(from("192.0.2.1", `${i}@x.example`));
    pass(refused.refusedForMs);
    for (const attacker of addresses(100)) waitOf(attacker);
    expect(waitOf(from("203.0.113.9"))).toBe(0);
  });

  test("with invented e-mail addresses does not evict the tracked attackers", () => {
    const { waitOf, pass } = createPace();
    for (let i = 0; i < 45_000; i++) {
      if (i % 5_000 === 0) {
        waitOf(from("192.0.2.1"));
        pass(40 * SECOND_MS);
      }
      waitOf(from("192.0.2.1", `${i}@x.example`));
    }
    expect(waitOf(from("192.0.2.1"))).toBeGreaterThan(0);
  });
});
