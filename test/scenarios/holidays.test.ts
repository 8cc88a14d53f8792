// Holidays against the compiled binary over HTTP: a kill while people are moved and called loses nobody and doubles nobody.
import { expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
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

test("a day with 80 booked is closed and all are moved, whenever the appliance is killed", async () => {
  const first = await startBinary();
  const branch_id = crypto.randomUUID();
  const window = { branch_id, day: "monday", session: "Morning", ai_slots: 0, max_slots: 200 };
  await ask(first, "POST", "/v1/appointment-slots", { body: window });
  const { data } = await ask(first, "GET", `/v1/appointment-slots/availability?branch_id=${branch_id}`);
  const [place, next] = data as unknown as { slot_id: string; date: string }[];
  const book = (i: number) =>
    ask(first, "POST", "/v1/appointments", { body: { slot_id: place!.slot_id, contact_name: `P${i}` } });
  const booked = await Promise.all(Array.from({ length: 80 }, (_, i) => book(i)));
  expect(booked.every(({ status }) => status === 201)).toBeTrue();

  const staff = await enter(first);
  const closing = staff("POST", "calendar/closures", {
    branch_ids: [branch_id],
    ranges: [{ from: place!.date, to: place!.date, name: "Diwali" }],
    otherwise: "move",
  }).catch(() => "killed");
  const begun = async () => (await staff<Closure[]>("GET", "calendar/closures").catch(() => [])).length > 0;
  await until(begun);
  await first.kill();
  await closing;

  const second = await startBinary({ dataDir: first.dataDir });
  const again = await enter(second);
  const closure = async () => (await again<Closure[]>("GET", "calendar/closures"))[0];
  await until(async () => (await closure())?.state === "closed");
  expect((await closure())?.people).toEqual({ moved: 80, called: 0, waiting: 0, refused: 0, left: 0 });
  const range = `branch_id=${branch_id}&from=${place!.date}&to=${next!.date}`;
  const tracked = await ask(second, "GET", `/v1/appointment-slots/schedule-tracking?${range}`);
  const dates = tracked.data as unknown as { date: string; filled_slots: number; status: string }[];
  expect(dates.map(({ filled_slots, status }) => [filled_slots, status])).toEqual([
    [0, "CLOSED"],
    [80, "OPEN"],
  ]);
}, 240_000);
