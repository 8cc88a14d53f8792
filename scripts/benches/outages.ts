// Effects of other programs on the appliance: one that locks its database, and log readers that are gone, out of space
// or not reading.
import { Database } from "bun:sqlite";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, newCall } from "../../test/support/api-client.ts";
import { startBinary, type Running } from "../../test/support/binary.ts";
import type { Bench, Finding } from "./bench.ts";
import { count, elapsedMs, median, ms } from "./figures.ts";

const LONGEST_STOP_MS = 8_000;
const ENV = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" };

type Inside = (name: string) => string;

const start = (inside: Inside, redirection: string) =>
  startBinary({ dataDir: inside("data-"), env: ENV, wrapper: ["sh", "-c", `exec "$0" "$@" ${redirection}`] });

function fifo(inside: Inside): string {
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
    ? `exit ${server.process.exitCode} after ${ms(performance.now() - startedAt)}`
    : `still there after ${ms(LONGEST_STOP_MS)}`;
}

const plain = (
  measure: string,
  here: string,
  against: string,
  goal: string | null,
  holds: boolean | null,
): Finding => ({
  measure,
  here,
  against,
  ratio: null,
  goal,
  holds,
});

async function lockedDatabase(inside: Inside, forMs: number): Promise<Finding> {
  const server = await start(inside, ">/dev/null");
  const readMs = () => elapsedMs(() => ask(server, "GET", "/v1/calls?limit=1"));
  const free: number[] = [];
  for (let i = 0; i < 200; i++) free.push(await readMs());
  const other = new Database(join(server.dataDir, "ringward.db"));
  other.run("PRAGMA busy_timeout = 5000");
  other.run("BEGIN IMMEDIATE");
  const begunAt = performance.now();
  const write = ask(server, "POST", "/v1/calls", { body: newCall(server) }).then(
    ({ status }) => `${status} after ${ms(performance.now() - begunAt)}`,
  );
  const held: number[] = [];
  while (performance.now() - begunAt < forMs) held.push(await readMs());
  other.run("ROLLBACK");
  other.close();
  const answer = await write;
  await server.kill();
  return {
    measure: `a read while another program holds the database; a write is answered ${answer}`,
    here: `${ms(median(held))}, longest ${ms(Math.max(...held))}`,
    against: `${ms(median(free))} while none does`,
    ratio: median(held) / median(free),
    goal: "≤ 2",
    holds: median(held) / median(free) <= 2,
  };
}

async function lostReader(inside: Inside): Promise<Finding> {
  const path = fifo(inside);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const server = await start(inside, `>'${path}'`);
  closeSync(reader);
  const answered = await Array.fromAsync({ length: 10 }, async () =>
    fetch(`${server.url}/healthz`, { keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const good = answered.filter(Boolean).length;
  return plain("reader of the log gone", `${good} of 10 answered; ${await stopped(server)}`, "", "all", good === 10);
}

async function fullDisk(inside: Inside): Promise<Finding> {
  const outcome = await start(inside, ">/dev/full").then(
    stopped,
    (error: unknown) => `no start: ${String(error).slice(0, 60)}`,
  );
  return plain("log on a full disk", outcome, "", "it serves and stops", outcome.startsWith("exit 0"));
}

async function unreadPipe(inside: Inside, requests: number): Promise<Finding> {
  const server = await start(inside, `1<>'${fifo(inside)}'`);
  const before = residentMb(server);
  for (let asked = 0; asked < requests; asked += 100)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${server.url}/healthz`)).text()));
  const after = residentMb(server);
  const here = `${after} MB after ${count(requests)} requests; ${await stopped(server)}`;
  return plain("log not read", here, `${before} MB before`, null, null);
}

async function run({ quick }: { quick: boolean }): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "ringward-outages-"));
  const inside: Inside = (name) => mkdtempSync(join(folder, name));
  try {
    return [
      await lockedDatabase(inside, quick ? 1_000 : 4_000),
      await lostReader(inside),
      await fullDisk(inside),
      await unreadPipe(inside, quick ? 4_000 : 40_000),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const outages: Bench = {
  name: "outages",
  about: "a database that another program holds, and a log that nobody reads",
  run,
};
