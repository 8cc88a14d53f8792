import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ numberLines: 1 });
  await hospital.app.start();
});
afterEach(() => hospital.close());

const cancel = (id: string, key?: string) =>
  hospital.request("POST", `/v1/calls/${id}/cancel`, key === undefined ? {} : { key });

describe("cancelling", () => {
  test("a scheduled call returns the time, and it is never dialled", async () => {
    const id = await hospital.schedule();
    const now = new Date(hospital.clock.now()).toISOString();
    const { status, json } = await cancel(id);
    expect([status, json]).toEqual([200, { data: { call_id: id, status: "cancelled", cancelled_at: now } }] as never);
    await hospital.clock.advance(10 * DIAL_DELAY_MS);
    expect(hospital.carrier.dialled).toEqual([]);
    expect(await hospital.view(id)).toMatchObject({
      status: "cancelled",
      cancelled_at: now,
      next_attempt_at: null,
      completed_at: null,
    });
  });

  test("works for a call waiting for a line", async () => {
    const busy = await hospital.dial({ user_number: "+919810000001" });
    const waiting = await hospital.schedule({ user_number: "+919810000002" });
    await hospital.clock.advance(DIAL_DELAY_MS);
    expect(await hospital.view(waiting)).toMatchObject({ status: "queued" });
    expect((await cancel(waiting)).status).toBe(200);
    hospital.carrier.fail(busy);
    await hospital.clock.advance(60_000);
    expect(hospital.carrier.dialled.map(({ callId }) => callId)).toEqual([busy]);
    expect(await hospital.view(waiting)).toMatchObject({ status: "cancelled", hold_reason: null });
  });

  test("is idempotent: a repeat returns the first time", async () => {
    const id = await hospital.schedule();
    const first = await cancel(id);
    await hospital.clock.advance(5_000);
    expect((await cancel(id)).json).toEqual(first.json);
    const noted = await hospital.actionsOnRecord();
    expect(noted.filter((action) => action === "call.cancelled")).toHaveLength(1);
  });

  test("concurrently returns the same time to every client", async () => {
    const id = await hospital.schedule();
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  test("a started call is 409, in every later state", async () => {
    const id = await hospital.dial();
    const attempt = async () => {
      const { status, json } = await cancel(id);
      return `${status} ${json.error.code} ${(await hospital.row(id)).state}`;
    };
    expect(await attempt()).toBe("409 CALL_NOT_CANCELLABLE initiated");
    hospital.carrier.ring(id);
    expect(await attempt()).toStartWith("409 CALL_NOT_CANCELLABLE");
    expect((await hospital.row(id)).state).toBe("ringing");
    hospital.carrier.answer(id);
    expect(await attempt()).toStartWith("409 CALL_NOT_CANCELLABLE");
    hospital.carrier.complete(id);
    await hospital.row(id);
    expect(await attempt()).toBe("409 CALL_NOT_CANCELLABLE completed");
  });

  test("a failed or disallowed call is 409", async () => {
    const failed = await hospital.dial();
    hospital.carrier.fail(failed);
    await hospital.row(failed);
    expect((await cancel(failed)).status).toBe(409);
    await hospital.db.write((tx) => tx.updateTable("organisations").set({ credit_balance: 0 }).execute());
    const disallowed = await hospital.schedule();
    await hospital.clock.advance(DIAL_DELAY_MS);
    expect((await hospital.row(disallowed)).state).toBe("disallowed");
    expect((await cancel(disallowed)).status).toBe(409);
  });

  test("an unknown call is 404", async () => {
    expect((await cancel("call_unknown")).json.error.code).toBe("NOT_FOUND");
  });

  test("needs calls:cancel", async () => {
    const id = await hospital.schedule();
    const key = await hospital.newKey(["calls:create", "calls:read", "calls:delete"]);
    expect((await cancel(id, key)).json.error.code).toBe("INSUFFICIENT_SCOPE");
    expect((await hospital.row(id)).state).toBe("scheduled");
  });

  test("sends no event: the contract names only four", async () => {
    await hospital.subscribe();
    const id = await hospital.schedule();
    await cancel(id);
    expect(await hospital.eventsOf(id)).toEqual([]);
  });
});
