import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CallingHours } from "../../src/agents/calling-hours.ts";
import { dryRun } from "../../src/calls/dry-run.ts";
import type { NewCall } from "../../src/calls/call/new-call.ts";
import { judge, type PolicyFacts } from "../../src/calls/queue/policy.ts";
import type { TrunkLines } from "../../src/telephony/port.ts";
import { agentRow } from "../support/call-rows.ts";

const AT = Date.parse("2026-11-15T06:00:15Z");

const call: NewCall = {
  organisationId: "org_1",
  agent: agentRow({
    greeting: "Hello {{user_name}}, {{doctor}} expects you.",
    prompt: "Confirm {{visit}} with {{doctor}}.",
  }),
  source: "api",
  contactNumber: "+919810012345",
  contactName: "Meera",
  contactEmail: null,
  preferredLanguage: null,
  additionalInfo: null,
  scheduledAt: AT,
};
const FREE: PolicyFacts = {
  now: AT,
  contactNumber: call.contactNumber,
  allowedRanges: [],
  isSimulated: false,
  creditsLeft: 10,
  creditsNeeded: 1,
  isDoNotDisturb: false,
  isClockBelieved: true,
  callingHours: null,
  freeApplianceLines: 1,
  freePlanLines: 1,
  contactIsInCall: false,
  agentHasNumber: true,
  freeNumberLines: 1,
  trunkLines: { kind: "open", lines: 1 },
  turnAt: 0,
};
const run = (change: Partial<PolicyFacts> = {}) => dryRun(call, { ...FREE, ...change });
const hours = (start: string, end: string): { callingHours: CallingHours } => ({
  callingHours: { start, end, days: [0, 1, 2, 3, 4, 5, 6] },
});

describe("a dry run", () => {
  test("returns the greeting, the missing values and the dial time", () => {
    expect(run()).toEqual({
      dry_run: true,
      greeting: "Hello Meera, expects you.",
      missing_placeholders: ["doctor", "visit"],
      scheduled_at: "2026-11-15T06:00:15.000Z",
      would_dial_at: "2026-11-15T06:00:15.000Z",
      held_back_by: [],
    });
  });

  test("in the demo, hours are reported and not enforced", () => {
    const closed = hours("20:00", "21:00");
    expect(run({ ...closed, isDemo: true })).toMatchObject({
      would_dial_at: "2026-11-15T06:00:15.000Z",
      held_back_by: [],
      would_be_held_by: [{ reason: "outside_calling_hours" }],
    });
    expect(run({ isDemo: true })).toMatchObject({ would_be_held_by: [] });
    expect(run(closed)).not.toHaveProperty("would_be_held_by");
    expect(judge({ ...FREE, ...closed, isDemo: true })).toEqual({ kind: "dial" });
  });

  test("inside the calling hours dials immediately, outside them when they open", () => {
    expect(run(hours("11:00", "12:00"))).toMatchObject({
      would_dial_at: "2026-11-15T06:00:15.000Z",
      held_back_by: [],
    });
    const closed = run(hours("15:00", "16:00"));
    expect(closed.would_dial_at).toBe("2026-11-15T09:30:00.000Z");
    expect(closed.held_back_by.map(({ reason }) => reason)).toEqual(["outside_calling_hours"]);
  });

  test("never dials when the hours of both coasts do not overlap", () => {
    const nowhere = { ...hours("09:00", "10:00"), contactNumber: "+18005550100" };
    expect(run(nowhere)).toMatchObject({ would_dial_at: null });
  });

  test("reports every rejection, and then no time", () => {
    const refused = run({ isDoNotDisturb: true, creditsLeft: 0 });
    expect(refused.would_dial_at).toBeNull();
    expect(refused.held_back_by.map(({ reason }) => reason)).toEqual(["do_not_disturb", "insufficient_credits"]);
  });

  test("needs no credits where they are unlimited", () => {
    expect(run({ creditsLeft: null }).held_back_by).toEqual([]);
  });
});

const lines = fc.constantFrom(-1, 0, 1, 2, Infinity);
const timeOfDay = fc.nat({ max: 23 }).map((hour) => `${String(hour).padStart(2, "0")}:00`);
const anyFacts: fc.Arbitrary<PolicyFacts> = fc.record({
  now: fc.integer({ min: AT, max: AT + 400 * 86_400_000 }),
  allowedRanges: fc.constant([]),
  isSimulated: fc.boolean(),
  contactNumber: fc.constantFrom("+919810012345", "+12125550142", "+18005550100"),
  creditsLeft: fc.constantFrom(null, -1, 0, 1, 2, 10),
  creditsNeeded: fc.constantFrom(0, 0.5, 1, 2, 3),
  isDoNotDisturb: fc.boolean(),
  isClockBelieved: fc.boolean(),
  callingHours: fc.option(
    fc.record({ start: timeOfDay, end: timeOfDay, days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }) }),
  ),
  freeApplianceLines: lines,
  freePlanLines: lines,
  contactIsInCall: fc.boolean(),
  agentHasNumber: fc.boolean(),
  freeNumberLines: lines,
  trunkLines: fc.oneof(
    lines.map((free): TrunkLines => ({ kind: "open", lines: free })),
    fc.constantFrom<TrunkLines>(
      { kind: "closed", reason: "number_has_no_trunk", until: null },
      { kind: "closed", reason: "trunk_unavailable", until: AT },
      { kind: "closed", reason: "overloaded", until: null },
    ),
  ),
  turnAt: fc.constantFrom(0, AT + 500 * 86_400_000),
});

test("a dry run never promises what the dispatcher refuses with the same facts", () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { would_dial_at, held_back_by } = dryRun(call, facts);
      const verdict = judge(facts);
      expect(verdict.kind === "dial").toBe(held_back_by.length === 0);
      if (verdict.kind === "refuse") expect([would_dial_at, held_back_by[0]?.reason]).toEqual([null, verdict.code]);
      if (verdict.kind === "hold") expect(held_back_by[0]?.reason).toBe(verdict.reason);
      if (would_dial_at === null) return;
      // At that time it is neither rejected nor outside calling hours.
      const then = judge({ ...facts, now: Date.parse(would_dial_at) });
      expect(then.kind).not.toBe("refuse");
      expect(then).not.toMatchObject({ reason: "outside_calling_hours" });
    }),
    { numRuns: 500 },
  );
});
