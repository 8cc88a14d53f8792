// Whoever was booked on a day that was closed is called, once, with the appointment that the agent moves.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { CloseInput } from "../../src/calendar/closure-model.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import { BRANCH, createClinic, MONDAY, NEXT_MONDAY, on, type Clinic } from "../calendar/clinic.ts";

let clinic: Clinic;
let window: Slot;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow({ ai_slots: 4, max_slots: 10 });
});
afterEach(() => clinic.close());

const close = (changes: Partial<CloseInput> = {}) =>
  clinic.app.services.closures.close(
    clinic.organisationId,
    {
      branch_ids: [BRANCH],
      ranges: [{ from: MONDAY, to: MONDAY, name: "Diwali" }],
      otherwise: "call",
      agent_id: clinic.agentId,
      ...changes,
    },
    CLI_ACTOR,
  );
const list = () => clinic.app.services.closures.list(clinic.organisationId);
const rows = () => clinic.db.reader.selectFrom("campaign_rows").selectAll().execute();

test("a list of calls is made with the appointment of each; who has no number needs somebody", async () => {
  const made = await clinic.book(on(window, MONDAY), { contact_name: "A", contact_number: "+919810012345" });
  await clinic.book(on(window, MONDAY), { contact_name: "B" });
  await clinic.book(on(window, NEXT_MONDAY), { contact_name: "C", contact_number: "+919810012346" });
  await close();
  expect(await list()).toMatchObject([{ state: "calling", people: { waiting: 2 } }]);
  expect(await clinic.app.services.closureCalls.runDue()).toBeNull();
  const [closure] = await list();
  expect(closure).toMatchObject({ state: "closed", people: { called: 1, refused: 1, waiting: 0 } });
  expect(closure!.campaign_id).toStartWith("cmp_");
  const called = await rows();
  expect(called).toHaveLength(1);
  expect(JSON.stringify(called)).toContain(made.appointment_id);
});

test("asked again, nobody is called twice", async () => {
  await clinic.book(on(window, MONDAY), { contact_number: "+919810012345" });
  await close();
  for (let i = 0; i < 3; i++) await clinic.app.services.closureCalls.runDue();
  expect(await rows()).toHaveLength(1);
});

test("a stop between the calls and the note of them leaves neither: the next start makes both", async () => {
  await clinic.book(on(window, MONDAY), { contact_number: "+919810012345" });
  await close();
  const { closures, closureCalls } = clinic.app.services;
  const called = closures.called.bind(closures);
  closures.called = () => Promise.reject(new Error("The power went."));
  expect(await closureCalls.runDue().catch(() => "stopped")).toBe("stopped");
  expect((await list())[0]).toMatchObject({ state: "calling", people: { waiting: 1 } });
  closures.called = called;
  await closureCalls.runDue();
  expect((await list())[0]).toMatchObject({ state: "closed", people: { called: 1 } });
  const done = await clinic.db.reader.selectFrom("campaigns").selectAll().where("state", "!=", "preparing").execute();
  expect(done).toHaveLength(1);
});

test("where nobody has a number, no list is made and somebody has to look", async () => {
  await clinic.book(on(window, MONDAY), { contact_name: "B" });
  await close();
  await clinic.app.services.closureCalls.runDue();
  expect((await list())[0]).toMatchObject({ state: "closed", campaign_id: null, people: { refused: 1 } });
  expect(await rows()).toEqual([]);
});
