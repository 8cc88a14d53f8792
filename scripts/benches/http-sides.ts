// Ringward and baseline servers on the same machine, each in a separate process, loaded in turns: only their ratio is
// meaningful on a shared machine.
import { DAY_MS } from "../../src/core/clock.ts";
import { startBinary, tempFolder, type Running } from "../../test/support/binary.ts";
import { cpuUse } from "../process-cpu.ts";
import { median } from "./figures.ts";
import { loadOf, numberOf, requestText, wrkPath, type Load } from "./http-load.ts";

export interface Side {
  pid: number;
  port: number;
  /** Sent in turn. */
  requests: readonly string[];
}

export interface SideLoad extends Load {
  /** CPU per request over all threads of the server, until it is idle again. */
  cpuUs: number;
}

export const CLIENTS = 64;
/** More than any of our caches holds. */
export const DIFFERENT_CALLS = 8_000;
const AT_ONCE = 64;

/** Idle: almost no CPU time in this many consecutive samples. */
const LOOK_MS = 500;
const RESTING_LOOKS = 8;
const RESTING_LOOKS_AFTER_LOAD = 4;
const RESTING_SECONDS = 0.05;
const MOST_LOOKS = 60;

export interface SidesOptions {
  /** A command that execs the server, for all sides. */
  wrapper?: string[];
  /** Ringward logs each request to a program that reads it, as systemd does. */
  isLogged?: boolean;
}

const WITH_LOG_READER = ["bash", "-c", 'exec "$@" > >(exec cat > /dev/null) 2>&1', "bash"];

export async function startSides({ wrapper = [], isLogged = false }: SidesOptions = {}) {
  wrkPath();
  const folder = tempFolder();
  const [group, single] = await Promise.all([
    startBare(folder, "group", wrapper),
    startBare(folder, "single", wrapper),
  ]);
  const ours = await startBinary({
    wrapper: [...wrapper, ...(isLogged ? WITH_LOG_READER : [])],
    env: {
      RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
      RINGWARD_LOG__LEVEL: isLogged ? "info" : "error",
    },
  });
  const { at: ringward, headers, bodies, createWith, unique } = requestsOf(ours);
  const create = { requests: createWith({}) };
  return {
    create: { ...ringward, ...create },
    createOnce: { ...ringward, requests: createWith({ "idempotency-key": `bench-${unique}` }) },
    bareGroup: { ...group.at, ...create },
    bareSingle: { ...single.at, ...create },
    read: () => readsOf(ringward, headers, bodies),
    bareRead: () => readsOf(group.at, headers, bodies),
    async stop() {
      group.child.kill();
      single.child.kill();
      await ours.stop();
    },
  };
}

/** Requests to a Ringward that create calls for many people, with distinct bodies. */
export function requestsOf(ours: Running) {
  const at = { pid: ours.process.pid, port: ours.port };
  const headers = { "x-api-key": ours.demo["api_key"] ?? "", "content-type": "application/json" };
  const unique = numberOf(9);
  /** One per person; a number inside makes each body distinct. */
  const bodies = Array.from({ length: DIFFERENT_CALLS }, (_, i) =>
    JSON.stringify({
      agent_id: ours.demo["agent_id"],
      user_number: `+91981${String(i).padStart(7, "0")}`,
      scheduled_time: new Date(Date.now() + DAY_MS + i * 1_000).toISOString(),
      additional_info: { visit: "annual check-up", reference: unique },
    }),
  );
  const createWith = (more: Record<string, string>) =>
    bodies.map((body) => requestText("POST", "/v1/calls", { ...headers, ...more }, body));
  return { at, headers, bodies, createWith, unique };
}

/** Creates the calls, waits until the server is idle, and returns the side that reads them. */
export async function readsOf(
  { pid, port }: Pick<Side, "pid" | "port">,
  headers: Record<string, string>,
  bodies: readonly string[],
): Promise<Side> {
  const create = async (body: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/calls`, { method: "POST", headers, body });
    const { data } = (await answer.json()) as { data: { call_id: string } };
    return requestText("GET", `/v1/calls/${data.call_id}`, headers);
  };
  const requests: string[] = [];
  for (let from = 0; from < bodies.length; from += AT_ONCE)
    requests.push(...(await Promise.all(bodies.slice(from, from + AT_ONCE).map(create))));
  await atRest(pid);
  return { pid, port, requests };
}

/** Until the server is idle: the name index is updated some seconds after a create, for example. */
export async function atRest(pid: number, restingLooks = RESTING_LOOKS): Promise<void> {
  for (let looks = 0, restingSince = 0; looks < MOST_LOOKS && looks - restingSince < restingLooks; looks++) {
    const before = cpuUse(pid).totalSeconds;
    await Bun.sleep(LOOK_MS);
    if (cpuUse(pid).totalSeconds - before > RESTING_SECONDS) restingSince = looks;
  }
}

async function startBare(folder: string, commits: "group" | "single", wrapper: string[]) {
  const command = [...wrapper, process.execPath, `${import.meta.dir}/bare-calls.ts`, folder, commits];
  const child = Bun.spawn(command, { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  return { child, at: { pid: child.pid, port: Number(Buffer.from(value ?? []).toString()) } };
}

/** In turns, `rounds` times, with the median of each; the first round is a warm-up for the JIT compiler. */
export async function inTurns<Name extends string>(
  sides: Record<Name, Side>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<Name, SideLoad>> {
  const names = Object.keys(sides) as Name[];
  const seen = names.map((): SideLoad[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, name] of names.entries()) {
      const load = await measured(sides[name], seconds);
      if (round > 0) seen[i]?.push(load);
    }
  }
  return Object.fromEntries(names.map((name, i) => [name, middleOf(seen[i] ?? [])])) as Record<Name, SideLoad>;
}

async function measured({ pid, port, requests }: Side, seconds: number): Promise<SideLoad> {
  const before = cpuUse(pid).totalSeconds;
  const load = await loadOf({ port, requests, clients: CLIENTS, seconds });
  // Audit entries of reads are sorted in after the load: that is a cost of the reads, and would disturb the next side.
  await atRest(pid, RESTING_LOOKS_AFTER_LOAD);
  const used = cpuUse(pid).totalSeconds - before;
  return { ...load, cpuUs: (used * 1e6) / load.requests };
}

function middleOf(loads: readonly SideLoad[]): SideLoad {
  const middle = (of: (load: SideLoad) => number) => median(loads.map(of));
  return {
    requests: middle((load) => load.requests),
    perSecond: middle((load) => load.perSecond),
    p50Ms: middle((load) => load.p50Ms),
    p99Ms: middle((load) => load.p99Ms),
    cpuUs: middle((load) => load.cpuUs),
    clientCpuUs: middle((load) => load.clientCpuUs),
  };
}
