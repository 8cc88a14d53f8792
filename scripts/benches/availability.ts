// Latency and reads of an availability query over the longest range: 100 windows against 1,000 of the same density.
// Every window is tracked on every date, with three bookings each.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createApp } from "../../src/compose/app.ts";
import { MOST_DAYS, datesOn } from "../../src/calendar/days.ts";
import { DAYS } from "../../src/payloads/slot.ts";
import { loadConfig } from "../../src/config/load.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { addDays } from "../../src/core/zones.ts";
import { kyselyOn } from "../../src/db/sqlite/connection.ts";
import { openReader } from "../../src/db/sqlite/open-reader.ts";
import { openDatabase, type Database } from "../../src/db/database.ts";
import type { Bench, Finding } from "./bench.ts";
import { count, medianMs, ms } from "./figures.ts";
import { fileOf } from "../../test/support/temp.ts";

const BOOKED_PER_DATE = 3;
/** Target: the longest query of a large hospital feels immediate. */
const MOST_MS = 150;

const FROM = addDays(new Date().toISOString().slice(0, 10), 1);
const RANGE = { from: FROM, to: addDays(FROM, MOST_DAYS - 1) };

interface Measured {
  windows: number;
  entries: number;
  serviceMs: number;
  httpMs: number;
  bytes: number;
  /** Duration of a recount without corrections; it blocks all other writes. */
  regenerateMs: number;
  statements: string[];
  plan: string[];
}

async function measure(windows: number, runs: number): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), "ringward-bench-"));
  const opened = await openDatabase({ dataDir }, { logger: silentLogger, as: "server" });
  const statements: string[] = [];
  let isListening = false;
  const listening = new Sqlite(fileOf(opened), {
    readonly: true,
    verbose: (sql) => void (isListening && statements.push(String(sql))),
  });
  // The same database, through a connection that records its queries.
  const db: Database = { ...opened, reader: kyselyOn(listening) };
  const config = loadConfig({
    environment: { RINGWARD_DATA__DIR: dataDir, RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" },
  });
  const app = createApp({ config, db, clock: systemClock, logger: silentLogger, rootKey: new Uint8Array(32) });
  const { organisations, keys, windows: windowService, tracking, ids } = app.services;
  try {
    const organisation = await organisations.create({ name: "Bench", timeZone: "Asia/Kolkata" }, CLI_ACTOR);
    const { key } = await keys.create(organisation.id, { name: "bench", scopes: ["slots:read"] }, CLI_ACTOR);
    const branchId = ids.uuid();
    const made = await Promise.all(
      Array.from({ length: windows }, (_, i) =>
        windowService.create(
          organisation.id,
          { branch_id: branchId, day: DAYS[i % 7] ?? "monday", session: "Morning", ai_slots: 4, max_slots: 10 },
          CLI_ACTOR,
        ),
      ),
    );
    book(fileOf(opened), organisation.id, branchId, made);

    const path = `/v1/appointment-slots/availability?branch_id=${branchId}&from=${RANGE.from}&to=${RANGE.to}`;
    const request = () => new Request(`http://localhost${path}`, { headers: { "x-api-key": key } });
    const ask = () => tracking.availability(organisation.id, { branch_id: branchId, ...RANGE });

    isListening = true;
    const entries = (await ask()).length;
    isListening = false;
    const body = await (await app.handle(request())).text();
    const shown = JSON.parse(body) as { data: { filled_slots: number }[] };
    if (shown.data.length !== entries || shown.data.some(({ filled_slots }) => filled_slots !== BOOKED_PER_DATE)) {
      throw new Error(`The answer is not what was booked: ${body.slice(0, 300)}`);
    }
    return {
      windows,
      entries,
      serviceMs: await medianMs(runs, ask),
      httpMs: await medianMs(runs, async () => (await app.handle(request())).text()),
      bytes: body.length,
      regenerateMs: await medianMs(3, () =>
        tracking.regenerate(organisation.id, { branch_id: branchId, ...RANGE }, CLI_ACTOR),
      ),
      statements,
      plan: explain(fileOf(opened), statements.find((sql) => sql.includes('"window_dates"')) ?? "SELECT 1"),
    };
  } finally {
    await app.stop();
    listening.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Inserts rows directly: the service would take minutes and show nothing more. */
function book(
  file: string,
  organisationId: string,
  branchId: string,
  windows: readonly { calendar_id: string; day: string }[],
): void {
  const connection = new Sqlite(file);
  const insertDate = connection.prepare(
    "INSERT INTO window_dates (window_id, date, filled, ai_filled, updated_at) VALUES (?, ?, ?, 1, 0)",
  );
  const insertAppointment = connection.prepare(`
    INSERT INTO appointments (id, organisation_id, window_id, branch_id, date, start_time, end_time, status, source, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, '09:00', '12:00', 'confirmed', 'api', 0, 0)`);
  let booked = 0;
  connection.transaction(() => {
    for (const { calendar_id, day } of windows) {
      for (const date of datesOn(day, RANGE)) {
        insertDate.run(calendar_id, date, BOOKED_PER_DATE);
        for (let i = 0; i < BOOKED_PER_DATE; i++) {
          insertAppointment.run(`apt_${++booked}`, organisationId, calendar_id, branchId, date);
        }
      }
    }
  })();
  connection.close();
}

function explain(file: string, sql: string): string[] {
  const connection = openReader(file);
  try {
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return rows.map(({ detail }) => detail);
  } finally {
    connection.close();
  }
}

const tableOf = (sql: string) =>
  [...new Set([...sql.matchAll(/(?:from|join) "(\w+)"/g)].map(([, table]) => table))].join(", ");

async function run({ quick }: { quick: boolean }): Promise<Finding[]> {
  const runs = quick ? 3 : 15;
  const small = await measure(100, runs);
  const large = await measure(1_000, runs);
  const compared = (measure: string, name: "serviceMs" | "httpMs" | "regenerateMs", goal: string | null): Finding => ({
    measure: `${MOST_DAYS} days of ${count(large.windows)} windows, ${measure}`,
    here: ms(large[name]),
    against: `${ms(small[name])} of ${small.windows} windows`,
    ratio: large[name] / small[name],
    goal,
    holds: goal === null ? null : large[name] <= MOST_MS,
  });
  const tables = [...new Set(large.statements.map(tableOf))].join("; ");
  for (const step of large.plan) console.error(`  plan: ${step}`);
  return [
    compared("in the service", "serviceMs", `≤ ${MOST_MS} ms`),
    compared(`as a request of ${(large.bytes / 1e6).toFixed(1)} MB`, "httpMs", null),
    compared("counted anew", "regenerateMs", null),
    {
      measure: `statements of one query (${tables})`,
      here: String(large.statements.length),
      against: `${small.statements.length} with ${small.windows} windows`,
      ratio: large.statements.length / small.statements.length,
      goal: "as many, and none reads appointments",
      holds:
        large.statements.length === small.statements.length &&
        !large.statements.some((sql) => sql.includes('"appointments"')),
    },
  ];
}

export const availability: Bench = {
  name: "availability",
  about: "the longest range of open places, of 100 and of 1,000 windows, and what is read for it",
  withoutExecutable: true,
  run,
};
