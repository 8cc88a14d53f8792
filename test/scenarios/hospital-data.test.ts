// The hospital's own data over the API of the compiled binary: a branch, a service and a reminder rule are created, a
// day is closed, the process is killed, and the people are found.
import { expect, test } from "bun:test";
import type { BranchView, ServiceView } from "../../src/calendar/directory-model.ts";
import type { ClosureView } from "../../src/calendar/closure-model.ts";
import type { RuleView } from "../../src/reminders/model.ts";
import type { Person, PersonRow } from "../../src/rights/model.ts";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DAY_MS = 86_400_000;
const NUMBER = "+912255550123";

let server: Running;
async function wanted<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await ask(server, method, path, { headers, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.data as T;
}

test("a branch is set up, its day is closed once over a kill, and its people are found", async () => {
  const dataDir = tempFolder();
  server = await startQuick({}, { dataDir });
  const branch = await wanted<BranchView>("POST", "/v1/branches", { name: "Lake", time_zone: "Etc/UTC" });
  const service = await wanted<ServiceView>("POST", "/v1/services", { name: "Cardiology" });
  const inThreeDays = new Date(Date.now() + 3 * DAY_MS);
  const date = inThreeDays.toISOString().slice(0, 10);
  const window = await wanted<{ calendar_id: string }>("POST", "/v1/appointment-slots", {
    branch_id: branch.branch_id,
    appointment_type_id: service.appointment_type_id,
    day: DAYS[inThreeDays.getUTCDay()],
    session: "Morning",
    ai_slots: 5,
    max_slots: 5,
  });
  const { appointment_id } = await wanted<{ appointment_id: string }>("POST", "/v1/appointments", {
    slot_id: `${window.calendar_id}||${date}`,
    contact_name: "Lata Iyer",
    contact_number: NUMBER,
  });
  const rule = { branch_id: branch.branch_id, timing: "hours_before", hours_before: 48 };
  expect(await wanted<unknown>("POST", "/v1/reminder-rules/preview", rule)).toEqual({
    tomorrow: { people: 1, without_number: 0 },
  });
  const made = await wanted<RuleView>("POST", "/v1/reminder-rules", { ...rule, agent_id: server.demo["agent_id"] });
  const ruleNow = () => wanted<RuleView>("GET", `/v1/reminder-rules/${made.rule_id}`);
  await until(async () => (await ruleNow()).is_planned);

  const closing = { branch_ids: [branch.branch_id], ranges: [{ from: date, to: date }], otherwise: "move" };
  const close = () =>
    wanted<{ closure_ids: string[] }>("POST", "/v1/closures", closing, { "idempotency-key": "one closure" });
  const closed = await close();
  await server.kill();
  server = await startQuick({}, { dataDir });
  expect(await close()).toEqual(closed);
  const [closureId = ""] = closed.closure_ids;
  const closureNow = () => wanted<ClosureView>("GET", `/v1/closures/${closureId}`);
  await until(async () => (await closureNow()).state === "closed");
  expect((await closureNow()).people).toMatchObject({ moved: 1, waiting: 0, refused: 0 });
  const moved = await wanted<{ date: string }>("GET", `/v1/appointments/${appointment_id}`);
  expect(Date.parse(moved.date) - Date.parse(date)).toBe(7 * DAY_MS);
  await wanted("POST", `/v1/closures/${closureId}/reopen`, {});

  const [found] = await wanted<PersonRow[]>("POST", "/v1/people/search", { text: "022 5555 0123" });
  expect(found).toMatchObject({ contact_number: NUMBER, next_appointment: { date: moved.date } });
  const person = await wanted<Person>("GET", `/v1/people/${found?.contact_id}`);
  expect(person).toMatchObject({ names: ["Lata Iyer"], appointments: [{ appointment_id, date: moved.date }] });
  expect((await ask(server, "DELETE", `/v1/branches/${branch.branch_id}`)).error.code).toBe("CONFLICT");
  expect(await server.stop()).toBe(0);
}, 180_000);
