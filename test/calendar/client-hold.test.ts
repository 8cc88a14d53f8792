// Places that API clients hold before they book.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { clientHold, holdForClient, releaseClientHold, type Holder } from "../../src/calendar/client-hold.ts";
import { deleteExpiredHolds } from "../../src/calendar/window-store.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { AppError } from "../../src/core/errors.ts";
import { createClinic, MONDAY, on, OTHER_SERVICE, SERVICE, UNKNOWN_UUID, type Clinic } from "./clinic.ts";

let clinic: Clinic;
let own: Holder;
beforeAll(async () => {
  clinic = await createClinic();
  own = { organisationId: clinic.organisationId, keyId: "key_1" };
});
afterAll(() => clinic.close());

const deps = () => ({ ...clinic.app.services, clock: clinic.clock });
const hold = (slotId: string, holder = own, serviceId: string | null = null) =>
  clinic.db.write((tx) => holdForClient(tx, deps(), holder, { slotId, serviceId }, CLI_ACTOR));
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "held",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
const left = async (slotId: string) =>
  (await clinic.tracking(`?from=${MONDAY}&to=${MONDAY}`)).find(({ slot_id }) => slot_id.startsWith(slotId))
    ?.available_slots;

test("a hold takes a place of all places for 90 seconds", async () => {
  const slot = on(await clinic.createWindow({ ai_slots: 0, max_slots: 2 }), MONDAY);
  const held = await hold(slot);
  await hold(slot);
  expect([await left(slot), await refused(hold(slot))]).toEqual([0, "SLOT_FULL"]);
  expect((await clinic.postAppointment(slot)).status).toBe(409);
  expect(await clientHold(clinic.db.reader, clinic.clock, own, held.id)).toMatchObject({ id: held.id, date: MONDAY });

  await clinic.clock.advance(90_000);
  expect(await clientHold(clinic.db.reader, clinic.clock, own, held.id)).toBeUndefined();
  expect([await left(slot), await refused(hold(slot))]).toEqual([2, "held"]);
});

test("a released hold frees its place at once, and no other", async () => {
  const slot = on(await clinic.createWindow({ ai_slots: 0, max_slots: 2 }), MONDAY);
  const [first, second] = [await hold(slot), await hold(slot)];
  await clinic.db.write((tx) => releaseClientHold(tx, first));
  expect(await left(slot)).toBe(1);
  expect(await clientHold(clinic.db.reader, clinic.clock, own, first.id)).toBeUndefined();
  expect(await clientHold(clinic.db.reader, clinic.clock, own, second.id)).toBeDefined();
});

test("a hold belongs to the key and the organisation that made it", async () => {
  const slot = on(await clinic.createWindow({ ai_slots: 0, max_slots: 2 }), MONDAY);
  const { id } = await hold(slot);
  const neighbour = await clinic.neighbour();
  for (const other of [
    { ...own, keyId: "key_2" },
    { ...own, organisationId: neighbour.organisationId },
  ])
    expect(await clientHold(clinic.db.reader, clinic.clock, other, id)).toBeUndefined();
  expect(await refused(hold(slot, { ...own, organisationId: neighbour.organisationId }))).toBe("VALIDATION_ERROR");
});

describe("what cannot be held", () => {
  test("closed, past, unknown and other weekdays, and another service than the window's", async () => {
    const window = await clinic.createWindow({ ai_slots: 0, max_slots: 2, appointment_type_id: SERVICE });
    const slot = on(window, MONDAY);
    expect((await hold(slot)).serviceId).toBe(SERVICE);
    expect(await refused(hold(slot, own, OTHER_SERVICE))).toBe("VALIDATION_ERROR");
    expect(await refused(hold(on(window, "2026-11-17")))).toBe("VALIDATION_ERROR");
    expect(await refused(hold(on(window, "2026-11-09")))).toBe("VALIDATION_ERROR");
    expect(await refused(hold(`${UNKNOWN_UUID}||${MONDAY}`))).toBe("VALIDATION_ERROR");
    await clinic.override(`${slot}||${SERVICE}`, { status: "CLOSED" });
    expect(await refused(hold(slot))).toBe("SLOT_FULL");
  });
});

test("the agent's share is not widened by holds, and expired ones are forgotten", async () => {
  const slot = on(await clinic.createWindow({ ai_slots: 1, max_slots: 3 }), MONDAY);
  await hold(slot);
  const [entry] = (await clinic.tracking(`?from=${MONDAY}&to=${MONDAY}`)).filter(({ slot_id }) =>
    slot_id.startsWith(slot),
  );
  expect([entry?.available_slots, entry?.ai_available_slots]).toEqual([2, 0]);
  await clinic.clock.advance(90_000);
  await clinic.db.write((tx) => deleteExpiredHolds(tx, clinic.clock.now()));
  expect(await clinic.db.reader.selectFrom("slot_holds").selectAll().execute()).toEqual([]);
});
