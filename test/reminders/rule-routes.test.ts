// Reminder rules over the API: previewed, created once, changed and removed; scopes and walls between organisations.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { RuleView } from "../../src/reminders/model.ts";
import {
  BRANCH,
  createClinic,
  NEXT_MONDAY,
  on,
  refusal,
  SERVICE,
  UNKNOWN_UUID,
  type Clinic,
} from "../calendar/clinic.ts";
import { outcome } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

let clinic: Clinic;
beforeAll(async () => void (clinic = await createClinic()));
afterAll(() => clinic.close());

const ask = (
  method: string,
  path = "",
  body?: unknown,
  more: { key?: string; headers?: Record<string, string> } = {},
) => clinic.request(method, `/v1/reminder-rules${path}`, { ...(body === undefined ? {} : { body }), ...more });
const create = async (changes: object = {}): Promise<RuleView> => {
  const answer = await ask("POST", "", { agent_id: clinic.agentId, ...changes });
  expect(outcome(answer)).toBe("201 ok");
  return answer.json.data as unknown as RuleView;
};
const listed = async (key?: string) =>
  (await ask("GET", "", undefined, key === undefined ? {} : { key })).json.data as unknown as RuleView[];

test("a rule is created with defaults, read, changed and removed", async () => {
  const rule = await create({ days_before: 2, placeholders: [{ placeholder: "visit", source: "date_and_time" }] });
  expect(rule).toMatchObject({ agent_name: "Asha", timing: "day_before", days_before: 2, at: "10:00", enabled: true });
  await settle();
  expect((await ask("GET", `/${rule.rule_id}`)).json.data).toMatchObject({ rule_id: rule.rule_id, days_before: 2 });
  const off = await ask("PATCH", `/${rule.rule_id}`, { enabled: false });
  expect(off.json.data as unknown).toMatchObject({ enabled: false, days_before: 2 });
  expect((await listed()).map(({ rule_id }) => rule_id)).toContain(rule.rule_id);

  const { json } = await ask("DELETE", `/${rule.rule_id}`);
  expect(json.data as unknown).toEqual({ rule_id: rule.rule_id, removed: true });
  for (const [method, body] of [["GET"], ["PATCH", { enabled: true }], ["DELETE"]] as const)
    expect(outcome(await ask(method, `/${rule.rule_id}`, body))).toBe("404 NOT_FOUND");
  const actions = await clinic.actionsOnRecord();
  for (const action of ["created", "changed", "removed"]) expect(actions).toContain(`reminder_rule.${action}`);
});

test("a rule is created once for an Idempotency-Key", async () => {
  const send = () => ask("POST", "", { agent_id: clinic.agentId }, { headers: { "idempotency-key": "once" } });
  const [first, second] = [await send(), await send()];
  expect(second.json.data).toEqual(first.json.data);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
});

test("a preview counts whom a rule would call tomorrow, and creates nothing", async () => {
  const window = await clinic.createWindow({ appointment_type_id: SERVICE });
  await clinic.book(on(window, NEXT_MONDAY), { contact_number: "+919810012399" });
  await clinic.book(on(window, NEXT_MONDAY));
  const before = (await listed()).length;
  const tomorrow = async (body: object) => (await ask("POST", "/preview", body)).json.data as unknown;
  expect(await tomorrow({ days_before: 7 })).toEqual({ tomorrow: { people: 1, without_number: 1 } });
  expect(await tomorrow({ days_before: 7, branch_id: BRANCH, appointment_type_id: SERVICE })).toEqual({
    tomorrow: { people: 1, without_number: 1 },
  });
  expect(await tomorrow({ days_before: 1 })).toEqual({ tomorrow: { people: 0, without_number: 0 } });
  expect(await listed()).toHaveLength(before);
});

test("other organisations neither see nor change it, nor use its agent", async () => {
  const { rule_id } = await create();
  const { key } = await clinic.neighbour();
  for (const [method, body] of [["GET"], ["PATCH", { enabled: false }], ["DELETE"]] as const)
    expect(outcome(await ask(method, `/${rule_id}`, body, { key }))).toBe("404 NOT_FOUND");
  expect(await listed(key)).toEqual([]);
  const foreign = await ask("POST", "", { agent_id: clinic.agentId }, { key });
  expect(refusal(foreign)).toEqual([400, "VALIDATION_ERROR", "agent_id"]);
  expect((await ask("GET", `/${rule_id}`)).json.data).toMatchObject({ enabled: true });
});

test("reading and writing have a scope each", async () => {
  const { rule_id } = await create();
  const [reads, writes] = [await clinic.newKey(["reminders:read"]), await clinic.newKey(["reminders:write"])];
  const refused = "403 INSUFFICIENT_SCOPE";
  for (const path of ["", `/${rule_id}`]) {
    expect(outcome(await ask("GET", path, undefined, { key: reads }))).toBe("200 ok");
    expect(outcome(await ask("GET", path, undefined, { key: writes }))).toBe(refused);
  }
  expect(outcome(await ask("POST", "/preview", {}, { key: reads }))).toBe("200 ok");
  expect(outcome(await ask("POST", "/preview", {}, { key: writes }))).toBe(refused);
  expect(outcome(await ask("POST", "", { agent_id: clinic.agentId }, { key: reads }))).toBe(refused);
  expect(outcome(await ask("PATCH", `/${rule_id}`, { tries: 1 }, { key: reads }))).toBe(refused);
  expect(outcome(await ask("DELETE", `/${rule_id}`, undefined, { key: reads }))).toBe(refused);
  expect(outcome(await ask("DELETE", `/${rule_id}`, undefined, { key: writes }))).toBe("200 ok");
});

test.each([
  ["agent_id", { agent_id: "agt_unknown" }],
  ["branch_id", { branch_id: UNKNOWN_UUID }],
  ["appointment_type_id", { appointment_type_id: UNKNOWN_UUID }],
  ["at", { at: "25:00" }],
  ["at", { at: "06:00" }],
  ["call_to", { call_from: "09:00", call_to: "09:30" }],
  ["timing", { timing: "week_before" }],
  ["tries", { tries: 9 }],
])("a wrong %s is rejected: %j", async (field, changes) => {
  expect(refusal(await ask("POST", "", { agent_id: clinic.agentId, ...changes }))).toEqual([
    400,
    "VALIDATION_ERROR",
    field,
  ]);
});
