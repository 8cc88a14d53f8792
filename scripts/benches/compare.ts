// Two executables in turns, such as the last release and this one: CPU time of their servers for a create, a dial and
// the end of a call. CPU time, because wall time on a shared machine says more about the other programs.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import Sqlite from "better-sqlite3";
import { DAY_MS } from "../../src/core/clock.ts";
import { BINARY, startBinary, tempFolder, type Running } from "../../test/support/binary.ts";
import { until } from "../../test/support/until.ts";
import { cpuUse } from "../process-cpu.ts";
import { Missing, type Bench, type Finding, type How } from "./bench.ts";
import { count, median } from "./figures.ts";
import { loadOf, numberOf, requestText, wrkPath } from "./http-load.ts";
import { atRest, CLIENTS } from "./http-sides.ts";
import { OPEN_ALL } from "./many-calls.ts";

const LEAST = 0.95;
/** For the JIT compiler. */
const WARM_UPS = 2;
const CALLS_PER_ROUND = 1_000;
/** Time to create the calls of a round, and for the work that follows. */
const AHEAD_MS = 14_000;
const SETTLED_MS = 300;
const RESTING_LOOKS = 4;
const BUSY = "0001";
const IN_HURRY = "0009";

const ENV = {
  RINGWARD_PLANS__ENTERPRISE__REQUESTS_PER_MINUTE: "unlimited",
  RINGWARD_TELEPHONY__SIMULATOR__LINES: "100000",
  RINGWARD_LOG__LEVEL: "error",
  // The default of the executable, which may not know the setting.
  RINGWARD_RULES__ENFORCE: undefined,
};
/** Busy calls end ten seconds after they were dialled, so that both are measured apart. */
const SLOW = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: "0.1" };
const FAST = { RINGWARD_TELEPHONY__SIMULATOR__SPEED: "20" };

interface Version {
  binary: string;
  env: Record<string, string>;
}
type Versions = readonly [before: Version, after: Version];

interface Side {
  server: Running;
  pid: number;
  headers: Record<string, string>;
  file: Sqlite.Database;
}
type Sides = readonly [before: Side, after: Side];

/** Microseconds of CPU per operation. */
type Costs = readonly [before: number, after: number];

function versionsIn(args: readonly string[]): Versions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      before: { type: "string" },
      after: { type: "string", default: BINARY },
      "before-env": { type: "string", multiple: true, default: [] },
      "after-env": { type: "string", multiple: true, default: [] },
    },
  });
  if (values.before === undefined) throw new Missing("needs the executable to compare with: -- --before FILE");
  return [
    { binary: resolve(values.before), env: settingsIn(values["before-env"]) },
    { binary: resolve(values.after), env: settingsIn(values["after-env"]) },
  ];
}

const settingsIn = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(given.map((each) => [each.split("=", 1)[0] ?? "", each.slice(each.indexOf("=") + 1)]));

async function startSide({ binary, env }: Version, speed: Record<string, string>): Promise<Side> {
  const dataDir = tempFolder();
  const options = { dataDir, binary, env: { ...ENV, ...speed, ...env } };
  await (await startBinary(options)).stop();
  const db = new Sqlite(join(dataDir, "ringward.db"));
  db.exec(OPEN_ALL);
  db.close();
  const server = await startBinary(options);
  const file = new Sqlite(join(dataDir, "ringward.db"), { readonly: true });
  const headers = { "x-api-key": server.demo["api_key"] ?? "", "content-type": "application/json" };
  return { server, pid: server.process.pid, headers, file };
}

async function withSides<T>(
  [before, after]: Versions,
  speed: Record<string, string>,
  act: (sides: Sides) => Promise<T>,
): Promise<T> {
  const sides = [await startSide(before, speed), await startSide(after, speed)] as const;
  const found = await act(sides);
  for (const { server, file } of sides) {
    file.close();
    await server.stop();
  }
  return found;
}

const both = (sides: Sides, act: (side: Side) => Promise<unknown>) => Promise.all(sides.map(act));

/** CPU of both per operation while they do the same at once. */
async function costsOf(sides: Sides, operations: number, act: () => Promise<unknown>): Promise<Costs> {
  const uses = () => sides.map(({ pid }) => cpuUse(pid).totalSeconds);
  const [first = 0, second = 0] = uses();
  await act();
  const [firstThen = 0, secondThen = 0] = uses();
  return [((firstThen - first) * 1e6) / operations, ((secondThen - second) * 1e6) / operations];
}

/** A zone in which it is noon, so that no legal hours hold the calls. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

function bodyOf({ server }: Side, number: string, dueAt: number, more: Record<string, string> = {}): string {
  return JSON.stringify({
    agent_id: server.demo["agent_id"],
    user_number: number,
    user_name: "Test Patient",
    scheduled_time: new Date(dueAt).toISOString(),
    additional_info: { visit: "annual check-up" },
    ...more,
  });
}

/** One after the other, because each answers as many requests as it can. */
async function createCosts(sides: Sides, clients: number, seconds: number): Promise<Costs> {
  const costOf = async (side: Side) => {
    const { pid, headers, server } = side;
    const body = bodyOf(side, `+9198${numberOf(8)}`, Date.now() + DAY_MS);
    const before = cpuUse(pid).totalSeconds;
    const requests = [requestText("POST", "/v1/calls", headers, body)];
    const load = await loadOf({ port: server.port, requests, clients, seconds });
    await atRest(pid, RESTING_LOOKS);
    return ((cpuUse(pid).totalSeconds - before) * 1e6) / load.requests;
  };
  return [await costOf(sides[0]), await costOf(sides[1])];
}

async function createDue(side: Side, round: number, ending: string, dueAt: number): Promise<void> {
  const { server, headers } = side;
  const create = async (i: number) => {
    const number = `+919${String(round * CALLS_PER_ROUND + i).padStart(5, "0")}${ending}`;
    const body = bodyOf(side, number, dueAt, { user_time_zone: noonZone() });
    const answer = await fetch(`${server.url}/v1/calls`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`A create was answered with ${answer.status}: ${await answer.text()}`);
  };
  for (let from = 0; from < CALLS_PER_ROUND; from += CLIENTS)
    await Promise.all(Array.from({ length: Math.min(CLIENTS, CALLS_PER_ROUND - from) }, (_, i) => create(from + i)));
}

/** Creates the calls of a round, and returns right before they are due. */
async function aboutToBeDue(sides: Sides, round: number, ending: string): Promise<number> {
  const dueAt = Date.now() + AHEAD_MS;
  await both(sides, (side) => createDue(side, round, ending, dueAt));
  const leftMs = dueAt - Date.now() - SETTLED_MS;
  if (leftMs < 0) throw new Error("The calls were due before all were created.");
  await Bun.sleep(leftMs);
  return dueAt;
}

const callsWhere = ({ file }: Side, where: string, dueAt: number): number =>
  file.prepare(`SELECT count(*) FROM calls WHERE scheduled_at = ? AND ${where}`).pluck().get(dueAt) as number;

async function untilNone(side: Side, where: string, dueAt: number): Promise<void> {
  const what = () => `${callsWhere(side, where, dueAt)} calls are left where ${where}.`;
  await until(() => callsWhere(side, where, dueAt) === 0, { withinMs: 120_000, everyMs: 50, what });
}

async function untilOver(side: Side, dueAt: number): Promise<void> {
  await untilNone(side, "finished_at IS NULL", dueAt);
  await atRest(side.pid, RESTING_LOOKS);
}

async function dialAndEndCosts(sides: Sides, round: number): Promise<{ dial: Costs; end: Costs }> {
  const dueAt = await aboutToBeDue(sides, round, BUSY);
  const dial = await costsOf(sides, CALLS_PER_ROUND, async () => {
    await both(sides, (side) => untilNone(side, "state IN ('scheduled', 'queued')", dueAt));
    await Bun.sleep(SETTLED_MS);
  });
  if (sides.some((side) => callsWhere(side, "finished_at IS NOT NULL", dueAt) > 0))
    throw new Error("Calls ended before all were dialled.");
  const end = await costsOf(sides, CALLS_PER_ROUND, () => both(sides, (side) => untilOver(side, dueAt)));
  return { dial, end };
}

/** From the claim to the end, with a short conversation. */
async function callCosts(sides: Sides, round: number): Promise<Costs> {
  const dueAt = await aboutToBeDue(sides, round, IN_HURRY);
  return costsOf(sides, CALLS_PER_ROUND, () => both(sides, (side) => untilOver(side, dueAt)));
}

async function inRounds<T>(rounds: number, act: (round: number) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let round = 0; round < WARM_UPS + rounds; round++) {
    found.push(await act(round));
    console.error(`compare: ${JSON.stringify(found.at(-1))}`);
  }
  return found.slice(WARM_UPS);
}

function findingOf(measure: string, costs: readonly Costs[]): Finding {
  const ratio = median(costs.map(([before, after]) => before / after));
  return {
    measure,
    here: `${count(median(costs.map(([, after]) => after)))} µs`,
    against: `${count(median(costs.map(([before]) => before)))} µs before`,
    ratio,
    goal: `≥ ${LEAST}`,
    holds: ratio >= LEAST,
  };
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const versions = versionsIn(args);
  wrkPath();
  const rounds = quick ? 3 : 9;
  const seconds = quick ? 1 : 2;
  const found = await withSides(versions, SLOW, async (sides) => {
    const many = await inRounds(rounds, () => createCosts(sides, CLIENTS, seconds));
    const one = await inRounds(rounds, () => createCosts(sides, 1, seconds));
    const calls = await inRounds(rounds, (round) => dialAndEndCosts(sides, round));
    return [
      findingOf(`CPU of a create, ${CLIENTS} clients`, many),
      findingOf("CPU of a create, one client", one),
      findingOf(
        "CPU of a dial",
        calls.map(({ dial }) => dial),
      ),
      findingOf(
        "CPU of the end of a busy call",
        calls.map(({ end }) => end),
      ),
    ];
  });
  const whole = await withSides(versions, FAST, (sides) => inRounds(rounds, (round) => callCosts(sides, round)));
  return [...found, findingOf("CPU of an answered call, from its claim to its end", whole)];
}

export const compare: Bench = {
  name: "compare",
  about: "CPU of creates, dials and ends of calls beside another executable: -- --before FILE",
  run,
};
