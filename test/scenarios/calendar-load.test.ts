// Many clients compete for few slots, over HTTP and by telephone, on the compiled binary: exactly as many win as there
// are slots.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { daysAhead } from "../calendar/ahead.ts";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { finished, newAgent, place, startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const SOON = daysAhead(3);
const LATER = daysAhead(10);
const CLIENTS = 24;

let server: Running;
let agentId: string;
beforeAll(async () => {
  server = await startQuick({ RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" });
  ({ agentId } = await newAgent(server, { lines: 50 }));
});
afterAll(() => server.stop());

interface Window {
  slot_id: string;
  branch_id: string;
}

async function openWindow(aiSlots: number, maxSlots: number): Promise<Window> {
  const body = { branch_id: randomUUID(), day: SOON.day, session: "Morning", ai_slots: aiSlots, max_slots: maxSlots };
  const answer = await ask(server, "POST", "/v1/appointment-slots", { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data as unknown as Window;
}

const book = (slotId: string) => ask(server, "POST", "/v1/appointments", { body: { slot_id: slotId } });
const won = (answers: { status: number }[]) => answers.filter(({ status }) => status === 201).length;
const together = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));

interface Shown {
  appointment_id: string;
  date: string;
  source: string;
  status: string;
}

async function appointmentsOf(branchId: string): Promise<Shown[]> {
  const answer = await ask(server, "GET", `/v1/appointments?branch_id=${branchId}&limit=100`);
  return (answer.data as unknown as Shown[]).filter(({ status }) => status !== "cancelled");
}

/** Tracking must agree with the appointments for each date. */
async function checkedFill(branchId: string): Promise<Map<string, { all: number; ai: number }>> {
  const appointments = await appointmentsOf(branchId);
  const { data } = await ask(server, "GET", `/v1/appointment-slots/schedule-tracking?branch_id=${branchId}`);
  const records = data as unknown as { date: string; filled_slots: number; ai_filled_slots: number }[];
  const shown = records.map(({ date, filled_slots, ai_filled_slots }) => [date, filled_slots, ai_filled_slots]);
  const counted = records.map(({ date }) => {
    const onDate = appointments.filter((appointment) => appointment.date === date);
    return [date, onDate.length, onDate.filter(({ source }) => source === "ai").length];
  });
  expect(shown).toEqual(counted);
  return new Map(records.map(({ date, filled_slots: all, ai_filled_slots: ai }) => [date, { all, ai }]));
}

test("exactly max_slots of many concurrent clients win, in every round", async () => {
  for (let round = 1; round <= 20; round++) {
    const { slot_id, branch_id } = await openWindow(1, round);
    const answers = await together(CLIENTS, () => book(`${slot_id}||${SOON.date}`));
    expect([won(answers), answers.filter(({ status }) => status === 409).length]).toEqual([round, CLIENTS - round]);
    expect((await checkedFill(branch_id)).get(SOON.date)).toEqual({ all: round, ai: 0 });
  }
});

test("slots released, moved and booked again under load never exceed the limit", async () => {
  const { slot_id, branch_id } = await openWindow(2, 5);
  const [soon, later] = [`${slot_id}||${SOON.date}`, `${slot_id}||${LATER.date}`];
  const patch = (id: string, body: unknown) => ask(server, "PATCH", `/v1/appointments/${id}`, { body });
  await together(12, async (client) => {
    for (let i = 0; i < 40; i++) {
      const made = await book((client + i) % 2 === 0 ? soon : later);
      if (made.status !== 201) continue;
      const id = String(made.data["appointment_id"]);
      const moved = await patch(id, { slot_id: i % 2 === 0 ? later : soon });
      expect([200, 409]).toContain(moved.status);
      if ((client + i) % 3 > 0) expect((await patch(id, { status: "cancelled" })).status).toBe(200);
    }
  });
  const fill = await checkedFill(branch_id);
  for (const { all } of fill.values()) expect(all).toBeLessThanOrEqual(5);
  // After the load, the remaining slots can be booked to the last one and no further.
  const free = 5 - fill.get(SOON.date)!.all;
  expect(won(await together(8, () => book(soon)))).toBe(free);
  expect((await checkedFill(branch_id)).get(SOON.date)!.all).toBe(5);
});

test("concurrent calls and clients: the agent's bookings stay within ai_slots, all bookings within max_slots", async () => {
  const { slot_id, branch_id } = await openWindow(2, 6);
  let callsOver = 0;
  const calls = together(20, async () => {
    const id = await place(server, { agent_id: agentId, additional_info: { branch_id } });
    const call = await finished(server, id);
    callsOver++;
    return call;
  });
  const clients = together(CLIENTS, async (client) => {
    // Otherwise no slot would be left for the agent to offer.
    await until(() => callsOver > 0);
    return book(`${slot_id}||${client % 2 === 0 ? SOON.date : LATER.date}`);
  });
  const [ended, answers] = await Promise.all([calls, clients]);
  const fill = await checkedFill(branch_id);
  for (const { all, ai } of fill.values()) {
    expect(all).toBeLessThanOrEqual(6);
    expect(ai).toBeLessThanOrEqual(2);
  }
  const appointments = await appointmentsOf(branch_id);
  const booked = ended.filter(({ call_analytics }) => call_analytics?.disposition === "appointment_booked").length;
  expect(appointments.filter(({ source }) => source === "ai").length).toBe(booked);
  expect(appointments.filter(({ source }) => source === "api").length).toBe(won(answers));
  expect(booked).toBeGreaterThan(0);
  expect(ended.length - booked).toBeGreaterThan(0);
});
