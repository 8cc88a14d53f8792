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
