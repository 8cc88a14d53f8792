// Listing appointments, the reads of a booking form, and permissions.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Appointment } from "../../src/payloads/appointment.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import {
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  refusal,
  SERVICE,
  UNKNOWN_UUID,
  BRANCH,
  type Clinic,
} from "./clinic.ts";

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow({ batch_name: "A", ai_slots: 1, max_slots: 3 });
});
afterEach(() => clinic.close());

describe("listing", () => {
  const list = async (query = "", key?: string) => {
    const answer = await clinic.request("GET", `/v1/appointments${query}`, key === undefined ? {} : { key });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json as unknown as { data: Appointment[]; next_cursor: string | null };
  };
  const namesOf = async (query: string) => (await list(query)).data.map(({ contact_name }) => contact_name);

  test("newest first, with each filter", async () => {
    const other = await clinic.createWindow({ branch_id: UNKNOWN_UUID, appointment_type_id: SERVICE });
    const a = await clinic.book(on(window, MONDAY), { contact_name: "a", contact_number: "+919810012345" });
    await clinic.clock.advance(5);
    await clinic.book(on(window, NEXT_MONDAY), { contact_name: "b", contact_number: "+15555550100" });
    await clinic.book(on(other, MONDAY), { contact_name: "c" });
    await clinic.change(a.appointment_id, { status: "cancelled" });
    const cases: [string, string[]][] = [
      ["", ["c", "b", "a"]],
      ["?status=cancelled", ["a"]],
      ["?status=confirmed", ["c", "b"]],
      ["?status=no_show", []],
      [`?branch_id=${BRANCH.toUpperCase()}`, ["b", "a"]],
      [`?branch_id=${UNKNOWN_UUID}`, ["c"]],
      [`?appointment_type_id=${SERVICE}`, ["c"]],
      ["?contact_number=%2B919810012345", ["a"]],
      ["?contact_number=+919810012345", ["a"]],
      ["?call_id=call_1", []],
      [`?from=${NEXT_MONDAY}`, ["b"]],
      [`?to=${MONDAY}`, ["c", "a"]],
      [`?from=${MONDAY}&to=${MONDAY}&status=confirmed`, ["c"]],
    ];
    for (const [query, expected] of cases) expect([query, await namesOf(query)]).toEqual([query, expected]);
  });

  test("pages by cursor, each appointment once, even while more are created", async () => {
    const wide = await clinic.createWindow({ max_slots: 50 });
    for (let i = 0; i < 7; i++) {
      await clinic.book(on(wide, MONDAY), { contact_name: String(i) });
      if (i % 3 === 2) await clinic.clock.advance(1);
    }
    const seen: (string | null)[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await list(`?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map(({ contact_name }) => contact_name));
      cursor = page.next_cursor;
      if (seen.length === 2) await clinic.book(on(wide, MONDAY), { contact_name: "late" });
    }
    expect(seen).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
  });

  test("20 per page, at most 100", async () => {
    const wide = await clinic.createWindow({ max_slots: 50 });
    for (let i = 0; i < 21; i++) await clinic.book(on(wide, MONDAY));
    const page = await list();
    expect([page.data.length, typeof page.next_cursor]).toEqual([20, "string"]);
    expect((await list("?limit=100")).next_cursor).toBeNull();
  });

  test.each([
    ["status=late", "status"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=ten", "limit"],
    ["cursor=nonsense", "cursor"],
    ["branch_id=x", "branch_id"],
    ["appointment_type_id=x", "appointment_type_id"],
    ["from=2026-02-30", "from"],
    ["to=soon", "to"],
  ])("%s is rejected", async (query, field) => {
    expect(refusal(await clinic.request("GET", `/v1/appointments?${query}`))).toEqual([400, "VALIDATION_ERROR", field]);
  });
});

test("the reads of a booking form: time zone, branches, sessions, statuses", async () => {
  await clinic.app.services.directory.setBranch(
    clinic.organisationId,
    BRANCH,
    { name: "Main", timeZone: "America/New_York" },
    CLI_ACTOR,
  );
  const answer = await clinic.request("GET", "/v1/appointments/configuration");
  expect(answer.json as object).toEqual({
    data: {
      time_zone: "Asia/Kolkata",
      branches: [{ branch_id: BRANCH, name: "Main", time_zone: "America/New_York" }],
      sessions: [
        { session: "Morning", start_time: "09:00", end_time: "12:00" },
        { session: "Afternoon", start_time: "12:00", end_time: "17:00" },
        { session: "Evening", start_time: "17:00", end_time: "21:00" },
      ],
      statuses: ["confirmed", "completed", "cancelled", "no_show"],
      max_query_days: 92,
    },
  });
});

test.each([
  ["GET", "", "appointments:read"],
  ["GET", "/configuration", "appointments:read"],
  ["GET", "/services", "appointments:read"],
  ["GET", "/availability", "appointments:read"],
  ["GET", "/apt_1", "appointments:read"],
  ["POST", "", "appointments:write"],
  ["PATCH", "/apt_1", "appointments:write"],
] as const)("%s /v1/appointments%s needs %s", async (method, path, scope) => {
  const key = await clinic.newKey([
    scope === "appointments:read" ? "appointments:write" : "appointments:read",
    "slots:read",
    "slots:write",
  ]);
  const answer = await clinic.request(method, `/v1/appointments${path}`, {
    key,
    ...(method === "GET" ? {} : { body: {} }),
  });
  expect(refusal(answer)).toEqual([403, "INSUFFICIENT_SCOPE"]);
  expect(answer.json.error.message).toContain(scope);
});
