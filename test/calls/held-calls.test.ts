// Calls that were due before a backup was restored: a restore never causes a second call.
import { afterEach, beforeEach, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/clock.ts";
import { holdDueIn } from "../../src/db/backup/hold-due-calls.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { fileOf } from "../support/temp.ts";

let hospital: Hospital;
/** Due in one, two and 30 hours; the restore happens after five. */
let soon: string;
let sooner: string;
let later: string;

beforeEach(async () => {
  hospital = await createHospital();
  const dueIn = (hours: number, user_number: string) =>
    hospital.schedule({
      user_number,
      scheduled_time: new Date(hospital.clock.now() + hours * HOUR_MS).toISOString(),
    });
  soon = await dueIn(2, "+919810000001");
  sooner = await dueIn(1, "+919810000002");
  later = await dueIn(30, "+919810000003");
  const connection = new Sqlite(fileOf(hospital.db));
  expect(holdDueIn(connection, hospital.clock.now() + 5 * HOUR_MS)).toBe(2);
  connection.close();
  await hospital.app.start();
});
afterEach(() => hospital.close());

const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const held = () => hospital.app.services.heldCalls;

test("are not dialled however long they wait, and later calls are dialled on time", async () => {
  await hospital.clock.leap(29 * HOUR_MS);
  expect(dialled()).toEqual([]);
  await hospital.clock.leap(HOUR_MS);
  expect(dialled()).toEqual([later]);
  await hospital.clock.leap(2 * DAY_MS);
  expect(dialled()).toEqual([later]);
  expect(await hospital.view(soon)).toMatchObject({
    status: "queued",
    hold_reason: "restored_from_backup",
    next_attempt_at: null,
  });
});

test("are listed by due time, and dialled one after the other once released", async () => {
  const { organisationId } = hospital;
  expect((await held().list(organisationId, 10)).map(({ call_id }) => call_id)).toEqual([sooner, soon]);
  expect(await held().release(organisationId, {}, CLI_ACTOR)).toBe(2);
  await hospital.clock.advance(5_999);
  expect(dialled()).toHaveLength(1);
  await hospital.clock.advance(1);
  expect(dialled().toSorted()).toEqual([soon, sooner].toSorted());
  expect(await held().count(organisationId)).toBe(0);
});

test("can be decided one by one, and a second decision changes nothing", async () => {
  const { organisationId } = hospital;
  expect(await held().release(organisationId, { callId: soon }, CLI_ACTOR)).toBe(1);
  expect(await held().cancel(organisationId, { callId: sooner }, CLI_ACTOR)).toBe(1);
  await expect(held().release(organisationId, { callId: sooner }, CLI_ACTOR)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(held().cancel(organisationId, { callId: later }, CLI_ACTOR)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await hospital.clock.advance(0);
  expect(dialled()).toEqual([soon]);
  expect((await hospital.view(sooner)).status).toBe("cancelled");
});

test("belong to their organisation: another one cannot release them", async () => {
  expect(await held().release("org_other", {}, CLI_ACTOR)).toBe(0);
  await expect(held().release("org_other", { callId: soon }, CLI_ACTOR)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await held().count("org_other")).toBe(0);
  await hospital.clock.leap(HOUR_MS);
  expect(dialled()).toEqual([]);
});
