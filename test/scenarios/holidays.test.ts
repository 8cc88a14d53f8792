// Holidays on the compiled binary over HTTP: a kill while people are moved and called loses or duplicates none of them.
import { expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { storedCount } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const HEADERS = { "content-type": "application/json", "x-ringward-dashboard": "1" };

async function enter({ url }: Running) {
  const login = await fetch(`${url}/dashboard/api/demo-login`, { method: "POST", headers: HEADERS });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/dashboard/api/${path}`, {
      method,
      headers: { ...HEADERS, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
}

interface Closure {
  closure_id: string;
  state: string;
  people: { moved: number; called: number; waiting: number; refused: number; left: number };
}

test("a day with 80 bookings is closed, and each is moved, called or left once, whenever the appliance is killed", async () => {
  const env = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1000" };
  const first = await startBinary({ env });
  const branch_id = crypto.randomUUID();
  const window = { branch_id, day: "monday", session: "Morning", ai_slots: 0, max_slots: 200 };
  await ask(first, "POST", "/v1/appointment-slots", { body: window });
  const { data } = await ask(first, "GET", `/v1/appointment-slots/availability?branch_id=${branch_id}`);
  const [place, next] = data as unknown as { slot_id: string; date: string }[];
  const book = (i: number) =>
    ask(first, "POST", "/v1/appointments", {
      body: { slot_id: place!.slot_id, contact_name: `P${i}`, contact_number: `+1555555${1000 + i}` },
    });
  const booked = await Promise.all(Array.from({ length: 80 }, (_, i) => book(i)));
  expect(booked.every(({ status }) => status === 201)).toBeTrue();
  const ids = booked.map(({ data: made }) => String(made["appointment_id"]));
  const people = [
    ...ids.slice(0, 30).map((appointment_id) => ({ appointment_id, choice: "call" })),
    ...ids.slice(30, 50).map((appointment_id) => ({ appointment_id, choice: "leave" })),
  ];

  const staff = await enter(first);
  const closing = staff("POST", "calendar/closures", {
    branch_ids: [branch_id],
    ranges: [{ from: place!.date, to: place!.date, name: "Diwali" }],
    otherwise: "move",
    agent_id: first.demo["agent_id"],
    people,
  }).catch(() => "killed");
  const begun = async () => (await staff<Closure[]>("GET", "calendar/closures").catch(() => [])).length > 0;
  await until(begun);
  await first.kill();
  await closing;

  // Kill again while the list of calls is created or its first calls are dialled.
  const second = await startBinary({ dataDir: first.dataDir, env });
  await until(() => storedCount(first.dataDir, "campaign_rows") > 0, { everyMs: 1 });
  await second.kill();
  const third = await startBinary({ dataDir: first.dataDir, env });
  const again = await enter(third);
  const closure = async () => (await again<Closure[]>("GET", "calendar/closures"))[0];
  await until(async () => (await closure())?.state === "closed");
  expect((await closure())?.people).toEqual({ moved: 30, called: 30, waiting: 0, refused: 0, left: 20 });
  expect(storedCount(first.dataDir, "campaigns WHERE state <> 'preparing'")).toBe(1);
  expect(storedCount(first.dataDir, "(SELECT DISTINCT contact_number FROM campaign_rows) numbers")).toBe(30);
  expect(storedCount(first.dataDir, "campaign_rows")).toBe(30);
  const range = `branch_id=${branch_id}&from=${place!.date}&to=${next!.date}`;
  const tracked = await ask(third, "GET", `/v1/appointment-slots/schedule-tracking?${range}`);
  const dates = tracked.data as unknown as { date: string; filled_slots: number; status: string }[];
  expect(dates.map(({ filled_slots, status }) => [filled_slots, status])).toEqual([
    [50, "CLOSED"],
    [30, "OPEN"],
  ]);
}, 240_000);
