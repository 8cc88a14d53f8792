import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CallingHours } from "../../src/agents/calling-hours.ts";
import { dryRun } from "../../src/calls/dry-run.ts";
import type { NewCall } from "../../src/calls/call/new-call.ts";
import type { LegalFacts } from "../../src/calls/queue/legal-facts.ts";
import { judge, LEGAL_WAITS, type PolicyFacts } from "../../src/calls/queue/policy.ts";
import type { TrunkLines } from "../../src/telephony/port.ts";
import { agentRow } from "../support/call-rows.ts";
import { freeFacts, LAWFUL, NO_RULES } from "../support/policy-facts.ts";

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
const FREE = { ...freeFacts(AT), contactNumber: call.contactNumber };
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

  test("reports hours that are not enforced, as in the demo", () => {
    const closed = hours("20:00", "21:00");
    expect(run({ ...closed, isEnforced: false })).toMatchObject({
      would_dial_at: "2026-11-15T06:00:15.000Z",
      held_back_by: [],
      would_be_held_by: [{ reason: "outside_calling_hours" }],
    });
    expect(run({ isEnforced: false })).toMatchObject({ would_be_held_by: [] });
    expect(run(closed)).not.toHaveProperty("would_be_held_by");
    expect(judge({ ...FREE, ...closed, isEnforced: false })).toEqual({ kind: "dial" });
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
    const legal = { ...LAWFUL, zones: ["America/New_York", "America/Los_Angeles"] };
    const nowhere = { ...hours("09:00", "10:00"), legal };
    expect(run(nowhere)).toMatchObject({ would_dial_at: null });
  });

  test("dials when hours, law and limits together allow it", () => {
    const rules = { ...NO_RULES, hours: { ...NO_RULES.hours, start: "10:00", end: "12:00" }, perDay: 1 };
    const legal = { ...LAWFUL, rules, dials: [AT - 60_000] };
    // One call was made today, so it waits for tomorrow; there the hours open at ten.
    const limited = run({ legal });
    expect(limited.would_dial_at).toBe("2026-11-16T04:30:00.000Z");
    expect(limited.held_back_by.map(({ reason }) => reason)).toEqual(["too_many_calls"]);
    const shown = run({ legal, isEnforced: false });
    expect(shown).toMatchObject({ held_back_by: [], would_be_held_by: [{ reason: "too_many_calls" }] });
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
const anyHours = fc.record({
  start: timeOfDay,
  end: timeOfDay,
  days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
});
const anyLegal: fc.Arbitrary<LegalFacts> = fc.record({
  rules: fc
    .record({
      hours: anyHours,
      daysOff: fc.subarray(["11-15", "11-16", "2026-12-25"]),
      perDay: fc.constantFrom(null, 0, 1, 3),
      perWeek: fc.constantFrom(null, 3),
      needsConsent: fc.boolean(),
    })
    .map((rules) => ({ ...NO_RULES, ...rules })),
  purpose: fc.constantFrom("service", "promotional"),
  zones: fc.constantFrom(["Asia/Kolkata"], ["America/New_York"], ["America/New_York", "America/Los_Angeles"]),
  dials: fc.array(fc.integer({ min: AT - 8 * 86_400_000, max: AT }), { maxLength: 5 }),
  isRequested: fc.boolean(),
  consent: fc.constantFrom<LegalFacts["consent"]>(null, { id: "c", state: "given" }, { id: "c", state: "withdrawn" }),
  isRefusedByRegistry: fc.boolean(),
  hasLawfulNumber: fc.boolean(),
});
const anyFacts: fc.Arbitrary<PolicyFacts> = fc.record({
  now: fc.integer({ min: AT, max: AT + 400 * 86_400_000 }),
  allowedRanges: fc.constant([]),
  isSimulated: fc.boolean(),
  contactNumber: fc.constantFrom("+919810012345", "+12125550142", "+18005550100"),
  creditsLeft: fc.constantFrom(null, -1, 0, 1, 2, 10),
  creditsNeeded: fc.constantFrom(0, 0.5, 1, 2, 3),
  isDoNotDisturb: fc.boolean(),
  isClockBelieved: fc.boolean(),
  callingHours: fc.option(anyHours),
  isEnforced: fc.boolean(),
  legal: anyLegal,
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
      // At that time it is neither rejected nor held by a rule about time.
      const then = judge({ ...facts, now: Date.parse(would_dial_at) });
      expect(then.kind).not.toBe("refuse");
      expect(["outside_calling_hours", ...LEGAL_WAITS] as unknown[]).not.toContain("reason" in then && then.reason);
    }),
    { numRuns: 500 },
  );
});
