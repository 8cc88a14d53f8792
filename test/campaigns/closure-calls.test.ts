// People booked on a closed day are called once, with the appointment that the agent moves.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { agentById } from "../../src/agents/store.ts";
import { startingPoint } from "../../src/agents/library/library.ts";
import { missingWords } from "../../src/calls/call/agent-words.ts";
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

test("a list of calls is created with the appointment of each; people without a number need staff", async () => {
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

test("the library's agent for closed days has every text it needs", async () => {
  const { agents } = clinic.app.services;
  const made = await agents.create(clinic.organisationId, startingPoint("closed-day").agent, CLI_ACTOR);
  await agents.addNumber(clinic.organisationId, { number: "+912212340000", agentId: made.agent_id }, CLI_ACTOR);
  await clinic.book(on(window, MONDAY), { contact_name: "A", contact_number: "+919810012345" });
  await close({ agent_id: made.agent_id });
  await clinic.app.services.closureCalls.runDue();
  const [row] = await rows();
  const agent = (await agentById(clinic.db.reader, clinic.organisationId, made.agent_id))!;
  const info = JSON.parse(row!.additional_info!) as Record<string, string>;
  expect(missingWords(agent, { additionalInfo: info, contactName: row!.contact_name })).toEqual([]);
  expect(info).toMatchObject({ closed_for: "Diwali" });
});

test("a repeated request calls no person twice", async () => {
  await clinic.book(on(window, MONDAY), { contact_number: "+919810012345" });
  await close();
  for (let i = 0; i < 3; i++) await clinic.app.services.closureCalls.runDue();
  expect(await rows()).toHaveLength(1);
});

test("a crash between the calls and their record leaves neither: the next start creates both", async () => {
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

test("if no person has a number, no list is created and staff must act", async () => {
  await clinic.book(on(window, MONDAY), { contact_name: "B" });
  await close();
  await clinic.app.services.closureCalls.runDue();
  expect((await list())[0]).toMatchObject({ state: "closed", campaign_id: null, people: { refused: 1 } });
  expect(await rows()).toEqual([]);
});

test("people moved or cancelled before the calls are dialled are not called, and need no action", async () => {
  const moved = await clinic.book(on(window, MONDAY), { contact_number: "+919810012345" });
  const cancelled = await clinic.book(on(window, MONDAY), { contact_number: "+919810012346" });
  await clinic.book(on(window, MONDAY), { contact_number: "+919810012347" });
  await close();
  await clinic.change(moved.appointment_id, { slot_id: on(window, NEXT_MONDAY) });
  await clinic.change(cancelled.appointment_id, { status: "cancelled" });
  await clinic.app.services.closureCalls.runDue();
  expect((await rows()).map(({ contact_number }) => contact_number)).toEqual(["+919810012347"]);
  expect((await list())[0]).toMatchObject({ state: "closed", people: { called: 1, refused: 0, waiting: 0 } });
});

describe("two concurrent closures of the same day", () => {
  const twelve = () =>
    Promise.all(
      Array.from({ length: 8 }, (_, i) => clinic.book(on(window, MONDAY), { contact_number: `+91981001234${i}` })),
    );
  const worked = async () => {
    const { closureWork, closureCalls } = clinic.app.services;
    for (let i = 0; i < 3; i++) {
      await closureWork.runDue();
      await closureCalls.runDue();
    }
  };

  test("have each person called once", async () => {
    const booked = await twelve();
    const people = booked.map(({ appointment_id }) => ({ appointment_id, choice: "call" as const }));
    await Promise.all([close(), close({ people }), close({ people })]);
    await worked();
    const called = (await rows()).map((row) => row.contact_number);
    expect([called.length, new Set(called)]).toEqual([8, new Set(booked.map((each) => each.contact_number))]);
    const closures = await list();
    expect(closures.every(({ state, people: { waiting } }) => state === "closed" && waiting === 0)).toBe(true);
    expect(closures.map((each) => each.people.called).filter((count) => count > 0)).toEqual([8]);
  });

  test("with different choices: the first one counts, and no person is both moved and called", async () => {
    await twelve();
    await Promise.all([close({ otherwise: "move" }), close(), close({ otherwise: "leave" })]);
    await worked();
    const moved = (await clinic.appointmentRows()).filter(({ date }) => date === NEXT_MONDAY).length;
    expect([moved, (await rows()).length].toSorted((a, b) => a - b)).toEqual([0, 8]);
    expect((await list()).every(({ state, people }) => state === "closed" && people.waiting === 0)).toBe(true);
  });

  test("can leave people first: a later decision to call has them called", async () => {
    await twelve();
    await close({ otherwise: "leave" });
    await close();
    await worked();
    expect(await rows()).toHaveLength(8);
  });
});

describe("reopening a closed day", () => {
  const closed = async (count = 3) => {
    for (let i = 0; i < count; i++)
      await clinic.book(on(window, MONDAY), { contact_number: `+91981001234${i}`, contact_name: `Patient ${i}` });
    const { closure_ids } = await close();
    await clinic.app.services.closureCalls.runDue();
    return closure_ids[0]!;
  };
  const campaign = async () =>
    (await clinic.app.services.campaigns.list(clinic.organisationId, {})).data.map(({ state, progress }) => ({
      state,
      waiting: progress.waiting,
      cancelled: progress.cancelled,
    }));

  test("stops the calls about it in the same transaction; conversations continue to their end", async () => {
    const id = await closed();
    await clinic.app.start();
    await clinic.clock.advance(1);
    const [first] = [...clinic.carrier.live];
    expect(clinic.carrier.dialled).toHaveLength(1);
    await clinic.app.services.closures.reopen(clinic.organisationId, id, CLI_ACTOR);
    const [now] = await clinic.db.reader.selectFrom("campaigns").selectAll().execute();
    expect(now!.state).toBe("stopped");
    await clinic.clock.advance(60_000);
    expect(clinic.carrier.dialled).toHaveLength(1);
    expect(await campaign()).toEqual([{ state: "stopped", waiting: 0, cancelled: 2 }]);
    expect([...clinic.carrier.live]).toEqual([first!]);
    expect(await clinic.actionsOnRecord()).toEqual(expect.arrayContaining(["closure.reopened", "campaign.stopped"]));
  });

  test("continues calling if requested", async () => {
    const id = await closed();
    await clinic.app.services.closures.reopen(clinic.organisationId, id, CLI_ACTOR, { keeps_calling: true });
    expect(await campaign()).toEqual([{ state: "ready", waiting: 3, cancelled: 0 }]);
  });

  test("while its list of calls is being created leaves no list, and the days open", async () => {
    await clinic.book(on(window, MONDAY), { contact_number: "+919810012345" });
    const [id] = (await close()).closure_ids;
    const { closures, closureCalls } = clinic.app.services;
    const toCall = closures.toCall.bind(closures);
    closures.toCall = async () => {
      closures.toCall = toCall;
      const due = await toCall();
      await closures.reopen(clinic.organisationId, id!, CLI_ACTOR);
      return due;
    };
    await closureCalls.runDue();
    expect((await list())[0]).toMatchObject({ state: "reopened", campaign_id: null, people: { called: 0 } });
    expect(await campaign()).toEqual([]);
    expect((await clinic.availability(`?from=${MONDAY}&to=${MONDAY}`))[0]).toMatchObject({ status: "OPEN" });
  });
});
