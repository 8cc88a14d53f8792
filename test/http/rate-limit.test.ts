import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRateLimiter, type RateLimiter } from "../../src/http/rate-limit.ts";
import { createManualClock, type ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let limiter: RateLimiter;
beforeEach(() => {
  clock = createManualClock();
  limiter = createRateLimiter(clock);
});

const take = (limit: number | "unlimited" = 3, key = "key_a") => limiter.take(key, limit);
const allowed = (limit?: number) => take(limit)?.allowed;

describe("the window slides exactly", () => {
  test("a request counts for 60 seconds, to the millisecond", () => {
    for (let i = 0; i < 3; i++) expect(allowed()).toBeTrue();
    clock.jump(59_999);
    expect(allowed()).toBeFalse();
    clock.jump(1);
    expect(allowed()).toBeTrue();
  });

  test("no burst passes over the edge between two minutes", () => {
    clock.jump(59_000);
    for (let i = 0; i < 3; i++) allowed();
    clock.jump(2_000);
    expect(allowed()).toBeFalse();
  });

  test("a refused request does not count", () => {
    for (let i = 0; i < 10; i++) allowed();
    clock.jump(60_000);
    expect([allowed(), allowed(), allowed(), allowed()]).toEqual([true, true, true, false]);
  });

  test("of any requests at any times, no 60 seconds hold more than the limit, and none is refused without need", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 25_000 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 6 }), (gaps, limit) => {
        const ownClock = createManualClock(0);
        const own = createRateLimiter(ownClock);
        const passed: number[] = [];
        for (const gap of gaps) {
          ownClock.jump(gap);
          const now = ownClock.now();
          const inWindow = passed.filter((at) => now - at < 60_000).length;
          const decision = own.take("k", limit)!;
          expect(decision.allowed).toBe(inWindow < limit);
          if (decision.allowed) passed.push(now);
          expect(decision.remaining).toBe(decision.allowed ? limit - inWindow - 1 : 0);
          if (!decision.allowed) expect(decision.resetMs).toBe(60_000 - (now - passed.at(-limit)!));
        }
      }),
    );
  });
});

describe("limits", () => {
  test("of unlimited decide nothing", () => expect(take("unlimited")).toBeNull());

  test("of 0 refuse everything", () => {
    expect(take(0)).toEqual({ allowed: false, remaining: 0, resetMs: 60_000 });
  });

  test("are counted per key", () => {
    for (let i = 0; i < 3; i++) take();
    expect(take(3, "key_a")?.allowed).toBeFalse();
    expect(take(3, "key_b")?.allowed).toBeTrue();
  });

  test("that a changed plan brings begin a fresh window", () => {
    for (let i = 0; i < 3; i++) take(3);
    expect(take(5)).toMatchObject({ allowed: true, remaining: 4 });
  });
});

describe("a machine whose clock is set", () => {
  test("back does not lock a key out until the clock has caught up", () => {
    for (let i = 0; i < 3; i++) allowed();
    clock.jump(-86_400_000);
    expect(allowed()).toBeTrue();
  });

  test("back still limits what comes after", () => {
    for (let i = 0; i < 3; i++) allowed();
    clock.jump(-86_400_000);
    expect([allowed(), allowed(), allowed(), allowed()]).toEqual([true, true, true, false]);
  });

  test("forward begins a new window", () => {
    for (let i = 0; i < 3; i++) allowed();
    clock.jump(86_400_000);
    expect(take()).toMatchObject({ allowed: true, remaining: 2 });
  });
});
