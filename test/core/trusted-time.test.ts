import { describe, expect, test } from "bun:test";
import {
  beginTrustedTime,
  clockVerdict,
  confirmClock,
  observeClock,
  PROVING_MS,
  SETTLING_MS,
  type TrustedTime,
} from "../../src/core/trusted-time.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-15T06:00:00Z");

/** A machine whose two clocks a test moves: time passes for both, a step moves the wall clock alone. */
function machine(believedAt: number | null, steadyMs = 0) {
  let wallMs = START;
  let elapsedMs = 5_000;
  let state: TrustedTime = beginTrustedTime({ wallMs, elapsedMs }, believedAt, steadyMs);
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
  };
}

const running = () => machine(START - MINUTE).pass(HOUR);

describe("after a start the clock is believed", () => {
  test("once it has been steady for a few minutes", () => {
    const started = machine(START - MINUTE).pass(SETTLING_MS - SECOND);
    expect(started.verdict()).toMatchObject({ isTrusted: false, isDoubted: false, waitMs: SECOND });
    expect(started.pass(SECOND).isTrusted()).toBeTrue();
  });

  test("on an empty database, too", () => {
    expect(machine(null).isTrusted()).toBeFalse();
    expect(machine(null).pass(SETTLING_MS).isTrusted()).toBeTrue();
  });

  test("after a night in which the machine was off", () => {
    expect(
      machine(START - 14 * HOUR)
        .pass(SETTLING_MS)
        .isTrusted(),
    ).toBeTrue();
  });

  test("when a time server has set a clock right that began in 1970", () => {
    const bornWrong = machine(START + 20 * 365 * DAY).pass(MINUTE);
    expect(bornWrong.verdict()).toMatchObject({ isDoubted: true });
    bornWrong.step(20 * 365 * DAY + HOUR);
    expect(bornWrong.verdict()).toMatchObject({ isTrusted: false, isDoubted: false });
    expect(bornWrong.pass(SETTLING_MS).isTrusted()).toBeTrue();
  });
});

describe("after a start the clock is doubted for a day of steady running", () => {
  test.each([
    ["40 days after the last run", 40 * DAY],
    ["25 hours after the last run", 25 * HOUR],
    ["2 hours before the last run", -2 * HOUR],
  ])("%s", (_, aheadMs) => {
    const started = machine(START - aheadMs).pass(PROVING_MS - SECOND);
    expect(started.verdict()).toEqual({ isTrusted: false, isDoubted: true, aheadMs, waitMs: SECOND });
    expect(started.pass(SECOND).isTrusted()).toBeTrue();
  });

  test("of which an earlier run may have seen a part", () => {
    const started = machine(START - 40 * DAY, PROVING_MS - HOUR);
    expect(started.pass(HOUR - SECOND).isTrusted()).toBeFalse();
    expect(started.pass(SECOND).isTrusted()).toBeTrue();
  });
});

describe("while it runs", () => {
  test("a clock 40 days ahead for 45 seconds is not believed for a moment, and believed again when it is back", () => {
    const appliance = running();
    expect(appliance.step(40 * DAY).verdict()).toMatchObject({ isTrusted: false, isDoubted: true, aheadMs: 40 * DAY });
    expect(appliance.pass(45 * SECOND).isTrusted()).toBeFalse();
    expect(appliance.step(-40 * DAY).isTrusted()).toBeTrue();
  });

  test("it is believed again at once even when it is set right hours later", () => {
    expect(
      running()
        .step(40 * DAY)
        .pass(7 * HOUR)
        .step(-40 * DAY)
        .isTrusted(),
    ).toBeTrue();
  });

  test.each([
    ["forward", 2 * HOUR],
    ["back", -2 * HOUR],
    ["forward by years", 3_650 * DAY],
  ])("a clock set %s has to be steady for a day", (_, ms) => {
    const appliance = running()
      .step(ms)
      .pass(PROVING_MS - SECOND);
    expect(appliance.isTrusted()).toBeFalse();
    expect(appliance.pass(SECOND).isTrusted()).toBeTrue();
    expect(appliance.pass(DAY, MINUTE).isTrusted()).toBeTrue();
  });

  test("a clock that goes on jumping is never believed", () => {
    const appliance = running();
    for (let hour = 0; hour < 100; hour++)
      expect(
        appliance
          .step(2 * HOUR)
          .pass(20 * HOUR, HOUR)
          .isTrusted(),
      ).toBeFalse();
  });

  test("a machine that slept for half an hour is believed after a few minutes", () => {
    const appliance = running().step(30 * MINUTE);
    expect(appliance.verdict()).toMatchObject({ isTrusted: false, isDoubted: false });
    expect(appliance.pass(SETTLING_MS).isTrusted()).toBeTrue();
  });

  test("what a time server corrects, in small steps or slowly, is no doubt", () => {
    const appliance = running().step(20 * SECOND);
    expect(appliance.isTrusted()).toBeTrue();
    expect(appliance.step(-20 * SECOND).isTrusted()).toBeTrue();
    expect(appliance.drift(90 * DAY, HOUR, 500).isTrusted()).toBeTrue();
    expect(appliance.drift(90 * DAY, HOUR, -500).isTrusted()).toBeTrue();
  });
});

describe("a person's word", () => {
  test("ends the doubt at once", () => {
    expect(
      machine(START - 40 * DAY)
        .pass(MINUTE)
        .confirm()
        .isTrusted(),
    ).toBeTrue();
    expect(
      running()
        .step(-3 * DAY)
        .confirm()
        .isTrusted(),
    ).toBeTrue();
  });

  test("is about the clock as it was: another jump is doubted anew", () => {
    const appliance = machine(START - 40 * DAY)
      .confirm()
      .step(40 * DAY);
    expect(appliance.verdict()).toMatchObject({ isTrusted: false, isDoubted: true });
  });
});
