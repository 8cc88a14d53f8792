// The demo at its first start: two weeks of simulated history, complete however often its generation was killed, a
// running campaign, and a receiver that shows signed deliveries.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { listBegins } from "../../src/demo/story.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(180_000);
leaveNothingBehind();

/** The hospital is in Kolkata. Local day of a call there, counted from 1970. */
const ZONE = "Asia/Kolkata";
const ZONE_MS = 5.5 * HOUR_MS;
const DAY = `(created_at + ${ZONE_MS}) / ${DAY_MS}`;

const WITH_PAST = { RINGWARD_DEMO__HISTORY: "true" };

interface Made {
  begins_at: number;
  made_until: number;
  is_whole: number;
}

let server: Running;
let cookie: string;
/** Progress at the time of the kill. */
let killedAt: Made;

const all = <Row>(sql: string) => storedRows<Row>(server.dataDir, sql);
const count = (sql: string) => all<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)[0]!.n;
const made = () => all<Made>("SELECT begins_at, made_until, is_whole FROM demo_history")[0]!;
const untilWhole = () => until(() => made().is_whole === 1, { what: () => JSON.stringify(made()) });

async function ask<Answer>(path: string, as: string | null = cookie): Promise<{ status: number; json: Answer }> {
  const headers = { "x-ringward-dashboard": "1", ...(as === null ? {} : { cookie: as }) };
  const response = await fetch(`${server.url}/dashboard/api/${path}`, { headers });
  return { status: response.status, json: (await response.json()) as Answer };
}

beforeAll(async () => {
  // On a busy machine the history may be complete before the kill; then try again with a new one.
  do {
    server = await startBinary({ env: WITH_PAST });
    await until(() => made().made_until > made().begins_at);
    await server.kill();
    killedAt = made();
  } while (killedAt.is_whole === 1);
  server = await startBinary({ env: WITH_PAST, dataDir: server.dataDir });
  const answer = await fetch(`${server.url}/dashboard/api/demo-login`, {
    method: "POST",
    headers: { "x-ringward-dashboard": "1" },
  });
  cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
  // An early read must not be cached.
  await ask("overview");
  await untilWhole();
  await until(async () => (await ask<{ making: unknown }>("demo")).json.making === null);
});
afterAll(() => server.kill());

/** Restricts a query to the history; the demo continues meanwhile. */
const past = () => `created_at <= ${made().made_until}`;

describe("after a kill half-way and another start", () => {
  test("the history was half-way, and is complete", () => {
    expect(killedAt).toMatchObject({ is_whole: 0 });
    expect(killedAt.made_until).toBeGreaterThan(killedAt.begins_at);
    expect(made().begins_at).toBe(killedAt.begins_at);
  });

  test("each workday has its calls once: created by hand, by rule and by list", () => {
    const perDay = all<{ day: number; n: number; people: number }>(
      `SELECT ${DAY} AS day, count(*) AS n, count(DISTINCT contact_number) AS people
         FROM calls WHERE source = 'dashboard' AND ${past()} GROUP BY 1 ORDER BY 1`,
    );
    const today = Math.floor((made().made_until + ZONE_MS) / DAY_MS);
    const whole = perDay.filter(({ day }) => day !== today);
    expect(whole.length).toBeGreaterThanOrEqual(11);
    for (const { n, people } of whole) {
      expect(n).toBeOneOf([2, 3]);
      expect(people).toBe(n);
    }
    expect(count(`calls WHERE source = 'reminder' AND ${past()}`)).toBeGreaterThanOrEqual(10);
    expect(count("organisations")).toBe(1);
    expect(count("webhook_endpoints")).toBe(1);
    expect(count("reminder_rules")).toBe(1);
    expect(all("SELECT state FROM campaigns ORDER BY created_at")).toEqual([
      { state: "finished" },
      // Late in the evening and at night the list waits for the morning.
      { state: listBegins(made().made_until - 15 * MINUTE_MS, ZONE) < made().made_until ? "running" : "ready" },
    ]);
  });

  test("the overview counts everything, although it was read before the history was complete", async () => {
    interface Day {
      date: string;
      completed: number;
      failed: number;
    }
    const { json } = await ask<{ days: Day[] }>("overview");
    const counted = all<{ day: number; completed: number; failed: number }>(
      `SELECT ${DAY} AS day, sum(CASE state WHEN 'completed' THEN 1 ELSE 0 END) AS completed,
              sum(CASE state WHEN 'failed' THEN 1 ELSE 0 END) AS failed FROM calls GROUP BY 1`,
    );
    // Today continues.
    for (const { date, completed, failed } of json.days.slice(0, -1)) {
      const found = counted.find(({ day }) => day === Date.parse(date) / DAY_MS) ?? { completed: 0, failed: 0 };
      expect({ date, completed, failed }).toEqual({ date, completed: found.completed, failed: found.failed });
    }
    expect(json.days.filter(({ completed }) => completed > 0).length).toBeGreaterThanOrEqual(11);
  });

  test("no call is left in progress, and every call of the history is marked simulated", () => {
    expect(count(`calls WHERE ${past()} AND finished_at IS NULL AND state NOT IN ('scheduled', 'queued')`)).toBe(0);
    expect(count(`calls WHERE ${past()} AND finished_at <= ${made().made_until} AND simulated = 0`)).toBe(0);
    expect(count(`calls WHERE contact_number NOT LIKE '+15550%'`)).toBe(0);
  });

  test("there are various outcomes, transcripts, recordings, appointments, waiting-list entries and tasks", async () => {
    const outcomes = all<{ outcome: string }>("SELECT DISTINCT outcome FROM calls WHERE outcome IS NOT NULL");
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(["appointment_booked", "no_answer", "voicemail"]),
    );
    expect(count("call_results WHERE length(transcript) > 100")).toBeGreaterThanOrEqual(30);
    expect(count("calls WHERE recording_file LIKE '%.simulated.wav'")).toBeGreaterThanOrEqual(30);
    const appointments = all<{ status: string }>("SELECT DISTINCT status FROM appointments");
    expect(appointments.map(({ status }) => status)).toEqual(
      expect.arrayContaining(["completed", "confirmed", "cancelled"]),
    );
    expect(count("waiting_list WHERE state = 'waiting'")).toBeGreaterThanOrEqual(3);
    expect(count("worklist_items WHERE done_at IS NOT NULL")).toBeGreaterThanOrEqual(3);
    const calls = await fetch(`${server.url}/v1/calls?status=completed&limit=100`, {
      headers: { "x-api-key": server.demo["api_key"]! },
    });
    const { data } = (await calls.json()) as { data: { simulated: boolean }[] };
    expect(data.length).toBeGreaterThanOrEqual(30);
    expect(data.every(({ simulated }) => simulated)).toBe(true);
  });
});

describe("the receiver", () => {
  interface List {
    url: string;
    data: { received_id: string; event_type: string; verdict: string }[];
  }

  test("has every delivery, all verified, and shows each as received", async () => {
    const { json } = await ask<List>("received");
    expect(json.data.length).toBeGreaterThanOrEqual(50);
    expect(json.data.length).toBeLessThanOrEqual(200);
    expect(json.data.every(({ verdict }) => verdict === "verified")).toBe(true);
    const [first] = json.data.filter(({ event_type }) => event_type === "call.completed");
    const { json: detail } = await ask<{ headers: [string, string][]; body: string }>(`received/${first!.received_id}`);
    const names = detail.headers.map(([name]) => name);
    expect(names).toEqual(
      expect.arrayContaining(["x-webhook-signature", "x-webhook-timestamp", "webhook-signature", "x-webhook-id"]),
    );
    expect(JSON.parse(detail.body)).toMatchObject({ event_type: "call.completed", data: { simulated: true } });
    expect(count("deliveries WHERE state <> 'delivered' AND state <> 'pending'")).toBe(0);
    await until(() => count("audit_entries WHERE action = 'received.read'") === 1);
  });

  test("requires a session, and answers only its own ids", async () => {
    expect((await ask("received", null)).status).toBe(401);
    expect((await ask("received/1", null)).status).toBe(401);
    expect((await ask("received/999999999")).status).toBe(404);
    expect((await ask("received/1%20OR%201")).status).toBe(404);
  });
});

test("another start adds nothing to the history, and a start without --demo has neither receiver nor activity", async () => {
  const before = {
    made: made(),
    calls: count(`calls WHERE ${past()}`),
    appointments: count(`appointments WHERE ${past()}`),
  };
  const now = () => ({
    made: made(),
    calls: count(`calls WHERE ${past()}`),
    appointments: count(`appointments WHERE ${past()}`),
  });
  expect(await server.stop()).toBe(0);
  server = await startBinary({ env: WITH_PAST, dataDir: server.dataDir });
  expect((await ask<{ making: unknown }>("demo")).json).toEqual({ making: null });
  expect(now()).toEqual(before);
  expect(await server.stop()).toBe(0);
  server = await startBinary({ demo: false, dataDir: server.dataDir });
  expect((await ask("received")).status).toBe(404);
  expect(now()).toEqual(before);
});
