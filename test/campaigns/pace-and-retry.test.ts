// The pure rules of a campaign: its states, its pace, and its retries.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { commonHours, nextAllowedInstant } from "../../src/agents/calling-hours.ts";
import { MOST_NOT_BEGUN, MOST_PER_PORTION, portionOf } from "../../src/campaigns/pace.ts";
import { calledAgainAt, outcomeOf, policyOfAgent, retriesOf, retryOutcomeOf } from "../../src/campaigns/retry.ts";
import { CAMPAIGN_EVENTS, CAMPAIGN_STATES, nextCampaignState, OPEN_STATES } from "../../src/campaigns/state.ts";
import { MINUTE_MS } from "../../src/core/clock.ts";
import { agentRow, callRow } from "../support/call-rows.ts";
import { TALK } from "../support/fake-carrier.ts";

describe("states", () => {
  test("every pair is decided: nothing leads back to preparing, and a finished campaign returns only for a retry", () => {
    for (const state of CAMPAIGN_STATES) {
      for (const event of CAMPAIGN_EVENTS) expect(nextCampaignState(state, event)).not.toBe("preparing");
      const isOpen = OPEN_STATES.some((open) => open === state);
      const events = CAMPAIGN_EVENTS.filter((event) => nextCampaignState(state, event) !== null);
      if (!isOpen) expect(events).toEqual(["retry"]);
    }
    expect(CAMPAIGN_EVENTS.filter((event) => nextCampaignState("preparing", event) !== null)).toEqual(["prepared"]);
  });

  test("after any events, a stopped campaign never runs without a retry request", () => {
    const events = fc.array(fc.constantFrom(...CAMPAIGN_EVENTS.filter((event) => event !== "retry")));
    fc.assert(
      fc.property(events, (happened) => {
        let state: (typeof CAMPAIGN_STATES)[number] = "stopped";
        for (const event of happened) state = nextCampaignState(state, event) ?? state;
        expect(state).toBe("stopped");
      }),
    );
  });
});

describe("pace", () => {
  const looks = fc.record({
    callsPerMinute: fc.integer({ min: 1, max: 6_000 }),
    /** Delay of each round, and the number of calls waiting for a line then. */
    looks: fc.array(fc.record({ lateMs: fc.nat({ max: 90_000 }), notBegun: fc.nat({ max: 150 }) }), { maxLength: 40 }),
  });

  test("however late the rounds, two calls are never closer than the pace, and none is dialled before now", () => {
    fc.assert(
      fc.property(looks, ({ callsPerMinute, looks: all }) => {
        let now = 1_000_000;
        let nextCallAt = now;
        const times: number[] = [];
        for (const { lateMs, notBegun } of all) {
          now = Math.max(now, nextCallAt) + lateMs;
          const portion = portionOf({ now, nextCallAt, callsPerMinute, notBegun });
          expect(portion.most).toBeLessThanOrEqual(Math.min(MOST_PER_PORTION, Math.max(0, MOST_NOT_BEGUN - notBegun)));
          for (let place = 0; place < portion.most; place++) times.push(portion.timeOf(place));
          if (portion.most > 0) nextCallAt = portion.timeOf(portion.most);
          expect(portion.most === 0 || portion.timeOf(0) >= now).toBeTrue();
        }
        for (const [i, time] of times.entries()) {
          const aMinuteOn = times[i + callsPerMinute];
          if (aMinuteOn !== undefined) expect(aMinuteOn - time).toBeGreaterThanOrEqual(MINUTE_MS - 1);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("with rounds on time, as many calls are created as the pace allows", () => {
    for (const callsPerMinute of [1, 7, 30, 60, 1_200, 6_000]) {
      let [now, nextCallAt, made] = [0, 0, 0];
      while (now < 10 * MINUTE_MS) {
        const { most, timeOf } = portionOf({ now, nextCallAt, callsPerMinute, notBegun: 0 });
        made += most;
        now = nextCallAt = timeOf(most);
      }
      expect(made).toBeGreaterThanOrEqual(10 * callsPerMinute);
      expect(made).toBeLessThanOrEqual(10 * callsPerMinute + MOST_PER_PORTION);
    }
  });

  test("an early round creates none", () => {
    expect(portionOf({ now: 0, nextCallAt: 1, callsPerMinute: 60, notBegun: 0 }).most).toBe(0);
  });
});

describe("retries", () => {
  const policy = { no_answer: { attempts: 2, minutes: 30 }, failed: { attempts: 1, minutes: 5 } };

  test("happen as often and after the delay that the outcome's rule says", () => {
    expect([1, 2, 3].map((attempts) => calledAgainAt(policy, "no_answer", attempts, 0))).toEqual([
      30 * MINUTE_MS,
      30 * MINUTE_MS,
      null,
    ]);
    expect([1, 2].map((attempts) => calledAgainAt(policy, "failed", attempts, 0))).toEqual([5 * MINUTE_MS, null]);
    expect(calledAgainAt(policy, "busy", 1, 0)).toBeNull();
    expect(calledAgainAt(policy, null, 1, 0)).toBeNull();
  });

  test("the call knows which of its outcomes would be retried", () => {
    const faults = ["carrier_error", "infrastructure_error", "interrupted"];
    expect([1, 2, 3].map((attempt) => retriesOf(policy, attempt))).toEqual([
      ["no_answer", ...faults],
      ["no_answer"],
      [],
    ]);
  });

  test("for any outcomes, no contact is called more often than the most generous rule allows", () => {
    const rule = fc.record({ attempts: fc.integer({ min: 0, max: 10 }), minutes: fc.integer({ min: 1, max: 100 }) });
    const policies = fc.record({ no_answer: rule, busy: rule, voicemail: rule, failed: rule }, { requiredKeys: [] });
    const outcomes = fc.array(fc.constantFrom("no_answer", "busy", "voicemail", "failed"), { minLength: 30 });
    fc.assert(
      fc.property(policies, outcomes, (any, happened) => {
        let attempts = 1;
        for (const outcome of happened) {
          if (calledAgainAt(any, outcome, attempts, 0) === null) break;
          attempts += 1;
        }
        const most = Math.max(0, ...Object.values(any).map((each) => each.attempts));
        expect(attempts).toBeLessThanOrEqual(1 + most);
      }),
    );
  });

  test("outcomes are derived from the call", () => {
    const ended = (change: Parameters<typeof callRow>[0], end: Parameters<typeof outcomeOf>[0]["end"] = null) =>
      outcomeOf({ call: callRow(change), end });
    const voicemail = { ...TALK, analytics: { ...TALK.analytics!, disposition: "voicemail" as const } };
    expect(ended({ state: "completed" }, TALK)).toBe("answered");
    expect(ended({ state: "completed" }, voicemail)).toBe("voicemail");
    expect(ended({ state: "completed", scheduled_call_id: "call_2" }, TALK)).toBe("callback_scheduled");
    expect(ended({ state: "failed", error_code: "busy" })).toBe("busy");
    expect(ended({ state: "disallowed", error_code: "do_not_disturb" })).toBe("do_not_disturb");
    expect(ended({ state: "cancelled" })).toBe("cancelled");
  });

  test("a failure of ours never rings a phone twice", () => {
    expect(retryOutcomeOf(callRow({ ringing_at: 1 }), "infrastructure_error")).toBeNull();
    expect(retryOutcomeOf(callRow(), "infrastructure_error")).toBe("failed");
    expect(retryOutcomeOf(callRow({ ringing_at: 1 }), "no_answer")).toBe("no_answer");
    for (const outcome of ["answered", "do_not_disturb", "invalid_number", "rejected", "callback_scheduled"])
      expect(retryOutcomeOf(callRow(), outcome)).toBeNull();
  });

  test("without its own policy it uses the agent's", () => {
    const agent = agentRow({ retry_attempts: 2, retry_minutes: 30, retry_outcomes: ["busy", "interrupted"] });
    const rule = { attempts: 2, minutes: 30 };
    expect(policyOfAgent(agent)).toEqual({ busy: rule, failed: rule });
    expect(policyOfAgent(agentRow())).toEqual({});
  });
});

describe("hours of a campaign", () => {
  const day = { start: "09:00", end: "17:00", days: [1, 2, 3] };

  test("narrow the agent's", () => {
    const narrowed = { start: "10:00", end: "17:00", days: [2] };
    expect(commonHours(day, { start: "10:00", end: "20:00", days: [2, 6] })).toEqual(narrowed);
    expect(commonHours(day, null)).toEqual(day);
    expect(commonHours(null, null)).toBeNull();
  });

  test("that never overlap the agent's allow no instant", () => {
    const never = commonHours(day, { start: "18:00", end: "20:00", days: [1] });
    expect(nextAllowedInstant(never!, ["Asia/Kolkata"], 0)).toBeNull();
  });
});
