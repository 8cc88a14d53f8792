// Call capacity of the executable: N calls with two-way audio and recording against a peer in a separate process, with
// and without POST /v1/calls at full rate. Punctuality and loss are measured at the peer. The thread that carries the
// calls gets a dedicated core; everything else (main thread, database, requests, peer) shares another.
// `./scripts/bench sip -- --from 100 --step 100 --most 800 --seconds 10 --tries 3 --quiet --no-pin` (--quiet: without
// the requests; --tries: rounds per number of calls, most of which must pass, because a shared machine stalls by
// itself)
import { Database } from "bun:sqlite";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Running } from "../../test/support/binary.ts";
import { place, readCall } from "../../test/support/calls.ts";
import { audioPorts } from "../../test/support/free-ports.ts";
import { sipHospital } from "../../test/support/sip-hospital.ts";
import { speechLike } from "../../test/support/sounds.ts";
import { until } from "../../test/support/until.ts";
import type { PeerReport } from "./sip-peer.ts";
import { startPeer, startRequests, type Peer } from "./sip-processes.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { canPin, canPutFirst, cpuBetween, cpuUse, pinThread, putFirst } from "../process-cpu.ts";

const ON_TIME_GOAL = 0.99;
const WARM_UP_MS = 2_000;
/** Longer than a round, because no call hangs up while it plays. */
const GREETING_SECONDS = 80;
const FRAME_MS = 20;
const PACKETS_PER_CALL_SECOND = 1_000 / FRAME_MS;
const BARE_CALLS = 400;
const BARE_PHASES = 4;
const BARE_STEPS = 600;
const BARE_STEPS_QUICK = 200;

interface Asked {
  from: number;
  step: number;
  most: number;
  tries: number;
  seconds: number;
  quiet: boolean;
  isPinned: boolean;
}

function askedFor({ quick, args = [] }: How): Asked {
  const text = (long: string, short: string) => ({ type: "string", default: quick ? short : long }) as const;
  const { values } = parseArgs({
    args,
    options: {
      from: text("100", "50"),
      step: text("100", "50"),
      most: text("800", "50"),
      tries: text("3", "1"),
      seconds: text("10", "2"),
      quiet: { type: "boolean", default: quick },
      "no-pin": { type: "boolean", default: false },
    },
  });
  const { from, step, most, tries, seconds, quiet } = values;
  const numbers = { from: Number(from), step: Number(step), most: Number(most), tries: Number(tries) };
  return { ...numbers, seconds: Number(seconds), quiet, isPinned: canPin && !values["no-pin"] };
}

const CALL_CORE = 0;
const OTHER_CORE = 1;
const wait = (ms: number) => Bun.sleep(ms);

/** Linux divides the cores among sessions first: raises the priority of this session and its processes. */
function takePrecedence(): () => void {
  const file = "/proc/self/autogroup";
  if (!canPutFirst || !existsSync(file)) return () => {};
  writeFileSync(file, "-20");
  return () => writeFileSync(file, "0");
}

/** The main thread has the process id; the busiest of the other threads carries the calls. */
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
  // The peer is the clock of the measurement: its own delays would count as lateness of the calls.
  putFirst(peer);
}

/** Baseline CPU time of one core per packet out and back: bare sockets on a bare timer, one socket per call. */
async function bareMicroseconds(peerPort: number, steps: number): Promise<number> {
  const packet = new Uint8Array(172).fill(0xd5);
  let received = 0;
  const connect = { hostname: "127.0.0.1", port: peerPort };
  const socket = { data: () => void received++ };
  const sockets = await Promise.all(Array.from({ length: BARE_CALLS }, () => Bun.udpSocket({ connect, socket })));
  const before = process.cpuUsage();
  const startedMs = performance.now();
  for (let step = 1; step <= steps; step++) {
    for (let i = step % BARE_PHASES; i < BARE_CALLS; i += BARE_PHASES) sockets[i]?.send(packet);
    const waitMs = startedMs + (step * FRAME_MS) / BARE_PHASES - performance.now();
    if (waitMs > 0) await wait(waitMs);
  }
  const { user, system } = process.cpuUsage(before);
  for (const each of sockets) each.close();
  return (user + system) / received;
}

interface Outcome extends PeerReport {
  calls: number;
  requestsPerSecond: number;
  /** Shares of one core. */
  workerShare: number;
  processShare: number;
  /** Over the whole calls: packets that did not return to the executable, or too late, by its own count. */
  lostOnTheWayBack: number;
  gaps: number;
}

interface World {
  asked: Asked;
  server: Running;
  peer: Peer;
  agentId: string;
}

async function runRound({ asked, server, peer, agentId }: World, calls: number, withRequests: boolean) {
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
  if (asked.isPinned) await pinEverything(server.process.pid, peer.pid, requests?.pid ?? null);
  await wait(WARM_UP_MS);

  const createdBefore = (await requests?.created()) ?? 0;
  const cpuBefore = cpuUse(server.process.pid);
  peer.tell("measure");
  const startedMs = performance.now();
  await wait(asked.seconds * 1_000);
  peer.tell("stop");
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpu = cpuBetween(cpuBefore, cpuUse(server.process.pid));
  const created = ((await requests?.created()) ?? 0) - createdBefore;
  requests?.stop();

  peer.tell("hangUp");
  await until(() => peer.calls === 0, { withinMs: 60_000, what: () => `${peer.calls} calls are still up` });
  const { lost, gaps } = await linesOf(server, ids, asked.seconds);
  const report = await peer.report();
  const worker = cpu.find(({ thread }) => thread !== server.process.pid)?.seconds ?? 0;
  return {
    ...report,
    calls,
    requestsPerSecond: created / seconds,
    workerShare: worker / seconds,
    processShare: cpu.reduce((sum, thread) => sum + thread.seconds, 0) / seconds,
    lostOnTheWayBack: lost,
    gaps,
  } satisfies Outcome;
}

/** The executable's own line statistics after all calls have ended. Each call must have its recording. */
async function linesOf(server: Running, ids: string[], heardSeconds: number): Promise<{ lost: number; gaps: number }> {
  const db = new Database(join(server.dataDir, databaseFile(server.dataDir)), { readonly: true });
  const query = db.query<{ media: string; recording_file: string }, [string]>(
    `SELECT media, recording_file FROM call_lines JOIN calls ON calls.id = call_id
     WHERE call_id IN (SELECT value FROM json_each(?)) AND media IS NOT NULL`,
  );
  const ended = () => query.all(JSON.stringify(ids));
  await until(() => ended().length === ids.length, { withinMs: 60_000, everyMs: 200 });
  const rows = ended();
  db.close();
  const isRecorded = (file: string) => statSync(join(server.dataDir, "recordings", file)).size > heardSeconds * 16_000;
  const recorded = rows.filter(({ recording_file }) => isRecorded(recording_file)).length;
  if (recorded < ids.length)
    throw new Error(`${ids.length - recorded} of ${ids.length} calls have no whole recording.`);
  const stats = rows.map(({ media }) => JSON.parse(media) as Record<"lostPackets" | "latePackets" | "gaps", number>);
  return {
    lost: stats.reduce((sum, { lostPackets, latePackets }) => sum + lostPackets + latePackets, 0),
    gaps: stats.reduce((sum, { gaps }) => sum + gaps, 0),
  };
}

const databaseFile = (dataDir: string) => readdirSync(dataDir).find((file) => file.endsWith(".db")) ?? "";

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

function print(cells: string[]): void {
  console.error(cells.map((cell) => cell.padStart(10)).join(""));
}

/** `worker`: share of one core of the thread that carries the calls; `a call`: the same per call. */
const COLUMNS = "calls|requests|in 5 ms|late p99|lost out|lost back|gaps|worker|a call|process|× bare".split("|");

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
    percent(outcome.workerShare / outcome.calls),
    percent(outcome.processShare),
    (microseconds / bare).toFixed(2),
  ]);
}

function isGood({ lost, lostOnTheWayBack, onTime, packets }: Outcome): boolean {
  return lost === 0 && lostOnTheWayBack === 0 && onTime >= packets * ON_TIME_GOAL;
}

/** Climbs by whole steps until one fails, then goes half a step down. */
async function largest({ from, step, most }: Asked, passes: (calls: number) => Promise<boolean>): Promise<number> {
  let best = 0;
  for (let calls = from; calls <= most; calls += step) {
    if (await passes(calls)) {
      best = calls;
      continue;
    }
    const between = calls - Math.round(step / 2);
    return between > best && (await passes(between)) ? between : best;
  }
  return best;
}

/** Rounds with or without the request load; finds the largest number of calls at which most rounds passed. */
async function climb(world: World, bare: number, withRequests: boolean): Promise<Finding> {
  const { asked } = world;
  const rounds: Outcome[] = [];
  const passes = async (calls: number): Promise<boolean> => {
    const needed = Math.floor(asked.tries / 2) + 1;
    let passed = 0;
    for (let left = asked.tries; passed < needed && passed + left >= needed; left--) {
      const outcome = await runRound(world, calls, withRequests);
      rounds.push(outcome);
      show(outcome, bare);
      if (isGood(outcome)) passed++;
    }
    return passed >= needed;
  };
  const most = await largest(asked, passes);
  const shown = rounds.findLast(({ calls }) => calls === most) ?? rounds[0];
  const share = (shown?.workerShare ?? Number.NaN) / (shown?.calls ?? 1);
  const microseconds = (share / PACKETS_PER_CALL_SECOND) * 1e6;
  const requests = withRequests ? `${(shown?.requestsPerSecond ?? 0).toFixed(0)} creates/s` : "nothing else";
  return {
    measure: `most calls with 99 % of packets within 5 ms and none lost, beside ${requests}`,
    here: `${most}, ${percent(share)} of a core each; ${percent((shown?.onTime ?? 0) / (shown?.packets ?? 1))} on time`,
    against: `${bare.toFixed(1)} µs a packet with bare sockets`,
    ratio: microseconds / bare,
    goal: `≥ ${asked.from}`,
    holds: most >= asked.from,
  };
}

async function run(how: How): Promise<Finding[]> {
  const asked = askedFor(how);
  const giveBack = takePrecedence();
  const peer = await startPeer();
  const hospital = await sipHospital();
  const { agentId } = await hospital.addLine({
    port: peer.port,
    lines: 5_000,
    callsPerSecond: 200,
    recorded: { greeting: speechLike(GREETING_SECONDS, 1) },
  });
  const rtpPorts = audioPorts(4_000);
  const server = await hospital.start({
    RINGWARD_LOG__LEVEL: "error",
    RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: String(rtpPorts.from),
    RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: String(rtpPorts.to),
  });
  const findings: Finding[] = [];
  try {
    const bare = await bareMicroseconds(peer.port, how.quick ? BARE_STEPS_QUICK : BARE_STEPS);
    const alone = canPutFirst ? "a core to themselves" : "a core to themselves, as far as other programs let them";
    console.error(asked.isPinned ? `  The calls have ${alone}.` : "  Everything shares all cores.");
    print(COLUMNS);
    for (const withRequests of asked.quiet ? [false] : [false, true]) {
      findings.push(await climb({ asked, server, peer, agentId }, bare, withRequests));
    }
  } finally {
    peer.stop();
    await server.stop();
    giveBack();
    // A round of 500 calls leaves 200 MB of recordings.
    rmSync(hospital.dataDir, { recursive: true, force: true });
  }
  return findings;
}

export const sip: Bench = {
  name: "sip",
  about: "how many recorded calls with two-way audio the executable holds, with and without requests beside them",
  run,
};
