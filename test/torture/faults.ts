// Faults injected while the appliance works. After each of them the appliance runs again on a writable disk.
import type { PostgresCluster } from "../../scripts/postgres-cluster.ts";
import { rest } from "../support/pace.ts";
import { until } from "../support/until.ts";
import type { Disk } from "./disk.ts";
import type { Load } from "./load.ts";
import type { Outside } from "./outside.ts";
import type { Chance } from "./seeded.ts";
import { sendSlowClients } from "./slow-clients.ts";
import type { Tortured } from "./tortured.ts";

export interface FaultWorld {
  tortured: Tortured;
  port: number;
  disk: Disk;
  /** Null where clocks cannot be moved here. */
  outside: Outside | null;
  /** Where the appliance keeps its data, unless it does so in a file. */
  postgres: PostgresCluster | null;
  load: Load;
  chance: Chance;
  /** Numbers that the carrier was asked for so far. */
  dialled: () => number;
  slowClients: number;
  /** Slow clients that got a connection. */
  counts: { slowClients: number };
  /** Things a fault must not do, in words. */
  surprises: string[];
}

const HOUR_MS = 3_600_000;
/** The receiver's certificate holds for a day; the end of a run needs some hours of it. */
const EARLIEST_CLOCK_MS = 0;
const LATEST_CLOCK_MS = 14 * HOUR_MS;
export const FIRST_CLOCK_MS = 7 * HOUR_MS;
/** Database, log, threads and SIP take about 60; the rest is for callers. */
const FEW_DESCRIPTORS = 128;
/** A machine that is too busy to carry calls well dials none. */
const LONGEST_WAIT_FOR_CALLS_MS = 5_000;
/** A commit takes some ten times as long, and an INVITE less. */
const SLOW_WRITE_MS = 2;
/** No request ends it while no connection gets through. */
const LONGEST_SIEGE_MS = 2_000;
/** Room for a few small transactions, so that the disk fills up in the middle of one. */
const LEFT_KB = { least: 0, most: 256 };

/** In the midst of requests, or in the midst of calls. */
async function moment(world: FaultWorld): Promise<void> {
  const { load, chance } = world;
  await load.pause(chance.between(1, 40));
  if (chance.isBelow(0.5)) await midstOfCalls(world);
}

/** Calls go out only once the machine that has just started has settled. */
async function midstOfCalls({ chance, dialled, tortured }: FaultWorld): Promise<void> {
  const goal = dialled() + chance.between(1, 10);
  const deadlineMs = performance.now() + LONGEST_WAIT_FOR_CALLS_MS;
  const isEnough = () => dialled() >= goal || performance.now() > deadlineMs || tortured.hasCrashed();
  await until(isEnough, { everyMs: 1 });
}

async function kill(world: FaultWorld): Promise<void> {
  await moment(world);
  await world.tortured.kill();
  await world.tortured.start();
}

/** Every commit takes a while there: whatever goes out before its commit is out when the kill comes, and forgotten. */
async function killOnSlowDisk(world: FaultWorld): Promise<void> {
  const { outside, tortured } = world;
  outside?.slowWrites(SLOW_WRITE_MS);
  await midstOfCalls(world);
  await tortured.kill();
  outside?.slowWrites(0);
  await tortured.start();
}

/** Again and again while it recovers from the kill before. */
async function killAtStart(world: FaultWorld): Promise<void> {
  const { tortured, chance } = world;
  await moment(world);
  await tortured.kill();
  for (let times = chance.between(1, 3); times > 0; times--) {
    tortured.launch();
    // Between the first moment and the first answer: as long as a start takes on this machine, in parts.
    const share = chance.next();
    const begun = performance.now();
    await Promise.race([tortured.answers(), rest(share * usualStartMs)]);
    usualStartMs = Math.max(usualStartMs, performance.now() - begun);
    await tortured.kill();
  }
  const begun = performance.now();
  await tortured.start();
  usualStartMs = performance.now() - begun;
}
let usualStartMs = 300;

async function fullDisk(world: FaultWorld): Promise<void> {
  const { disk, tortured, load, chance } = world;
  await moment(world);
  disk.fill(chance.between(LEFT_KB.least, LEFT_KB.most));
  await load.pause(chance.between(40, 120));
  const isKilledToo = chance.isBelow(0.5);
  if (isKilledToo) await tortured.kill();
  disk.makeRoom();
  if (isKilledToo) await tortured.start();
}

/** In the middle of its work, as when a file system meets an error and the kernel protects what is left. */
async function readOnlyDisk(world: FaultWorld): Promise<void> {
  const { outside, load, chance } = world;
  await moment(world);
  outside?.failWrites(chance.pick(["EROFS", "EIO", "ENOSPC"] as const));
  await load.pause(chance.between(40, 120));
  outside?.failWrites(null);
}

/** It must say so and end, or serve; it must not hang, and must change nothing. */
async function readOnlyStart(world: FaultWorld): Promise<void> {
  const { disk, tortured, surprises } = world;
  await moment(world);
  await tortured.kill();
  if (!disk.setReadOnly(true)) surprises.push("The disk could not be made read-only.");
  tortured.launch();
  if (await tortured.answers()) surprises.push("It started on a disk that cannot be written.");
  else if ((await tortured.ended()) === 0) surprises.push("It ended on a read-only disk as if all were well.");
  await tortured.kill();
  disk.setReadOnly(false);
  await tortured.start();
}

const jump = (direction: 1 | -1) =>
  async function jumpClock(world: FaultWorld): Promise<void> {
    const { outside, load, chance, tortured, surprises } = world;
    if (!outside) return;
    await moment(world);
    const beforeMs = outside.clockMs();
    const wished = outside.clockMs() + direction * chance.between(1, 6) * HOUR_MS;
    outside.setClock(Math.min(LATEST_CLOCK_MS, Math.max(EARLIEST_CLOCK_MS, wished)));
    await load.pause(chance.between(5, 30));
    // A machine whose clock is wrong is often one that was just switched off.
    if (chance.isBelow(0.5)) {
      await tortured.kill();
      await tortured.start();
    }
    // No call goes out by such a clock. It is set right again, or a person says that it is right.
    if (chance.isBelow(0.3)) outside.setClock(beforeMs);
    else if (!(await tortured.confirmClock())) surprises.push("The clock could not be confirmed.");
  };

async function fewDescriptors(world: FaultWorld): Promise<void> {
  const { tortured, load, chance, port, slowClients } = world;
  await tortured.kill();
  await tortured.start({ descriptors: FEW_DESCRIPTORS });
  const slow = sendSlowClients(port, slowClients);
  // Callers get through or they do not; either way it lives.
  await Promise.race([load.pause(chance.between(20, 60)), rest(LONGEST_SIEGE_MS)]);
  world.counts.slowClients += slow.leave();
  if (tortured.hasCrashed()) world.surprises.push("It crashed when descriptors ran out.");
  // They have left, and it takes callers again.
  else await tortured.answers();
  await tortured.kill();
  await tortured.start();
}

async function slowClientsAlone(world: FaultWorld): Promise<void> {
  const { load, chance, port, slowClients } = world;
  const slow = sendSlowClients(port, slowClients);
  await load.pause(chance.between(40, 80));
  world.counts.slowClients += slow.leave();
}

/** At once up again, as after a fault of its own: what it had committed is in its log. */
async function killDatabase(world: FaultWorld): Promise<void> {
  await moment(world);
  await world.postgres?.crashAndRestart();
}

/** Requests are refused meanwhile, and calls go on. */
async function databaseAway(world: FaultWorld): Promise<void> {
  const { postgres, load, chance } = world;
  await moment(world);
  await postgres?.crash();
  await load.pause(chance.between(20, 60));
  await postgres?.start();
}

/** As where one machine has both, and its power fails. */
async function killBoth(world: FaultWorld): Promise<void> {
  const { tortured, postgres } = world;
  await moment(world);
  await Promise.all([tortured.kill(), postgres?.crash()]);
  await postgres?.start();
  await tortured.start();
}

export interface Fault {
  name: string;
  /** What it needs of this machine. */
  needs: "nothing" | "small disk" | "outside";
  /** It happens to where the data is, and that is there alone. */
  where?: "file" | "postgres";
  /** How often it stands in a bag of faults. */
  share: number;
  happen(world: FaultWorld): Promise<void>;
}

export const FAULTS: readonly Fault[] = [
  { name: "kill -9", needs: "nothing", share: 4, happen: kill },
  { name: "kill -9 on a slow disk", needs: "outside", where: "file", share: 2, happen: killOnSlowDisk },
  { name: "kill -9 at the start", needs: "nothing", share: 1, happen: killAtStart },
  { name: "full disk", needs: "small disk", where: "file", share: 2, happen: fullDisk },
  { name: "read-only disk, at work", needs: "outside", where: "file", share: 2, happen: readOnlyDisk },
  { name: "read-only disk, at the start", needs: "small disk", where: "file", share: 1, happen: readOnlyStart },
  { name: "clock forward", needs: "outside", share: 2, happen: jump(1) },
  { name: "clock back", needs: "outside", share: 2, happen: jump(-1) },
  { name: "few descriptors and slow clients", needs: "nothing", share: 1, happen: fewDescriptors },
  { name: "slow clients", needs: "nothing", share: 1, happen: slowClientsAlone },
  { name: "PostgreSQL killed", needs: "nothing", where: "postgres", share: 3, happen: killDatabase },
  { name: "PostgreSQL away", needs: "nothing", where: "postgres", share: 2, happen: databaseAway },
  { name: "PostgreSQL and executable killed", needs: "nothing", where: "postgres", share: 1, happen: killBoth },
];

export function possibleFaults({ disk, outside, postgres }: Pick<FaultWorld, "disk" | "outside" | "postgres">): {
  possible: Fault[];
  left: Fault[];
} {
  const ours = FAULTS.filter(({ where }) => where === undefined || (where === "postgres") === (postgres !== null));
  const isPossible = ({ needs }: Fault) =>
    needs === "nothing" || (needs === "small disk" ? disk.isSmall : outside !== null);
  return { possible: ours.filter(isPossible), left: ours.filter((fault) => !isPossible(fault)) };
}

/** Of the faults that were wanted, those that never happened: without them a run proves less than it seems to. */
export function leftOut(
  wanted: readonly Fault[],
  happened: ReadonlyMap<string, number>,
  whyNot: (fault: Fault) => string,
): { name: string; why: string }[] {
  return wanted.filter(({ name }) => !happened.has(name)).map((fault) => ({ name: fault.name, why: whyNot(fault) }));
}

/** Each as often as its share, in an order of the seed. */
export function bagOf(faults: readonly Fault[], chance: Chance): Fault[] {
  return chance.shuffled(faults.flatMap((fault) => Array.from({ length: fault.share }, () => fault)));
}
