// The overview: days in the organisation's time zone, consistent numbers, and a checklist derived from existing data.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/clock.ts";
import { createOverview, type Overview } from "../../src/dashboard/overview.ts";
import { runsOf, type DaySpan } from "../../src/dashboard/overview-days.ts";
import { countLiveCalls } from "../../src/dashboard/overview-store.ts";
import type { Executor } from "../../src/db/tables.ts";
import { createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { plansOf } from "../support/query-plans.ts";
import { createTestApp } from "../support/test-app.ts";

type Numbers = Awaited<ReturnType<Overview["numbers"]>>;

let clinic: Clinic;
let viewer: Visitor;
beforeEach(async () => {
  clinic = await createClinic();
  viewer = await signedIn(clinic.app, clinic.organisationId, "viewer");
});
afterEach(() => clinic.close());

const overview = async (days = "7") =>
  (await viewer.ask("GET", `/dashboard/api/overview?days=${days}`)).json as unknown as Numbers;

test("an empty appliance shows every day and no rates", async () => {
  const numbers = await overview("90");
  expect(numbers.days).toHaveLength(90);
  expect(numbers.days.at(-1)).toEqual({
    date: "2026-11-15",
    completed: 0,
    failed: 0,
    cancelled: 0,
    disallowed: 0,
    open: 0,
    bookings: 0,
    bookings_by_ai: 0,
  });
  expect(numbers).toMatchObject({
    connect_rate: null,
    average_duration_seconds: null,

    credits_used: 0,
  });
});

test("a call counts on the day of its creation, in the organisation's time zone", async () => {
  // 15 November, 23:59:59 in India is 18:29:59 UTC.
  await clinic.clock.advance(Date.parse("2026-11-15T18:29:59Z") - clinic.clock.now());
  const before = await clinic.schedule({ scheduled_time: "2026-11-20T06:00:00Z" });
  await clinic.clock.advance(1_000);
  await clinic.schedule({ scheduled_time: "2026-11-20T06:00:00Z" });
  await clinic.request("POST", `/v1/calls/${before}/cancel`);
  const { days } = await overview();
  expect(days.slice(-2)).toMatchObject([
    { date: "2026-11-15", cancelled: 1, open: 0 },
    { date: "2026-11-16", cancelled: 0, open: 1 },
  ]);
});

test("bookings are distinguished by their source", async () => {
  const window = await clinic.createWindow();
  await clinic.book(on(window, MONDAY));
  await clinic.book(on(window, MONDAY), { source: "ai" });
  const { bookings, days } = await overview();
  const today = days.at(-1)!;
  expect([bookings.all, today.bookings]).toEqual([2, 2]);
  expect(bookings.ai).toBe(today.bookings_by_ai);
});

test("rates, averages and lateness cover the calls of the period", async () => {
  const callId = await clinic.schedule({ scheduled_time: "2026-11-20T06:00:00Z" });
  const row = await clinic.row(callId);
  const now = clinic.clock.now();
  const calls = [
    { state: "completed", triggered_at: now + 400, duration_seconds: 60, credits_consumed: 1 },
    { state: "completed", triggered_at: now + 200, duration_seconds: 120, credits_consumed: 2 },
    { state: "completed", triggered_at: now, duration_seconds: 30, credits_consumed: 1 },
    { state: "failed", triggered_at: now + 600, duration_seconds: null, credits_consumed: null },
    { state: "disallowed", triggered_at: null, duration_seconds: null, credits_consumed: null },
  ] as const;
  await clinic.db.write(async (tx) => {
    await tx.deleteFrom("calls").where("organisation_id", "=", clinic.organisationId).execute();
    for (const [i, call] of calls.entries())
      await tx
        .insertInto("calls")
        .values({ ...row, id: `call_${i}`, scheduled_at: now, created_at: now, ...call })
        .execute();
    // Of another period.
    await tx
      .insertInto("calls")
      .values({
        ...row,
        id: "call_old",
        scheduled_at: now,
        created_at: now - 8 * 86_400_000,
        state: "failed",
        triggered_at: now,
      })
      .execute();
  });
  expect(await overview()).toMatchObject({
    connect_rate: 0.75,
    average_duration_seconds: 70,
    // The failed call of eight days ago.
    before: { connect_rate: 0, average_duration_seconds: null, bookings: { all: 0, ai: 0 }, credits_used: 0 },

    credits_used: 4,
    credit_balance: 1_000,
  });
  expect((await overview("14")).connect_rate).toBe(0.6);
  const { json } = await viewer.ask("GET", "/dashboard/api/figures");
  expect(json as unknown).toEqual({ days: 14, webhook_success_rate: null, average_lateness_ms: 240 });
});

test("days that the clock change makes longer or shorter are counted as they are", async () => {
  await clinic.db.write((tx) =>
    tx
      .updateTable("organisations")
      .set({ time_zone: "America/New_York" })
      .where("id", "=", clinic.organisationId)
      .execute(),
  );
  const row = await clinic.row(await clinic.schedule({ scheduled_time: "2026-11-20T06:00:00Z" }));
  // On 1 November 2026 New York's clocks were set back: that day had 25 hours.
  const times = ["2026-10-31T03:59:59Z", "2026-10-31T04:00:00Z", "2026-11-02T04:59:59Z", "2026-11-02T05:00:00Z"];
  await clinic.db.write(async (tx) => {
    await tx.deleteFrom("calls").where("organisation_id", "=", clinic.organisationId).execute();
    for (const [i, time] of times.entries())
      await tx
        .insertInto("calls")
        .values({ ...row, id: `call_${i}`, state: "failed", created_at: Date.parse(time) })
        .execute();
  });
  const failed = (await overview("30")).days.filter((day) => day.failed > 0).map((day) => [day.date, day.failed]);
  expect(failed).toEqual([
    ["2026-10-30", 1],
    ["2026-10-31", 1],
    ["2026-11-01", 1],
    ["2026-11-02", 1],
  ]);
});

test("a query counts at most a month of days that follow each other and are equally long", () => {
  const day = (index: number, hours = 24) => ({
    date: `${index}`,
    from: index * DAY_MS,
    to: index * DAY_MS + hours * HOUR_MS,
  });
  const lengths = (...days: DaySpan[]) => runsOf(days).map((run) => run.length);
  expect(lengths(...Array.from({ length: 70 }, (_, i) => day(i)))).toEqual([31, 31, 8]);
  expect(lengths(day(0), day(1), day(3))).toEqual([2, 1]);
  expect(lengths(day(0), day(1, 23))).toEqual([1, 1]);
  expect(lengths()).toEqual([]);
});

test("a past day is recounted when one of its calls changes, and when one is erased", async () => {
  const callId = await clinic.schedule({ scheduled_time: "2026-12-20T06:00:00Z" });
  const window = await clinic.createWindow();
  await clinic.clock.leap(2 * 86_400_000);
  const thatDay = async () => (await overview()).days.find(({ date }) => date === "2026-11-15");
  expect(await thatDay()).toMatchObject({ open: 1, cancelled: 0, bookings: 0 });
  await clinic.clock.advance(60_000);
  await clinic.request("POST", `/v1/calls/${callId}/cancel`);
  await clinic.book(on(window, "2026-11-23"));
  expect(await thatDay()).toMatchObject({ open: 0, cancelled: 1, bookings: 0 });
  expect((await overview()).bookings.all).toBe(1);
  await clinic.clock.advance(60_000);
  await clinic.db.write(async (tx) => {
    await tx.deleteFrom("calls").where("id", "=", callId).execute();
    await tx
      .insertInto("erased_calls")
      .values({
        call_id: callId,
        organisation_id: clinic.organisationId,
        erased_at: clinic.clock.now(),
        actor_kind: "cli",
        actor_id: null,
      })
      .execute();
  });
  expect(await thatDay()).toMatchObject({ open: 0, cancelled: 0 });
});

test("accepts 7, 14, 30 or 90 days and nothing else", async () => {
  expect((await viewer.ask("GET", "/dashboard/api/overview?days=3650")).status).toBe(400);
  expect((await viewer.ask("GET", "/dashboard/api/overview")).status).toBe(200);
});

describe("the checklist", () => {
  test("is derived from existing data, and a first call stays checked when it is erased", async () => {
    const checklist = async () => (await viewer.ask("GET", "/dashboard/api/checklist")).json as unknown;
    expect(await checklist()).toEqual({ agent: true, number: true, key: true, first_call: false, endpoint: true });
    await clinic.db.write((tx) =>
      tx
        .insertInto("erased_calls")
        .values({
          call_id: "call_x",
          organisation_id: clinic.organisationId,
          erased_at: 1,
          actor_kind: "cli",
          actor_id: null,
        })
        .execute(),
    );
    expect(await checklist()).toMatchObject({ first_call: true });
  });

  test("of a newcomer has nothing checked", async () => {
    const fresh = await createTestApp();
    const other = await fresh.app.services.organisations.create({ name: "New", timeZone: "UTC" }, CLI_ACTOR);
    const owner = await signedIn(fresh.app, other.id, "owner");
    const { json } = await owner.ask("GET", "/dashboard/api/checklist");
    expect(json as unknown).toEqual({ agent: false, number: false, key: false, first_call: false, endpoint: false });
    await fresh.close();
  });
});

test("the checklist and the live calls are read by the reader threads", async () => {
  const notToBeAsked = new Proxy({} as Executor, {
    get() {
      throw new Error("The reader of the serving thread is not to be asked.");
    },
  });
  const { checklist, liveCalls } = createOverview(
    new Proxy(clinic.db, { get: (db, name) => (name === "reader" ? notToBeAsked : Reflect.get(db, name)) }),
    clinic.clock,
  );
  expect(await checklist(clinic.organisationId)).toMatchObject({ agent: true, first_call: false });
  expect(await liveCalls(clinic.organisationId)).toBe(0);
});

test("live calls are counted by their own index, however many calls there are", async () => {
  const [plan] = await plansOf((executor) => countLiveCalls(executor, "org_x"));
  expect(plan?.steps.join()).toContain("calls_live");
});
