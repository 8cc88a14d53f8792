// One torture run: create a hospital, apply load and faults, repair, wait until everything is settled, stop, and check.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres, type PostgresCluster } from "../../scripts/postgres-cluster.ts";
import { startBadReceiver, type Mood } from "./bad-receiver.ts";
import { createApi } from "./api.ts";
import { openWindows } from "./calendar.ts";
import { startCarrier } from "./carrier.ts";
import { check, type Finding } from "./checks.ts";
import { emptyLog, type ClientLog } from "./client-log.ts";
import { makeDisk } from "./disk.ts";
import type { Evidence } from "./evidence.ts";
import { bagOf, FIRST_CLOCK_MS, leftOut, possibleFaults, type Fault, type FaultWorld } from "./faults.ts";
import { makeHospital, type TorturedHospital } from "./hospital.ts";
import { startLoad } from "./load.ts";
import { buildOutside, type Outside } from "./outside.ts";
import { readStored } from "./read-stored.ts";
import { comeToRest } from "./rest.ts";
import { createChance, type Chance } from "./seeded.ts";
import { rowsInFile, rowsInPostgres } from "./stored-rows.ts";

export interface TortureOptions {
  seed: number;
  /** Faults go on for this long. */
  seconds?: number;
  /** Instead of for a time: these, one after the other, by name. */
  once?: readonly string[];
  folder: string;
  clients: number;
  slowClients: number;
  /** What the receiver is like; in every way there is without it. */
  moods?: readonly Mood[];
  /** It keeps its data in a PostgreSQL, which is tortured too. */
  onPostgres?: boolean;
  progress: (line: string) => void;
}

export interface TortureReport {
  seed: number;
  faults: Map<string, number>;
  left: { name: string; why: string }[];
  client: ClientLog;
  moods: Record<Mood, number>;
  slowClients: number;
  dialled: number;
  arrivals: number;
  isDrained: boolean;
  exitCode: number;
  findings: Finding[];
  seconds: number;
}

const FILE = "ringward.db";
const DATABASE = "tortured";

export async function torture(options: TortureOptions): Promise<TortureReport> {
  const startedMs = performance.now();
  mkdirSync(options.folder, { recursive: true });
  const chance = createChance(options.seed);
  const built = buildOutside(options.folder);
  const outside = "missing" in built ? null : built;
  const disk = makeDisk(options.folder);
  const carrier = await startCarrier();
  const receiver = startBadReceiver(options.folder, chance.branch("receiver"), options.moods);
  outside?.setClock(FIRST_CLOCK_MS);
  const postgres = options.onPostgres ? await databaseIn(options.folder) : null;
  const rows = postgres ? rowsInPostgres(postgres, DATABASE) : rowsInFile(join(disk.dataDir, FILE));
  try {
    const hospital = await makeHospital({
      folder: options.folder,
      dataDir: disk.dataDir,
      carrierPort: carrier.port,
      receiver,
      databaseUrl: postgres?.url(DATABASE) ?? null,
      env: outside?.env ?? {},
    });
    const { tortured } = hospital;
    try {
      const client = emptyLog();
      const { possible, left } = possibleFaults({ disk, outside, postgres });
      const wanted = [...possible, ...left].filter(({ name }) => options.once?.includes(name) ?? true);
      const world = {
        ...(await begin(options, { hospital, chance, outside, client })),
        disk,
        postgres,
        dialled: () => carrier.dialled.length,
      };
      const faults = await happenAll(options, possible, world, client);
      receiver.heal();
      const isDrained = await comeToRest({
        ...world,
        rows,
        arrivals: () => receiver.arrivals.length,
        progress: options.progress,
      });
      const exitCode = await tortured.stop();
      const evidence: Evidence = {
        client,
        stored: readStored(rows),
        arrivals: receiver.arrivals,
        dialled: carrier.dialled,
        isDrained,
      };
      if (exitCode !== 0) client.surprises.push(`SIGTERM ended it with ${exitCode}.`);
      writeFileSync(join(options.folder, "evidence.json"), JSON.stringify(evidence));
      return {
        seed: options.seed,
        faults,
        left: leftOut(wanted, faults, (fault) =>
          left.includes(fault) ? whyLeft(fault.needs, built) : "the time was over before it",
        ),
        client,
        moods: receiver.moods,
        slowClients: world.counts.slowClients,
        dialled: carrier.dialled.length,
        arrivals: receiver.arrivals.length,
        isDrained,
        exitCode,
        findings: check(evidence),
        seconds: (performance.now() - startedMs) / 1_000,
      };
    } finally {
      await tortured.kill();
    }
  } finally {
    outside?.close();
    receiver.close();
    carrier.close();
    disk.close();
    await postgres?.stop();
  }
}

/** With fsync, as a hospital runs it. */
async function databaseIn(folder: string): Promise<PostgresCluster> {
  // It runs as a user of its own.
  chmodSync(folder, 0o755);
  const cluster = await startPostgres({ durable: true });
  cluster.createDatabase(DATABASE);
  return cluster;
}

const whyLeft = (needs: Fault["needs"], built: ReturnType<typeof buildOutside>) =>
  needs === "small disk" ? "only root may make a small disk" : "missing" in built ? built.missing : "";

type World = Omit<FaultWorld, "disk" | "postgres" | "dialled">;

async function begin(
  options: TortureOptions,
  deps: { hospital: TorturedHospital; chance: Chance; outside: Outside | null; client: ClientLog },
): Promise<World> {
  const { hospital, chance, outside, client } = deps;
  const { tortured, apiKey, agentId, hookToken, port } = hospital;
  const api = createApi(tortured, apiKey);
  const now = () => Date.now() + (outside?.clockMs() ?? 0);
  await tortured.start();
  const slots = await openWindows(api, now());
  const load = startLoad({
    tortured,
    api,
    log: client,
    chance: chance.branch("load"),
    clients: options.clients,
    agentId,
    hookToken,
    slots,
    now,
  });
  return {
    tortured,
    port,
    outside,
    load,
    chance: chance.branch("faults"),
    slowClients: options.slowClients,
    counts: { slowClients: 0 },
    surprises: client.surprises,
  };
}

async function happenAll(
  options: TortureOptions,
  possible: readonly Fault[],
  world: FaultWorld,
  client: ClientLog,
): Promise<Map<string, number>> {
  const { seconds = 0, once, progress } = options;
  const counts = new Map<string, number>();
  const endMs = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > endMs;
  const happen = async (fault: Fault): Promise<void> => {
    progress(`${fault.name}; ${client.requests} requests so far, ${client.silences} without an answer`);
    await fault.happen(world);
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
    if (!world.tortured.hasCrashed()) return;
    world.surprises.push(`It crashed by itself: ${fault.name}.`);
    await world.tortured.kill();
    await world.tortured.start();
  };
  for (const name of once ?? []) for (const fault of possible.filter((one) => one.name === name)) await happen(fault);
  while (!once && !isOver()) for (const fault of bagOf(possible, world.chance)) if (!isOver()) await happen(fault);
  await world.load.pause(20);
  await world.load.stop();
  return counts;
}
