// Appointments on the compiled binary: booked over the API and by the agent in a call, delivered to a receiver, and
// erased.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { daysAhead } from "../calendar/ahead.ts";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { command, finished, numberEnding, place, placeAndFinish, startQuick, talkative } from "../support/calls.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { chanceOf } from "../support/chance.ts";

leaveNothingBehind();
const chance = chanceOf("appointments");
closeReceivers();

const SOON = daysAhead(3);
const LATER = daysAhead(10);

let receiver: Receiver;
let server: Running;
beforeAll(async () => {
  receiver = startReceiver();
  server = await startQuick(receiver.env);
  const made = await runBinary(["endpoints", "create", "--url", receiver.url, "--data", server.dataDir], {
    env: receiver.env,
  });
  expect(made.code).toBe(0);
});
afterAll(() => server.stop());

interface Shown extends Record<string, unknown> {
  appointment_id: string;
  slot_id: string;
}

async function openWindow(changes: Record<string, unknown> = {}): Promise<{ slot_id: string; branch_id: string }> {
  const body = { branch_id: randomUUID(), day: SOON.day, session: "Morning", ai_slots: 4, max_slots: 10, ...changes };
  const answer = await ask(server, "POST", "/v1/appointment-slots", { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data as { slot_id: string; branch_id: string };
}

const post = (slotId: string, changes: Record<string, unknown> = {}) =>
  ask(server, "POST", "/v1/appointments", { body: { slot_id: slotId, ...changes } });
const patch = (id: string, body: unknown) => ask(server, "PATCH", `/v1/appointments/${id}`, { body });
const list = async (query: string) =>
  (await ask(server, "GET", `/v1/appointments?${query}`)).data as unknown as Shown[];
const fillOf = async (branchId: string) => {
  const { data } = await ask(server, "GET", `/v1/appointment-slots/schedule-tracking?branch_id=${branchId}`);
  return (data as unknown as Record<string, unknown>[]).map((record) => [
    record["date"],
    record["filled_slots"],
    record["ai_filled_slots"],
  ]);
};

/** Events about one object, in the order of creation: they are sent immediately and may overtake one another. */
async function eventsAbout(field: string, id: string, count: number) {
  const come = () => receiver.received.filter(({ json }) => String(json.data[field]).startsWith(id));
  await until(() => come().length >= count, {
    withinMs: 60_000,
    what: () => `${come().length} of ${count} events came`,
  });
  return come()
    .map(({ json }) => json)
    .toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1));
}

describe("4.10 over the API", () => {
  test("booked, read, changed, moved, completed; each change is delivered to the receiver", async () => {
    const service = randomUUID();
    await command(server, "services", "set", service, "--name", "Cardiology");
    const { slot_id: window, branch_id } = await openWindow({ appointment_type_id: service, batch_name: "A" });
    const made = await post(`${window}||${SOON.date}`, {
      contact_name: "Test Patient",
      contact_number: "+912255550123",
    });
    expect(made.status).toBe(201);
    const id = String(made.data["appointment_id"]);
    expect(made.data).toMatchObject({
      status: "confirmed",
      source: "api",
      batch: "A",
      appointment_type_name: "Cardiology",
      date: SOON.date,
    });
    const { starts_at, start_time, time_zone } = made.data as Record<string, string>;
    const shown = { timeZone: time_zone!, hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const;
    expect(new Intl.DateTimeFormat("en-GB", shown).format(new Date(starts_at!))).toBe(start_time!);
    expect((await ask(server, "GET", `/v1/appointments/${id}`)).data).toEqual(made.data);
    expect((await patch(id, { notes: "brings a report" })).data).toMatchObject({ notes: "brings a report" });
    expect((await patch(id, { slot_id: `${window}||${LATER.date}` })).data).toMatchObject({ date: LATER.date });
    expect(await fillOf(branch_id)).toEqual([
      [SOON.date, 0, 0],
      [LATER.date, 1, 0],
    ]);
    const completed = await patch(id, { status: "completed" });
    expect(completed.data).toMatchObject({ status: "completed", completed_at: expect.any(String) });
    expectError(await patch(id, { notes: "too late" }), 409, "CONFLICT");

    const told = await eventsAbout("appointment_id", id, 4);
    expect(told.map(({ event_type }) => event_type)).toEqual([
      "appointment.created",
      "appointment.updated",
      "appointment.updated",
      "appointment.completed",
    ]);
    expect(told[0]!.data).toEqual(made.data);
    expect(told[3]!.data).toEqual(completed.data);
    const fills = (await eventsAbout("calendar_id", window, 4)).map(({ event_type, data }) => [
      event_type,
      data["slot_id"],
      data["filled_slots"],
    ]);
    expect(fills).toEqual([
      ["slot.updated", window, null],
      ["slot.updated", `${window}||${SOON.date}`, 1],
      ["slot.updated", `${window}||${SOON.date}`, 0],
      ["slot.updated", `${window}||${LATER.date}`, 1],
    ]);
  });

  test("cancelled, its slot is free again", async () => {
    const { slot_id: window, branch_id } = await openWindow({ ai_slots: 1, max_slots: 1 });
    const slotId = `${window}||${SOON.date}`;
    const id = String((await post(slotId)).data["appointment_id"]);
    expectError(await post(slotId), 409, "SLOT_FULL");
    expect((await patch(id, { status: "cancelled" })).data).toMatchObject({
      status: "cancelled",
      cancelled_at: expect.any(String),
    });
    expect((await post(slotId)).status).toBe(201);
    expect((await list(`branch_id=${branch_id}&status=cancelled`)).map(({ appointment_id }) => appointment_id)).toEqual(
      [id],
    );
    expect((await eventsAbout("appointment_id", id, 2))[1]!).toMatchObject({
      event_type: "appointment.cancelled",
      data: { status: "cancelled" },
    });
  });

  test("the reads that a booking form needs", async () => {
    const configuration = await ask(server, "GET", "/v1/appointments/configuration");
    expect(configuration.data).toMatchObject({ time_zone: "Asia/Kolkata", max_query_days: 92 });
    expect((await ask(server, "GET", "/v1/appointments/services")).data as unknown).toContainEqual({
      appointment_type_id: server.demo["appointment_type_id"],
      appointment_type_name: "General consultation",
    });
    const open = (await ask(server, "GET", `/v1/appointments/availability?branch_id=${server.demo["branch_id"]!}`))
      .data as unknown as object[];
    expect(open.length).toBeGreaterThan(10);
  });

  test("refusals", async () => {
    const { slot_id: window } = await openWindow();
    const slotId = `${window}||${SOON.date}`;
    expectError(await post(window), 400, "VALIDATION_ERROR");
    expectError(await post(slotId, { contact_number: "123" }), 422, "INVALID_PHONE_NUMBER");
    expectError(await post(slotId, { contact_number: "+442071838750" }), 422, "UNSUPPORTED_COUNTRY");
    expectError(await ask(server, "GET", "/v1/appointments/apt_unknown"), 404, "NOT_FOUND");
    expectError(await patch("apt_unknown", { notes: "x" }), 404, "NOT_FOUND");
    expectError(
      await ask(server, "GET", "/v1/appointments", { key: server.demo["readonly_api_key"]! }),
      403,
      "INSUFFICIENT_SCOPE",
    );
  });
});

describe("a simulated call", () => {
  const said = (call: { call_transcript: { text: string }[] | null }) =>
    call.call_transcript!.map(({ text }) => text).join("\n");

  test("books a real slot of its agent's branch and service", async () => {
    const number = talkative();
    const call = await placeAndFinish(server, {
      user_number: number,
      user_name: "Test Patient",
      user_email: "patient@example.invalid",
    });
    expect(call.call_analytics!.disposition).toBe("appointment_booked");
    const [made, ...others] = await list(`call_id=${call.call_id}`);
    expect(others).toEqual([]);
    expect(made!).toMatchObject({
      status: "confirmed",
      source: "ai",
      call_id: call.call_id,
      branch_id: server.demo["branch_id"],
      appointment_type_id: server.demo["appointment_type_id"],
      appointment_type_name: "General consultation",
      batch: "A",
      contact_name: "Test Patient",
      contact_number: number,
      contact_email: "patient@example.invalid",
    });
    expect(call.extracted_details).toMatchObject({
      appointment_date: made!["date"],
      appointment_time: made!["start_time"],
    });
    expect(said(call)).toContain("Thank you. Your appointment is on");
    const [, completed] = await eventsAbout("call_id", call.call_id, 3).then((events) =>
      events.filter(({ event_type }) => event_type.startsWith("call.")),
    );
    expect(completed!).toMatchObject({ event_type: "call.completed", data: { appointment_details: made } });
  });

  test("books at the branch and service given in the call", async () => {
    const { slot_id: window, branch_id } = await openWindow();
    const call = await placeAndFinish(server, { additional_info: { branch_id } });
    expect(call.call_analytics!.disposition).toBe("appointment_booked");
    expect(await list(`call_id=${call.call_id}`)).toMatchObject([{ slot_id: `${window}||${SOON.date}`, branch_id }]);
    expect((await fillOf(branch_id))[0]).toEqual([SOON.date, 1, 1]);
  });

  test.each([
    ["there is no window", async () => randomUUID()],
    ["the agent may book none", async () => (await openWindow({ ai_slots: 0 })).branch_id],
    ["the window is closed", async () => (await openWindow({ status: "CLOSED" })).branch_id],
  ])("where %s says so, and is no booking", async (_what, branchWithout) => {
    const branch_id = await branchWithout();
    const call = await placeAndFinish(server, { additional_info: { branch_id } });
    expect(call.call_analytics).toMatchObject({
      disposition: "session_ended",
      summary: expect.stringContaining("put on the waiting list"),
    });
    expect(said(call)).toContain("there is no time open at the moment");
    expect(said(call)).not.toContain("Your appointment is on");
    expect(await list(`call_id=${call.call_id}`)).toEqual([]);
  });

  test("that ends without a booking keeps no slot reserved", async () => {
    const { slot_id: window, branch_id } = await openWindow({ ai_slots: 1, max_slots: 1 });
    const call = await placeAndFinish(server, { user_number: numberEnding("0006"), additional_info: { branch_id } });
    expect(call.call_analytics!.disposition).toBe("not_interested");
    expect((await post(`${window}||${SOON.date}`)).status).toBe(201);
  });

  test("that is erased keeps the slot booked and leaves no byte of the contact", async () => {
    const { slot_id: window, branch_id } = await openWindow();
    const tag = `Q${chance().toString(36).slice(2, 10)}`;
    const number = talkative();
    const words = [`Zelmira ${tag}`, `${tag}@patient.invalid`, number, number.slice(1)];
    const id = await place(server, {
      user_number: number,
      user_name: words[0],
      user_email: words[1],
      additional_info: { branch_id },
    });
    expect((await finished(server, id)).call_analytics!.disposition).toBe("appointment_booked");
    const [made] = await list(`call_id=${id}`);
    // Staff change it once more, so a further event contains the contact.
    const note = `note on ${tag}`;
    expect((await patch(made!.appointment_id, { notes: note })).status).toBe(200);
    await eventsAbout("appointment_id", made!.appointment_id, 2);
    const everything = [...words, note, tag];
    expect(Object.keys(filesHolding(server.dataDir, everything)).toSorted()).toEqual([...everything].toSorted());

    expect((await ask(server, "DELETE", `/v1/calls/${id}`)).status).toBe(200);
    expect(filesHolding(server.dataDir, everything)).toEqual({});
    expect((await ask(server, "GET", `/v1/appointments/${made!.appointment_id}`)).data).toMatchObject({
      status: "confirmed",
      slot_id: `${window}||${SOON.date}`,
      source: "ai",
      contact_name: null,
      contact_number: null,
      contact_email: null,
      notes: null,
      call_id: null,
    });
    expect((await fillOf(branch_id))[0]).toEqual([SOON.date, 1, 1]);
    expect(server.output()).not.toContain(tag);
  });
});
