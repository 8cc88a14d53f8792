// When a slot opens: who is called, what is reserved for whom, and the effect of each answer.
import { afterEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { confirmBelieved } from "../../src/scheduler/clock-store.ts";
import { BRANCH, MONDAY, NEXT_MONDAY, on, OTHER_SERVICE, refusal, SERVICE } from "../calendar/clinic.ts";
import type { HospitalOptions } from "../support/hospital.ts";
import { createWard, type Ward } from "./ward.ts";

let ward: Ward;
afterEach(() => ward.close());

/** Monday morning with one slot, which is taken; its bookings and its window's slot_id. */
async function fullMonday(options: HospitalOptions = {}, changes: Record<string, unknown> = {}) {
  ward = await createWard(options);
  await ward.app.start();
  const window = await ward.createWindow({ ai_slots: 1, max_slots: 1, ...changes });
  const slot = on(window, MONDAY);
  const booked = await ward.book(slot, { contact_name: "Booked" });
  const cancel = async (id = booked.appointment_id) => {
    await ward.change(id, { status: "cancelled" });
    await ward.clock.advance(1);
  };
  return { window, slot, booked, cancel };
}

const left = async (slot: string) =>
  (await ward.tracking(`?branch_id=${BRANCH}&from=${MONDAY}&to=${NEXT_MONDAY}`)).find(
    ({ calendar_id, date }) => `${calendar_id}||${date}` === slot,
  )!.available_slots;

describe("a slot that opens", () => {
  test("is reserved for the first suitable person, who is called and gets it with a yes", async () => {
    const { slot, cancel } = await fullMonday();
    const meena = await ward.waits("Meena");
    await ward.waits("Ravi");
    await ward.newEvents();
    await cancel();
    expect(ward.ringing()).toEqual(["Meena"]);
    expect(await left(slot)).toBe(0);
    expect(refusal(await ward.postAppointment(slot))).toEqual([409, "SLOT_FULL"]);
    const { callId, desk, brief } = ward.callTo("Meena");
    expect(brief.desk).toEqual({ canBook: true, hasPlace: true });
    expect(await desk!.offer(3)).toEqual([{ label: "A", date: MONDAY, startTime: "09:00", endTime: "12:00" }]);
    expect(await desk!.book("A")).toMatchObject({ date: MONDAY });
    // A repeated request books once.
    expect(await desk!.book("A")).toMatchObject({ date: MONDAY });
    ward.carrier.talk(callId);
    await ward.clock.advance(1);
    const entry = await ward.entry(meena);
    expect(entry.state).toBe("booked");
    const made = (await ward.appointmentRows()).filter(({ status }) => status === "confirmed");
    expect(made).toMatchObject([{ id: entry.appointment_id!, contact_name: "Meena", call_id: callId }]);
    expect(ward.ringing()).toEqual([]);
    const events = (await ward.newEvents()).map(({ type }) => type).filter((type) => !type.startsWith("call."));
    expect(events.toSorted()).toEqual(["appointment.cancelled", "appointment.created", "slot.updated", "slot.updated"]);
  });

  test("goes to the next person after a no; the first keeps or loses their turn as they choose", async () => {
    const { cancel } = await fullMonday();
    const [meena, ravi] = [await ward.waits("Meena"), await ward.waits("Ravi")];
    await ward.waits("Sita");
    await cancel();
    expect(await ward.callTo("Meena").desk!.decline!(true)).toBe(true);
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Meena", "Ravi"]);
    expect(await ward.callTo("Ravi").desk!.decline!(false)).toBe(true);
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Meena", "Ravi", "Sita"]);
    expect([(await ward.entry(meena)).state, (await ward.entry(ravi)).state]).toEqual(["waiting", "left"]);
    expect(await ward.callTo("Meena").desk!.book("A")).toBeNull();
  });

  test.each(["no_answer", "busy"] as const)(
    "goes on after %s, and the entry that missed it is first for the next",
    async (code) => {
      const { slot, cancel } = await fullMonday({
        agent: { retry_attempts: 3, retry_minutes: 1, retry_outcomes: [code] },
      });
      const meena = await ward.waits("Meena");
      await ward.waits("Ravi");
      await cancel();
      ward.carrier.fail(ward.callTo("Meena").callId, code);
      await ward.clock.advance(1);
      expect(ward.ringing()).toEqual(["Ravi"]);
      expect((await ward.entry(meena)).state).toBe("waiting");
      ward.carrier.fail(ward.callTo("Ravi").callId, code);
      // No candidate is left: the slot is free for everyone, and the agent's own retry policy does not apply.
      await ward.later(HOUR_MS);
      expect(ward.ringing()).toEqual([]);
      expect(await left(slot)).toBe(1);
      const next = await ward.book(slot);
      await cancel(next.appointment_id);
      expect(ward.ringing()).toEqual(["Meena"]);
      expect(await ward.offers()).toEqual(["Meena unanswered", "Ravi unanswered", "Meena calling"]);
    },
  );

  test("calls no person more often per day than the settings allow", async () => {
    const { slot, cancel, booked } = await fullMonday({ settings: { RINGWARD_WAITING_LIST__CALLS_PER_DAY: "1" } });
    await ward.waits("Meena");
    await cancel(booked.appointment_id);
    ward.carrier.fail(ward.callTo("Meena").callId, "no_answer");
    await ward.clock.advance(1);
    const again = await ward.book(slot);
    await cancel(again.appointment_id);
    expect(ward.ringing()).toEqual([]);
  });

  test("is not offered to a person it does not suit", async () => {
    const { cancel } = await fullMonday({}, { appointment_type_id: SERVICE });
    await ward.waits("Other service", { appointment_type_id: OTHER_SERVICE });
    await ward.waits("Too late", { from: NEXT_MONDAY });
    await ward.waits("Evenings", { sessions: ["Evening"] });
    await ward.waits("Elsewhere", { branch_id: "0190a1b2-0000-7000-8000-0000000000bb" });
    await ward.waits("Disturbed");
    await ward.app.services.doNotDisturb.add(ward.organisationId, "+919810020004", CLI_ACTOR);
    await ward.waits("Suits", { appointment_type_id: SERVICE, sessions: ["Morning", "Evening"] });
    await cancel();
    expect(ward.ringing()).toEqual(["Suits"]);
  });

  test.each([
    ["moved away", async (slot: string, id: string) => ward.change(id, { slot_id: slot.replace(MONDAY, NEXT_MONDAY) })],
    ["more room on the date", async (slot: string) => ward.override(slot, { max_slots: 2, ai_slots: 2 })],
    ["more room in the window", async (slot: string) => ward.patchWindow(slot, { max_slots: 2, ai_slots: 2 })],
    ["a new window", async () => ward.createWindow({ session: "Evening", ai_slots: 1, max_slots: 1 })],
  ])("is noticed: %s", async (_, open) => {
    const { slot, booked } = await fullMonday();
    await ward.waits("Meena", { from: MONDAY, to: MONDAY });
    await open(slot, booked.appointment_id);
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Meena"]);
  });

  test("is offered to several people at once if several slots open", async () => {
    const { slot } = await fullMonday();
    for (const name of ["Meena", "Ravi", "Sita"]) await ward.waits(name);
    await ward.override(slot, { max_slots: 3, ai_slots: 3 });
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Meena", "Ravi"]);
    expect(await left(slot)).toBe(0);
  });

  test("that is taken back meanwhile is no longer offered", async () => {
    const { slot, cancel } = await fullMonday();
    const meena = await ward.waits("Meena");
    await cancel();
    const { callId, desk } = ward.callTo("Meena");
    await ward.override(slot, { status: "CLOSED" });
    expect(await desk!.offer(1)).toEqual([]);
    expect(await desk!.book("A")).toBeNull();
    ward.carrier.talk(callId);
    await ward.later(HOUR_MS);
    expect([(await ward.entry(meena)).state, ward.ringing()]).toEqual(["waiting", []]);
    expect(await ward.db.reader.selectFrom("waiting_openings").selectAll().execute()).toEqual([]);
  });

  test("held by a caller is offered once they release it", async () => {
    const { slot, booked } = await fullMonday();
    await ward.waits("Meena");
    // A caller talks to the agent, and is offered the slot the moment it opens.
    const caller = await ward.dial({ additional_info: { branch_id: BRANCH } });
    await ward.db.write(async (tx) => {
      const { within } = ward.app.services.appointments;
      await within.change(tx, ward.organisationId, booked.appointment_id, { status: "cancelled" }, CLI_ACTOR);
      const hold = { id: "hld_1", window_id: slot.split("||")[0]!, date: MONDAY, call_id: caller };
      await tx
        .insertInto("slot_holds")
        .values({ ...hold, expires_at: ward.clock.now() + 90_000 })
        .execute();
    });
    await ward.clock.advance(MINUTE_MS);
    expect(ward.carrier.dialled).toHaveLength(1);
    await ward.clock.advance(31_000);
    expect(ward.ringing()).toContain("Meena");
  });
});

describe("calling hours", () => {
  test("delay the call while the slot stays free for others, and the turn is kept", async () => {
    const { slot, cancel } = await fullMonday({ isEnforced: true });
    await ward.waits("Meena", { to: "2026-11-17" });
    await ward.waits("Ravi", { to: "2026-11-17" });
    // 20:30 in India.
    await ward.later(9 * HOUR_MS);
    const late = on(await ward.createWindow({ day: "tuesday", ai_slots: 1, max_slots: 1 }), "2026-11-17");
    expect(ward.ringing()).toEqual([]);
    expect(await left(late)).toBe(1);
    await cancel();
    // At nine, Monday's slot at nine is too near and stays free.
    await ward.later(12 * HOUR_MS + 29 * MINUTE_MS);
    expect(ward.ringing()).toEqual([]);
    await ward.later(MINUTE_MS);
    expect(ward.ringing()).toEqual(["Meena"]);
    expect((await ward.offerRows()).map(({ date }) => date)).toEqual(["2026-11-17"]);
    expect(await left(slot)).toBe(1);
  });

  test("of the agent take precedence over those of the list", async () => {
    const hours = { start: "13:00", end: "14:00", days: [0, 1, 2, 3, 4, 5, 6] };
    const { cancel } = await fullMonday({ isEnforced: true, agent: { calling_hours: hours } });
    await ward.waits("Meena");
    await cancel();
    expect(ward.ringing()).toEqual([]);
    // It is 11:30.
    await ward.later(90 * MINUTE_MS);
    expect(ward.ringing()).toEqual(["Meena"]);
  });
});

test("a call that cannot be dialled releases its slot, and is retried without being counted", async () => {
  const { slot, cancel } = await fullMonday({ settings: { RINGWARD_WAITING_LIST__CALLS_PER_DAY: "1" } });
  ward.carrier.trunkLines = () => ({ kind: "closed", reason: "trunk_unavailable", until: null });
  await ward.waits("Meena");
  await cancel();
  expect(await left(slot)).toBe(0);
  await ward.later(15 * MINUTE_MS + 1);
  expect([await left(slot), await ward.offers()]).toEqual([1, ["Meena undialled"]]);
  ward.carrier.trunkLines = () => ({ kind: "open", lines: 10 });
  await ward.later(15 * MINUTE_MS + 1);
  expect(ward.ringing()).toEqual(["Meena"]);
});

test("an entry made by phone uses only slots of the agent's share", async () => {
  const { slot } = await fullMonday({}, { ai_slots: 0, max_slots: 1 });
  await ward.waits("By phone", {}, "ai");
  await ward.waits("At the desk");
  await ward.override(slot, { max_slots: 2 });
  await ward.clock.advance(1);
  expect(ward.ringing()).toEqual(["At the desk"]);
});

test("a caller who finds nothing is added to the list immediately, and once", async () => {
  ward = await createWard({ agent: { branch_id: BRANCH } });
  await ward.app.start();
  const callId = await ward.dial({ user_name: "Meena" });
  const { desk, brief } = ward.carrier.dialled[0]!;
  expect(brief.desk).toEqual({ canBook: true, canWait: true });
  expect(await desk!.offer(3)).toEqual([]);
  const wish = { date: NEXT_MONDAY, dateEnd: null, time: null, partOfDay: "morning" as const };
  expect([await desk!.wait!(wish), await desk!.wait!(wish)]).toEqual([true, true]);
  const { data } = await ward.app.services.waitingList.list(ward.organisationId, {}, CLI_ACTOR);
  expect(data).toMatchObject([
    {
      status: "waiting",
      contact_name: "Meena",
      call_id: callId,
      source: "ai",
      agent_id: ward.agentId,
      from: NEXT_MONDAY,
      to: NEXT_MONDAY,
      sessions: ["Morning"],
    },
  ]);
});

describe("at the desk", () => {
  test("a person is called now, out of turn, about a free slot", async () => {
    ward = await createWard();
    await ward.app.start();
    await ward.createWindow({ ai_slots: 1, max_slots: 1 });
    await ward.waits("Meena", { to: MONDAY });
    const ravi = await ward.waits("Ravi");
    const { waitingList } = ward.app.services;
    const called = await waitingList.callNow(ward.organisationId, ravi, CLI_ACTOR);
    expect(called).toMatchObject({ status: "offered", last_offer: { date: MONDAY, status: "calling" } });
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Ravi"]);
    expect(await ward.actionsOnRecord()).toContain("waiting.offered");
    const meena = (await waitingList.list(ward.organisationId, {}, CLI_ACTOR)).data[0]!;
    const tried = waitingList.callNow(ward.organisationId, meena.waiting_id, CLI_ACTOR);
    expect(await tried.catch(String)).toMatch(/No place/);
  });

  test("a person removed from the list is not called again, and their slot goes to the next", async () => {
    const { cancel } = await fullMonday({ carrierLines: 0 });
    const meena = await ward.waits("Meena");
    await ward.waits("Ravi");
    await cancel();
    await ward.app.services.waitingList.remove(ward.organisationId, meena, CLI_ACTOR);
    await ward.clock.advance(1);
    expect(await ward.offers()).toEqual(["Meena unanswered", "Ravi calling"]);
    expect((await ward.entry(meena)).state).toBe("removed");
  });

  test.each([
    [{ from: "2026-11-20", to: "2026-11-19" }, "to"],
    [{ to: "2026-11-01" }, "to"],
    [{ from: "2026-02-30" }, "from"],
    [{ agent_id: "agt_unknown" }, "agent_id"],
    // Regression: an empty agent id was answered with 500.
    [{ agent_id: "" }, "agent_id"],
    [{ contact_number: "12" }, "contact_number"],
  ])("%j is rejected", async (wrong, field) => {
    ward = await createWard();
    const body = { branch_id: BRANCH, contact_number: "+919810012345", ...wrong };
    expect(refusal(await ward.request("POST", "/v1/waitlist", { body }))[2]).toBe(field);
  });
});

test("the API adds, lists in order, removes, and isolates organisations", async () => {
  ward = await createWard();
  const add = (contact_number: string) =>
    ward.request("POST", "/v1/waitlist", { body: { branch_id: BRANCH, contact_number } });
  const first = await add("+919810012345");
  expect([first.status, String(first.json.data["to"])]).toEqual([201, "2026-12-15"]);
  expect(refusal(await add("+919810012345"))).toEqual([409, "CONFLICT"]);
  await ward.clock.advance(1);
  await add("+919810012346");
  const page = await ward.request("GET", "/v1/waitlist?limit=1");
  const rest = await ward.request("GET", `/v1/waitlist?cursor=${String(page.json["next_cursor"])}`);
  const numbers = [page, rest].flatMap(({ json }) =>
    (json.data as unknown as { contact_number: string }[]).map(({ contact_number }) => contact_number),
  );
  expect(numbers).toEqual(["+919810012345", "+919810012346"]);
  const id = String(first.json.data["waiting_id"]);
  const { key } = await ward.neighbour();
  expect(refusal(await ward.request("DELETE", `/v1/waitlist/${id}`, { key }))).toEqual([404, "NOT_FOUND"]);
  expect((await ward.request("GET", "/v1/waitlist", { key })).json.data).toEqual([] as never);
  expect((await ward.request("DELETE", `/v1/waitlist/${id}`)).status).toBe(200);
  expect(refusal(await ward.request("GET", "/v1/waitlist", { key: await ward.newKey(["calls:read"]) }))).toEqual([
    403,
    "INSUFFICIENT_SCOPE",
  ]);
});

describe("a person booked in another way", () => {
  const MEENA = { contact_name: "Meena", contact_number: "+919810020000" };

  test("stops waiting as soon as they are booked, at the desk, over the API or by a move", async () => {
    const { slot, cancel } = await fullMonday({}, { max_slots: 3, ai_slots: 0 });
    const meena = await ward.waits("Meena");
    const other = await ward.waits("Meena", { from: NEXT_MONDAY, appointment_type_id: SERVICE });
    const ravi = await ward.waits("Ravi");
    const made = await ward.book(slot, MEENA);
    expect(await ward.entry(meena)).toMatchObject({ state: "booked", appointment_id: made.appointment_id });
    // Their other entries, and all other people, are unaffected.
    expect([(await ward.entry(other)).state, (await ward.entry(ravi)).state]).toEqual(["waiting", "waiting"]);
    await ward.change(made.appointment_id, { slot_id: slot.replace(MONDAY, NEXT_MONDAY) });
    expect(await ward.entry(other)).toMatchObject({ state: "booked", appointment_id: made.appointment_id });
    expect(await ward.actionsOnRecord()).toContain("waiting.booked");
    await cancel();
    expect(ward.ringing()).toEqual(["Ravi"]);
  });

  test("keeps waiting if the booking is not what they wait for, is for another family member, or was rejected", async () => {
    const { slot } = await fullMonday();
    const waiting = [
      await ward.waits("Meena", { sessions: ["Evening"] }),
      await ward.waits("Meena", { from: NEXT_MONDAY, contact_name: "Her mother" }),
      await ward.waits("Meena", { contact_name: "Her son" }),
    ];
    const next = slot.replace(MONDAY, NEXT_MONDAY);
    expect(refusal(await ward.postAppointment(slot, MEENA))).toEqual([409, "SLOT_FULL"]);
    const made = await ward.book(next, MEENA);
    await ward.change(made.appointment_id, { notes: "Asks for a chair." });
    for (const id of waiting) expect((await ward.entry(id)).state).toBe("waiting");
  });

  test("is not called about the reserved slot, and the next person is", async () => {
    const { slot, cancel } = await fullMonday({ carrierLines: 1 });
    const busy = await ward.dial();
    const meena = await ward.waits("Meena");
    await ward.waits("Ravi");
    await cancel();
    expect(await ward.offers()).toEqual(["Meena calling"]);
    await ward.book(slot.replace(MONDAY, NEXT_MONDAY), MEENA);
    expect((await ward.entry(meena)).state).toBe("booked");
    ward.carrier.talk(busy);
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Ravi"]);
    expect(await ward.offers()).toEqual(["Meena undialled", "Ravi calling"]);
  });

  test("is told in a live call that the slot is gone, while the next person is called about it", async () => {
    const { slot, cancel } = await fullMonday();
    const meena = await ward.waits("Meena");
    await ward.waits("Ravi");
    await cancel();
    const { desk, callId } = ward.callTo("Meena");
    const made = await ward.book(slot.replace(MONDAY, NEXT_MONDAY), MEENA);
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Meena", "Ravi"]);
    expect([await desk!.offer(3), await desk!.book("A")]).toEqual([[], null]);
    // Whatever happens on that line, they stay booked and no one else loses a slot.
    expect(await desk!.decline!(false)).toBe(true);
    ward.carrier.talk(callId);
    await ward.clock.advance(1);
    expect(await ward.entry(meena)).toMatchObject({ state: "booked", appointment_id: made.appointment_id });
    expect(await ward.callTo("Ravi").desk!.book("A")).toMatchObject({ date: MONDAY });
  });
});

describe.each([
  ["ahead", 7 * 24 * HOUR_MS],
  ["behind", -7 * 24 * HOUR_MS],
])("an untrusted clock a week %s", (_, jump) => {
  test("causes no call about a slot that opens; the first person is called once it is right", async () => {
    const { slot, cancel } = await fullMonday();
    await ward.waits("Meena");
    await ward.waits("Ravi");
    ward.clock.jump(jump);
    await cancel();
    for (let i = 0; i < 5; i++) await ward.later(MINUTE_MS);
    expect([ward.ringing(), await ward.offers(), await left(slot)]).toEqual([[], [], 1]);
    ward.clock.jump(-jump);
    await ward.later(MINUTE_MS);
    expect(ward.ringing()).toEqual(["Meena"]);
  });

  test("ends no reservation, and calls no one else meanwhile", async () => {
    const { slot, cancel } = await fullMonday();
    await ward.waits("Meena");
    await ward.waits("Ravi");
    await cancel();
    ward.clock.jump(jump);
    for (let i = 0; i < 3; i++) await ward.later(MINUTE_MS);
    expect([ward.ringing(), await left(slot)]).toEqual([["Meena"], 0]);
    expect(refusal(await ward.postAppointment(slot))).toEqual([409, "SLOT_FULL"]);
    expect(await ward.callTo("Meena").desk!.book("A")).toMatchObject({ date: MONDAY });
  });
});

describe.each([
  ["forward", HOUR_MS],
  ["back", -HOUR_MS],
])("a clock set an hour %s, and confirmed, during a reservation", (_, jump) => {
  const setClock = async () => {
    ward.clock.jump(jump);
    await ward.db.write((tx) => confirmBelieved(tx, ward.clock.now(), null));
    await ward.later(MINUTE_MS);
  };

  test("causes no call to another person, and the person called gets the slot", async () => {
    const { slot, cancel } = await fullMonday();
    const meena = await ward.waits("Meena");
    await ward.waits("Ravi");
    await cancel();
    await setClock();
    for (let i = 0; i < 3; i++) await ward.later(MINUTE_MS);
    expect([ward.ringing(), await left(slot)]).toEqual([["Meena"], 0]);
    expect(refusal(await ward.postAppointment(slot))).toEqual([409, "SLOT_FULL"]);
    expect(await ward.callTo("Meena").desk!.book("A")).toMatchObject({ date: MONDAY });
    expect((await ward.entry(meena)).state).toBe("booked");
    await ward.later(2 * HOUR_MS);
    expect(await ward.offers()).toEqual(["Meena booked"]);
  });

  test("has the next person called after a no, in order", async () => {
    const { cancel } = await fullMonday();
    for (const name of ["Meena", "Ravi", "Sita"]) await ward.waits(name);
    await cancel();
    await setClock();
    await ward.callTo("Meena").desk!.decline!(true);
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Meena", "Ravi"]);
    ward.carrier.fail(ward.callTo("Ravi").callId, "no_answer");
    await ward.clock.advance(1);
    expect(ward.ringing()).toEqual(["Meena", "Sita"]);
  });

  test("loses no slot that opens afterwards", async () => {
    const { cancel } = await fullMonday();
    await ward.waits("Meena");
    await setClock();
    await cancel();
    expect(ward.ringing()).toEqual(["Meena"]);
  });
});
