// Calls wait in the queue, as for a line, while the carrier has no audio port or file descriptor.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../../support/hospital.ts";

let hospital: Hospital;
/** The capacity requests to the carrier. */
let asked: number[];
let room: number;
beforeEach(async () => {
  hospital = await createHospital({ carrierMakesRoom: true });
  asked = [];
  room = Infinity;
  hospital.carrier.makeRoom = (calls) => {
    asked.push(calls);
    return Math.min(calls, room);
  };
  await hospital.app.start();
});
afterEach(() => hospital.close());

const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const schedule = (i: number) => hospital.schedule({ user_number: `+9198100${String(i).padStart(5, "0")}` });
const due = () => hospital.clock.advance(DIAL_DELAY_MS);

test("a due call without capacity stays queued, is checked every second, and is dialled when there is capacity", async () => {
  room = 0;
  const id = await schedule(1);
  await due();
  expect(dialled()).toEqual([]);
  expect(await hospital.view(id)).toMatchObject({ status: "queued", hold_reason: "waiting_for_line" });
  await hospital.clock.advance(3_000);
  expect(asked).toEqual([1, 1, 1, 1]);
  room = 1;
  await hospital.clock.advance(1_000);
  expect(dialled()).toEqual([id]);
  expect((await hospital.row(id)).event_sequence).toBe(1);
});

test("capacity is requested for all calls that could be dialled together, used by the longest-waiting, and returned", async () => {
  room = 2;
  const ids = [await schedule(1), await schedule(2), await schedule(3)];
  await due();
  expect(dialled()).toEqual(ids.slice(0, 2));
  expect(asked).toEqual([3, 0]);
  await hospital.clock.advance(1_000);
  expect(dialled()).toEqual(ids);
  expect(asked).toEqual([3, 0, 1, 0]);
});

test("no capacity is requested for a call that may not be dialled anyway", async () => {
  hospital.carrier.trunkLines = () => ({ kind: "open", lines: 0 });
  await schedule(1);
  await due();
  expect(asked).toEqual([]);
});
