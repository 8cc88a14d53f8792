// What /metrics tells of the stored state, and that a scrape asks no database for it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callMeaning, type Call } from "../../src/calls/call/records.ts";
import { restAfterMs } from "../../src/compose/figures.ts";
import { lastBackupAt, noteBackup } from "../../src/db/backup/last-backup.ts";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../support/hospital.ts";
import { onlySqlite } from "../support/engines.ts";
import { callRow } from "../support/call-rows.ts";

const stored = (call: Call) => callMeaning.write(call);

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ numberLines: 1 });
  await hospital.app.start();
});
afterEach(() => hospital.close());

const MINUTE_MS = 60_000;

async function scrape(): Promise<string[]> {
  const { status, text } = await hospital.request("GET", "/metrics", { key: null });
  expect(status).toBe(200);
  return text.split("\n");
}

/** By a count of its own: that of the scheduler waits for files and disks, which keep their own time. */
async function counted(): Promise<string[]> {
  await hospital.clock.advance(5_000);
  await hospital.app.figures.count();
  return scrape();
}

const valueOf = (lines: readonly string[], name: string) =>
  Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1));

describe("calls", () => {
  test("are counted by their state, and by what they wait for", async () => {
    const at = new Date(hospital.clock.now() + 600 * MINUTE_MS).toISOString();
    for (let i = 0; i < 3; i++) await hospital.schedule({ scheduled_time: at, user_number: `+9198100123${i}0` });
    await hospital.dial();
    await hospital.schedule({ user_number: "+919810099999" });
    await hospital.clock.advance(MINUTE_MS);
    const lines = await counted();
    expect(lines).toContain('ringward_calls{state="scheduled"} 3');
    expect(lines).toContain('ringward_calls{state="queued"} 1');
    expect(lines).toContain('ringward_calls{state="initiated"} 1');
    expect(lines).toContain('ringward_calls{state="in_progress"} 0');
    expect(lines).toContain('ringward_calls_held{reason="number_lines_busy"} 1');
    expect(lines).toContain('ringward_calls_held{reason="overdue"} 0');
    const waited = valueOf(lines, 'ringward_calls_held_oldest_seconds{reason="number_lines_busy"}');
    expect(waited).toBeGreaterThan(45);
    expect(waited).toBeLessThan(120);
    expect(valueOf(lines, "ringward_calls_oldest_overdue_seconds")).toBe(waited);
  });

  test("that wait for calling hours are not overdue", async () => {
    await hospital.db.write((tx) =>
      tx
        .insertInto("calls")
        .values(
          stored(
            callRow({
              organisation_id: hospital.organisationId,
              agent_id: hospital.agentId,
              state: "queued",
              hold_reason: "outside_calling_hours",
              scheduled_at: hospital.clock.now() - 60 * MINUTE_MS,
              next_at: hospital.clock.now() + 60 * MINUTE_MS,
            }),
          ),
        )
        .execute(),
    );
    const lines = await counted();
    expect(valueOf(lines, 'ringward_calls_held_oldest_seconds{reason="outside_calling_hours"}')).toBeGreaterThan(3_500);
    expect(valueOf(lines, "ringward_calls_oldest_overdue_seconds")).toBe(0);
  });

  test("that ended are counted once, by state and outcome", async () => {
    hospital.carrier.talk(await hospital.dial());
    await hospital.clock.advance(1_000);
    hospital.carrier.fail(await hospital.dial(), "busy");
    const at = new Date(hospital.clock.now() + 600 * MINUTE_MS).toISOString();
    const cancelled = await hospital.schedule({ scheduled_time: at });
    expect((await hospital.request("POST", `/v1/calls/${cancelled}/cancel`)).status).toBe(200);
    await counted();
    const lines = await counted();
    expect(lines).toContain('ringward_calls_ended_total{state="completed",outcome="session_ended"} 1');
    expect(lines).toContain('ringward_calls_ended_total{state="failed",outcome="busy"} 1');
    expect(lines).toContain('ringward_calls_ended_total{state="cancelled",outcome="none"} 1');
    expect(valueOf(lines, "ringward_dial_lateness_seconds_count")).toBe(2);
    expect(valueOf(lines, 'ringward_dial_lateness_seconds_bucket{le="1"}')).toBe(2);
  });

  test("whose outcome is no word of ours make no label of their own", async () => {
    const now = hospital.clock.now() + 1_000;
    const ended = (id: string, outcome: string) =>
      callRow({
        id,
        organisation_id: hospital.organisationId,
        agent_id: hospital.agentId,
        state: "completed",
        outcome,
        finished_at: now,
      });
    await hospital.db.write((tx) =>
      tx
        .insertInto("calls")
        .values([ended("call_a", "Call back on +919810012345"), ended("call_b", `x${"y".repeat(90)}`)].map(stored))
        .execute(),
    );
    const lines = await counted();
    expect(lines).toContain('ringward_calls_ended_total{state="completed",outcome="other"} 2');
    expect(lines.join("\n")).not.toContain("+91981");
  });

  test("more than a slice of them are all counted", async () => {
    const now = hospital.clock.now();
    const many = (count: number, change: (i: number) => Parameters<typeof callRow>[0]) =>
      Array.from({ length: count }, (_, i) =>
        callRow({ organisation_id: hospital.organisationId, agent_id: hospital.agentId, ...change(i) }),
      );
    const rows = [
      ...many(5_003, (i) => ({ id: `call_s${i}`, next_at: now + 600 * MINUTE_MS + (i % 7) })),
      ...many(1_100, (i) => ({
        id: `call_q${i}`,
        state: "queued",
        hold_reason: i % 2 ? "overdue" : "trunk_unavailable",
        scheduled_at: now - i,
        next_at: now + 600 * MINUTE_MS + (i % 3),
      })),
      ...many(700, (i) => ({ id: `call_e${i}`, state: "failed", outcome: "busy", finished_at: now + 1 + (i % 2) })),
    ];
    for (let from = 0; from < rows.length; from += 400)
      await hospital.db.write((tx) =>
        tx
          .insertInto("calls")
          .values(rows.slice(from, from + 400).map(stored))
          .execute(),
      );
    const lines = await counted();
    expect(lines).toContain('ringward_calls{state="scheduled"} 5003');
    expect(lines).toContain('ringward_calls_held{reason="overdue"} 550');
    expect(lines).toContain('ringward_calls_held{reason="trunk_unavailable"} 550');
    expect(lines).toContain('ringward_calls_ended_total{state="failed",outcome="busy"} 700');
  });
});

test("deliveries, endpoints, the worklist and the audit trail are counted", async () => {
  await hospital.subscribe();
  // Its receiver cannot be reached: what is sent there is tried again later.
  const on = await hospital.subscribe();
  await hospital.db.write((tx) =>
    tx.updateTable("webhook_endpoints").set({ enabled: 1 }).where("id", "=", on).execute(),
  );
  await hospital.dial();
  const lines = await counted();
  expect(lines).toContain('ringward_webhook_endpoints{state="off"} 1');
  const reachable = ["on", "outage"].map((state) => valueOf(lines, `ringward_webhook_endpoints{state="${state}"}`));
  expect(reachable.reduce((sum, count) => sum + count)).toBe(1);
  const { entries } = await hospital.db.reader
    .selectFrom("audit_entries")
    .select((eb) => eb.fn.countAll<number>().as("entries"))
    .executeTakeFirstOrThrow();
  expect(valueOf(lines, "ringward_audit_entries")).toBe(entries);
  const states = ["pending", "held", "delivered", "exhausted"].map((state) =>
    valueOf(lines, `ringward_webhook_deliveries{state="${state}"}`),
  );
  const { deliveries } = await hospital.db.reader
    .selectFrom("deliveries")
    .select((eb) => eb.fn.countAll<number>().as("deliveries"))
    .executeTakeFirstOrThrow();
  expect(deliveries).toBeGreaterThan(0);
  expect(states.reduce((sum, count) => sum + count)).toBe(deliveries);
  expect(valueOf(lines, "ringward_webhook_oldest_pending_seconds")).toBeGreaterThan(0);
  expect(lines).toContain('ringward_worklist_open{kind="emergency"} 0');
});

test("open entries of Today are counted by kind, more than a slice of them too", async () => {
  const rows = Array.from({ length: 1_201 }, (_, i) => ({
    id: `wli_${i}`,
    organisation_id: hospital.organisationId,
    kind: i % 3 === 0 ? "emergency" : "call_failed",
    subject_id: `call_${i}`,
    detail: null,
    created_at: i % 5,
    done_at: i === 1_200 ? 1 : null,
    done_by: null,
  }));
  for (let from = 0; from < rows.length; from += 400)
    await hospital.db.write((tx) =>
      tx
        .insertInto("worklist_items")
        .values(rows.slice(from, from + 400))
        .execute(),
    );
  const lines = await counted();
  expect(lines).toContain('ringward_worklist_open{kind="emergency"} 400');
  expect(lines).toContain('ringward_worklist_open{kind="call_failed"} 800');
});

test("the database, its disk, its lock and its connections are measured", async () => {
  const lines = await counted();
  expect(valueOf(lines, 'ringward_database_bytes{part="database"}')).toBeGreaterThan(100_000);
  expect(valueOf(lines, "ringward_data_free_bytes")).toBeGreaterThan(0);
  expect(valueOf(lines, "ringward_data_disk_bytes")).toBeGreaterThan(valueOf(lines, "ringward_data_free_bytes"));
  expect(lines).toContain("ringward_db_lock_held 1");
  expect(valueOf(lines, "ringward_db_lock_wait_seconds")).toBe(0);
  const isPooled = hospital.db.engine === "postgres";
  expect(lines.some((line) => line.startsWith('ringward_db_connections{pool="write"'))).toBe(isPooled);
  const most = valueOf(lines, 'ringward_db_connections_most{pool="read"}');
  expect(isPooled ? most : 2).toBeGreaterThanOrEqual(2);
});

test("a scrape asks no database, however often it is asked", async () => {
  await counted();
  let asked = 0;
  for (const reader of new Set([hospital.db.reader, hospital.db.heavy])) {
    for (const name of ["selectFrom", "selectNoFrom", "getExecutor"] as const) {
      const original = reader[name].bind(reader) as (...given: unknown[]) => unknown;
      Object.assign(reader, { [name]: (...given: unknown[]) => ((asked += 1), original(...given)) });
    }
  }
  for (let i = 0; i < 20; i++) await scrape();
  expect(asked).toBe(0);
});

test("counting rests longer the longer it took, but no more than a minute: beside busy neighbours it takes seconds", () => {
  expect([0, 10, 100, 1_000, 60_000].map(restAfterMs)).toEqual([0, 500, 5_000, 50_000, MINUTE_MS]);
});

test("figures that cannot be counted grow old", async () => {
  const fresh = await counted();
  expect(valueOf(fresh, "ringward_figures_age_seconds")).toBeLessThan(15);
  Object.assign(hospital.db.heavy, {
    selectFrom: () => {
      throw new Error("gone");
    },
  });
  await expect(hospital.app.figures.count()).rejects.toThrow("gone");
  await hospital.clock.advance(MINUTE_MS);
  const lines = await scrape();
  expect(valueOf(lines, "ringward_figures_age_seconds")).toBeGreaterThanOrEqual(60);
  expect(valueOf(lines, "ringward_audit_entries")).toBe(valueOf(fresh, "ringward_audit_entries"));
});

describe("the newest backup", () => {
  onlySqlite("PostgreSQL is backed up by its own means")("is told of once there is one", async () => {
    expect(valueOf(await counted(), "ringward_last_backup_at_seconds")).toBe(0);
    expect(noteBackup(hospital.dataDir, "/backups/a.tar", "2026-11-15T03:00:00.000Z")).toBeNull();
    expect(valueOf(await counted(), "ringward_last_backup_at_seconds")).toBe(Date.parse("2026-11-15T03:00:00Z") / 1000);
  });

  test("inside of the data folder is none", () => {
    expect(noteBackup(hospital.dataDir, join(hospital.dataDir, "a.tar"), "2026-11-15T03:00:00.000Z")).toBeNull();
    expect(lastBackupAt(hospital.dataDir)).toBeNull();
  });

  test("that cannot be noted is told of, and a broken note is none", () => {
    expect(noteBackup("/nowhere/at/all", "/backups/a.tar", "2026-11-15T03:00:00.000Z")).toContain("ENOENT");
    for (const text of ["", "{}", "null", '{"made_at":7}', '{"made_at":"soon"}']) {
      writeFileSync(join(hospital.dataDir, "last-backup.json"), text);
      expect(lastBackupAt(hospital.dataDir)).toBeNull();
    }
  });
});

test("no label holds a person's number or name", async () => {
  hospital.carrier.talk(await hospital.dial({ user_name: "Meera Nair" }));
  const text = (await counted()).join("\n");
  expect(text).not.toContain(CONTACT_NUMBER);
  expect(text).not.toContain(CONTACT_NUMBER.slice(1));
  expect(text).not.toContain("Meera");
  expect(text).not.toContain("Test Hospital");
});
