// How many calls the executable holds: N calls with two-way audio and recording against a peer in a process of its own,
// with and without POST /v1/calls at full rate beside them. What is on time and what is lost is measured at the peer.
// The thread that carries the calls gets a core to itself; everything else (main thread, database, requests, peer) shares
// another. `scripts/bench-sip [--from 100] [--step 100] [--most 800] [--seconds 10] [--tries 3] [--quiet] [--no-pin]`
// (--quiet: without the requests; --tries: rounds that a number gets to pass, because a shared machine stalls by itself)
import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Running } from "../test/support/binary.ts";
import { place, readCall } from "../test/support/calls.ts";
import { sipHospital } from "../test/support/sip-hospital.ts";
import { speechLike } from "../test/support/sounds.ts";
import { until } from "../test/support/until.ts";
import type { FromPeer, PeerReport, ToPeer } from "./bench-sip-peer.ts";
import { canPin, canPutFirst, cpuBetween, cpuUse, pinThread, putFirst } from "./process-cpu.ts";

const ON_TIME_GOAL = 0.99;
const WARM_UP_MS = 2_000;
/** Longer than a round: while it plays, nobody hangs up. */
const GREETING_SECONDS = 80;
const PACKETS_PER_CALL_SECOND = 50;

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "100" },
    step: { type: "string", default: "100" },
    most: { type: "string", default: "800" },
    tries: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    quiet: { type: "boolean", default: false },
    "no-pin": { type: "boolean", default: false },
  },
});
const SECONDS = Number(values.seconds);
const IS_PINNED = canPin && !values["no-pin"];
const CALL_CORE = 0;
const OTHER_CORE = 1;
const wait = (ms: number) => Bun.sleep(ms);

interface Peer {
  port: number;
  pid: number;
  calls: number;
  tell(order: ToPeer): void;
  report(): Promise<PeerReport>;
  stop(): void;
}

async function startPeer(): Promise<Peer> {
  let heardReport: (report: PeerReport) => void = () => {};
  let listening: (port: number) => void = () => {};
  const port = new Promise<number>((done) => (listening = done));
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "bench-sip-peer.ts")], {
    stdout: "inherit",
    stderr: "inherit",
    ipc(message: FromPeer) {
      if (message.type === "listening") listening(message.port);
      if (message.type === "calls") peer.calls = message.count;
      if (message.type === "report") heardReport(message.report);
    },
  });
  const peer: Peer = {
    port: 0,
    pid: child.pid,
    calls: 0,
    tell: (order) => child.send(order),
    report() {
      const report = new Promise<PeerReport>((done) => (heardReport = done));
      child.send("report");
      return report;
    },
    stop: () => child.kill(),
  };
  peer.port = await port;
  return peer;
}

/** The requests beside the calls, from a process of their own; answers how many were taken so far. */
function startRequests(server: Running, agentId: string) {
  let told: (created: number) => void = () => {};
  const options = { url: server.url, key: server.demo["api_key"] ?? "", agent: agentId, number: "+919800000000" };
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "bench-sip-load.ts"),
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    { stdout: "inherit", stderr: "inherit", ipc: (created: number) => told(created) },
  );
  return {
    created(): Promise<number> {
      const answer = new Promise<number>((done) => (told = done));
      child.send("count");
      return answer;
    },
    pid: child.pid,
    stop: () => child.kill(),
  };
}

/** Linux shares the cores out among sessions first: this one, and all that it starts, comes before the others. */
function takePrecedence(): () => void {
  const file = "/proc/self/autogroup";
  if (!canPutFirst || !existsSync(file)) return () => {};
  writeFileSync(file, "-20");
  return () => writeFileSync(file, "0");
}

/** The main thread has the process's own id; of the others, the one that is busiest carries the calls. */
async function pinEverything(pid: number, peer: number, requests: number | null): Promise<void> {
  const before = cpuUse(pid);
  await wait(1_000);
  const threads = cpuBetween(before, cpuUse(pid)).map(({ thread }) => thread);
  const worker = threads.find((thread) => thread !== pid);
  for (const thread of threads) pinThread(thread, thread === worker ? CALL_CORE : OTHER_CORE);
  for (const other of requests === null ? [peer] : [peer, requests]) {
    for (const thread of cpuUse(other).threads.keys()) pinThread(thread, OTHER_CORE);
  }
  if (!canPutFirst) return;
  if (worker !== undefined) putFirst(worker);
  // The peer is the clock of the measurement: what keeps it waiting would be taken for lateness of the calls.
  putFirst(peer);
}

/** Of one core, for each packet out and the one that comes back: a bare socket on a bare timer, and nothing else. */
async function bareMicroseconds(peerPort: number): Promise<number> {
  const perStep = 100;
  const packet = new Uint8Array(172).fill(0xd5);
  let received = 0;
  const socket = await Bun.udpSocket({
    connect: { hostname: "127.0.0.1", port: peerPort },
    socket: { data: () => void received++ },
  });
  const before = process.cpuUsage();
  const startedMs = performance.now();
  for (let step = 1; step <= 600; step++) {
    for (let i = 0; i < perStep; i++) socket.send(packet);
    const waitMs = startedMs + step * 5 - performance.now();
    if (waitMs > 0) await wait(waitMs);
  }
  const { user, system } = process.cpuUsage(before);
  socket.close();
  return (user + system) / received;
}

interface Outcome extends PeerReport {
  calls: number;
  requestsPerSecond: number;
  /** Of one core each. */
  workerShare: number;
  processShare: number;
  /** Over the whole of the calls: what did not come back to the executable, or too late, as it counts itself. */
  lostOnTheWayBack: number;
  gaps: number;
  recorded: number;
}

async function runRound(server: Running, peer: Peer, agentId: string, calls: number, withRequests: boolean) {
  const ids: string[] = [];
  for (let from = 0; from < calls; from += 50) {
    const numbers = Array.from({ length: Math.min(50, calls - from) }, (_, i) => `+9198${10_000_000 + from + i}`);
    ids.push(
      ...(await Promise.all(numbers.map((number) => place(server, { agent_id: agentId, user_number: number })))),
    );
  }
  await until(() => peer.calls === calls, { withinMs: 30_000 }).catch(async () => {
    const { status, hold_reason, error } = await readCall(server, ids.at(-1) ?? "");
    const reason = JSON.stringify({ status, hold_reason, error });
    throw new Error(`${peer.calls} of ${calls} calls are up after 30 s; the last one: ${reason}`);
  });
  const requests = withRequests ? startRequests(server, agentId) : null;
  if (IS_PINNED) await pinEverything(server.process.pid, peer.pid, requests?.pid ?? null);
  await wait(WARM_UP_MS);

  const createdBefore = (await requests?.created()) ?? 0;
  const cpuBefore = cpuUse(server.process.pid);
  peer.tell("measure");
  const startedMs = performance.now();
  await wait(SECONDS * 1_000);
  const report = await peer.report();
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpu = cpuBetween(cpuBefore, cpuUse(server.process.pid));
  const created = ((await requests?.created()) ?? 0) - createdBefore;
  requests?.stop();

  peer.tell("hangUp");
  await until(() => peer.calls === 0, { withinMs: 60_000, what: () => `${peer.calls} calls are still up` });
  const { lost, gaps, count } = await linesOf(server, ids);
  const worker = cpu.find(({ thread }) => thread !== server.process.pid)?.seconds ?? 0;
  return {
    ...report,
    calls,
    requestsPerSecond: created / seconds,
    workerShare: worker / seconds,
    processShare: cpu.reduce((sum, thread) => sum + thread.seconds, 0) / seconds,
    lostOnTheWayBack: lost,
    gaps,
    recorded: count,
  } satisfies Outcome;
}

/** What the executable itself wrote down about the lines, once all of them have ended. */
async function linesOf(server: Running, ids: string[]): Promise<{ lost: number; gaps: number; count: number }> {
  const db = new Database(join(server.dataDir, databaseFile(server.dataDir)), { readonly: true });
  const query = db.query<{ media: string }, [string]>(
    `SELECT media FROM call_lines WHERE call_id IN (SELECT value FROM json_each(?)) AND media IS NOT NULL`,
  );
  const rows = () => query.all(JSON.stringify(ids));
  await until(() => rows().length === ids.length, { withinMs: 60_000, everyMs: 200 });
  const stats = rows().map(({ media }) => JSON.parse(media) as Record<"lostPackets" | "latePackets" | "gaps", number>);
  db.close();
  return {
    lost: stats.reduce((sum, { lostPackets, latePackets }) => sum + lostPackets + latePackets, 0),
    gaps: stats.reduce((sum, { gaps }) => sum + gaps, 0),
    count: readdirSync(join(server.dataDir, "recordings")).filter(
      (file) => statSync(join(server.dataDir, "recordings", file)).size > SECONDS * 16_000,
    ).length,
  };
}

const databaseFile = (dataDir: string) => readdirSync(dataDir).find((file) => file.endsWith(".db")) ?? "";

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

function print(cells: string[]): void {
  console.log(cells.map((cell) => cell.padStart(10)).join(""));
}

function show(outcome: Outcome, bare: number): void {
  const microseconds = (outcome.workerShare / outcome.calls / PACKETS_PER_CALL_SECOND) * 1e6;
  print([
    String(outcome.calls),
    `${outcome.requestsPerSecond.toFixed(0)}/s`,
    percent(outcome.onTime / outcome.packets),
    `${outcome.lateP99Ms.toFixed(1)} ms`,
    String(outcome.lost),
    String(outcome.lostOnTheWayBack),
    String(outcome.gaps),
    percent(outcome.workerShare),
    percent(outcome.processShare),
    (microseconds / bare).toFixed(2),
  ]);
}

/** Up by whole steps until one fails, then half a step down. */
async function largest(passes: (calls: number) => Promise<boolean>): Promise<number> {
  const step = Number(values.step);
  let best = 0;
  for (let calls = Number(values.from); calls <= Number(values.most); calls += step) {
    if (await passes(calls)) {
      best = calls;
      continue;
    }
    const between = calls - Math.round(step / 2);
    return between > best && (await passes(between)) ? between : best;
  }
  return best;
}

async function main(): Promise<void> {
  const giveBack = takePrecedence();
  const peer = await startPeer();
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({
    port: peer.port,
    lines: 5_000,
    callsPerSecond: 200,
    prompts: { greeting: speechLike(GREETING_SECONDS, 1) },
  });
  const server = await hospital.start({
    RINGWARD_LOG__LEVEL: "error",
    RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: "10000",
    RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: "13999",
  });
  const most = new Map<boolean, number>();
  try {
    const bare = await bareMicroseconds(peer.port);
    const alone = canPutFirst ? "a core to themselves" : "a core to themselves, as far as other programs let them";
    console.log(IS_PINNED ? `The calls have ${alone}.` : "Everything shares all cores.");
    console.log(`bare socket and timer: ${bare.toFixed(1)} µs of a core for a packet out and a packet in`);
    print(["calls", "requests", "in 5 ms", "late p99", "lost out", "lost back", "gaps", "worker", "process", "× bare"]);
    for (const withRequests of values.quiet ? [false] : [false, true]) {
      const passes = async (calls: number): Promise<boolean> => {
        for (let attempt = 0; attempt < Number(values.tries); attempt++) {
          const outcome = await runRound(server, peer, agentId, calls, withRequests);
          show(outcome, bare);
          if (outcome.onTime >= outcome.packets * ON_TIME_GOAL && outcome.lost === 0) return true;
        }
        return false;
      };
      most.set(withRequests, await largest(passes));
    }
  } finally {
    peer.stop();
    await server.stop();
    giveBack();
  }
  for (const [withRequests, calls] of most) {
    const beside = withRequests ? "POST /v1/calls at full rate" : "nothing else";
    console.log(`Most calls with 99 % of packets within 5 ms and none lost, beside ${beside}: ${calls}`);
  }
}

await main();
