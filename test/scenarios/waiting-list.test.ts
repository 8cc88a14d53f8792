// The waiting list on the compiled binary: simulated contacts accept, decline or do not answer, the desk books
// meanwhile, and the process is killed.
import { describe, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const SETTINGS = {
  // At any time of day.
  RINGWARD_WAITING_LIST__CALLING_HOURS: "09:00,09:00",
  RINGWARD_WAITING_LIST__CALLS_PER_DAY: "20",
};
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DAY_MS = 86_400_000;

interface Waiting {
  waiting_id: string;
  status: string;
  contact_name: string;
  appointment_id: string | null;
  calls: number;
  last_offer: { status: string } | null;
}

interface Appointment {
  appointment_id: string;
  contact_name: string | null;
  call_id: string | null;
}

async function wanted<T>(server: Running, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ask(server, method, path, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.data as T;
}

/** A new branch with one window three days from now; its slot on that date. */
async function openWindow(server: Running, slots: number) {
  const branch_id = crypto.randomUUID();
  const day = new Date(Date.now() + 3 * DAY_MS);
  const date = day.toISOString().slice(0, 10);
  const window = await wanted<{ slot_id: string; calendar_id: string }>(server, "POST", "/v1/appointment-slots", {
    branch_id,
    day: DAYS[day.getUTCDay()],
    session: "Morning",
    ai_slots: slots,
    max_slots: slots,
  });
  const slot_id = `${window.calendar_id}||${date}`;
  return { branch_id, date, slot_id };
}

type Place = Awaited<ReturnType<typeof openWindow>>;

const waits = ({ branch_id, date }: Place, server: Running, name: string, contact_number: string) =>
  wanted<Waiting>(server, "POST", "/v1/waitlist", {
    branch_id,
    contact_name: name,
    contact_number,
    agent_id: server.demo["agent_id"],
    from: date,
    to: date,
  });

const entries = async ({ branch_id }: Place, server: Running, status: string) =>
  wanted<Waiting[]>(server, "GET", `/v1/waitlist?limit=100&branch_id=${branch_id}&status=${status}`);

const booked = ({ branch_id }: Place, server: Running) =>
  wanted<Appointment[]>(server, "GET", `/v1/appointments?limit=100&branch_id=${branch_id}&status=confirmed`);

const free = async ({ branch_id, date, slot_id }: Place, server: Running) => {
  const query = `branch_id=${branch_id}&from=${date}&to=${date}`;
  const slots = await wanted<{ slot_id: string; available_slots: number }[]>(
    server,
    "GET",
    `/v1/appointment-slots/availability?${query}`,
  );
  return slots.find((slot) => slot.slot_id === slot_id)?.available_slots;
};

describe("a slot that opens", () => {
  test("skips contacts who are busy, do not answer or do not listen, and goes to the one who accepts", async () => {
    const server = await startQuick(SETTINGS);
    const place = await openWindow(server, 1);
    const { appointment_id } = await wanted<Appointment>(server, "POST", "/v1/appointments", {
      slot_id: place.slot_id,
    });
    const numbers = ["+15552010001", "+15552010002", "+15552010006", "+15552010100", "+15552020100"];
    const names = ["Busy", "Away", "Unwilling", "Willing", "Late"];
    for (const [i, name] of names.entries()) await waits(place, server, name, numbers[i]!);
    await wanted(server, "PATCH", `/v1/appointments/${appointment_id}`, { status: "cancelled" });
    await until(async () => (await booked(place, server)).length > 0, { withinMs: 60_000, everyMs: 50 });
    const [made] = await booked(place, server);
    expect(made).toMatchObject({ contact_name: "Willing", call_id: expect.stringMatching(/^call_/) });
    await until(async () => (await entries(place, server, "offered")).length === 0, { withinMs: 60_000, everyMs: 50 });
    const left = await entries(place, server, "waiting");
    expect(left.map(({ contact_name, calls, last_offer }) => [contact_name, calls, last_offer?.status])).toEqual([
      ["Busy", 1, "unanswered"],
      ["Away", 1, "unanswered"],
      ["Unwilling", 1, "unanswered"],
      ["Late", 0, undefined],
    ]);
    expect((await entries(place, server, "booked")).map((each) => each.appointment_id)).toEqual([made!.appointment_id]);
  }, 180_000);

  test("is never assigned twice, while the desk books too and the process is killed", async () => {
    const dataDir = tempFolder();
    const PLACES = 5;
    let server = await startQuick(SETTINGS, { dataDir });
    const place = await openWindow(server, 0);
    for (let i = 0; i < 9; i++) await waits(place, server, `Person ${i}`, `+1555${300 + i}0100`);
    let isOver = false;
    let answers = 0;
    /** The desk tries continuously; rejections and the kill are expected answers. */
    const desk = async () => {
      while (!isOver) {
        const body = { slot_id: place.slot_id, contact_name: "Desk" };
        await ask(server, "POST", "/v1/appointments", { body }).then(
          () => (answers += 1),
          () => {},
        );
      }
    };
    const path = `/v1/appointment-slots/schedule-tracking/${encodeURIComponent(place.slot_id)}`;
    await wanted(server, "PATCH", path, { max_slots: PLACES, ai_slots: PLACES });
    await until(() => hasCalls(place, server), {
      withinMs: 60_000,
      everyMs: 2,
    });
    // Started later: two fast desks would book every slot before the first call.
    const desks = [desk(), desk()];
    await until(() => answers > 0, { everyMs: 1 });
    await server.kill();
    server = await startQuick(SETTINGS, { dataDir });
    const isQuiet = async () =>
      (await booked(place, server)).length === PLACES && (await entries(place, server, "offered")).length === 0;
    await until(isQuiet, { withinMs: 60_000, everyMs: 50 });
    isOver = true;
    await Promise.all(desks);

    const all = await booked(place, server);
    expect([all.length, await free(place, server)]).toEqual([PLACES, 0]);
    const byCall = all.filter(({ call_id }) => call_id !== null);
    expect(new Set(byCall.map(({ contact_name }) => contact_name)).size).toBe(byCall.length);
    const happy = await entries(place, server, "booked");
    const idsOf = (rows: readonly { appointment_id: string | null }[]) =>
      new Set(rows.map((row) => row.appointment_id));
    expect(idsOf(happy)).toEqual(idsOf(byCall));
    expect(happy.length).toBe(byCall.length);

    // A contact cut off by the kill, or too late, keeps their turn.
    const [next] = await entries(place, server, "waiting");
    await wanted(server, "PATCH", `/v1/appointments/${all[0]!.appointment_id}`, { status: "cancelled" });
    await until(
      async () => (await entries(place, server, "booked")).some(({ waiting_id }) => waiting_id === next!.waiting_id),
      { withinMs: 60_000, everyMs: 50 },
    );
    expect((await booked(place, server)).length).toBe(PLACES);
  }, 180_000);
});

async function hasCalls(place: Place, server: Running): Promise<boolean> {
  return (await entries(place, server, "offered")).length > 0;
}
