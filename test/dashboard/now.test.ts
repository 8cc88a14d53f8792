// The top of Today: live calls, waiting calls, and what became of today's, in the organisation's time zone.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Now } from "../../src/dashboard/now.ts";
import { createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";

type View = Awaited<ReturnType<Now["look"]>>;

let clinic: Clinic;
let viewer: Visitor;
beforeEach(async () => {
  clinic = await createClinic();
  viewer = await signedIn(clinic.app, clinic.organisationId, "viewer");
});
afterEach(() => clinic.close());

const now = async () => (await viewer.ask("GET", "/dashboard/api/now")).json as unknown as View;
const entries = async () =>
  (
    await clinic.db.reader
      .selectFrom("audit_entries")
      .select("id")
      .where("action", "=", "call.listed")
      .where("actor_kind", "=", "person")
      .execute()
  ).length;

type Changes = Partial<Awaited<ReturnType<Clinic["row"]>>>;

async function calls(...changes: Changes[]): Promise<void> {
  const row = await clinic.row(await clinic.schedule({ scheduled_time: "2026-11-20T06:00:00Z" }));
  await clinic.db.write(async (tx) => {
    for (const [i, each] of changes.entries())
      await tx
        .insertInto("calls")
        .values({ ...row, id: `call_${i}`, ...each })
        .execute();
  });
}

test("nothing is live on an empty appliance", async () => {
  expect(await now()).toMatchObject({
    live: [],
    has_more_live: false,
    queued: 0,
    today: { booked: 0, confirmed: 0, not_reached: 0 },
  });
});

test("live calls come with the time since they were answered, the oldest first; the read is audited", async () => {
  const at = clinic.clock.now();
  await calls(
    { state: "in_progress", triggered_at: at - 30_000, answered_at: at - 20_000 },
    { state: "ringing", triggered_at: at - 40_000 },
    { state: "queued" },
    { state: "completed", triggered_at: at - 50_000 },
  );
  const { live, queued } = await now();
  expect(live.map(({ call_id, status, since }) => [call_id, status, at - Date.parse(since)])).toEqual([
    ["call_1", "ringing", 40_000],
    ["call_0", "in_progress", 20_000],
  ]);
  expect(queued).toBe(1);
  expect(await entries()).toBe(1);
});

test("of many live calls eight are shown", async () => {
  const at = clinic.clock.now();
  await calls(...Array.from({ length: 9 }, (_, i) => ({ state: "ringing", triggered_at: at - i }) as const));
  const { live, has_more_live } = await now();
  expect([live.length, has_more_live]).toEqual([8, true]);
});

test("the counts begin at midnight in the organisation's time zone", async () => {
  // 15 November, 23:59:59 in India is 18:29:59 UTC.
  await clinic.clock.advance(Date.parse("2026-11-15T18:29:59Z") - clinic.clock.now());
  const at = clinic.clock.now();
  const window = await clinic.createWindow();
  await clinic.book(on(window, MONDAY));
  await calls(
    { state: "failed", outcome: "busy", created_at: at },
    { state: "completed", outcome: "voicemail", created_at: at },
    { state: "completed", outcome: "answered", created_at: at },
    { state: "failed", outcome: "no_answer", created_at: at - 24 * 3_600_000 },
  );
  expect((await now()).today).toEqual({ booked: 1, confirmed: 0, not_reached: 2 });
  const [{ id } = { id: "" }] = await clinic.db.reader.selectFrom("appointments").select("id").execute();
  await clinic.db.write(async (tx) => {
    await tx
      .updateTable("appointments")
      .set({ contact_confirmed_at: at, updated_at: at })
      .where("id", "=", id)
      .execute();
  });
  expect((await now()).today).toEqual({ booked: 1, confirmed: 1, not_reached: 2 });
  await clinic.clock.advance(1_000);
  expect((await now()).today).toEqual({ booked: 0, confirmed: 0, not_reached: 0 });
});
