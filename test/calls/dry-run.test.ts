import { describe, expect, test } from "bun:test";
import { dryRun, type DryRunFacts } from "../../src/calls/dry-run.ts";
import type { NewCall } from "../../src/calls/new-call.ts";
import type { OrganisationRow } from "../../src/db/tables.ts";
import { agentRow } from "../support/call-rows.ts";

const AT = Date.parse("2026-11-15T06:00:15Z");

const organisation: OrganisationRow = {
  id: "org_1",
  name: "Test Hospital",
  plan: "base",
  time_zone: "Asia/Kolkata",
  created_at: 0,
  updated_at: 0,
  unlimited_credits: 0,
  credit_balance: 10,
  share_calls: 0,
  share_expiry: "none",
};
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
const run = (change: Partial<DryRunFacts> = {}) =>
  dryRun({ call, organisation, isDoNotDisturb: false, creditsPerMinute: 1, busyNow: [], ...change });
const withHours = (start: string, end: string): NewCall => ({
  ...call,
  agent: agentRow({ calling_hours: JSON.stringify({ start, end, days: [0, 1, 2, 3, 4, 5, 6] }) }),
});

describe("a dry run", () => {
  test("tells greeting, what is missing and when it would be dialled", () => {
    expect(run()).toEqual({
      dry_run: true,
      greeting: "Hello Meera,  expects you.",
      missing_placeholders: ["doctor", "visit"],
      scheduled_at: "2026-11-15T06:00:15.000Z",
      would_dial_at: "2026-11-15T06:00:15.000Z",
      held_back_by: [],
    });
  });

  test("inside the calling hours dials at once, outside them when they open", () => {
    expect(run({ call: withHours("11:00", "12:00") })).toMatchObject({
      would_dial_at: "2026-11-15T06:00:15.000Z",
      held_back_by: [],
    });
    const closed = run({ call: withHours("15:00", "16:00") });
    expect(closed.would_dial_at).toBe("2026-11-15T09:30:00.000Z");
    expect(closed.held_back_by.map(({ reason }) => reason)).toEqual(["outside_calling_hours"]);
  });

  test("where hours never open on both coasts, never dials", () => {
    const nowhere = { ...withHours("09:00", "10:00"), contactNumber: "+18005550100" };
    expect(run({ call: nowhere })).toMatchObject({ would_dial_at: null });
  });

  test("tells every refusal, and then no time", () => {
    const refused = run({ isDoNotDisturb: true, organisation: { ...organisation, credit_balance: 0 } });
    expect(refused.would_dial_at).toBeNull();
    expect(refused.held_back_by.map(({ reason }) => reason)).toEqual(["do_not_disturb", "insufficient_credits"]);
  });

  test("asks for no credits where they are unlimited", () => {
    expect(run({ organisation: { ...organisation, credit_balance: 0, unlimited_credits: 1 } }).held_back_by).toEqual(
      [],
    );
  });
});
