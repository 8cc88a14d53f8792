// Watchers are notified of every final call, in the transaction that ends it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { callMeaning } from "../../../src/calls/call/records.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import type { FinalCall } from "../../../src/calls/call/final-calls.ts";
import { recordHeartbeat } from "../../../src/db/heartbeat-store.ts";
import { CONTACT_NUMBER, createHospital, DIAL_DELAY_MS, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
let told: FinalCall[];
beforeEach(async () => {
  hospital = await createHospital();
  told = [];
  // Counts by what it writes, as every watcher does: a rolled-back attempt leaves no trace.
  hospital.app.services.finalCalls.watch({
    look: (tx) =>
      tx
        .selectFrom("heartbeats")
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .where("name", "like", "told %")
        .executeTakeFirstOrThrow(),
    async ended(tx, final, { n }) {
      await recordHeartbeat(tx, `told ${n}`, n);
      told[n] = final;
    },
  });
  await hospital.app.start();
});
afterEach(() => hospital.close());

const states = () => told.map(({ call, end }) => [call.id, call.state, end?.kind ?? null]);

test("a follow-up call created by one watcher is visible to later ones", async () => {
  const known: boolean[] = [];
  const watcher = (again: boolean) => ({
    look: async () => again,
    async ended(_tx: unknown, _final: FinalCall, seen: boolean, isCalledAgain: boolean) {
      known.push(isCalledAgain);
      return seen;
    },
  });
  for (const again of [false, true, false]) hospital.app.services.finalCalls.watch(watcher(again));
  const id = await hospital.schedule();
  await hospital.request("POST", `/v1/calls/${id}/cancel`);
  expect(known.slice(-3)).toEqual([false, false, true]);
});

describe("a watcher is notified once, with the current call", () => {
  test("of a completed call", async () => {
    const id = await hospital.dial();
    expect(told).toEqual([]);
    hospital.carrier.talk(id);
    await settle();
    expect(states()).toEqual([[id, "completed", "completed"]]);
    expect(told[0]?.call).toEqual(callMeaning.read(await hospital.row(id)));
  });

  test("of a failed call", async () => {
    const id = await hospital.dial();
    hospital.carrier.fail(id, "busy");
    await settle();
    expect(states()).toEqual([[id, "failed", "failed"]]);
    expect(told[0]?.call).toEqual(callMeaning.read(await hospital.row(id)));
  });

  test("of a cancelled call, and not again when the cancellation is repeated", async () => {
    const id = await hospital.schedule();
    await hospital.request("POST", `/v1/calls/${id}/cancel`);
    await hospital.request("POST", `/v1/calls/${id}/cancel`);
    expect(states()).toEqual([[id, "cancelled", null]]);
  });

  test("of a disallowed call", async () => {
    await hospital.app.services.doNotDisturb.add(hospital.organisationId, CONTACT_NUMBER, CLI_ACTOR);
    const id = await hospital.schedule();
    await hospital.clock.advance(DIAL_DELAY_MS);
    expect(states()).toEqual([[id, "disallowed", null]]);
    expect(told[0]?.call.error_code).toBe("do_not_disturb");
  });
});

test("a failing watcher rolls back the end of the call", async () => {
  const id = await hospital.schedule();
  hospital.app.services.finalCalls.watch({
    look: async () => null,
    ended() {
      throw new Error("not now");
    },
  });
  expect((await hospital.request("POST", `/v1/calls/${id}/cancel`)).status).toBe(500);
  expect((await hospital.row(id)).state).toBe("scheduled");
});
