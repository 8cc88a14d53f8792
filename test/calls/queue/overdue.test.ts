// Overdue calls: a call that could not be dialled for longer than calls.latest_minutes waits for a person, and released
// calls are dialled at a limited rate.
import { afterEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/clock.ts";
import type { TrunkLines } from "../../../src/telephony/port.ts";
import type { WorklistPage } from "../../../src/worklist/worklist-view.ts";
import { signedIn } from "../../support/dashboard.ts";
import { createHospital, type Hospital, type HospitalOptions } from "../../support/hospital.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

async function open(options: HospitalOptions = {}): Promise<void> {
  hospital = await createHospital(options);
  await hospital.app.start();
  await hospital.clock.advance(0);
}
/** Suspend: no timer fires while the clock advances. */
async function sleep(ms: number): Promise<void> {
  hospital.clock.pass(ms);
  await hospital.clock.advance(31 * SECOND_MS);
}
const number = (n: number) => `+91981${String(1_000_000 + n)}`;
const dueIn = (ms: number, n = 1) =>
  hospital.schedule({ user_number: number(n), scheduled_time: new Date(hospital.clock.now() + ms).toISOString() });
const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);
const reasonOf = async (id: string) => (await hospital.row(id)).hold_reason;

const DOWN: TrunkLines = { kind: "closed", reason: "trunk_unavailable", until: null };
const UP: TrunkLines = { kind: "open", lines: 1_000 };
const trunk = (lines: TrunkLines) => (hospital.carrier.trunkLines = () => lines);

describe("while the appliance is off", () => {
  test("calls due more than an hour before its return are overdue; the rest is dialled", async () => {
    await open();
    const [late, justInTime, later] = [
      await dueIn(HOUR_MS, 1),
      await dueIn(2.5 * HOUR_MS, 2),
      await dueIn(9 * HOUR_MS, 3),
    ];
    await sleep(3 * HOUR_MS);
    expect(dialled()).toEqual([justInTime]);
    expect(await hospital.view(late)).toMatchObject({
      status: "queued",
      hold_reason: "overdue",
      next_attempt_at: null,
    });
    expect((await hospital.view(later)).status).toBe("scheduled");
  });

  test("an agent's own limit applies, in both directions", async () => {
    await open({ agent: { latest_minutes: 600 } });
    const patient = await dueIn(HOUR_MS);
    await sleep(9 * HOUR_MS);
    expect(dialled()).toEqual([patient]);
    await hospital.close();
    await open({ agent: { latest_minutes: 5 } });
    const hasty = await dueIn(HOUR_MS);
    await sleep(HOUR_MS + 10 * MINUTE_MS);
    expect(await reasonOf(hasty)).toBe("overdue");
  });

  test.each([
    ["overdue where they hold nothing, as in the demo", false, "overdue"],
    ["waiting for them elsewhere", true, "outside_calling_hours"],
  ])("a call due outside calling hours is %s", async (_, isEnforced, reason) => {
    await open({ isEnforced, agent: { calling_hours: { start: "09:00", end: "09:30", days: [0, 1, 2, 3, 4, 5, 6] } } });
    const id = await dueIn(HOUR_MS);
    await sleep(3 * HOUR_MS);
    expect([dialled(), await reasonOf(id)]).toEqual([[], reason]);
  });

  test("364 of them are one entry on Today, and after release ten a minute are dialled", async () => {
    await open({ settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" } });
    for (let n = 0; n < 364; n++) await dueIn(HOUR_MS, n);
    await sleep(3 * HOUR_MS);
    expect(dialled()).toEqual([]);
    await hospital.app.services.worklist.look();
    const staff = await signedIn(hospital.app, hospital.organisationId, "staff");
    const viewer = await signedIn(hospital.app, hospital.organisationId, "viewer");
    const today = async () => (await viewer.ask("GET", "/dashboard/api/worklist")).json as unknown as WorklistPage;
    const { data } = await today();
    expect(data).toMatchObject([{ kind: "calls_overdue", held: { reason: "overdue", count: 364 } }]);
    expect(data[0]?.held?.calls).toHaveLength(50);
    const first = data[0]?.held?.calls[0]?.call_id ?? "";

    const choice = { reason: "overdue", call_id: first };
    expect((await viewer.ask("POST", "/dashboard/api/held-calls/cancel", choice)).status).toBe(403);
    expect((await staff.ask("POST", "/dashboard/api/held-calls/cancel", choice)).json).toEqual({
      cancelled: 1,
    } as never);
    expect((await hospital.view(first)).status).toBe("cancelled");
    const released = await staff.ask("POST", "/dashboard/api/held-calls/release", { reason: "overdue" });
    expect(released.json).toEqual({ released: 363 } as never);
    await hospital.clock.advance(5 * MINUTE_MS);
    expect(dialled().length).toBeGreaterThan(48);
    expect(dialled().length).toBeLessThanOrEqual(51);
    await hospital.app.services.worklist.look();
    expect((await today()).data).toEqual([]);
  }, 180_000);
});

describe("while the trunk is down", () => {
  test("a call is overdue after an hour, and later hold reasons do not count", async () => {
    await open();
    trunk(DOWN);
    const id = await dueIn(MINUTE_MS);
    await hospital.clock.advance(HOUR_MS);
    expect(await reasonOf(id)).toBe("trunk_unavailable");
    await hospital.clock.advance(3 * MINUTE_MS);
    expect(await reasonOf(id)).toBe("overdue");
    trunk(UP);
    await hospital.clock.advance(2 * MINUTE_MS);
    expect(dialled()).toEqual([]);
    await hospital.app.services.heldCalls.release(hospital.organisationId, { callId: id }, CLI_ACTOR);
    await hospital.clock.advance(0);
    expect(dialled()).toEqual([id]);
  });

  test("a call held until its hours closed is not dialled automatically next morning", async () => {
    // 6:00 UTC is 11:30 in India.
    await open({
      isEnforced: true,
      agent: { calling_hours: { start: "09:00", end: "12:00", days: [0, 1, 2, 3, 4, 5, 6] } },
    });
    trunk(DOWN);
    const id = await dueIn(MINUTE_MS);
    await hospital.clock.advance(40 * MINUTE_MS);
    expect(await reasonOf(id)).toBe("outside_calling_hours");
    trunk(UP);
    await sleep(22 * HOUR_MS);
    expect([dialled(), await reasonOf(id)]).toEqual([[], "overdue"]);
  });
});

describe("is not", () => {
  test("a call that waits for its hours, however long", async () => {
    await open({
      isEnforced: true,
      agent: { calling_hours: { start: "09:00", end: "11:00", days: [0, 1, 2, 3, 4, 5, 6] } },
    });
    const id = await dueIn(MINUTE_MS);
    await hospital.clock.advance(2 * MINUTE_MS);
    // From 11:32 until 9:02 of the next day, with two minutes in which it could have been dialled.
    await sleep(21.5 * HOUR_MS);
    expect(dialled()).toEqual([id]);
  });

  test("a call that waits behind others for a line, however long", async () => {
    await open({ numberLines: 1 });
    const ids = [await dueIn(MINUTE_MS, 1), await dueIn(MINUTE_MS, 2)];
    await hospital.clock.advance(65 * MINUTE_MS);
    const [first = ""] = dialled();
    hospital.carrier.talk(first);
    await hospital.clock.advance(10 * SECOND_MS);
    expect(dialled().toSorted()).toEqual(ids.toSorted());
  }, 180_000);
});
