// The form state of a new call, and filters in the address.
import { describe, expect, test } from "bun:test";
import { addressOf, filtersOf, NO_FILTERS, queryOf, savableOf } from "../../src/web/pages/calls/filters.ts";
import {
  bodyOf,
  draftFaults,
  EMPTY_DRAFT,
  faultsAfter,
  fieldFaults,
  withPlaceholdersOf,
} from "../../src/web/pages/calls/draft.ts";

const row = (id: number, key: string, value: string) => ({ id, key, value });

describe("a draft", () => {
  test("sends a number without spaces, and no empty fields", () => {
    expect(
      bodyOf(
        { ...EMPTY_DRAFT, agentId: "agt_1", number: "+1 (555) 555-0100", name: " ", info: [row(1, "doctor", "")] },
        "UTC",
      ),
    ).toEqual({
      agent_id: "agt_1",
      user_number: "+15555550100",
    });
  });

  test("interprets its time in the organisation's time zone, across daylight saving changes", () => {
    const at = (laterAt: string) =>
      bodyOf({ ...EMPTY_DRAFT, when: "later", laterAt }, "America/New_York").scheduled_time;
    expect(at("2026-10-31T09:30")).toBe("2026-10-31T13:30:00.000Z");
    expect(at("2026-11-02T09:30")).toBe("2026-11-02T14:30:00.000Z");
  });

  test("offers a row for each placeholder without a built-in value, and keeps entered values", () => {
    const agent = {
      greeting: "Hello {{user_name}}, I am {{agent_name}}.",
      prompt: "Confirm {{visit}} with {{ doctor }}; {{visit}}.",
    };
    const rows = withPlaceholdersOf([row(1, "doctor", "Dr. Rao"), row(2, "old", "")], agent);
    expect(rows.map(({ key, value }) => [key, value])).toEqual([
      ["doctor", "Dr. Rao"],
      ["visit", ""],
    ]);
  });

  test("validates before any request", () => {
    expect(draftFaults({ ...EMPTY_DRAFT, info: [row(1, "", "x")] })).toHaveProperty("additional_info");
    expect(draftFaults({ ...EMPTY_DRAFT, info: [row(1, "a", "x"), row(2, " a", "y")] })).toEqual({
      additional_info: "a is there twice.",
    });
    expect(draftFaults({ ...EMPTY_DRAFT, when: "later" })).toHaveProperty("scheduled_time");
    expect(draftFaults({ ...EMPTY_DRAFT, info: [row(1, "a", "x"), row(2, "", "")] })).toEqual({});
  });

  test("shows the server's errors in the form's words, until the field is changed", () => {
    const faults = fieldFaults({
      code: "",
      message: "",
      fields: { user_number: "user_number must be E.164.", agent_id: "agent_id names no agent." },
    });
    expect(faults).toEqual({ user_number: "The number must be E.164.", agent_id: "The agent names no agent." });
    expect(faultsAfter(faults, { number: "+1" })).toEqual({ agent_id: "The agent names no agent." });
  });
});

describe("filters", () => {
  test("round-trip through the address", () => {
    const filters = {
      search: "+91 & co",
      status: "queued",
      outcome: "busy",
      agent_id: "agt_1",
      campaign_id: "cmp_1",
      planned: "days",
      planned_from: "2026-11-03",
      planned_to: "2026-11-04",
      from: "2026-11-01",
      to: "2026-11-15",
    };
    const { searchParams } = new URL(addressOf(filters), "http://localhost");
    expect(filtersOf(Object.fromEntries(searchParams))).toEqual(filters);
    expect(addressOf(NO_FILTERS)).toBe("/dashboard/calls");
  });

  test("ask for whole days in the organisation's time zone", () => {
    expect(queryOf({ ...NO_FILTERS, from: "2026-11-14", to: "2026-11-15" }, "Asia/Kolkata")).toEqual({
      created_from: "2026-11-13T18:30:00.000Z",
      created_to: "2026-11-15T18:30:00.000Z",
    });
  });

  test("ask for calls planned on given days, and are saved without the search text", () => {
    const filters = { ...NO_FILTERS, search: "Meera", planned: "days", planned_from: "2026-11-14" };
    expect(queryOf(filters, "Asia/Kolkata")).toEqual({ search: "Meera", planned_from: "2026-11-13T18:30:00.000Z" });
    expect(savableOf(filters)).toEqual({ planned: "days", planned_from: "2026-11-14" });
    const today = queryOf({ ...NO_FILTERS, planned: "today" }, "UTC");
    expect(Date.parse(today.planned_to!) - Date.parse(today.planned_from!)).toBe(86_400_000);
  });

  test("that are mistyped in the address are ignored", () => {
    expect(filtersOf({ from: "yesterday", to: "2026-13-45" })).toEqual(NO_FILTERS);
  });
});
