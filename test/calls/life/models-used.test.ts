// The audit trail records what a call sent to the hospital's own model servers, in the transaction that ends the call.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
  await hospital.app.start();
});
afterEach(() => hospital.close());

const SENT = { server: "srv_1", host: "gpu.example:8000", role: "language" } as const;

test("host, bytes and times, once for each server", async () => {
  const id = await hospital.dial();
  hospital.carrier.ring(id);
  hospital.carrier.answer(id);
  const sent = [{ ...SENT, requests: 2, bytesOut: 1_900, bytesIn: 400, ms: 400.4, failures: 1 }];
  hospital.carrier.complete(id, { sent });
  await settle();
  const entries = await hospital.db.reader
    .selectFrom("audit_entries")
    .selectAll()
    .where("action", "=", "call.model_used")
    .execute();
  expect(entries).toMatchObject([{ subject_id: id, actor_kind: "system" }]);
  expect(JSON.parse(entries[0]?.detail ?? "")).toEqual({
    server: "srv_1",
    host: "gpu.example:8000",
    role: "language",
    requests: 2,
    bytes_out: 1_900,
    bytes_in: 400,
    ms: 400,
    failures: 1,
  });
});

test("an aborted call records what is known", async () => {
  const id = await hospital.dial();
  hospital.carrier.ring(id);
  hospital.carrier.answer(id);
  const sent = [{ ...SENT, requests: 1, bytesOut: 10, bytesIn: 20, ms: 30, failures: 0 }];
  await hospital.carrier.ask(id, { kind: "sent", sent });
  hospital.carrier.fail(id, "interrupted");
  await settle();
  expect(await hospital.actionsOnRecord()).toContain("call.model_used");
});

test("a call without model servers leaves no entry", async () => {
  const id = await hospital.dial();
  hospital.carrier.ring(id);
  hospital.carrier.answer(id);
  hospital.carrier.complete(id, {});
  await settle();
  expect(await hospital.actionsOnRecord()).not.toContain("call.model_used");
});
