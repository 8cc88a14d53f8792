// Long calendar ranges are read on a reader thread and assembled week by week; short ones are read directly.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { windowsOnDates, type Readers } from "../../src/calendar/dated-windows.ts";
import type { DatedSlot } from "../../src/calendar/model.ts";
import { addDays } from "../../src/core/zones.ts";
import type { Executor } from "../../src/db/tables.ts";
import { BRANCH, createClinic, MONDAY, on, TODAY, type Clinic } from "./clinic.ts";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic();
});
afterEach(() => clinic.close());

const notToBeAsked = new Proxy({} as Executor, {
  get() {
    throw new Error("This executor is not to be asked.");
  },
});
const datesOf = async (readers: Readers, days: number) =>
  (
    await windowsOnDates(readers, {
      filter: { organisationId: clinic.organisationId, branchId: BRANCH },
      range: { from: TODAY, to: addDays(TODAY, days - 1) },
      beginsAt: () => () => true,
      now: clinic.clock.now(),
    })
  ).map(({ date }) => date);

test("a long range uses the reader threads, a short one the main thread, and a transaction itself", async () => {
  await clinic.createWindow();
  const { reader } = clinic.db;
  expect(await datesOf({ reader: notToBeAsked, heavy: reader }, 92)).toHaveLength(13);
  expect(await datesOf({ reader, heavy: notToBeAsked }, 15)).toHaveLength(2);
  expect(await datesOf({ reader, heavy: null }, 92)).toHaveLength(13);
});

test("a long range equals the concatenation of its parts", async () => {
  const morning = await clinic.createWindow();
  await clinic.createWindow({ day: "sunday", session: "Evening" });
  const moved = await clinic.createWindow({ day: "tuesday", session: "Afternoon" });
  await clinic.book(on(morning, addDays(MONDAY, 28)));
  // Booked on a weekday the window no longer has.
  await clinic.book(on(moved, addDays(MONDAY, 29)));
  await clinic.patchWindow(moved.slot_id, { day: "friday" });
  await clinic.override(on(morning, addDays(MONDAY, 35)), { status: "CLOSED" });
  const parts: { available: DatedSlot[]; tracked: DatedSlot[] } = { available: [], tracked: [] };
  for (let day = 0; day < 92; day += 10) {
    const query = `?from=${addDays(TODAY, day)}&to=${addDays(TODAY, Math.min(day + 9, 91))}`;
    parts.available.push(...(await clinic.availability(query)));
    parts.tracked.push(...(await clinic.tracking(query)));
  }
  const query = `?from=${TODAY}&to=${addDays(TODAY, 91)}`;
  expect(await clinic.availability(query)).toEqual(parts.available);
  expect(await clinic.tracking(query)).toEqual(parts.tracked as never);
  expect(parts.tracked.length).toBeGreaterThan(parts.available.length);
});
