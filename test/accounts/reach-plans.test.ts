// Query plans of what a doctor sees: one call must not read all appointments of the doctor.
import { expect, test } from "bun:test";
import { isCallWithin } from "../../src/calls/call/named-calls.ts";
import { plansOf } from "../support/query-plans.ts";

const DOCTOR = { kind: "practitioner", organisationId: "org_1", practitionerId: "dr-1" } as const;

test("a doctor's call is found by the ids of its appointments, each with an index", async () => {
  const [plan, other] = await plansOf((executor) => isCallWithin(executor, "cal_1", DOCTOR));
  expect(other).toBeUndefined();
  const steps = plan?.steps.filter((step) => step.includes("own") || step.includes("calls")) ?? [];
  expect(steps.map((step) => step.replace(/ \(.*/, ""))).toEqual([
    "SEARCH calls USING INDEX sqlite_autoindex_calls_1",
    "SEARCH own USING INDEX sqlite_autoindex_appointments_1",
    "SEARCH own USING INDEX sqlite_autoindex_appointments_1",
    "SEARCH own USING INDEX appointments_by_call",
    "SEARCH own USING INDEX appointments_by_wish_call",
  ]);
  for (const step of steps) expect(step).not.toContain("practitioner");
});
