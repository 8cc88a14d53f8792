import { describe, expect, test } from "bun:test";
import {
  beginTrustedTime,
  clockVerdict,
  confirmClock,
  keptTime,
  neededAfter,
  observeClock,
  PROVING_MS,
  SETTLING_MS,
  SETTLING_TO_DIAL_MS,
  type KnownTime,
  type TrustedTime,
} from "../../src/core/trusted-time.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-15T06:00:00Z");

/** A machine whose two clocks a test moves: time passes for both, a step moves the wall clock alone. */
function machine(known: KnownTime | null, steadyMs = 0) {
  let wallMs = START;
  let elapsedMs = 5_000;
  let state: TrustedTime = beginTrustedTime({ wallMs, elapsedMs }, known, steadyMs);
  const look = () => (state = observeClock(state, { wallMs, elapsedMs }));
  return {
    pass(ms: number, lookEveryMs = 30 * SECOND) {
      for (let left = ms; left > 0; left -= lookEveryMs) {
        const stride = Math.min(left, lookEveryMs);
        wallMs += stride;
        elapsedMs += stride;
        look();
      }
      return this;
    },
    step(ms: number) {
      wallMs += ms;
      look();
      return this;
    },
    confirm() {
      state = confirmClock(state, wallMs);
      look();
      return this;
    },
    drift(ms: number, lookEveryMs: number, ppm: number) {
      for (let left = ms; left > 0; left -= lookEveryMs) {
        wallMs += lookEveryMs * (1 + ppm / 1e6);
        elapsedMs += lookEveryMs;
        look();
      }
      return this;
    },
    verdict: () => clockVerdict(state),
    isTrusted: () => clockVerdict(state).isTrusted,
    mayDial: () => clockVerdict(state).mayDial,
    /** How far the time that is kept is from the wall clock. */
    keptBehindMs: () => wallMs - keptTime(state),
  };
}

/** The machine was restarted, and its clock shows so much more than when it was last believed. */
const restarted = (aheadMs: number, steadyMs = 0) =>
  machine({ at: START - aheadMs, passedMs: null, neededMs: SETTLING_MS }, steadyMs);
/** The process alone was restarted: the machine knows how much time has passed. */
const continued = (aheadMs: number, passedMs: number) =>
  machine({ at: START - passedMs - aheadMs, passedMs, neededMs: 0 });
const running = () => restarted(MINUTE).pass(HOUR);

describe("old data is erased after a start", () => {
  test("once the clock has been steady for a few minutes", () => {
    const started = restarted(MINUTE).pass(SETTLING_MS - SECOND);
    expect(started.verdict()).toMatchObject({ isTrusted: false, isDoubted: false, waitMs: SECOND });
    expect(started.pass(SECOND).isTrusted()).toBeTrue();
  });

  test("on an empty database, too", () => {
    expect(machine(null).isTrusted()).toBeFalse();
    expect(machine(null).pass(SETTLING_MS).isTrusted()).toBeTrue();
  });

  test("after a night in which the machine was off", () => {
    expect(
      restarted(14 * HOUR)
        .pass(SETTLING_MS)
        .isTrusted(),
    ).toBeTrue();
  });

  test("at once where the process alone was restarted and the clock is where it should be", () => {
    expect(continued(0, 3 * DAY).isTrusted()).toBeTrue();
  });

  test("when a time server has set a clock right that began in 1970", () => {
    const bornWrong = restarted(-20 * 365 * DAY).pass(MINUTE);
    expect(bornWrong.verdict()).toMatchObject({ isDoubted: true, mayDial: false });
    bornWrong.step(20 * 365 * DAY + HOUR);
    expect(bornWrong.verdict()).toMatchObject({ isTrusted: false, isDoubted: false });
    expect(bornWrong.pass(SETTLING_MS).isTrusted()).toBeTrue();
  });

  test.each([
    ["40 days after the last run", 40 * DAY],
    ["25 hours after the last run", 25 * HOUR],
    ["2 hours before the last run", -2 * HOUR],
  ])("only after a day of steady running %s", (_, aheadMs) => {
    const started = restarted(aheadMs).pass(PROVING_MS - SECOND);
    expect(started.verdict()).toMatchObject({ isTrusted: false, waitMs: SECOND });
    expect(started.pass(SECOND).isTrusted()).toBeTrue();
  });

  test("and an earlier run may have seen a part of that day", () => {
    const started = restarted(40 * DAY, PROVING_MS - HOUR);
    expect(started.pass(HOUR - SECOND).isTrusted()).toBeFalse();
    expect(started.pass(SECOND).isTrusted()).toBeTrue();
  });

  test("a run that ended before it could erase leaves the rest of the wait to the next", () => {
    expect(neededAfter(START, START)).toBe(0);
    expect(neededAfter(null, START)).toBe(SETTLING_MS);
    expect(neededAfter(START - 14 * HOUR, START)).toBe(SETTLING_MS);
    expect(neededAfter(START - 3 * DAY, START)).toBe(PROVING_MS);
  });
});

describe("calls go out after a start", () => {
  test("at once on an empty database, after a restart of the process, and after an ordinary restart of the machine", () => {
    for (const started of [machine(null), continued(0, 3 * DAY), continued(4 * MINUTE, HOUR), restarted(9 * MINUTE)])
      expect(started.mayDial()).toBeTrue();
  });

  test.each([
    ["a night", 14 * HOUR],
    ["a long weekend", 87 * HOUR],
  ])("after %s off, once a time server had time to set the clock", (_, aheadMs) => {
    const started = restarted(aheadMs).pass(SETTLING_TO_DIAL_MS - SECOND);
    expect(started.verdict()).toMatchObject({ mayDial: false, isDoubted: false, waitToDialMs: SECOND });
    expect(started.pass(SECOND).mayDial()).toBeTrue();
    // From then on a jump is noticed like any other.
    expect(started.step(65 * MINUTE).verdict()).toMatchObject({ mayDial: false, isDoubted: true });
  });

  test.each([
    ["a week after the last run", restarted(7 * DAY)],
    ["ten minutes before the last run", restarted(-10 * MINUTE)],
    ["65 minutes ahead of the time that has passed", continued(65 * MINUTE, 20 * SECOND)],
    ["a week ahead of the time that has passed", continued(7 * DAY, 2 * DAY)],
    ["an hour behind the time that has passed", continued(-HOUR, 2 * DAY)],
  ])("only after a day of steady running where the clock is %s", (_, started) => {
    expect(started.pass(PROVING_MS - SECOND).verdict()).toMatchObject({ mayDial: false, isDoubted: true });
    expect(started.pass(SECOND).mayDial()).toBeTrue();
  });
});

describe("while it runs", () => {
  test("a clock 40 days ahead for 45 seconds is not believed for a moment, and believed again when it is back", () => {
    const appliance = running();
    expect(appliance.step(40 * DAY).verdict()).toMatchObject({
      isTrusted: false,
      mayDial: false,
      isDoubted: true,
      aheadMs: 40 * DAY,
    });
    expect(appliance.pass(45 * SECOND).isTrusted()).toBeFalse();
    expect(appliance.step(-40 * DAY).isTrusted()).toBeTrue();
  });

  test("it is believed again at once even when it is set right hours later", () => {
    const back = running()
      .step(40 * DAY)
      .pass(7 * HOUR)
      .step(-40 * DAY);
    expect(back.verdict()).toMatchObject({ isTrusted: true, mayDial: true });
  });

  test("a jump in the first minutes of an empty database stops calls, and its end lets them go on", () => {
    const young = machine(null)
      .pass(MINUTE)
      .step(65 * MINUTE);
    expect(young.verdict()).toMatchObject({ mayDial: false, isDoubted: true, aheadMs: 65 * MINUTE });
    expect(
      young
        .pass(MINUTE)
        .step(-65 * MINUTE)
        .verdict(),
    ).toMatchObject({ mayDial: true, isTrusted: false });
  });

  test.each([
    ["forward by ten minutes", 10 * MINUTE],
    ["forward", 2 * HOUR],
    ["back", -2 * HOUR],
    ["forward by years", 3_650 * DAY],
  ])("a clock set %s has to be steady for a day", (_, ms) => {
    const appliance = running()
      .step(ms)
      .pass(PROVING_MS - SECOND);
    expect(appliance.verdict()).toMatchObject({ isTrusted: false, mayDial: false });
    expect(appliance.pass(SECOND).verdict()).toMatchObject({ isTrusted: true, mayDial: true });
    expect(appliance.pass(DAY, MINUTE).isTrusted()).toBeTrue();
  });

  test("a clock that goes on jumping is never believed", () => {
    const appliance = running();
    for (let hour = 0; hour < 100; hour++)
      expect(
        appliance
          .step(2 * HOUR)
          .pass(20 * HOUR, HOUR)
          .mayDial(),
      ).toBeFalse();
  });

  test("a step of a few minutes stops no calls, and erases nothing until the clock has settled", () => {
    const appliance = running().step(4 * MINUTE);
    expect(appliance.verdict()).toMatchObject({ isTrusted: false, mayDial: true, isDoubted: false });
    expect(appliance.pass(SETTLING_MS).isTrusted()).toBeTrue();
    // Two of them in a row are a jump.
    expect(
      running()
        .step(4 * MINUTE)
        .pass(MINUTE)
        .step(4 * MINUTE)
        .mayDial(),
    ).toBeFalse();
  });

  test("what a time server corrects, in small steps or slowly, is no doubt", () => {
    const appliance = running().step(20 * SECOND);
    expect(appliance.isTrusted()).toBeTrue();
    expect(appliance.step(-20 * SECOND).isTrusted()).toBeTrue();
    expect(appliance.drift(90 * DAY, HOUR, 500).isTrusted()).toBeTrue();
    expect(appliance.drift(90 * DAY, HOUR, -500).isTrusted()).toBeTrue();
  });
});

describe("the time that is kept", () => {
  test.each([
    ["forward", 7 * DAY],
    ["back", -7 * DAY],
  ])("goes on as if nothing had happened when the clock is set %s", (_, ms) => {
    const appliance = running()
      .step(ms)
      .pass(3 * HOUR);
    expect(appliance.keptBehindMs()).toBe(ms);
    expect(appliance.step(-ms).keptBehindMs()).toBe(0);
  });

  test("is the wall clock's as soon as that is believed", () => {
    expect(
      running()
        .step(7 * DAY)
        .confirm()
        .keptBehindMs(),
    ).toBe(0);
    expect(
      running()
        .step(4 * MINUTE)
        .keptBehindMs(),
    ).toBe(0);
  });

  test("goes on across a restart of the process", () => {
    expect(
      continued(7 * DAY, HOUR)
        .pass(MINUTE)
        .keptBehindMs(),
    ).toBe(7 * DAY);
  });

  test("never falls behind what was believed before a restart of the machine", () => {
    expect(
      restarted(-2 * DAY)
        .pass(MINUTE)
        .keptBehindMs(),
    ).toBe(-2 * DAY);
    expect(
      restarted(40 * DAY)
        .pass(MINUTE)
        .keptBehindMs(),
    ).toBe(0);
  });
});

describe("a person's word", () => {
  test("ends the doubt at once", () => {
    for (const appliance of [restarted(40 * DAY).pass(MINUTE), running().step(-3 * DAY), running().step(65 * MINUTE)])
      expect(appliance.confirm().verdict()).toMatchObject({ isTrusted: true, mayDial: true });
  });

  test("is about the clock as it was: another jump is doubted anew", () => {
    const appliance = restarted(40 * DAY)
      .confirm()
      .step(40 * DAY);
    expect(appliance.verdict()).toMatchObject({ isTrusted: false, mayDial: false, isDoubted: true });
  });
});
