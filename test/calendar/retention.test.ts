// Retention of appointments: contact data is erased some time after the date, to the last byte; the counts stay.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { confirmBelieved } from "../../src/scheduler/clock-store.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { onlySqlite } from "../support/engines.ts";
import { until } from "../support/until.ts";
import { createClinic, MONDAY, NEXT_MONDAY, on, type Clinic } from "./clinic.ts";

const DAYS = 30;
const WORDS = ["Mīrā Ayyar", "+919765430001", "mira@person.example", "knee–surgery", "Kennung-0815", "kennung0815"];
const CONTACT = {
  contact_name: WORDS[0],
  contact_number: WORDS[1],
  contact_email: WORDS[2],
  notes: WORDS[3],
  contact_identifiers: [{ system: "mrn", value: WORDS[4] }],
};

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic({ settings: { RINGWARD_RETENTION__DAYS: String(DAYS) } });
  await clinic.app.start();
});
afterEach(() => clinic.close());

const traces = () => filesHolding(clinic.dataDir, WORDS);
const read = async (id: string) =>
  (await clinic.request("GET", `/v1/appointments/${id}`)).json.data as Record<string, unknown>;
const enforce = () =>
  clinic.app.services.erasure.enforceRetention(DAYS, { kind: "system", id: null }, clinic.clock.now());
/** The first moment at which the date has been over everywhere for the whole retention period. */
const overAt = (date: string) => Date.parse(`${date}T00:00:00Z`) + 36 * HOUR_MS + DAYS * DAY_MS;

test("after its retention no byte of the person is in any file, and the slot is still taken", async () => {
  const window = await clinic.createWindow();
  const { appointment_id: id } = await clinic.book(on(window, MONDAY), CONTACT);
  await clinic.change(id, { status: "completed" });
  expect(Object.keys(traces())).toEqual(WORDS);

  clinic.clock.jump(overAt(MONDAY) - clinic.clock.now() - 1);
  expect(await enforce()).toEqual({ calls: 0, appointments: 0, campaigns: 0 });
  expect(await read(id)).toMatchObject(CONTACT);

  clinic.clock.jump(1);
  expect(await enforce()).toEqual({ calls: 0, appointments: 1, campaigns: 0 });
  expect(traces()).toEqual({});
  expect(await read(id)).toMatchObject({
    status: "completed",
    date: MONDAY,
    contact_name: null,
    contact_number: null,
    contact_email: null,
    contact_identifiers: [],
    notes: null,
  });
  const [date] = await clinic.db.reader.selectFrom("window_dates").selectAll().where("date", "=", MONDAY).execute();
  expect(date?.filled).toBe(1);
  expect(await clinic.db.reader.selectFrom("events").selectAll().where("appointment_id", "=", id).execute()).toEqual(
    [],
  );
  expect(await clinic.actionsOnRecord()).toContain("appointment.forgotten");
  expect(await enforce()).toEqual({ calls: 0, appointments: 0, campaigns: 0 });
});

onlySqlite("hours of the clock are minutes on PostgreSQL")(
  "the hourly job forgets, but not while the clock cannot be believed",
  async () => {
    const window = await clinic.createWindow();
    const { appointment_id: id } = await clinic.book(on(window, MONDAY), CONTACT);
    // After a start the clock is trusted after ten minutes.
    await clinic.clock.advance(11 * MINUTE_MS);
    clinic.clock.jump(overAt(MONDAY) - clinic.clock.now());
    await clinic.clock.advance(61 * MINUTE_MS);
    expect(await read(id)).toMatchObject(CONTACT);
    // As "ringward clock confirm" does.
    await clinic.db.write((tx) => confirmBelieved(tx, clinic.clock.now(), null));
    await clinic.clock.advance(61 * MINUTE_MS);
    // The job reads files in real time, independent of this clock.
    await until(async () => (await read(id))["contact_name"] === null);
  },
);

test("events about a contact who was removed again are erased too", async () => {
  const window = await clinic.createWindow();
  const { appointment_id: id } = await clinic.book(on(window, MONDAY), CONTACT);
  await clinic.change(id, { contact_name: null, contact_number: null, contact_email: null, notes: null });
  clinic.clock.jump(overAt(MONDAY) - clinic.clock.now());
  expect(await enforce()).toEqual({ calls: 0, appointments: 1, campaigns: 0 });
  expect(traces()).toEqual({});
});

test("data added to an old appointment is erased in the next round", async () => {
  const window = await clinic.createWindow();
  const { appointment_id: id } = await clinic.book(on(window, MONDAY), {});
  clinic.clock.jump(overAt(MONDAY) - clinic.clock.now());
  await enforce();
  await clinic.change(id, CONTACT);
  expect(await enforce()).toEqual({ calls: 0, appointments: 1, campaigns: 0 });
  expect(traces()).toEqual({});
});

test("recent and future appointments, and the do-not-disturb list, are unchanged", async () => {
  const window = await clinic.createWindow();
  const { appointment_id: old } = await clinic.book(on(window, MONDAY), CONTACT);
  const { appointment_id: young } = await clinic.book(on(window, NEXT_MONDAY), CONTACT);
  await clinic.app.services.doNotDisturb.add(clinic.organisationId, "+919765430001", CLI_ACTOR);
  clinic.clock.jump(overAt(MONDAY) - clinic.clock.now());
  expect(await enforce()).toEqual({ calls: 0, appointments: 1, campaigns: 0 });
  expect(await read(old)).toMatchObject({ contact_name: null });
  expect(await read(young)).toMatchObject(CONTACT);
  expect(await clinic.app.services.doNotDisturb.list(clinic.organisationId, CLI_ACTOR)).toEqual(["+919765430001"]);
});

test("more than one batch is processed in one round", async () => {
  const window = await clinic.createWindow({ max_slots: 250, ai_slots: 0 });
  for (let i = 0; i < 205; i++) await clinic.book(on(window, MONDAY), { contact_name: `Mīrā Ayyar ${i}` });
  clinic.clock.jump(overAt(MONDAY) - clinic.clock.now());
  expect(await enforce()).toEqual({ calls: 0, appointments: 205, campaigns: 0 });
  expect(traces()).toEqual({});
});
