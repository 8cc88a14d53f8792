// An hour of a hospital in minutes: the load of torture without faults, while the clock advances a minute at a time.
// Memory is measured when the process is idle.
import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { addCalls } from "../../scripts/benches/many-calls.ts";
import { rest } from "../support/pace.ts";
import { createApi } from "./api.ts";
import { QUICK_MOODS, startBadReceiver } from "./bad-receiver.ts";
import { openWindows } from "./calendar.ts";
import { startCarrier } from "./carrier.ts";
import { emptyLog, type ClientLog } from "./client-log.ts";
import { growthOf, type Growth } from "./growth.ts";
import { makeHospital } from "./hospital.ts";
import { startLoad } from "./load.ts";
import { buildOutside } from "./outside.ts";
import { createChance } from "./seeded.ts";

export interface SoakOptions {
  seed: number;
  /** Of the hospital's time. */
  minutes: number;
  requestsPerMinute: number;
  folder: string;
  progress: (line: string) => void;
}

export interface SoakReport {
  isClockMoved: boolean;
  minutes: number;
  seconds: number;
  client: ClientLog;
  dialled: number;
  arrivals: number;
  growths: Growth[];
}

const MINUTE_MS = 60_000;
const CLIENTS = 12;
const SAMPLES = 24;
/** An appliance at rest gives back what is left over within two or three seconds; see src/core/collect-at-rest.ts. */
const SETTLE_MS = 500;
const SETTLES = 7;
/**
 * Planned for weeks ahead, 28 MB of them. The writer keeps up to 32 MB of pages in memory, and every page that it
 * writes is one: a hospital that begins with nothing fills that cache for half an hour, which would look like a leak. A
 * file of this size is looked through at the start by the same connection, so the cache is full before the first
 * sample.
 */
const PLANNED_CALLS = 36_000;
const PLANNED_AHEAD_MS = 30 * 86_400_000;
const MB = 1_048_576;

interface Sample {
  memory: number;
  descriptors: number;
  walKb: number;
  temporary: number;
}

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { seed, minutes, requestsPerMinute, folder, progress } = options;
  const startedMs = performance.now();
  const built = buildOutside(folder);
  const outside = "missing" in built ? null : built;
  const chance = createChance(seed);
  const carrier = await startCarrier();
  const receiver = startBadReceiver(folder, chance.branch("receiver"), QUICK_MOODS);
  const dataDir = join(folder, "data");
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const env = { ...outside?.env, TMPDIR: temporary };
  const hospital = await makeHospital({ folder, dataDir, carrierPort: carrier.port, receiver, databaseUrl: null, env });
  addCalls(dataDir, {
    calls: PLANNED_CALLS,
    dueAt: (i) => Date.now() + PLANNED_AHEAD_MS + i,
    numberOf: (i) => `+9197${String(i).padStart(8, "0")}`,
  });
  const { tortured, apiKey, agentId, hookToken } = hospital;
  const api = createApi(tortured, apiKey);
  const now = () => Date.now() + (outside?.clockMs() ?? 0);
  const client = emptyLog();
  try {
    await tortured.start();
    const slots = await openWindows(api, now());
    const load = startLoad({ tortured, api, log: client, chance, clients: CLIENTS, agentId, hookToken, slots, now });
    const samples: Sample[] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      const begunMs = performance.now();
      await load.pause(requestsPerMinute);
      if (tortured.hasCrashed()) throw new Error("It ended by itself.");
      const leftMs = MINUTE_MS - (performance.now() - begunMs);
      outside?.setClock(outside.clockMs() + Math.max(0, leftMs));
      if (outside && !(await tortured.confirmClock())) throw new Error("The clock could not be confirmed.");
      progress(`minute ${minute} of ${minutes}; ${client.requests} requests`);
      if (minute % Math.max(1, Math.floor(minutes / SAMPLES)) !== 0) continue;
      await load.hold();
      samples.push(await sampleOf(tortured.pid, dataDir, temporary));
      load.resume();
    }
    await load.stop();
    await tortured.stop();
    const seconds = (performance.now() - startedMs) / 1_000;
    const { length: arrivals } = receiver.arrivals;
    const seen = { client, dialled: carrier.dialled.length, arrivals };
    return { isClockMoved: outside !== null, minutes, seconds, ...seen, growths: growthsOf(samples) };
  } finally {
    await tortured.kill();
    outside?.close();
    receiver.close();
    carrier.close();
  }
}

/** The least of a few looks at rest: memory that is given back was not held. */
async function sampleOf(pid: number, dataDir: string, temporary: string): Promise<Sample> {
  const looks: number[] = [];
  for (let i = 0; i < SETTLES; i++) {
    await rest(SETTLE_MS);
    looks.push(residentMb(pid));
  }
  return {
    memory: Math.min(...looks),
    descriptors: openFiles(pid).length,
    walKb: walKb(dataDir),
    temporary: temporaryFiles(pid, dataDir, temporary),
  };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024) / MB;
}

/** Where each descriptor leads. */
function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return []; // Closed meanwhile.
    }
  });
}

function walKb(dataDir: string): number {
  const file = join(dataDir, "ringward.db-wal");
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1_024;
}

/**
 * In the folder for them, beside the database, and those that are open and have no name any more. Recordings are kept,
 * and no growth.
 */
function temporaryFiles(pid: number, dataDir: string, temporary: string): number {
  const beside = readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile()).length;
  const nameless = openFiles(pid).filter((target) => target.endsWith(" (deleted)")).length;
  return beside + nameless + readdirSync(temporary, { recursive: true }).length;
}

function growthsOf(samples: readonly Sample[]): Growth[] {
  const of = (name: string, unit: string, key: keyof Sample, most: (middle: number) => number) =>
    growthOf({ name, unit, samples: samples.map((sample) => sample[key]), most });
  return [
    // Between two thirds of an hour; what a collector leaves lying about differs by that much.
    of("memory at rest", "MB", "memory", (middle) => Math.max(8, middle * 0.05)),
    of("descriptors", "", "descriptors", () => 2),
    // SQLite begins the log anew from 4 MB on, and it may have grown during one large moment.
    of("write-ahead log", "kB", "walKb", () => 1_024),
    of("temporary files", "", "temporary", () => 0),
  ];
}
