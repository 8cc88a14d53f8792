// Ringward beside bare servers on the same machine, each in a process of its own, asked in turns: only their ratio means
// something on a machine that others use too.
import { DAY_MS } from "../../src/core/clock.ts";
import { startBinary, tempFolder } from "../../test/support/binary.ts";
import { cpuUse } from "../process-cpu.ts";
import { median } from "./figures.ts";
import { loadOf, requestBytes, type Load } from "./http-load.ts";

export interface Side {
  pid: number;
  port: number;
  request: Uint8Array;
  expected: number;
}

export interface SideLoad extends Load {
  /** Of all threads of the server, for one request. */
  cpuUs: number;
}

const CLIENTS = 64;

/** `wrapper`: a command that ends by becoming the server, for all of them. */
export async function startSides(wrapper: string[] = []) {
  const folder = tempFolder();
  const [group, single] = await Promise.all([
    startBare(folder, "group", wrapper),
    startBare(folder, "single", wrapper),
  ]);
  const ours = await startBinary({
    wrapper,
    env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "error" },
  });
  const ringward = { pid: ours.process.pid, port: ours.port };
  const headers = { "x-api-key": ours.demo["api_key"] ?? "", "content-type": "application/json" };
  const body = JSON.stringify({
    agent_id: ours.demo["agent_id"],
    user_number: "+15555550123",
    scheduled_time: new Date(Date.now() + DAY_MS).toISOString(),
    additional_info: { visit: "annual check-up" },
  });
  const create = { request: requestBytes("POST", "/v1/calls", headers, body), expected: 201 };
  const readAt = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/calls`, { method: "POST", headers, body });
    const { data } = (await answer.json()) as { data: { call_id: string } };
    return { request: requestBytes("GET", `/v1/calls/${data.call_id}`, headers), expected: 200 };
  };
  return {
    create: { ...ringward, ...create },
    bareGroup: { ...group.at, ...create },
    bareSingle: { ...single.at, ...create },
    read: { ...ringward, ...(await readAt(ours.port)) },
    bareRead: { ...group.at, ...(await readAt(group.at.port)) },
    async stop() {
      group.child.kill();
      single.child.kill();
      await ours.stop();
    },
  };
}

async function startBare(folder: string, commits: "group" | "single", wrapper: string[]) {
  const command = [...wrapper, process.execPath, `${import.meta.dir}/bare-calls.ts`, folder, commits];
  const child = Bun.spawn(command, { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  return { child, at: { pid: child.pid, port: Number(Buffer.from(value ?? []).toString()) } };
}

/** In turns, `rounds` times, the middle one of each; the first round pays for compiling and does not count. */
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

async function measured(side: Side, seconds: number): Promise<SideLoad> {
  const before = cpuUse(side.pid).totalSeconds;
  const load = await loadOf({ ...side, clients: CLIENTS, seconds });
  const used = cpuUse(side.pid).totalSeconds - before;
  return { ...load, cpuUs: (used * 1e6) / (load.perSecond * seconds) };
}

function middleOf(loads: readonly SideLoad[]): SideLoad {
  const middle = (of: (load: SideLoad) => number) => median(loads.map(of));
  return {
    perSecond: middle((load) => load.perSecond),
    p50Ms: middle((load) => load.p50Ms),
    p99Ms: middle((load) => load.p99Ms),
    cpuUs: middle((load) => load.cpuUs),
  };
}
