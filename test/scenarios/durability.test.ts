// A 2xx is on disk: the process is killed again and again while it writes, and nothing that was acknowledged is missing.
// A kill leaves the operating system's cache alive; that a power cut loses nothing either rests on synchronous=FULL.
import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { ask, newCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const KILLS = 50;
const CONCURRENT_CLIENTS = 8;
/** A run acknowledges at most this many before it is killed; at random, so that kills fall into every phase of a commit. */
const MOST_WRITTEN = 60;
const DEADLINE_MS = 600_000;

test(
  `calls acknowledged over HTTP survive ${KILLS} kills, and those cut off are made once when asked for again`,
  async () => {
    const dataDir = tempFolder();
    const acknowledged: string[] = [];
    let unanswered: Attempt[] = [];
    let retried = 0;
    const env = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "warn" };
    for (let kill = 0; kill <= KILLS; kill++) {
      const server = await startBinary({ dataDir, env });
      // What the run before wrote last is where a loss would show.
      await expectAllThere(server, acknowledged.slice(-CONCURRENT_CLIENTS * 2));
      for (const attempt of unanswered) acknowledged.push(await send(server, attempt));
      retried += unanswered.length;
      if (kill === KILLS) {
        await expectAllThere(server, acknowledged);
        expect(await server.stop()).toBe(0);
        break;
      }
      const written = await writeUntilKilled(server, Math.floor(Math.random() * MOST_WRITTEN));
      acknowledged.push(...written.acknowledged);
      unanswered = written.unanswered;
    }
    console.log(`      ${acknowledged.length} calls acknowledged, ${retried} of them when asked for again`);
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(retried).toBeGreaterThan(0);
    expectSound(join(dataDir, "ringward.db"));
    // Nothing lost, and nothing twice.
    const stored = idsIn(dataDir, "SELECT id FROM calls");
    const known = new Set(acknowledged);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect([...stored].filter((id) => !known.has(id))).toEqual([]);
    expect(known.size).toBe(acknowledged.length);
  },
  DEADLINE_MS,
);

test(
  `commands acknowledged by the writer survive ${KILLS} kills`,
  async () => {
    const dataDir = tempFolder();
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++)
      acknowledged.push(...(await runWriterChild(dataDir, 1 + Math.floor(Math.random() * MOST_WRITTEN))));
    const stored = idsIn(dataDir, "SELECT name AS id FROM heartbeats");
    expectSound(join(dataDir, "ringward.db"));
    console.log(`      ${acknowledged.length} commands acknowledged, ${stored.size} stored after ${KILLS} kills`);
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  },
  DEADLINE_MS,
);

interface Attempt {
  idempotencyKey: string;
  body: Record<string, unknown>;
}

/** Answers the ids that were acknowledged, and the attempts that the kill left without an answer. */
async function writeUntilKilled(
  server: Running,
  afterWritten: number,
): Promise<{ acknowledged: string[]; unanswered: Attempt[] }> {
  const acknowledged: string[] = [];
  const unanswered: Attempt[] = [];
  const killing = new AbortController();
  const isKilled = () => killing.signal.aborted;
  const clients = Array.from({ length: CONCURRENT_CLIENTS }, async () => {
    while (!isKilled()) {
      const attempt = { idempotencyKey: crypto.randomUUID(), body: newCall(server) };
      try {
        acknowledged.push(await send(server, attempt));
      } catch (error) {
        // The cut connection of the kill; anything earlier is a failure of the server.
        if (!isKilled()) throw error;
        unanswered.push(attempt);
      }
    }
  });
  const writing = Promise.all(clients);
  await Promise.race([until(() => acknowledged.length >= afterWritten, { everyMs: 1 }), writing]);
  killing.abort();
  await server.kill();
  await writing;
  return { acknowledged, unanswered };
}

async function send(server: Running, { idempotencyKey, body }: Attempt): Promise<string> {
  const answer = await ask(server, "POST", "/v1/calls", { body, headers: { "idempotency-key": idempotencyKey } });
  if (answer.status !== 201) throw new Error(`POST /v1/calls answered ${answer.status}: ${answer.text}`);
  return String(answer.data["call_id"]);
}

async function expectAllThere(server: Running, ids: readonly string[]): Promise<void> {
  const missing: string[] = [];
  const queue = [...ids];
  const readers = Array.from({ length: CONCURRENT_CLIENTS }, async () => {
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const { status, data } = await ask(server, "GET", `/v1/calls/${id}`);
      if (status !== 200 || data["call_id"] !== id) missing.push(id);
    }
  });
  await Promise.all(readers);
  expect(missing).toEqual([]);
}

/** Answers the ids that the child reported as acknowledged before it was killed. */
async function runWriterChild(dataDir: string, afterWritten: number): Promise<string[]> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../support/writer-child.ts"), dataDir], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  const collected = (async () => {
    for await (const chunk of child.stdout) output += Buffer.from(chunk).toString("utf8");
  })();
  const isWritten = () => output.split("\n").length > afterWritten;
  await until(() => isWritten() || child.exitCode !== null, { everyMs: 1 });
  child.kill("SIGKILL");
  await child.exited;
  await collected;
  expect(child.signalCode).toBe("SIGKILL");
  // Every id is printed in one write, so only whole lines count.
  return output.split("\n").slice(0, -1);
}

function idsIn(dataDir: string, sql: string): Set<string> {
  const db = new Database(join(dataDir, "ringward.db"), { readonly: true });
  const rows = db.query<{ id: string }, []>(sql).all();
  db.close();
  return new Set(rows.map(({ id }) => id));
}

function expectSound(file: string): void {
  const db = new Database(file, { readonly: true });
  expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  db.close();
}
