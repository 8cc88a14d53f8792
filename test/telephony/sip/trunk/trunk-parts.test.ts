// Parts of a trunk that need only a clock: pacing, rest periods, registration, OPTIONS, name resolution.
import { beforeEach, describe, expect, test } from "bun:test";
import { createCallPace } from "../../../../src/telephony/sip/trunk/call-pace.ts";
import { createCircuitBreaker } from "../../../../src/telephony/sip/trunk/circuit-breaker.ts";
import type { ClientHandlers } from "../../../../src/telephony/sip/transaction/client-transaction.ts";
import { watchHealth } from "../../../../src/telephony/sip/trunk/health.ts";
import type { RequestDraft } from "../../../../src/telephony/sip/message/message.ts";
import { keepRegistered } from "../../../../src/telephony/sip/trunk/registration.ts";
import { createSessionTimer } from "../../../../src/telephony/sip/call/session-timer.ts";
import { withoutSecrets } from "../../../../src/telephony/sip/transport/trace.ts";
import { createManualClock, type ManualClock } from "../../../support/manual-clock.ts";
import { response } from "../message/messages.ts";

let clock: ManualClock;
let startedMs: number;
beforeEach(() => {
  clock = createManualClock();
  startedMs = clock.now();
});
const elapsed = () => clock.now() - startedMs;

test("calls leave evenly spaced, and one that gives up leaves its place to the next", async () => {
  const pace = createCallPace(clock, 4);
  const left: string[] = [];
  const enter = (name: string) => pace.enter(() => left.push(`${elapsed()} ${name}`));
  enter("a");
  enter("b");
  const leave = enter("c");
  enter("d");
  leave();
  await clock.advance(2_000);
  enter("e");
  expect(left).toEqual(["0 a", "250 b", "500 d", "2000 e"]);
});

describe("a trunk rests", () => {
  test("once half of its last calls failed, and longer each time it happens again", async () => {
    const breaker = createCircuitBreaker(clock, () => {});
    for (const isFault of [false, true, false]) breaker.record(isFault);
    expect(breaker.restingUntilMs()).toBeNull();
    breaker.record(true);
    expect(breaker.restingUntilMs()).toBe(clock.now() + 30_000);
    await clock.advance(30_000);
    expect(breaker.restingUntilMs()).toBeNull();
    for (let i = 0; i < 4; i++) breaker.record(true);
    expect(breaker.restingUntilMs()).toBe(clock.now() + 60_000);
  });

  test("never while most calls work, however many failed before", () => {
    const breaker = createCircuitBreaker(clock, () => {});
    for (let i = 0; i < 40; i++) breaker.record(i % 3 === 2);
    expect(breaker.restingUntilMs()).toBeNull();
  });
});

type Sent = { draft: RequestDraft; atMs: number; handlers: ClientHandlers & { unauthorised?(advice: string): void } };

describe("registration", () => {
  let sent: Sent[];
  let changes: string[];
  const start = () => {
    sent = [];
    changes = [];
    return keepRegistered({
      clock,
      randomText: () => "x",
      registrar: "sip:trunk.example",
      account: "<sip:ward@trunk.example>",
      contact: () => "<sip:ward@192.0.2.1:5060>",
      send(draft, _, handlers) {
        sent.push({ draft, atMs: elapsed(), handlers });
        return true;
      },
      changed: (isRegistered, problem) => changes.push(`${isRegistered} ${problem?.slice(0, 35) ?? ""}`),
    });
  };
  const granted = (extra: string) => response(200, { cseq: "1 REGISTER", extra });

  test("is refreshed at four fifths of what was granted to our own Contact", async () => {
    start();
    sent[0]!.handlers.final(
      granted("Contact: <sip:else@192.0.2.7>;expires=20, <sip:ward@192.0.2.1:5060>;expires=300\n"),
    );
    await clock.advance(239_000);
    expect(sent).toHaveLength(1);
    await clock.advance(1_000);
    expect(sent).toHaveLength(2);
    expect(sent[1]!.draft.headers.get("cseq")).toBe("2 REGISTER");
    expect(changes).toEqual(["true "]);
  });

  test("a grant of one second does not make us spin", async () => {
    start();
    sent[0]!.handlers.final(granted("Expires: 1\n"));
    await clock.advance(20_000);
    expect(sent).toHaveLength(1);
  });

  test("backs off from 5 s to 5 minutes while refused, and says why", async () => {
    start();
    for (let i = 0; i < 9; i++) {
      sent.at(-1)!.handlers.final(response(403, { cseq: "1 REGISTER" }));
      await clock.advance(300_000);
    }
    const waits = sent.slice(1).map(({ atMs }, i) => atMs - sent[i]!.atMs);
    expect(waits.slice(0, 3)).toEqual([5_000, 300_000 - 5_000 + 10_000, 300_000 - 10_000 + 20_000]);
    expect(waits.at(-1)).toBe(300_000);
    expect(changes[0]).toBe("false The trunk refused to register us (S");
  });

  test("asks for as long as the trunk wants (423)", () => {
    start();
    sent[0]!.handlers.final(response(423, { cseq: "1 REGISTER", extra: "Min-Expires: 1800\n" }));
    expect(sent[1]!.draft.headers.get("expires")).toBe("1800");
  });

  test("stands for two minutes at a time: an exchange that lost it may answer everything else as before", () => {
    start();
    expect(sent[0]!.draft.headers.get("expires")).toBe("120");
  });

  test("is renewed at once when the trunk seems to have forgotten it, but not twice at a time", async () => {
    const registration = start();
    sent[0]!.handlers.final(granted("Expires: 600\n"));
    registration.renew();
    registration.renew();
    expect(sent).toHaveLength(2);
    sent[1]!.handlers.final(granted("Expires: 600\n"));
    registration.renew();
    expect(sent).toHaveLength(3);
    await clock.advance(480_000);
    expect(changes).toEqual(["true ", "true "]);
  });

  test("is taken back at the end, if it stood", () => {
    const registration = start();
    let isDone = false;
    sent[0]!.handlers.final(granted("Expires: 600\n"));
    registration.stop(() => (isDone = true));
    expect(sent[1]!.draft.headers.get("expires")).toBe("0");
    expect(isDone).toBeFalse();
    sent[1]!.handlers.final(granted(""));
    expect(isDone).toBeTrue();
  });

  test("is taken back once, however many wait for it", () => {
    const registration = start();
    const done: number[] = [];
    sent[0]!.handlers.final(granted("Expires: 600\n"));
    for (const waiter of [1, 2]) registration.stop(() => done.push(waiter));
    expect(sent).toHaveLength(2);
    sent[1]!.handlers.final(granted(""));
    registration.stop(() => done.push(3));
    expect(done).toEqual([1, 2, 3]);
  });

  test("is kept for the next trunk with the same account", async () => {
    const registration = start();
    sent[0]!.handlers.final(granted("Expires: 600\n"));
    registration.abandon();
    let isDone = false;
    registration.stop(() => (isDone = true));
    await clock.advance(600_000);
    expect(isDone).toBeTrue();
    expect(sent).toHaveLength(1);
  });
});

describe("OPTIONS", () => {
  let sent: Sent[];
  let seen: string[];
  const start = () => {
    sent = [];
    seen = [];
    return watchHealth({
      clock,
      everyMs: 25_000,
      randomText: () => "x",
      target: "sip:trunk.example",
      account: "<sip:ward@trunk.example>",
      contact: () => "<sip:ward@192.0.2.1>",
      send(draft, _, handlers) {
        sent.push({ draft, atMs: elapsed(), handlers });
        return true;
      },
      alive: (roundTripMs) => seen.push(`alive ${roundTripMs}`),
      silent: (detail, isCertain) => seen.push(`silent ${isCertain} ${detail}`),
    });
  };
  const answer = (index: number, status: number) =>
    sent[index]!.handlers.final(response(status, { cseq: "1 OPTIONS" }));

  test("measures the round trip and asks again after 25 s", async () => {
    start();
    await clock.advance(40);
    answer(0, 200);
    await clock.advance(25_000);
    answer(1, 405);
    expect(seen).toEqual(["alive 40", "alive 0"]);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 25_040]);
  });

  test("an answer after 5 s is a miss, asked again 5 s later; the late answer counts no more", async () => {
    start();
    await clock.advance(7_000);
    answer(0, 200);
    expect(seen).toEqual(["silent false it does not answer OPTIONS"]);
    await clock.advance(3_000);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 10_000]);
  });

  test("503 and a lost connection are certain", async () => {
    start();
    answer(0, 503);
    await clock.advance(5_000);
    sent[1]!.handlers.failed("transport", "refused");
    expect(seen).toEqual(["silent true it answers OPTIONS with 503", "silent true refused"]);
  });

  test("asks at once where something else makes us doubt, and goes on from there", async () => {
    const check = start();
    answer(0, 200);
    await clock.advance(10_000);
    check.askNow();
    answer(1, 200);
    await clock.advance(25_000);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 10_000, 35_000]);
  });

  test("asks nothing after it was stopped", async () => {
    start().stop();
    await clock.advance(100_000);
    expect(sent).toHaveLength(1);
  });
});

describe("session timer", () => {
  test("we refresh at half time; a peer that does not is given up 30 s before the end of 90", async () => {
    const seen: string[] = [];
    const timer = createSessionTimer(
      clock,
      () => seen.push(`${elapsed()} refresh`),
      () => seen.push(`${elapsed()} expired`),
    );
    timer.agree({ seconds: 1_800, weRefresh: true });
    await clock.advance(900_000);
    timer.agree({ seconds: 90, weRefresh: false });
    await clock.advance(59_000);
    timer.agree({ seconds: 90, weRefresh: false });
    await clock.advance(60_000);
    timer.agree(null);
    await clock.advance(3_600_000);
    expect(seen).toEqual(["900000 refresh", "1019000 expired"]);
  });
});

test("a ladder shows no password and no media key, and no endless message", () => {
  const text = [
    "Authorization: Digest username=u, response=secret1",
    "proxy-authorization:  Digest response=secret2",
    "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:secret3",
  ].join("\r\n");
  expect(withoutSecrets(text)).not.toContain("secret");
  expect(withoutSecrets("x".repeat(60_000)).length).toBeLessThan(6_100);
});
