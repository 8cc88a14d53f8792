// What other programs can do to the appliance: one that holds its database, and readers of its log that are gone, without
// room, or not reading. Usage: scripts/bench-outages [seconds]
import { Database } from "bun:sqlite";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, newCall } from "../test/support/api-client.ts";
import { startBinary, type Running } from "../test/support/binary.ts";

const SECONDS = Number(process.argv[2] ?? "4");
const LOGGED_REQUESTS = 40_000;
const LONGEST_STOP_MS = 8_000;

const ENV = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" };

const folder = mkdtempSync(join(tmpdir(), "ringward-outages-"));
const inside = (name: string) => mkdtempSync(join(folder, name));

const start = (redirection: string) =>
  startBinary({ dataDir: inside("data-"), env: ENV, wrapper: ["sh", "-c", `exec "$0" "$@" ${redirection}`] });

function fifo(): string {
  const path = join(inside("fifo-"), "log");
  Bun.spawnSync(["mkfifo", path]);
  return path;
}

const residentMb = ({ process: { pid } }: Running) =>
  Math.round((Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4) / 1024);

async function stopped(server: Running): Promise<string> {
  const startedAt = performance.now();
  server.process.kill("SIGTERM");
  const isGone = await Promise.race([
    server.process.exited.then(() => true),
    Bun.sleep(LONGEST_STOP_MS).then(() => false),
  ]);
  if (!isGone) await server.kill();
  return isGone
    ? `exit ${server.process.exitCode} after ${Math.round(performance.now() - startedAt)} ms`
    : `still there after ${LONGEST_STOP_MS} ms`;
}

async function lockedDatabase(): Promise<void> {
  const server = await start(">/dev/null");
  const other = new Database(join(server.dataDir, "ringward.db"));
  other.run("PRAGMA busy_timeout = 5000");
  other.run("BEGIN IMMEDIATE");
  const begunAt = performance.now();
  const write = ask(server, "POST", "/v1/calls", { body: newCall(server) }).then(
    ({ status }) => `${status} after ${Math.round(performance.now() - begunAt)} ms`,
  );
  const reads: number[] = [];
  while (performance.now() - begunAt < SECONDS * 1_000) {
    const askedAt = performance.now();
    await ask(server, "GET", "/v1/calls?limit=1");
    reads.push(performance.now() - askedAt);
  }
  const answer = await write;
  other.run("ROLLBACK");
  other.close();
  const sorted = reads.toSorted((a, b) => a - b);
  const [median = 0, longest = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
  console.log(
    `database held: ${reads.length} reads, median ${median.toFixed(1)} ms, longest ${longest.toFixed(0)} ms; write ${answer}`,
  );
  await server.kill();
}

async function lostReader(): Promise<void> {
  const path = fifo();
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const server = await start(`>'${path}'`);
  closeSync(reader);
  const answered = await Array.fromAsync({ length: 10 }, async () =>
    fetch(`${server.url}/healthz`, { keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  console.log(
    `reader of the log gone: ${answered.filter(Boolean).length} of 10 requests answered; ${await stopped(server)}`,
  );
}

async function fullDisk(): Promise<void> {
  const outcome = await start(">/dev/full").then(
    stopped,
    (error: unknown) => `no start: ${String(error).slice(0, 60)}`,
  );
  console.log(`log on a full disk: ${outcome}`);
}

async function unreadPipe(): Promise<void> {
  const server = await start(`1<>'${fifo()}'`);
  const before = residentMb(server);
  for (let asked = 0; asked < LOGGED_REQUESTS; asked += 100)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${server.url}/healthz`)).text()));
  const after = residentMb(server);
  console.log(
    `log not read: ${before} MB, after ${LOGGED_REQUESTS} requests ${after} MB; at SIGTERM: ${await stopped(server)}`,
  );
}

await lockedDatabase();
await lostReader();
await fullDisk();
await unreadPipe();
rmSync(folder, { recursive: true });
process.exit(0);
