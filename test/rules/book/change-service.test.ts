// An organisation's changes to the rules: stricter freely, looser with a reason, each kept, and no one else's.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, type Actor } from "../../../src/core/actor.ts";
import { entityTag } from "../../../src/core/entity-tag.ts";
import type { AppError } from "../../../src/core/errors.ts";
import { ruleChangesOf } from "../../../src/rules/book/change-store.ts";
import { ruleBook } from "../../../src/rules/book/embedded-books.ts";
import { NO_CHANGES } from "../../../src/rules/book/rule-book.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { rejectionOf } from "../../support/temp.ts";

const OWNER: Actor = { kind: "person", id: "per_owner", role: "owner" };
const LATER = { start: "10:00", end: "19:00", days: [1, 2, 3, 4, 5, 6] };
const EARLIER = { start: "07:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] };
const REASON = "Dialysis patients are called before the first shift at eight.";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const service = () => hospital.app.services.ruleChanges;
const set = (
  ruleId: string,
  value: unknown,
  reason?: string,
  actor: Actor = OWNER,
  organisationId = hospital.organisationId,
) => service().set(organisationId, { ruleId, value, reason }, actor);
/** The rule as a person sees it now. */
const seenBy = async (ruleId: string): Promise<Actor> => {
  const { data } = await service().view(hospital.organisationId);
  const rule = data.flatMap(({ rules }) => rules).find(({ rule_id }) => rule_id === ruleId);
  if (!rule) throw new Error(`There is no rule ${ruleId}.`);
  return { ...OWNER, basedOn: entityTag(rule) };
};
const refusal = async (promise: Promise<unknown>) => {
  const { code, message } = await rejectionOf<AppError>(promise);
  return `${code}: ${message}`;
};
const hours = async (number = "+919810012345") =>
  ruleBook().resolve(
    { number, region: null, purpose: "service", hasConsent: false },
    await ruleChangesOf(hospital.db.reader, hospital.organisationId),
  );

describe("a change", () => {
  test("to a stricter value needs no reason, holds at once and is recorded", async () => {
    expect(await set("in-hours", LATER)).toMatchObject({ revision: 1, is_looser: false, reason: null });
    expect(await hours()).toMatchObject({ version: "in-2026.11+1", hours: LATER });
    expect(await hospital.actionsOnRecord()).toContain("rule.tightened");
  });

  test("to a looser value needs a reason of 10 to 500 characters", async () => {
    const asksForReason =
      "VALIDATION_ERROR: This value is looser than the rule. Give a reason of 10 to 500 characters.";
    expect(await refusal(set("in-hours", EARLIER))).toBe(asksForReason);
    expect(await refusal(set("in-hours", EARLIER, "  too short   "))).toBe(asksForReason);
    expect(await refusal(set("in-hours", EARLIER, "x".repeat(501)))).toBe(asksForReason);
    expect(await hours()).toMatchObject({ hours: { start: "09:00" } });
    await set("in-hours", EARLIER, ` ${REASON} `);
    expect(await hours()).toMatchObject({ hours: { start: "07:00" } });
    const [change] = await service().history(hospital.organisationId);
    expect(change).toMatchObject({ is_looser: true, reason: REASON, actor_id: "per_owner", book: "in-2026.11" });
    expect(await hospital.actionsOnRecord()).toContain("rule.loosened");
  });

  test("is looser if it is stricter in one part and looser in another", async () => {
    const shifted = { start: "10:00", end: "20:30", days: [1] };
    expect(await refusal(set("in-hours", shifted))).toContain("This value is looser than the rule.");
  });

  test.each<[string, unknown, string]>([
    ["in-hours", { start: "20:00", end: "09:00", days: [1] }, "value.start must be before value.end."],
    [
      "in-hours",
      { start: "09:00", end: "20:00", days: [] },
      "value.days must be a list of days, 0 (Sunday) to 6, with at least one.",
    ],
    ["in-hours", "always", "value must be a table."],
    ["in-hours", { ...LATER, zone: "UTC" }, "value.zone"],
    ["in-per-day", 0, "value must be a whole number from 1 to 100, or unlimited."],
    ["in-per-day", "3", "value must be a whole number from 1 to 100, or unlimited."],
    ["in-days-off", ["2026-02-30"], "value has a date that does not exist: 2026-02-30."],
    ["us-recording", "on", "value must be one of announce, ask, off."],
    ["in-per-day", 3, "value is that of the book. Reset the rule to use it."],
    ["us-notices", ["caller"], "What is said on every call cannot be changed."],
    ["xx-hours", LATER, "There is no such rule. List the rules to see their ids."],
  ])("of %s to %p is refused", async (ruleId, value, message) => {
    expect(await refusal(set(ruleId, value, REASON))).toContain(message);
    expect(await ruleChangesOf(hospital.db.reader, hospital.organisationId)).toBe(NO_CHANGES);
  });
});

test("the newest change of a rule counts, a withdrawn one no longer, and the history keeps all", async () => {
  await set("in-per-day", 2);
  await set("in-per-day", 1);
  expect(await hours()).toMatchObject({ perDay: 1, version: "in-2026.11+2" });
  await service().reset(hospital.organisationId, "in-per-day", OWNER);
  expect(await hours()).toMatchObject({ perDay: 3, version: "in-2026.11+3" });
  expect(await refusal(service().reset(hospital.organisationId, "in-per-day", OWNER))).toContain("NOT_FOUND");
  const history = await service().history(hospital.organisationId);
  expect(history.map(({ revision, value, is_current }) => [revision, value, is_current])).toEqual([
    [3, null, true],
    [2, 1, false],
    [1, 2, false],
  ]);
  expect(await hospital.actionsOnRecord()).toContain("rule.reset");
});

test("an organisation's changes do not reach another", async () => {
  const other = await hospital.neighbour();
  await set("in-per-day", 1);
  expect(await ruleChangesOf(hospital.db.reader, other.organisationId)).toBe(NO_CHANGES);
  expect(await refusal(service().reset(other.organisationId, "in-per-day", CLI_ACTOR))).toContain("NOT_FOUND");
  expect(await service().history(other.organisationId)).toEqual([]);
});

test("of two people who saw the same rule, one is shown what the other saved", async () => {
  const seen = await seenBy("in-per-day");
  const both = [1, 2].map((value) => set("in-per-day", value, undefined, seen));
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await service().history(hospital.organisationId)).toHaveLength(1);
  expect(await refusal(service().reset(hospital.organisationId, "in-per-day", seen))).toContain("PRECONDITION_FAILED");
  await set("us-recording", "off", undefined, await seenBy("us-recording"));
  await service().reset(hospital.organisationId, "in-per-day", await seenBy("in-per-day"));
});

test("twenty changes at once are counted without a gap, and one of each rule is current", async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => set(i % 2 ? "in-per-day" : "us-recording", i % 2 ? 1 : "off")),
  );
  const history = await service().history(hospital.organisationId);
  expect(history.map(({ revision }) => revision)).toEqual(Array.from({ length: 20 }, (_, i) => 20 - i));
  expect(history.filter(({ is_current }) => is_current)).toHaveLength(2);
});

test("the same rows give the same object, and the rules stay resolved", async () => {
  await set("in-per-day", 1);
  expect(await hours()).toBe(await hours());
  const inTransaction = await hospital.db.write((tx) => ruleChangesOf(tx, hospital.organisationId));
  expect(inTransaction).toBe(await ruleChangesOf(hospital.db.reader, hospital.organisationId));
});

test("a stored value that the book no longer takes is left out, and the book counts", async () => {
  const row = { reason: null, book: "in-2025.01", is_current: 1, is_looser: 0, at: 1, actor_kind: "cli" } as const;
  const base = { organisation_id: hospital.organisationId, actor_id: null, ...row };
  await hospital.db.write((tx) =>
    tx
      .insertInto("rule_changes")
      .values([
        { ...base, revision: 1, rule_id: "in-per-day", value: '"seldom"' },
        { ...base, revision: 2, rule_id: "in-gone", value: "1" },
      ])
      .execute(),
  );
  expect(await hours()).toMatchObject({ perDay: 3, version: "in-2026.11+2" });
});
