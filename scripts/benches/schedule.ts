// Lateness of dialling: many calls fall due one after the other among a million scheduled ones, while requests are
// served. A call counts as dialled when it reaches the carrier, after the commit; the simulator logs that.
import { join } from "node:path";
import { DAY_MS } from "../../src/core/clock.ts";
import Sqlite from "better-sqlite3";
import { startBinary, type Running } from "../../test/support/binary.ts";
import { until } from "../../test/support/until.ts";
import type { Bench, Finding } from "./bench.ts";
import { count, ms, quantile } from "./figures.ts";
import { addCalls, emptyHospital } from "./many-calls.ts";
import type { RequestsReport } from "./moderate-requests.ts";

const READS_PER_SECOND = 50;
const CREATES_PER_SECOND = 20;
const MOST_P99_MS = 100;
const LINES = 100_000;
/** Calls of seven simulated seconds take 0.7 s. */
const ENV = {
  RINGWARD_TELEPHONY__SIMULATOR__LINES: String(LINES),
  RINGWARD_TELEPHONY__SIMULATOR__SPEED: "10",
  RINGWARD_PLANS__ENTERPRISE__REQUESTS_PER_MINUTE: "unlimited",
};

interface Size {
  /** How long before the first due call the rows are written and the executable is started. */
  aheadMs: number;
  due: number;
  overMs: number;
  scheduled: number;
}

interface Outcome {
  size: Size;
  lateMs: number[];
  requests: RequestsReport;
  /** Timer lateness of this process in the same period, caused by the machine. */
  bareP99Ms: number;
}

/**
 * Half of them are busy, half answer and soon hang up. All have different numbers, because no number is called twice at
 * once.
 */
function numberOfDue(i: number): string {
  return `+91${900_000 + Math.floor(i / 2)}${i % 2 === 0 ? "0001" : "0009"}`;
}

async function measure(size: Size): Promise<Outcome> {
  const dataDir = await emptyHospital();
  addCalls(dataDir, {
    calls: size.scheduled - size.due,
    dueAt: (i) => Date.now() + DAY_MS + ((i * 7_919) % 300) * DAY_MS,
    numberOf: (i) => `+9197${10_000_000 + i}`,
  });
  const firstAt = Date.now() + size.aheadMs;
  const dueAt = (i: number) => Math.round(firstAt + (i * size.overMs) / size.due);
  addCalls(dataDir, { calls: size.due, dueAt, numberOf: numberOfDue });
  const server = await startBinary({ dataDir, env: ENV });
  if (Date.now() > firstAt) throw new Error("The executable was not up before the first call was due.");
  const requests = startRequests(server);
  const bare = startBareTimer();
  const dials = () => server.output().split('"message":"The simulator dials."').length - 1;
  await Bun.sleep(firstAt + size.overMs - Date.now());
  await until(() => dials() >= size.due, {
    withinMs: 120_000,
    everyMs: 100,
    what: () => `${dials()} of ${size.due} calls were dialled:\n${server.output().slice(-2_000)}`,
  });
  const bareP99Ms = bare.stop();
  const report = await requests.report();
  await server.stop();
  return { size, lateMs: latenessOf(server, firstAt, size), requests: report, bareP99Ms };
}

function latenessOf(server: Running, firstAt: number, { due, overMs }: Size): number[] {
  const dialledAt = new Map<string, number>();
  for (const line of server.output().split("\n")) {
    if (!line.includes('"message":"The simulator dials."')) continue;
    const { time, call_id } = JSON.parse(line) as { time: string; call_id: string };
    dialledAt.set(call_id, Date.parse(time));
  }
  const db = new Sqlite(join(server.dataDir, "ringward.db"), { readonly: true });
  const rows = db
    .prepare("SELECT id, scheduled_at FROM calls WHERE scheduled_at BETWEEN ? AND ?")
    .all(firstAt, firstAt + overMs) as { id: string; scheduled_at: number }[];
  db.close();
  if (rows.length < due) throw new Error(`${rows.length} of ${due} calls are in the database.`);
  return rows.map(({ id, scheduled_at }) => (dialledAt.get(id) ?? Infinity) - scheduled_at);
}

function startRequests(server: Running) {
  const told = Promise.withResolvers<RequestsReport>();
  const db = new Sqlite(join(server.dataDir, "ringward.db"), { readonly: true });
  const call = db.prepare("SELECT id FROM calls ORDER BY id LIMIT 1").pluck().get() as string;
  db.close();
  const options = {
    url: server.url,
    key: server.demo["api_key"] ?? "",
    agent: server.demo["agent_id"] ?? "",
    call,
    reads: String(READS_PER_SECOND),
    creates: String(CREATES_PER_SECOND),
  };
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "moderate-requests.ts"),
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    { stdin: "ignore", stdout: "inherit", stderr: "inherit", ipc: (report: RequestsReport) => told.resolve(report) },
  );
  return {
    async report(): Promise<RequestsReport> {
      child.send("report");
      const report = await told.promise;
      child.kill();
      return report;
    },
  };
}

function startBareTimer(): { stop(): number } {
  const late: number[] = [];
  let dueAt = performance.now() + 10;
  const timer = setInterval(() => {
    late.push(Math.max(0, performance.now() - dueAt));
    dueAt = performance.now() + 10;
  }, 10);
  return {
    stop() {
      clearInterval(timer);
      return quantile(late, 0.99);
    },
  };
}

async function run({ quick }: { quick: boolean }): Promise<Finding[]> {
  const few = await measure(
    quick
      ? { aheadMs: 2_500, due: 200, overMs: 1_200, scheduled: 1_000 }
      : { aheadMs: 10_000, due: 1_000, overMs: 6_000, scheduled: 10_000 },
  );
  const many = await measure(
    quick
      ? { aheadMs: 2_500, due: 500, overMs: 3_000, scheduled: 20_000 }
      : { aheadMs: 10_000, due: 10_000, overMs: 60_000, scheduled: 1_000_000 },
  );
  const p99 = ({ lateMs }: Outcome) => quantile(lateMs, 0.99);
  const words = ({ size }: Outcome) =>
    `${count(size.due)} calls due over ${size.overMs / 1_000} s among ${count(size.scheduled)}`;
  const rate = `${READS_PER_SECOND + CREATES_PER_SECOND} requests/s`;
  return [
    {
      measure: `${words(many)}, beside ${rate}: dialled late by, p99`,
      here: `${ms(p99(many))} (p50 ${ms(quantile(many.lateMs, 0.5))}, most ${ms(quantile(many.lateMs, 1))})`,
      against: `${ms(p99(few))} among ${count(few.size.scheduled)}; bare timers ${ms(many.bareP99Ms)}`,
      ratio: p99(many) / p99(few),
      goal: `< ${MOST_P99_MS} ms`,
      holds: p99(many) < MOST_P99_MS,
    },
    {
      measure: "dialled early or never",
      here: count(many.lateMs.filter((late) => late < 0 || late === Infinity).length),
      against: `${count(many.lateMs.length)} due`,
      ratio: null,
      goal: "0",
      holds: many.lateMs.every((late) => late >= 0 && late < Infinity),
    },
    {
      measure: "requests beside them, p99",
      here: `${ms(many.requests.p99Ms)}, ${many.requests.failed} failed`,
      against: `${ms(few.requests.p99Ms)} among ${count(few.size.scheduled)}`,
      ratio: many.requests.p99Ms / few.requests.p99Ms,
      goal: null,
      holds: null,
    },
  ];
}

export const schedule: Bench = {
  name: "schedule",
  about: "how late calls are dialled that fall due among a million scheduled ones, while requests are answered",
  run,
};
