// Windows, availability and tracking over the API: every row of the contract, on the compiled binary.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { DAYS } from "../../src/payloads/slot.ts";
import { wallTime } from "../../src/core/zones.ts";
import { daysAhead } from "../calendar/ahead.ts";
import { ask, expectError, type ApiAnswer } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { command, commandJson, startQuick } from "../support/calls.ts";
import { openRaw } from "../support/raw-http.ts";

leaveNothingBehind();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SOON = daysAhead(3);
const LATER = daysAhead(10);

let server: Running;
beforeAll(async () => {
  server = await startQuick();
});
afterAll(() => server.stop());

const slots = (method: string, path: string, body?: unknown, key?: string | null) =>
  ask(server, method, `/v1/appointment-slots${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

const newWindow = (changes: Record<string, unknown> = {}) => ({
  branch_id: randomUUID(),
  day: SOON.day,
  session: "Morning",
  ai_slots: 4,
  max_slots: 10,
  ...changes,
});

async function create(
  changes: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { slot_id: string; branch_id: string }> {
  const answer = await slots("POST", "", newWindow(changes));
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data as Record<string, unknown> & { slot_id: string; branch_id: string };
}

function expectRefusal(answer: ApiAnswer, status: number, code: string): void {
  expectError(answer, status, code);
  expect((JSON.parse(answer.text) as { success: unknown }).success).toBe(false);
}

async function read(path: string): Promise<Record<string, unknown>[]> {
  const answer = await slots("GET", path);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data as unknown as Record<string, unknown>[];
}

describe("3.2 the states of a window", () => {
  test("created without a status it is OPEN, with CLOSED it is CLOSED", async () => {
    expect((await create())["status"]).toBe("OPEN");
    expect((await create({ status: "CLOSED" }))["status"]).toBe("CLOSED");
  });

  test("OPEN → disable → CLOSED, and bookings are refused; PATCH opens it again", async () => {
    const { slot_id } = await create();
    const book = () => ask(server, "POST", "/v1/appointments", { body: { slot_id: `${slot_id}||${SOON.date}` } });
    expect((await slots("POST", `/${slot_id}/disable`)).data["status"]).toBe("CLOSED");
    expectError(await book(), 409, "SLOT_FULL");
    expect((await slots("PATCH", `/${slot_id}`, { status: "OPEN" })).data["status"]).toBe("OPEN");
    expect((await book()).status).toBe(201);
  });

  test("PATCH with a status sets that status, from either", async () => {
    const { slot_id } = await create();
    for (const status of ["OPEN", "CLOSED", "CLOSED", "OPEN"]) {
      expect((await slots("PATCH", `/${slot_id}`, { status })).data["status"]).toBe(status);
    }
  });

  test("there is no delete", async () => {
    const { slot_id } = await create();
    expectRefusal(await slots("DELETE", `/${slot_id}`), 405, "METHOD_NOT_ALLOWED");
    expect((await slots("GET", `/${slot_id}`)).status).toBe(200);
  });
});

describe("4.6 creating", () => {
  test("answers 201 with every field of 2.3", async () => {
    const appointment_type_id = randomUUID();
    const body = newWindow({ appointment_type_id, batch_name: "Batch A", start_time: "09:30", end_time: "11:30" });
    const answer = await slots("POST", "", body);
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toEqual({
      success: true,
      data: {
        slot_id: expect.stringMatching(UUID),
        calendar_id: answer.data["slot_id"],
        parent_calendar_id: null,
        branch_id: body.branch_id,
        day: SOON.day,
        session: "Morning",
        batch: "Batch A",
        start_time: "09:30",
        end_time: "11:30",
        appointment_type: appointment_type_id,
        max_slots: 10,
        ai_slots: 4,
        filled_slots: null,
        available_slots: null,
        status: "OPEN",
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      },
    });
  });

  test("with the required fields only: max_slots is ai_slots, the hours are the session's", async () => {
    const required = { branch_id: randomUUID(), day: "sunday", session: "Evening", ai_slots: 2 };
    const { data } = await slots("POST", "", required);
    expect(data).toMatchObject({
      max_slots: 2,
      start_time: "17:00",
      end_time: "21:00",
      batch: null,
      appointment_type: null,
    });
  });

  test.each([
    ["Morning", ["08:00", "10:00"]],
    ["Afternoon", ["12:00", "17:00"]],
  ])("the hours of a session come from the configuration: %s", async (session, [start_time, end_time]) => {
    const other = await startQuick({ RINGWARD_CALENDAR__SESSIONS__MORNING: "08:00,10:00" });
    const answer = await ask(other, "POST", "/v1/appointment-slots", { body: newWindow({ session }) });
    expect(answer.data).toMatchObject({ start_time, end_time });
    expect(await other.stop()).toBe(0);
  });
});

describe("4.7 changing and 4.8 disabling", () => {
  const changes = {
    day: "sunday",
    session: "Evening",
    start_time: "17:00",
    end_time: "20:00",
    max_slots: 6,
    ai_slots: 6,
    batch_name: "B",
    status: "CLOSED",
  };

  test.each(Object.entries(changes))("%s alone may be changed", async (field, value) => {
    const window = await create({ start_time: "08:00", end_time: "19:00" });
    const { status, data } = await slots("PATCH", `/${window.slot_id}`, { [field]: value });
    const shown = field === "batch_name" ? "batch" : field;
    expect([status, data]).toEqual([200, { ...window, [shown]: value, updated_at: data["updated_at"] }]);
  });

  test("all fields at once, by a compound slot_id, raw and encoded", async () => {
    const { slot_id } = await create();
    const compound = `${slot_id}||${SOON.date}||any`;
    expect((await slots("PATCH", `/${encodeURIComponent(compound)}`, changes)).data).toMatchObject({
      slot_id,
      status: "CLOSED",
      batch: "B",
    });
    expect((await slots("PATCH", `/${compound}`, { status: "OPEN" })).data).toMatchObject({ slot_id, status: "OPEN" });
    expect((await slots("POST", `/${encodeURIComponent(`${slot_id}||${SOON.date}`)}/disable`)).data).toMatchObject({
      slot_id,
      status: "CLOSED",
    });
  });

  test("unencoded bars in the path are accepted", async () => {
    const { slot_id } = await create();
    const head = `POST /v1/appointment-slots/${slot_id}||${SOON.date}||any/disable HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${server.demo["api_key"]!}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;
    const connection = await openRaw(server.port);
    connection.send(head);
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
    expect((await slots("GET", `/${slot_id}`)).data["status"]).toBe("CLOSED");
  });
});

describe("4.9 availability and tracking", () => {
  test("slot_ids have the documented forms, and the numbers follow bookings and overrides of a date", async () => {
    const { slot_id, branch_id } = await create();
    const query = `?branch_id=${branch_id}&from=${SOON.date}&to=${SOON.date}`;
    const dated = `${slot_id}||${SOON.date}`;
    expect(await read(`/availability${query}`)).toMatchObject([
      {
        slot_id: dated,
        date: SOON.date,
        filled_slots: 0,
        available_slots: 10,
        ai_filled_slots: 0,
        ai_available_slots: 4,
      },
    ]);
    expect((await ask(server, "POST", "/v1/appointments", { body: { slot_id: dated } })).status).toBe(201);
    const changed = await slots("PATCH", `/schedule-tracking/${encodeURIComponent(`${dated}||any`)}`, {
      max_slots: 3,
      ai_slots: 1,
    });
    expect(changed.data).toMatchObject({
      slot_id: `${dated}||any`,
      max_slots: 3,
      ai_slots: 1,
      filled_slots: 1,
      available_slots: 2,
      overridden: true,
    });
    expect(await read(`/schedule-tracking${query}`)).toEqual([changed.data]);
    expect(await read(`/availability${query}`)).toMatchObject([
      { max_slots: 3, available_slots: 2, ai_available_slots: 1 },
    ]);

    await slots("PATCH", `/schedule-tracking/${dated}`, { status: "CLOSED" });
    expect(await read(`/availability${query}`)).toEqual([]);
    expect(await read(`/schedule-tracking${query}`)).toMatchObject([{ status: "CLOSED", filled_slots: 1 }]);

    const regenerate = (more: object) =>
      slots("POST", "/schedule-tracking/regenerate", { branch_id, from: SOON.date, to: SOON.date, ...more });
    expect((await regenerate({})).data).toMatchObject({ dates: 1, overrides_dropped: 0 });
    expect((await regenerate({ reset_overrides: true })).data).toMatchObject({ dates: 1, overrides_dropped: 1 });
    expect(await read(`/availability${query}`)).toMatchObject([{ max_slots: 10, filled_slots: 1, available_slots: 9 }]);
  });

  test("without dates: today and 14 more days; at most 92 days; the range ends with the calendar", async () => {
    const { branch_id } = await create();
    const dates = (await read(`/availability?branch_id=${branch_id}`)).map(({ date }) => date);
    expect(dates).toEqual([SOON.date, LATER.date]);
    const span = (days: number) => `?branch_id=${branch_id}&from=${daysAhead(1).date}&to=${daysAhead(days).date}`;
    expect((await read(`/availability${span(92)}`)).length).toBe(13);
    expectRefusal(await slots("GET", `/availability${span(93)}`), 400, "VALIDATION_ERROR");
    expect((await read(`/availability?branch_id=${branch_id}&from=9999-10-01&to=9999-12-31`)).length).toBeWithin(
      13,
      15,
    );
  });

  test("a branch uses its configured time zone", async () => {
    const branch_id = randomUUID();
    for (const day of DAYS) await create({ branch_id, day });
    // 25 hours apart: the date always differs.
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      await command(server, "branches", "set", branch_id, "--time-zone", zone, "--name", zone);
      const today = () => wallTime(Date.now(), zone).date;
      const before = today();
      const [first] = await read(`/schedule-tracking?branch_id=${branch_id}`);
      expect([before, today()]).toContain(String(first!["date"]));
      const { branches } = (await ask(server, "GET", "/v1/appointments/configuration")).data as { branches: object[] };
      expect(branches).toContainEqual({ branch_id, name: zone, time_zone: zone });
    }
  });
});

describe("7.2 the errors of windows", () => {
  test.each([
    ["branch_id", { branch_id: undefined }],
    ["day", { day: undefined }],
    ["session", { session: undefined }],
    ["ai_slots", { ai_slots: undefined }],
    ["ai_slots", { ai_slots: 11 }],
    ["ai_slots", { ai_slots: "4" }],
    ["branch_id", { branch_id: "one" }],
  ])("400 on %s for %j", async (field, changes) => {
    const answer = await slots("POST", "", newWindow(changes));
    expectRefusal(answer, 400, "VALIDATION_ERROR");
    expect(answer.error.details?.map((detail) => detail.field)).toEqual([field]);
  });

  test("400 when a PATCH is empty or leaves ai_slots above max_slots", async () => {
    const { slot_id } = await create();
    for (const body of [{}, { ai_slots: 11 }, { max_slots: 3 }]) {
      expectRefusal(await slots("PATCH", `/${slot_id}`, body), 400, "VALIDATION_ERROR");
    }
  });

  test("403 when the key lacks the scope, 401 without a key", async () => {
    const { slot_id } = await create();
    const { key } = await commandJson<{ key: string }>(
      server,
      "keys",
      "create",
      "--name",
      "reader",
      "--scopes",
      "slots:read",
    );
    const acts: [string, string, unknown][] = [
      ["POST", "", newWindow()],
      ["PATCH", `/${slot_id}`, { ai_slots: 1 }],
      ["POST", `/${slot_id}/disable`, undefined],
      ["PATCH", `/schedule-tracking/${slot_id}||${SOON.date}`, { max_slots: 1 }],
      ["POST", "/schedule-tracking/regenerate", { branch_id: randomUUID() }],
    ];
    for (const [method, path, body] of acts) {
      expectRefusal(await slots(method, path, body, key), 403, "INSUFFICIENT_SCOPE");
      expectRefusal(await slots(method, path, body, null), 401, "UNAUTHORIZED");
    }
    expect((await slots("GET", "/availability", undefined, key)).status).toBe(200);
    expectRefusal(
      await slots("GET", "/availability", undefined, server.demo["readonly_api_key"]),
      403,
      "INSUFFICIENT_SCOPE",
    );
  });

  test("404 for an unknown window", async () => {
    for (const id of [randomUUID(), "nonsense", `${randomUUID()}||${SOON.date}`]) {
      expectRefusal(await slots("GET", `/${id}`), 404, "NOT_FOUND");
      expectRefusal(await slots("PATCH", `/${id}`, { ai_slots: 1 }), 404, "NOT_FOUND");
      expectRefusal(await slots("POST", `/${id}/disable`), 404, "NOT_FOUND");
    }
    expectRefusal(
      await slots("PATCH", `/schedule-tracking/${randomUUID()}||${SOON.date}`, { max_slots: 1 }),
      404,
      "NOT_FOUND",
    );
  });
});
