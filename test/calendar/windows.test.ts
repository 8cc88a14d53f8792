// Weekly windows over HTTP: created, read, changed, disabled, reopened; never deleted.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Slot } from "../../src/payloads/slot.ts";
import { BRANCH, createClinic, on, refusal, MONDAY, SERVICE, UNKNOWN_UUID, type Clinic } from "./clinic.ts";

let clinic: Clinic;
beforeAll(async () => {
  clinic = await createClinic();
});
afterAll(() => clinic.close());

const read = async (slotId: string): Promise<Slot> =>
  (await clinic.request("GET", `/v1/appointment-slots/${slotId}`)).json.data as unknown as Slot;

describe("creating a window", () => {
  test("returns 201 with the whole window, its fill null", async () => {
    const answer = await clinic.postWindow({ appointment_type_id: SERVICE, batch_name: "A" });
    expect(answer.status).toBe(201);
    const { success, data } = answer.json as unknown as { success: boolean; data: Slot };
    expect(success).toBe(true);
    expect(data.calendar_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(data).toEqual({
      slot_id: data.calendar_id,
      calendar_id: data.calendar_id,
      parent_calendar_id: null,
      branch_id: BRANCH,
      day: "monday",
      session: "Morning",
      batch: "A",
      start_time: "09:00",
      end_time: "12:00",
      appointment_type: SERVICE,
      max_slots: 10,
      ai_slots: 4,
      filled_slots: null,
      available_slots: null,
      status: "OPEN",
      created_at: "2026-11-15T06:00:00.000Z",
      updated_at: "2026-11-15T06:00:00.000Z",
    });
    expect(await read(data.slot_id)).toEqual(data);
  });

  test.each([
    ["Morning", "09:00", "12:00"],
    ["Afternoon", "12:00", "17:00"],
    ["Evening", "17:00", "21:00"],
  ])("a %s window is from %s to %s by default", async (session, start_time, end_time) => {
    expect(await clinic.createWindow({ session })).toMatchObject({ session, start_time, end_time });
    expect(await clinic.createWindow({ session, start_time: null, end_time: null })).toMatchObject({
      start_time,
      end_time,
    });
    expect(await clinic.createWindow({ session, start_time: "00:00", end_time: "23:59" })).toMatchObject({
      start_time: "00:00",
      end_time: "23:59",
    });
  });

  test("max_slots defaults to ai_slots", async () => {
    expect(await clinic.createWindow({ ai_slots: 3, max_slots: undefined })).toMatchObject({
      ai_slots: 3,
      max_slots: 3,
    });
  });

  test("ai_slots may be zero or equal to max_slots", async () => {
    expect(await clinic.createWindow({ ai_slots: 0, max_slots: 5 })).toMatchObject({ ai_slots: 0, max_slots: 5 });
    expect(await clinic.createWindow({ ai_slots: 5, max_slots: 5 })).toMatchObject({ ai_slots: 5, max_slots: 5 });
  });

  test("can be CLOSED from the start", async () => {
    expect((await clinic.createWindow({ status: "CLOSED" })).status).toBe("CLOSED");
  });

  test("UUIDs are normalised to one spelling", async () => {
    const window = await clinic.createWindow({
      branch_id: BRANCH.toUpperCase(),
      appointment_type_id: SERVICE.toUpperCase(),
    });
    expect(window).toMatchObject({ branch_id: BRANCH, appointment_type: SERVICE });
  });

  test("registers a branch and a service on first use, unnamed, once", async () => {
    const branch = clinic.app.services.ids.uuid();
    const service = clinic.app.services.ids.uuid();
    await clinic.createWindow({ branch_id: branch, appointment_type_id: service });
    await clinic.createWindow({ branch_id: branch, appointment_type_id: service });
    const configuration = await clinic.request("GET", "/v1/appointments/configuration");
    const branches = (configuration.json.data as unknown as { branches: object[] }).branches;
    expect(branches.filter((entry) => "branch_id" in entry && entry.branch_id === branch)).toEqual([
      { branch_id: branch, name: null, time_zone: "Asia/Kolkata" },
    ]);
    const services = (await clinic.request("GET", "/v1/appointments/services")).json.data as unknown as object[];
    expect(services.filter((entry) => "appointment_type_id" in entry && entry.appointment_type_id === service)).toEqual(
      [{ appointment_type_id: service, appointment_type_name: null }],
    );
  });

  test.each([
    ["ai_slots above max_slots", { ai_slots: 5, max_slots: 4 }, "ai_slots"],
    ["start after end", { start_time: "12:00", end_time: "09:00" }, "start_time"],
    ["start equal to end", { start_time: "09:00", end_time: "09:00" }, "start_time"],
    ["start after the session's own end", { start_time: "13:00" }, "start_time"],
    ["no branch_id", { branch_id: undefined }, "branch_id"],
    ["no day", { day: undefined }, "day"],
    ["no session", { session: undefined }, "session"],
    ["no ai_slots", { ai_slots: undefined }, "ai_slots"],
    ["a malformed branch_id", { branch_id: "branch-1" }, "branch_id"],
    ["a branch_id with a brace", { branch_id: `{${BRANCH}}` }, "branch_id"],
    ["a malformed appointment_type_id", { appointment_type_id: "cardiology" }, "appointment_type_id"],
    ["a day in capitals", { day: "Monday" }, "day"],
    ["an unknown day", { day: "someday" }, "day"],
    ["a session in small letters", { session: "morning" }, "session"],
    ["ai_slots as text", { ai_slots: "4" }, "ai_slots"],
    ["ai_slots as a fraction", { ai_slots: 1.5 }, "ai_slots"],
    ["negative ai_slots", { ai_slots: -1 }, "ai_slots"],
    ["max_slots as text", { max_slots: "10" }, "max_slots"],
    ["max_slots of null", { max_slots: null }, "max_slots"],
    ["a boolean for a number", { ai_slots: true }, "ai_slots"],
    ["an impossible time", { start_time: "24:00" }, "start_time"],
    ["a time without its zero", { start_time: "9:00" }, "start_time"],
    ["a time with seconds", { end_time: "12:00:00" }, "end_time"],
    ["a number for a time", { start_time: 9 }, "start_time"],
    ["a batch_name that is a number", { batch_name: 3 }, "batch_name"],
    ["another status", { status: "open" }, "status"],
  ])("%s is rejected", async (_what, changes, field) => {
    const answer = await clinic.postWindow(changes);
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", field]);
    expect(answer.json["success"] as unknown).toBe(false);
  });

  test("unknown fields are ignored, and cannot reach the row", async () => {
    const window = await clinic.createWindow({
      id: UNKNOWN_UUID,
      organisation_id: "org_other",
      filled: 7,
      created_at: 0,
    });
    expect(window.calendar_id).not.toBe(UNKNOWN_UUID);
    expect(window.created_at).toBe("2026-11-15T06:00:00.000Z");
  });
});

describe("reading windows", () => {
  test("a list contains open and closed ones of a branch, and only those", async () => {
    const branch = clinic.app.services.ids.uuid();
    const open = await clinic.createWindow({ branch_id: branch });
    const closed = await clinic.createWindow({ branch_id: branch, session: "Evening", status: "CLOSED" });
    const list = await clinic.request("GET", `/v1/appointment-slots?branch_id=${branch.toUpperCase()}`);
    expect(list.status).toBe(200);
    expect(list.json as object).toEqual({ success: true, data: [open, closed] });
    const all = (await clinic.request("GET", "/v1/appointment-slots")).json.data as unknown as Slot[];
    expect(all.map(({ slot_id }) => slot_id)).toContain(open.slot_id);
    expect(new Set(all.map(({ branch_id }) => branch_id)).size).toBeGreaterThan(1);
  });

  test("a malformed branch_id is rejected, an unknown one has no windows", async () => {
    expect(refusal(await clinic.request("GET", "/v1/appointment-slots?branch_id=x"))).toEqual([
      400,
      "VALIDATION_ERROR",
      "branch_id",
    ]);
    expect(
      (await clinic.request("GET", `/v1/appointment-slots?branch_id=${UNKNOWN_UUID}`)).json.data as unknown,
    ).toEqual([]);
  });
});

describe("a slot_id in a path", () => {
  const FORMS: [string, (id: string) => string][] = [
    ["plain", (id) => id],
    ["with a date", (id) => `${id}||${MONDAY}`],
    ["with a date and any", (id) => `${id}||${MONDAY}||any`],
    ["percent-encoded", (id) => encodeURIComponent(`${id}||${MONDAY}||${SERVICE}`)],
    ["with nonsense behind", (id) => `${id}||nonsense`],
    ["in capitals", (id) => id.toUpperCase()],
  ];
  test.each(FORMS)("%s finds the window for GET, PATCH and disable", async (_form, form) => {
    const { slot_id: id } = await clinic.createWindow();
    expect((await read(form(id))).slot_id).toBe(id);
    expect((await clinic.patchWindow(form(id), { ai_slots: 1 })).json.data as object).toMatchObject({
      slot_id: id,
      ai_slots: 1,
    });
    const disabled = await clinic.request("POST", `/v1/appointment-slots/${form(id)}/disable`);
    expect([disabled.status, disabled.json.data["slot_id"], disabled.json.data["status"]] as unknown[]).toEqual([
      200,
      id,
      "CLOSED",
    ]);
  });

  test.each([UNKNOWN_UUID, "garbage", "%7C%7C", `||${UNKNOWN_UUID}`])("%s is 404 everywhere", async (slotId) => {
    const answers = [
      await clinic.request("GET", `/v1/appointment-slots/${slotId}`),
      await clinic.patchWindow(slotId, { ai_slots: 1 }),
      await clinic.request("POST", `/v1/appointment-slots/${slotId}/disable`),
    ];
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([404, "NOT_FOUND"]);
      expect(answer.json["success"] as unknown).toBe(false);
    }
  });

  test("there is no delete", async () => {
    const { slot_id } = await clinic.createWindow();
    const answer = await clinic.request("DELETE", `/v1/appointment-slots/${slot_id}`);
    expect(refusal(answer)).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect((await read(slot_id)).status).toBe("OPEN");
  });
});

describe("changing a window", () => {
  test.each([
    [{ day: "friday" }, { day: "friday" }],
    [{ session: "Evening" }, { session: "Evening", start_time: "17:00", end_time: "21:00" }],
    [{ start_time: "08:00" }, { start_time: "08:00" }],
    [{ end_time: "13:15" }, { end_time: "13:15" }],
    [{ max_slots: 4 }, { max_slots: 4 }],
    [{ ai_slots: 10 }, { ai_slots: 10 }],
    [
      { ai_slots: 11, max_slots: 12 },
      { ai_slots: 11, max_slots: 12 },
    ],
    [{ batch_name: "B" }, { batch: "B" }],
    [{ batch_name: null }, { batch: null }],
    [{ status: "CLOSED" }, { status: "CLOSED" }],
  ])("%j changes only that", async (body, expected) => {
    const window = await clinic.createWindow({ batch_name: "A" });
    await clinic.clock.advance(1_000);
    const answer = await clinic.patchWindow(window.slot_id, body);
    const updated_at = new Date(clinic.clock.now()).toISOString();
    expect([answer.status, answer.json as object]).toEqual([
      200,
      { success: true, data: { ...window, ...expected, updated_at } },
    ]);
    expect(await read(window.slot_id)).toEqual({ ...window, ...expected, updated_at } as Slot);
  });

  test.each([
    ["nothing", {}, []],
    ["unknown fields alone", { filled: 3 }, []],
    ["fields that cannot change, alone", { branch_id: UNKNOWN_UUID, appointment_type_id: SERVICE }, []],
    ["ai_slots above the window's max_slots", { ai_slots: 11 }, ["ai_slots"]],
    ["max_slots under the window's ai_slots", { max_slots: 3 }, ["ai_slots"]],
    ["both, at odds", { max_slots: 20, ai_slots: 21 }, ["ai_slots"]],
    ["a start after the window's end", { start_time: "12:00" }, ["start_time"]],
    ["an end before the window's start", { end_time: "09:00" }, ["start_time"]],
    ["a wrong type", { max_slots: "12" }, ["max_slots"]],
    ["null for a number", { max_slots: null }, ["max_slots"]],
    ["another status", { status: "DELETED" }, ["status"]],
    ["an unknown day", { day: "Friday" }, ["day"]],
  ])("%s is rejected and changes nothing", async (_what, body, fields) => {
    const window = await clinic.createWindow();
    const answer = await clinic.patchWindow(window.slot_id, body);
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", ...fields]);
    expect(answer.json["success"] as unknown).toBe(false);
    expect(await read(window.slot_id)).toEqual(window);
  });

  test("read-only fields are ignored beside writable ones, whatever column they name", async () => {
    const window = await clinic.createWindow();
    const body = {
      ai_slots: 2,
      id: UNKNOWN_UUID,
      organisation_id: "org_other",
      branch_id: UNKNOWN_UUID,
      created_at: 0,
    };
    expect((await clinic.patchWindow(window.slot_id, body)).status).toBe(200);
    expect(await read(window.slot_id)).toEqual({ ...window, ai_slots: 2 });
  });

  test("disable closes, PATCH reopens, and both are idempotent", async () => {
    const { slot_id } = await clinic.createWindow();
    const disable = () => clinic.request("POST", `/v1/appointment-slots/${slot_id}/disable`);
    for (const answer of [await disable(), await disable()]) {
      expect([answer.status, answer.json.data["status"]] as unknown[]).toEqual([200, "CLOSED"]);
    }
    for (let i = 0; i < 2; i++) {
      expect((await clinic.patchWindow(slot_id, { status: "OPEN" })).json.data["status"] as unknown).toBe("OPEN");
    }
  });
});

describe("a key without the scope", () => {
  test.each([
    ["POST", "", "slots:write", "slots:read"],
    ["PATCH", `/${UNKNOWN_UUID}`, "slots:write", "slots:read"],
    ["POST", `/${UNKNOWN_UUID}/disable`, "slots:write", "slots:read"],
    ["PATCH", `/schedule-tracking/${UNKNOWN_UUID}`, "slots:write", "slots:read"],
    ["POST", "/schedule-tracking/regenerate", "slots:write", "slots:read"],
    ["GET", "", "slots:read", "slots:write"],
    ["GET", `/${UNKNOWN_UUID}`, "slots:read", "slots:write"],
    ["GET", "/availability", "slots:read", "appointments:read"],
    ["GET", "/schedule-tracking", "slots:read", "appointments:read"],
  ] as const)("%s …%s needs %s", async (method, path, scope, held) => {
    const key = await clinic.newKey([held]);
    const answer = await clinic.request(method, `/v1/appointment-slots${path}`, {
      key,
      ...(method === "GET" ? {} : { body: {} }),
    });
    expect(refusal(answer)).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(answer.json["success"] as unknown).toBe(false);
    expect(answer.json.error.message).toContain(scope);
    const without = await clinic.request(method, `/v1/appointment-slots${path}`, { key: null });
    expect([refusal(without), without.json["success"] as unknown]).toEqual([[401, "UNAUTHORIZED"], false]);
  });
});

test("every change fires slot.updated with the window, and a rejection fires nothing", async () => {
  await clinic.newEvents();
  const window = await clinic.createWindow();
  await clinic.patchWindow(window.slot_id, { ai_slots: 2 });
  await clinic.patchWindow(window.slot_id, { ai_slots: 99 });
  await clinic.request("POST", `/v1/appointment-slots/${window.slot_id}/disable`);
  await clinic.patchWindow(on(window, MONDAY), { status: "OPEN" });
  await clinic.postWindow({ ai_slots: 99 });
  const expected = [
    { ...window },
    { ...window, ai_slots: 2 },
    { ...window, ai_slots: 2, status: "CLOSED" },
    { ...window, ai_slots: 2 },
  ];
  expect(await clinic.newEvents()).toEqual(expected.map((data) => ({ type: "slot.updated", data })));
});
