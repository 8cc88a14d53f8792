// Filters of the audit trail use an index, in every combination.
import { expect, test } from "bun:test";
import { listAuditPage, type AuditFilter } from "../../src/accounts/audit.ts";
import { plansOf } from "../support/query-plans.ts";

const FILTERS: [string, Partial<AuditFilter>, string][] = [
  ["nothing", {}, "audit_entries_by_time"],
  ["a person", { actorId: "per_1" }, "audit_entries_by_actor"],
  ["a record", { subjectId: "call_1" }, "audit_entries_by_subject"],
  ["an action", { action: "call" }, "audit_entries_by_action"],
  ["a time", { from: 1, to: 2 }, "audit_entries_by_time"],
];

test.each<Partial<AuditFilter>>([
  {},
  { actorId: "per_1" },
  { from: 1, to: 2 },
  { before: { createdAt: 5, id: "aud_1" } },
])("narrowed to the records of a patient and to %j it goes by the index of records", async (filter) => {
  const subjectIds = ["call_1", "call_2", "abc"];
  const plans = await plansOf((executor) =>
    listAuditPage(executor, { organisationId: "org_1", limit: 50, subjectIds, ...filter }),
  );
  const reads = plans.flatMap(({ steps }) => steps).filter((step) => step.includes(" audit_entries USING"));
  const ofEntries = reads.filter((step) => !step.includes("audit_entries_by_action (organisation_id=? AND action>?"));
  expect(ofEntries.length).toBeGreaterThan(0);
  for (const step of ofEntries) expect(step).toContain("audit_entries_by_subject");
});

const PAGES: [string, Partial<AuditFilter>][] = [
  ["the first page", {}],
  ["a later page", { before: { createdAt: 5, id: "aud_1" } }],
];

for (const [narrowedTo, filter, index] of FILTERS) {
  test.each(PAGES)(`narrowed to ${narrowedTo}, %s goes by the index ${index}`, async (_, page) => {
    const plans = await plansOf((executor) =>
      listAuditPage(executor, { organisationId: "org_1", limit: 50, ...filter, ...page }),
    );
    expect(plans.length).toBeGreaterThan(0);
    for (const { steps } of plans) {
      expect(steps.filter((step) => step.startsWith("SCAN"))).toEqual([]);
      expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
    }
    expect(plans.flatMap(({ steps }) => steps).join("; ")).toContain(index);
  });
}
