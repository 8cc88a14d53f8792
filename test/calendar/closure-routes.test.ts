// Closed days over the API: previewed, closed once, listed and reopened; scopes and walls between organisations.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ClosureView } from "../../src/calendar/closure-model.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { outcome } from "../support/hospital.ts";
import { BRANCH, createClinic, MONDAY, NEXT_MONDAY, on, refusal, UNKNOWN_UUID, type Clinic } from "./clinic.ts";

const SCOPE = { branch_ids: [BRANCH], ranges: [{ from: MONDAY, to: MONDAY, name: "Diwali" }] };

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow({ ai_slots: 1, max_slots: 2 });
});
afterEach(() => clinic.close());

const ask = (
  method: string,
  path = "",
  body?: unknown,
  more: { key?: string; headers?: Record<string, string> } = {},
) => clinic.request(method, `/v1/closures${path}`, { ...(body === undefined ? {} : { body }), ...more });
const close = async (changes: object = {}): Promise<string> => {
  const answer = await ask("POST", "", { ...SCOPE, otherwise: "leave", ...changes });
  expect(outcome(answer)).toBe("201 ok");
  return (answer.json.data as unknown as { closure_ids: string[] }).closure_ids[0] ?? "";
};
const closure = async (id: string) => (await ask("GET", `/${id}`)).json.data as unknown as ClosureView;
const openDates = async () => (await clinic.availability(`?to=${MONDAY}`)).map(({ date }) => date);

test("a preview names the people and where they could go, changes nothing, and is audited", async () => {
  await clinic.book(on(window, MONDAY), { contact_name: "Asha" });
  const { json } = await ask("POST", "/preview", SCOPE);
  expect(json.data as unknown).toMatchObject({
    windows: 1,
    people: [{ appointment: { contact_name: "Asha" }, next_place: { slot_id: on(window, NEXT_MONDAY) } }],
    has_more: false,
  });
  expect(await openDates()).toEqual([MONDAY]);
  expect(await clinic.actionsOnRecord()).toContain("appointment.listed");
});

test("days are closed and reopened; the closure shows its progress", async () => {
  const { appointment_id } = await clinic.book(on(window, MONDAY), { contact_name: "Asha" });
  const id = await close({ otherwise: "move" });
  expect(await openDates()).toEqual([]);
  expect(await closure(id)).toMatchObject({
    closure_id: id,
    name: "Diwali",
    from: MONDAY,
    to: MONDAY,
    branch_ids: [BRANCH],
    state: "closed",
    otherwise: "move",
    people: { moved: 1, called: 0, left: 0, waiting: 0, refused: 0 },
  });
  const moved = await clinic.request("GET", `/v1/appointments/${appointment_id}`);
  expect(moved.json.data).toMatchObject({ slot_id: on(window, NEXT_MONDAY) });

  expect((await ask("POST", `/${id}/reopen`, {})).json.data).toMatchObject({ state: "reopened" });
  expect(await openDates()).toEqual([MONDAY]);
  expect(outcome(await ask("POST", `/${id}/reopen`, {}))).toBe("409 CONFLICT");
  for (const action of ["closure.made", "closure.reopened"]) expect(await clinic.actionsOnRecord()).toContain(action);
});

test("people who could not be moved are listed", async () => {
  const { appointment_id } = await clinic.book(on(window, MONDAY), { contact_name: "Asha" });
  const id = await close({ people: [{ appointment_id, choice: "move", slot_id: on(window, "2026-11-09") }] });
  const { json } = await ask("GET", `/${id}/refused`);
  expect(json.data as unknown).toMatchObject([{ appointment_id, contact_name: "Asha" }]);
});

test("each range is a closure; a request with an Idempotency-Key closes once", async () => {
  const ranges = [MONDAY, NEXT_MONDAY].map((day) => ({ from: day, to: day }));
  const send = () =>
    ask("POST", "", { ...SCOPE, ranges, otherwise: "leave" }, { headers: { "idempotency-key": "once" } });
  const [first, second] = [await send(), await send()];
  expect((first.json.data as unknown as { closure_ids: string[] }).closure_ids).toHaveLength(2);
  expect(second.json.data).toEqual(first.json.data);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect((await ask("GET")).json.data).toHaveLength(2);
});

test("the list has every closure once, newest first, past ones too", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    clinic.clock.pass(1);
    ids.unshift(await close());
  }
  clinic.clock.pass(40 * 86_400_000);
  const listed: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const answer = await ask("GET", `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    const page = answer.json as unknown as { data: ClosureView[]; next_cursor: string | null };
    listed.push(...page.data.map(({ closure_id }) => closure_id));
    cursor = page.next_cursor;
  }
  expect(listed).toEqual(ids);
});

test("other organisations neither see nor reopen them, and close no foreign branch", async () => {
  const id = await close();
  const { key } = await clinic.neighbour();
  expect(outcome(await ask("GET", `/${id}`, undefined, { key }))).toBe("404 NOT_FOUND");
  expect(outcome(await ask("GET", `/${id}/refused`, undefined, { key }))).toBe("404 NOT_FOUND");
  expect(outcome(await ask("POST", `/${id}/reopen`, {}, { key }))).toBe("404 NOT_FOUND");
  expect((await ask("GET", "", undefined, { key })).json.data as unknown).toEqual([]);
  for (const path of ["", "/preview"]) {
    const answer = await ask("POST", path, { ...SCOPE, otherwise: "leave" }, { key });
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "branch_ids"]);
  }
  expect((await closure(id)).state).toBe("closed");
});

test("reading and writing have a scope each; the preview needs the right to close", async () => {
  const id = await close();
  const [reads, writes] = [await clinic.newKey(["closures:read"]), await clinic.newKey(["closures:write"])];
  const refused = "403 INSUFFICIENT_SCOPE";
  for (const path of ["", `/${id}`, `/${id}/refused`]) {
    expect(outcome(await ask("GET", path, undefined, { key: reads }))).toBe("200 ok");
    expect(outcome(await ask("GET", path, undefined, { key: writes }))).toBe(refused);
  }
  expect(outcome(await ask("POST", "", { ...SCOPE, otherwise: "leave" }, { key: reads }))).toBe(refused);
  expect(outcome(await ask("POST", "/preview", SCOPE, { key: reads }))).toBe(refused);
  expect(outcome(await ask("POST", `/${id}/reopen`, {}, { key: reads }))).toBe(refused);
  expect(outcome(await ask("POST", `/${id}/reopen`, {}, { key: writes }))).toBe("200 ok");
});

test.each([
  ["branch_ids", { branch_ids: [UNKNOWN_UUID] }],
  ["window_id", { window_id: UNKNOWN_UUID }],
  ["to", { ranges: [{ from: MONDAY, to: "2026-11-15" }] }],
  ["to", { ranges: [{ from: "2020-01-01", to: "2020-01-02" }] }],
  ["agent_id", { otherwise: "call" }],
  ["agent_id", { otherwise: "call", agent_id: "agt_unknown" }],
  ["otherwise", { otherwise: "forget" }],
])("a wrong %s is rejected: %j", async (field, changes) => {
  expect(refusal(await ask("POST", "", { ...SCOPE, otherwise: "leave", ...changes }))).toEqual([
    400,
    "VALIDATION_ERROR",
    field,
  ]);
});
