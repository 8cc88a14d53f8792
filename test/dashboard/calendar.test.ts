// The routes behind the calendar page: what they show, to whom, and what each role may do.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { BRANCH, createClinic, MONDAY, refusal, SERVICE, type Clinic } from "../calendar/clinic.ts";

let clinic: Clinic;
const cookies: Record<string, string> = {};
const PASSWORD = "correct horse battery";

beforeAll(async () => {
  clinic = await createClinic();
  for (const role of ["viewer", "staff"]) {
    const email = `${role}@example.test`;
    const person = { email, name: role, role, password: PASSWORD };
    await clinic.app.services.people.create(clinic.organisationId, person, CLI_ACTOR);
    const { headers } = await ask("", "POST", "login", { email, password: PASSWORD });
    cookies[role] = headers.get("set-cookie")?.split(";")[0] ?? "";
  }
});
afterAll(() => clinic.close());

const ask = (role: string, method: string, path: string, body?: unknown) =>
  clinic.request(method, `/dashboard/api/${path}`, {
    key: null,
    headers: { "x-ringward-dashboard": "1", cookie: cookies[role] ?? "" },
    ...(body === undefined ? {} : { body }),
  });
const branchesShown = async () => {
  const { json } = await ask("viewer", "GET", "calendar/configuration");
  return (json as unknown as { branches: unknown[] }).branches;
};
const NEW_WINDOW = { branch_id: BRANCH, day: "monday", session: "Evening", ai_slots: 1, max_slots: 1 };
const newWindow = async () => (await ask("staff", "POST", "calendar/windows", NEW_WINDOW)).json as unknown as Slot;

describe("a branch", () => {
  test("is added by a name and a UUID that the page makes, and follows the hospital's zone", async () => {
    expect(await branchesShown()).toEqual([]);
    const { status } = await ask("staff", "PUT", `calendar/branches/${BRANCH}`, { name: "Main", time_zone: null });
    expect(status).toBe(200);
    expect(await branchesShown()).toEqual([
      { branch_id: BRANCH, name: "Main", time_zone: "Asia/Kolkata", own_time_zone: null },
    ]);
  });

  test("can have a zone of its own, and go back to the hospital's", async () => {
    await ask("staff", "PUT", `calendar/branches/${BRANCH}`, { time_zone: "Asia/Dubai" });
    expect(await branchesShown()).toMatchObject([
      { name: "Main", time_zone: "Asia/Dubai", own_time_zone: "Asia/Dubai" },
    ]);
    await ask("staff", "PUT", `calendar/branches/${BRANCH}`, { time_zone: null });
    expect(await branchesShown()).toMatchObject([{ time_zone: "Asia/Kolkata", own_time_zone: null }]);
  });

  test("does not take a zone that is none", async () => {
    const answer = await ask("staff", "PUT", `calendar/branches/${BRANCH}`, {
      name: "Main",
      time_zone: "Asia/Nowhere",
    });
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "time_zone"]);
  });
});

test("the same person twice in one window is asked about at the dashboard, and never at the API", async () => {
  const { calendar_id } = await newWindow();
  await clinic.patchWindow(calendar_id, { max_slots: 4 });
  const slot_id = `${calendar_id}||${MONDAY}`;
  const book = (changes: Record<string, unknown> = {}) =>
    ask("staff", "POST", "appointments", { slot_id, contact_name: "Asha Rao", ...changes });
  expect((await book()).status).toBe(200);
  expect(refusal(await book())).toEqual([409, "CONFLICT", "twice"]);
  expect((await book({ contact_name: "Meera Iyer" })).status).toBe(200);
  expect((await book({ twice: true })).status).toBe(200);
  expect((await clinic.postAppointment(slot_id, { contact_name: "Asha Rao" })).status).toBe(201);
  const other = (await newWindow()).calendar_id;
  const moved = await clinic.book(`${other}||${MONDAY}`, { contact_name: "Asha Rao" });
  await clinic.patchWindow(calendar_id, { max_slots: 5 });
  const move = (changes: object = {}) =>
    ask("staff", "PATCH", `appointments/${moved.appointment_id}`, { slot_id, ...changes });
  expect(refusal(await move())).toEqual([409, "CONFLICT", "twice"]);
  expect((await move({ twice: true })).status).toBe(200);
});

test("a service is named", async () => {
  await ask("staff", "PUT", `calendar/services/${SERVICE}`, { name: "Consultation" });
  const { json } = await ask("viewer", "GET", "calendar/services");
  expect(json as unknown).toEqual([{ appointment_type_id: SERVICE, appointment_type_name: "Consultation" }]);
});

test("a date is closed, and goes back to its window's own, by the slot_id in the path as a browser writes it", async () => {
  const { calendar_id } = await newWindow();
  const path = `calendar/tracking/${encodeURIComponent(`${calendar_id}||${MONDAY}||any`)}`;
  expect(
    (await ask("staff", "PATCH", path, { status: "CLOSED", max_slots: 3, ai_slots: null })).json as unknown,
  ).toMatchObject({
    date: MONDAY,
    status: "CLOSED",
    max_slots: 3,
    overridden: true,
  });
  const own = { status: null, max_slots: null, ai_slots: null };
  expect((await ask("staff", "PATCH", path, own)).json as unknown).toMatchObject({
    status: "OPEN",
    max_slots: 1,
    overridden: false,
  });
});

test("a place that is taken is refused with SLOT_FULL, and an appointment made here says so", async () => {
  const { calendar_id } = await newWindow();
  const body = { slot_id: `${calendar_id}||${MONDAY}||any`, contact_name: "Test Patient" };
  expect((await ask("staff", "POST", "appointments", body)).json as unknown).toMatchObject({
    source: "dashboard",
    date: MONDAY,
  });
  const other = { ...body, contact_name: "Another Patient" };
  expect(refusal(await ask("staff", "POST", "appointments", other))).toEqual([409, "SLOT_FULL"]);
});

describe("a viewer", () => {
  test("sees windows, dates and appointments", async () => {
    for (const path of ["calendar/windows", "calendar/tracking", "calendar/availability", "appointments"]) {
      expect([path, (await ask("viewer", "GET", `${path}?branch_id=${BRANCH}`)).status]).toEqual([path, 200]);
    }
  });

  test("changes nothing", async () => {
    const { calendar_id } = await newWindow();
    const slotId = encodeURIComponent(`${calendar_id}||${MONDAY}`);
    const attempts: [method: string, path: string, body: unknown][] = [
      ["PUT", `calendar/branches/${BRANCH}`, { name: "Mine" }],
      ["PUT", `calendar/services/${SERVICE}`, { name: "Mine" }],
      ["POST", "calendar/windows", NEW_WINDOW],
      ["PATCH", `calendar/windows/${calendar_id}`, { max_slots: 9 }],
      ["POST", `calendar/windows/${calendar_id}/disable`, undefined],
      ["PATCH", `calendar/tracking/${slotId}`, { status: "CLOSED" }],
      ["POST", "appointments", { slot_id: `${calendar_id}||${MONDAY}` }],
    ];
    for (const [method, path, body] of attempts) {
      expect([path, ...refusal(await ask("viewer", method, path, body))]).toEqual([path, 403, "INSUFFICIENT_SCOPE"]);
    }
  });
});
