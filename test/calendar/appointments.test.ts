// Appointments over HTTP: made, read, changed, moved, ended. State, capacity and events go together.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/accounts/actor.ts";
import type { Appointment, Slot } from "../../src/events/model.ts";
import {
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  OTHER_SERVICE,
  refusal,
  SERVICE,
  TODAY,
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

const fill = async (date = MONDAY) => {
  const [slot] = await clinic.availability(`?from=${date}&to=${date}`);
  return slot?.filled_slots;
};
const read = (id: string, key?: string) =>
  clinic.request("GET", `/v1/appointments/${id}`, key === undefined ? {} : { key });

const PATIENT = {
  contact_name: "Meera Iyer",
  contact_number: "+919810012345",
  contact_email: "meera@example.org",
  notes: "first visit",
};

describe("making an appointment", () => {
  test("answers 201 with the whole appointment, its batch filled in from the window", async () => {
    const answer = await clinic.postAppointment(on(window, MONDAY), PATIENT);
    expect(answer.status).toBe(201);
    const data = answer.json.data as unknown as Appointment;
    expect(data.appointment_id).toMatch(/^apt_\w{26}$/);
    expect(data).toEqual({
      appointment_id: data.appointment_id,
      status: "confirmed",
      branch_id: BRANCH,
      slot_id: on(window, MONDAY),
      date: MONDAY,
      start_time: "09:00",
      end_time: "12:00",
      batch: "A",
      appointment_type_id: null,
      appointment_type_name: null,
      ...PATIENT,
      source: "api",
      call_id: null,
      created_at: "2026-11-15T06:00:00.000Z",
      updated_at: "2026-11-15T06:00:00.000Z",
      cancelled_at: null,
      completed_at: null,
    });
    expect((await read(data.appointment_id)).json as object).toEqual({ data });
    expect(await fill()).toBe(1);
  });

  test("needs nothing but a slot_id, in any of its dated forms", async () => {
    expect((await clinic.book(`${on(window, MONDAY)}||any`)).contact_name).toBeNull();
    expect((await clinic.book(encodeURIComponent(on(window, MONDAY)))).slot_id).toBe(on(window, MONDAY));
    expect((await clinic.book(on(window, MONDAY).toUpperCase())).slot_id).toBe(on(window, MONDAY));
  });

  test("keeps the hours and batch of the day it was made, whatever becomes of the window", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.patchWindow(window.slot_id, { start_time: "07:00", batch_name: "Z" });
    expect((await read(appointment_id)).json.data as object).toMatchObject({ start_time: "09:00", batch: "A" });
  });

  test("takes places until the window is full on that date, then 409", async () => {
    for (let i = 0; i < 3; i++) await clinic.book(on(window, MONDAY));
    const full = await clinic.postAppointment(on(window, MONDAY));
    expect(refusal(full)).toEqual([409, "SLOT_FULL"]);
    expect(full.json["success"] as unknown).toBeUndefined();
    expect(await fill()).toBe(3);
    await clinic.book(on(window, NEXT_MONDAY));
  });

  test("a closed window takes none and keeps those it has", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.request("POST", `/v1/appointment-slots/${window.slot_id}/disable`);
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([409, "SLOT_FULL"]);
    expect((await read(appointment_id)).json.data["status"] as unknown).toBe("confirmed");
    await clinic.patchWindow(window.slot_id, { status: "OPEN" });
    await clinic.book(on(window, MONDAY));
    expect(await fill()).toBe(2);
  });

  test.each([
    ["no slot_id", () => ({ slot_id: undefined })],
    ["a plain window", () => ({ slot_id: window.slot_id })],
    ["garbage", () => ({ slot_id: "garbage" })],
    ["an unknown window", () => ({ slot_id: `${UNKNOWN_UUID}||${MONDAY}` })],
    ["another day of the week", () => ({ slot_id: on(window, "2026-11-17") })],
    ["a day that is over", () => ({ slot_id: on(window, "2026-11-09") })],
    ["no date", () => ({ slot_id: on(window, "2026-02-30") })],
    ["a number", () => ({ slot_id: 7 })],
  ])("slot_id: %s is refused", async (_what, changes) => {
    expect(refusal(await clinic.postAppointment("", changes()))).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
    expect(await clinic.appointmentRows()).toEqual([]);
  });

  test.each([
    ["contact_name", 5],
    ["contact_email", true],
    ["notes", { text: "x" }],
    ["notes", "x".repeat(2_001)],
    ["contact_number", 919810012345],
    ["appointment_type_id", "cardiology"],
  ])("%s of %j is refused", async (field, value) => {
    expect(refusal(await clinic.postAppointment(on(window, MONDAY), { [field]: value }))).toEqual([
      400,
      "VALIDATION_ERROR",
      field,
    ]);
  });

  test.each([
    ["9810012345", "INVALID_PHONE_NUMBER"],
    ["+91 98100 12345", "INVALID_PHONE_NUMBER"],
    ["+9198", "INVALID_PHONE_NUMBER"],
    ["", "INVALID_PHONE_NUMBER"],
    ["+442071838750", "UNSUPPORTED_COUNTRY"],
  ])("contact_number %j is 422 %s", async (contact_number, code) => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    const answers = [
      await clinic.postAppointment(on(window, MONDAY), { contact_number }),
      await clinic.patchAppointment(appointment_id, { contact_number }),
    ];
    for (const answer of answers) expect(refusal(answer).slice(0, 2)).toEqual([422, code]);
    expect(await fill()).toBe(1);
  });

  test("the body is judged before the number, and the number before the window it names", async () => {
    const contact_number = "+442071838750";
    expect((await clinic.postAppointment("garbage", { contact_number })).status).toBe(400);
    expect((await clinic.postAppointment(`${UNKNOWN_UUID}||${MONDAY}`, { contact_number })).status).toBe(422);
    expect((await clinic.patchAppointment("apt_unknown", { slot_id: "garbage", contact_number })).status).toBe(400);
  });
});

describe("the service", () => {
  test("is the window's where the window is restricted to one; another is refused", async () => {
    const heart = await clinic.createWindow({ appointment_type_id: SERVICE });
    expect((await clinic.book(on(heart, MONDAY))).appointment_type_id).toBe(SERVICE);
    expect(
      (await clinic.book(on(heart, MONDAY), { appointment_type_id: SERVICE.toUpperCase() })).appointment_type_id,
    ).toBe(SERVICE);
    const answer = await clinic.postAppointment(on(heart, MONDAY), { appointment_type_id: OTHER_SERVICE });
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "appointment_type_id"]);
  });

  test("is free elsewhere, registered on first use, and shown by its name once it has one", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY), { appointment_type_id: OTHER_SERVICE });
    expect((await clinic.request("GET", "/v1/appointments/services")).json.data as unknown).toEqual([
      { appointment_type_id: OTHER_SERVICE, appointment_type_name: null },
    ]);
    await clinic.app.services.places.setService(clinic.organisationId, OTHER_SERVICE, "Eye clinic", CLI_ACTOR);
    expect((await read(appointment_id)).json.data["appointment_type_name"] as unknown).toBe("Eye clinic");
    await clinic.newEvents();
    await clinic.change(appointment_id, { notes: "x" });
    expect((await clinic.newEvents())[0]!.data["appointment_type_name"]).toBe("Eye clinic");
  });

  test("may be changed by a PATCH where the window allows it", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(
      (await clinic.change(appointment_id, { appointment_type_id: SERVICE.toUpperCase() })).appointment_type_id,
    ).toBe(SERVICE);
    expect((await clinic.change(appointment_id, { appointment_type_id: null })).appointment_type_id).toBeNull();
    const heart = await clinic.createWindow({ appointment_type_id: SERVICE });
    const restricted = await clinic.book(on(heart, MONDAY));
    expect(
      refusal(await clinic.patchAppointment(restricted.appointment_id, { appointment_type_id: OTHER_SERVICE })),
    ).toEqual([400, "VALIDATION_ERROR", "appointment_type_id"]);
  });
});

describe("changing an appointment", () => {
  test("touches only what is given; null empties", async () => {
    const made = await clinic.book(on(window, MONDAY), PATIENT);
    await clinic.clock.advance(1_000);
    const updated_at = "2026-11-15T06:00:01.000Z";
    expect(await clinic.change(made.appointment_id, { notes: null, contact_name: "M. Iyer" })).toEqual({
      ...made,
      notes: null,
      contact_name: "M. Iyer",
      updated_at,
    });
  });

  test.each([
    ["nothing", {}],
    ["unknown fields alone", { source: "ai", call_id: "call_1", date: TODAY, batch: "Z" }],
  ])("%s is refused", async (_what, body) => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(refusal(await clinic.patchAppointment(appointment_id, body))).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("what cannot change is ignored beside what can", async () => {
    const made = await clinic.book(on(window, MONDAY));
    const body = { notes: "x", source: "ai", call_id: "call_1", organisation_id: "org_1", created_at: 0, id: "apt_1" };
    expect(await clinic.change(made.appointment_id, body)).toEqual({ ...made, notes: "x" });
  });

  test("an unknown one is 404, an unknown status 400", async () => {
    expect(refusal(await clinic.patchAppointment("apt_unknown", { notes: "x" }))).toEqual([404, "NOT_FOUND"]);
    expect(refusal(await read("apt_unknown"))).toEqual([404, "NOT_FOUND"]);
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(refusal(await clinic.patchAppointment(appointment_id, { status: "late" }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "status",
    ]);
  });
});

describe("rescheduling", () => {
  test("takes the new place and gives the old one back", async () => {
    const evening = await clinic.createWindow({ session: "Evening", batch_name: "E" });
    const made = await clinic.book(on(window, MONDAY), PATIENT);
    const moved = await clinic.change(made.appointment_id, { slot_id: on(evening, NEXT_MONDAY) });
    expect(moved).toEqual({
      ...made,
      slot_id: on(evening, NEXT_MONDAY),
      date: NEXT_MONDAY,
      start_time: "17:00",
      end_time: "21:00",
      batch: "E",
    });
    const filled = (await clinic.availability()).filter(({ filled_slots }) => filled_slots! > 0);
    expect(filled.map(({ slot_id, filled_slots }) => [slot_id, filled_slots])).toEqual([[on(evening, NEXT_MONDAY), 1]]);
  });

  test("into a full or closed place is 409, and the old place is kept with all the rest", async () => {
    const small = await clinic.createWindow({ session: "Evening", ai_slots: 1, max_slots: 1 });
    await clinic.book(on(small, MONDAY));
    const made = await clinic.book(on(window, MONDAY));
    const body = { slot_id: on(small, MONDAY), notes: "moved" };
    expect(refusal(await clinic.patchAppointment(made.appointment_id, body))).toEqual([409, "SLOT_FULL"]);
    await clinic.override(on(small, NEXT_MONDAY), { status: "CLOSED" });
    expect(refusal(await clinic.patchAppointment(made.appointment_id, { slot_id: on(small, NEXT_MONDAY) }))).toEqual([
      409,
      "SLOT_FULL",
    ]);
    expect((await read(made.appointment_id)).json.data as object).toEqual(made);
    expect((await clinic.tracking(`?to=${MONDAY}`)).map(({ filled_slots }) => filled_slots)).toEqual([1, 1]);
  });

  test("within a full window to another date works, as the place is another", async () => {
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await clinic.book(on(window, MONDAY)));
    expect((await clinic.change(made[0]!.appointment_id, { slot_id: on(window, NEXT_MONDAY) })).date).toBe(NEXT_MONDAY);
    expect([await fill(MONDAY), await fill(NEXT_MONDAY)]).toEqual([2, 1]);
  });

  test("to the place it has changes nothing, even when the window is full, moved or over", async () => {
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await clinic.book(on(window, MONDAY)));
    const { appointment_id } = made[0]!;
    expect((await clinic.change(appointment_id, { slot_id: on(window, MONDAY) })).slot_id).toBe(on(window, MONDAY));
    await clinic.patchWindow(window.slot_id, { day: "tuesday" });
    expect((await clinic.change(appointment_id, { slot_id: on(window, MONDAY) })).slot_id).toBe(on(window, MONDAY));
    clinic.clock.jump(3 * 86_400_000);
    const done = await clinic.change(appointment_id, { slot_id: on(window, MONDAY), status: "completed" });
    expect(done).toMatchObject({ status: "completed", slot_id: on(window, MONDAY) });
    const row = await clinic.db.reader.selectFrom("window_dates").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ date: MONDAY, filled: 3 });
  });

  test("into a window for another service is refused", async () => {
    const eyes = await clinic.createWindow({ session: "Evening", appointment_type_id: OTHER_SERVICE });
    const made = await clinic.book(on(window, MONDAY), { appointment_type_id: SERVICE });
    expect(refusal(await clinic.patchAppointment(made.appointment_id, { slot_id: on(eyes, MONDAY) }))).toEqual([
      400,
      "VALIDATION_ERROR",
      "appointment_type_id",
    ]);
    const both = { slot_id: on(eyes, MONDAY), appointment_type_id: OTHER_SERVICE };
    expect(await clinic.change(made.appointment_id, both)).toMatchObject({
      appointment_type_id: OTHER_SERVICE,
      slot_id: both.slot_id,
    });
  });

  test("out of a window for one service takes the wish for another along", async () => {
    const heart = await clinic.createWindow({ session: "Evening", appointment_type_id: SERVICE });
    const made = await clinic.book(on(heart, MONDAY));
    const both = { slot_id: on(window, MONDAY), appointment_type_id: OTHER_SERVICE };
    expect(await clinic.change(made.appointment_id, both)).toMatchObject({
      appointment_type_id: OTHER_SERVICE,
      slot_id: both.slot_id,
    });
  });

  test("in the past, on another day and into nothing is refused", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    for (const slot_id of [
      on(window, "2026-11-09"),
      on(window, "2026-11-17"),
      `${UNKNOWN_UUID}||${MONDAY}`,
      window.slot_id,
    ]) {
      expect(refusal(await clinic.patchAppointment(appointment_id, { slot_id }))).toEqual([
        400,
        "VALIDATION_ERROR",
        "slot_id",
      ]);
    }
  });
});

describe("the end of an appointment", () => {
  test("cancelled gives the place back, with the time it was", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.clock.advance(1_000);
    expect(await clinic.change(appointment_id, { status: "cancelled" })).toMatchObject({
      status: "cancelled",
      cancelled_at: "2026-11-15T06:00:01.000Z",
      completed_at: null,
    });
    expect(await fill()).toBe(0);
  });

  test("completed and no_show keep the place; whoever did not show may still come", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect(await clinic.change(appointment_id, { status: "no_show" })).toMatchObject({
      status: "no_show",
      completed_at: null,
    });
    expect(await clinic.change(appointment_id, { status: "completed" })).toMatchObject({
      status: "completed",
      completed_at: "2026-11-15T06:00:00.000Z",
    });
    expect(await fill()).toBe(1);
  });

  test("no_show is neither cancelled nor confirmed again", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.change(appointment_id, { status: "no_show" });
    for (const status of ["confirmed", "cancelled"]) {
      expect(refusal(await clinic.patchAppointment(appointment_id, { status }))).toEqual([409, "CONFLICT"]);
    }
    expect((await clinic.change(appointment_id, { status: "no_show", notes: "called" })).notes).toBe("called");
  });

  test.each(["cancelled", "completed"])("%s is final: every change is 409 and changes nothing", async (end) => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    const ended = await clinic.change(appointment_id, { status: end });
    await clinic.newEvents();
    const before = await clinic.tracking();
    const bodies = [
      ...["confirmed", "cancelled", "completed", "no_show"].map((status) => ({ status })),
      { notes: "x" },
      { slot_id: on(window, NEXT_MONDAY) },
    ];
    for (const body of bodies)
      expect(refusal(await clinic.patchAppointment(appointment_id, body))).toEqual([409, "CONFLICT"]);
    expect((await read(appointment_id)).json.data as object).toEqual(ended);
    expect(await clinic.tracking()).toEqual(before);
    expect(await clinic.newEvents()).toEqual([]);
  });

  test("a move and a cancellation in one PATCH end with no place taken anywhere", async () => {
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.change(appointment_id, { slot_id: on(window, NEXT_MONDAY), status: "cancelled" });
    expect([await fill(MONDAY), await fill(NEXT_MONDAY)]).toEqual([0, 0]);
  });
});

describe("listing", () => {
  const list = async (query = "", key?: string) => {
    const answer = await clinic.request("GET", `/v1/appointments${query}`, key === undefined ? {} : { key });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json as unknown as { data: Appointment[]; next_cursor: string | null };
  };
  const namesOf = async (query: string) => (await list(query)).data.map(({ contact_name }) => contact_name);

  test("newest first, filtered by each thing one may ask for", async () => {
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

  test("pages by cursor, each appointment once, also when more are made meanwhile", async () => {
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

  test("20 to a page, 100 at most", async () => {
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
  ])("%s is refused", async (query, field) => {
    expect(refusal(await clinic.request("GET", `/v1/appointments?${query}`))).toEqual([400, "VALIDATION_ERROR", field]);
  });
});

test("what a booking form needs: zone, branches, sessions, statuses", async () => {
  await clinic.app.services.places.setBranch(
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
