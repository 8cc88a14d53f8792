// Cache of calls that are read repeatedly: invisible except in its speed.
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { onlySqlite } from "../support/engines.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const get = (callId: string, key?: string) =>
  hospital.request("GET", `/v1/calls/${callId}`, key === undefined ? {} : { key });

test("another organisation never gets a cached call of this one, nor the reverse", async () => {
  const callId = await hospital.schedule();
  expect(outcome(await get(callId))).toBe("200 ok");
  const { key } = await hospital.neighbour();
  expect(outcome(await get(callId, key))).toBe("404 NOT_FOUND");
  expect(outcome(await get(callId))).toBe("200 ok");
});

test("every read is audited, cached or not", async () => {
  const callId = await hospital.schedule();
  for (let i = 0; i < 3; i++) await get(callId);
  await hospital.clock.advance(1_000);
  expect((await hospital.actionsOnRecord()).filter((action) => action === "call.read")).toHaveLength(3);
});

test("an erased call is gone, and the agent's new name is visible", async () => {
  const callId = await hospital.schedule();
  await get(callId);
  await hospital.app.services.agents.update(hospital.organisationId, hospital.agentId, { name: "Meera" }, CLI_ACTOR);
  expect(await hospital.view(callId)).toMatchObject({ agent_name: "Meera" });
  await hospital.request("POST", `/v1/calls/${callId}/cancel`);
  expect(outcome(await hospital.request("DELETE", `/v1/calls/${callId}?any=true`))).toBe("200 ok");
  expect(outcome(await get(callId))).toBe("404 NOT_FOUND");
});

const alone = onlySqlite("calls are remembered where every change of one is seen");
alone("a call that is made, changed or erased leaves the others remembered", async () => {
  const { calls } = hospital.app.services;
  const read = (callId: string) => calls.get(hospital.organisationId, callId, CLI_ACTOR);
  const [kept, cancelled, erased] = [await hospital.schedule(), await hospital.schedule(), await hospital.schedule()];
  const before = await read(kept);
  await Promise.all([read(cancelled), read(erased)]);
  await hospital.schedule();
  expect(await read(kept)).toBe(before);
  for (const callId of [cancelled, erased]) await hospital.request("POST", `/v1/calls/${callId}/cancel`);
  expect(outcome(await hospital.request("DELETE", `/v1/calls/${erased}?any=true`))).toBe("200 ok");
  expect(await read(kept)).toBe(before);
  expect(await read(cancelled)).toMatchObject({ status: "cancelled" });
  expect(outcome(await get(erased))).toBe("404 NOT_FOUND");
});

test("reads agree with the list after any sequence of events", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("read", "create", "cancel", "time passes"), { minLength: 3, maxLength: 12 }),
      async (steps) => {
        const callId = await hospital.schedule();
        for (const step of steps) {
          if (step === "create") await hospital.schedule();
          if (step === "cancel") await hospital.request("POST", `/v1/calls/${callId}/cancel`);
          if (step === "time passes") await hospital.clock.advance(5_000);
          const { data } = (await hospital.request("GET", "/v1/calls?limit=100")).json as unknown as {
            data: { call_id: string }[];
          };
          expect(await hospital.view(callId)).toEqual(data.find(({ call_id }) => call_id === callId) as never);
        }
      },
    ),
    { numRuns: 8 },
  );
});

test("concurrent reads each return their own call, and unknown ids none", async () => {
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, i) => hospital.schedule({ user_number: `+9198100${String(10_000 + i)}` })),
  );
  const asked = [...made, "call_unknown", ...made.slice(0, 3)];
  const answers = await Promise.all(asked.map((id) => hospital.request("GET", `/v1/calls/${id}`)));
  expect(answers.map(({ status }) => status)).toEqual(asked.map((id) => (id === "call_unknown" ? 404 : 200)));
  const found = answers.filter(({ status }) => status === 200).map(({ json }): string => json.data["call_id"]!);
  expect(found).toEqual(asked.filter((id) => id !== "call_unknown"));
});
