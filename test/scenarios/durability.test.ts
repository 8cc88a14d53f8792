// A 2xx is durable: the process is killed repeatedly while it writes, and no acknowledged change is missing. A kill
// keeps the operating system's cache; durability across a power cut rests on synchronous=FULL.
import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { ask, newCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { until } from "../support/until.ts";
import { chanceOf } from "../support/chance.ts";

leaveNothingBehind();
const chance = chanceOf("durability");

/** ./scripts/torture --kills runs more. */
const KILLS = Number(process.env["RINGWARD_KILLS"] ?? 20);
const CONCURRENT_CLIENTS = 8;
/** A run acknowledges at most this many before the kill; the number is random, so kills hit every phase of a commit. */
const MOST_WRITTEN = 60;
const DEADLINE_MS = 30_000 * KILLS;

test(
  `calls and bookings acknowledged over HTTP survive ${KILLS} kills, and those cut off are made once when asked for again`,
  async () => {
    const dataDir = tempFolder();
    const acknowledged: Made[] = [];
    let unanswered: Attempt[] = [];
    let retried = 0;
    let slots: string[] | null = null;
    const env = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "warn" };
    for (let kill = 0; kill <= KILLS; kill++) {
      const server = await startBinary({ dataDir, env });
      slots ??= await openPlaces(server);
      // A loss would show in the last writes of the previous run.
      const last = acknowledged.slice(-CONCURRENT_CLIENTS * 2);
      await expectAllThere(server, last);
      // A client that got no answer repeats the request and gets the same result.
      for (const { id, attempt } of last) expect((await send(server, attempt)).id).toBe(id);
      for (const attempt of unanswered) acknowledged.push(await send(server, attempt));
      retried += unanswered.length;
      if (kill === KILLS) {
        await expectAllThere(server, acknowledged);
        expect(await server.stop()).toBe(0);
        break;
      }
      const written = await writeUntilKilled(server, slots, Math.floor(chance() * MOST_WRITTEN));
      acknowledged.push(...written.acknowledged);
      unanswered = written.unanswered;
    }
    console.log(`      ${acknowledged.length} acknowledged, ${retried} of them when asked for again`);
    expect(retried).toBeGreaterThan(0);
    expectSound(join(dataDir, "ringward.db"));
    // Nothing is lost or duplicated.
    for (const [path, table] of [
      ["/v1/calls", "calls"],
      ["/v1/appointments", "appointments"],
    ] as const) {
      const ids = acknowledged.filter(({ attempt }) => attempt.path === path).map(({ id }) => id);
      const stored = idsIn(dataDir, `SELECT id FROM ${table}`);
      console.log(`      ${ids.length} ${table} acknowledged, ${stored.size} stored`);
      expect(ids.length).toBeGreaterThan(KILLS);
      expect(ids.filter((id) => !stored.has(id))).toEqual([]);
      expect([...stored].filter((id) => !ids.includes(id))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
    }
    // As many slots are taken as there are bookings.
    const booked = acknowledged.filter(({ attempt }) => attempt.path === "/v1/appointments").length;
    expect(sumIn(dataDir, "SELECT sum(filled) AS sum FROM window_dates")).toBe(booked);
  },
  DEADLINE_MS,
);

test(
  `commands acknowledged by the writer survive ${KILLS} kills`,
  async () => {
    const dataDir = tempFolder();
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++)
      acknowledged.push(...(await runWriterChild(dataDir, 1 + Math.floor(chance() * MOST_WRITTEN))));
    const stored = idsIn(dataDir, "SELECT name AS id FROM heartbeats");
    expectSound(join(dataDir, "ringward.db"));
    console.log(`      ${acknowledged.length} commands acknowledged, ${stored.size} stored after ${KILLS} kills`);
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  },
  DEADLINE_MS,
);

type Path = "/v1/calls" | "/v1/appointments";

interface Attempt {
  path: Path;
  idempotencyKey: string;
  body: Record<string, unknown>;
}

interface Made {
  id: string;
  attempt: Attempt;
}

const PLACES = 100_000;
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Windows with room for every booking, on every day of the next week. */
async function openPlaces(server: Running): Promise<string[]> {
  const branch_id = crypto.randomUUID();
  for (const day of DAYS) {
    const body = { branch_id, day, session: "Morning", ai_slots: 0, max_slots: PLACES };
    expect((await ask(server, "POST", "/v1/appointment-slots", { body })).status).toBe(201);
  }
  const { text } = await ask(server, "GET", `/v1/appointments/availability?branch_id=${branch_id}`);
  const { data } = JSON.parse(text) as { data: { slot_id: string }[] };
  // Skips today, whose session may end during the test.
  return data.slice(1).map(({ slot_id }) => slot_id);
}

/** Returns the acknowledged ids, and the attempts that the kill left unanswered. */
async function writeUntilKilled(
  server: Running,
  slots: readonly string[],
  afterWritten: number,
): Promise<{ acknowledged: Made[]; unanswered: Attempt[] }> {
  const acknowledged: Made[] = [];
  const unanswered: Attempt[] = [];
  const killing = new AbortController();
  const isKilled = () => killing.signal.aborted;
  const clients = Array.from({ length: CONCURRENT_CLIENTS }, async (_, client) => {
    for (let made = client; !isKilled(); made++) {
      const idempotencyKey = crypto.randomUUID();
      const attempt: Attempt =
        made % 2 === 0
          ? { path: "/v1/calls", idempotencyKey, body: newCall(server) }
          : { path: "/v1/appointments", idempotencyKey, body: { slot_id: slots[made % slots.length] } };
      try {
        acknowledged.push(await send(server, attempt));
      } catch (error) {
        // The kill cut the connection; any earlier error is a server failure.
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

const idIn = (path: Path, data: Record<string, unknown>) =>
  String(data[path === "/v1/calls" ? "call_id" : "appointment_id"]);

async function send(server: Running, attempt: Attempt): Promise<Made> {
  const { path, idempotencyKey, body } = attempt;
  const answer = await ask(server, "POST", path, { body, headers: { "idempotency-key": idempotencyKey } });
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return { id: idIn(path, answer.data), attempt };
}

async function expectAllThere(server: Running, all: readonly Made[]): Promise<void> {
  const missing: string[] = [];
  const queue = [...all];
  const readers = Array.from({ length: CONCURRENT_CLIENTS }, async () => {
    for (let made = queue.pop(); made !== undefined; made = queue.pop()) {
      const { path } = made.attempt;
      const { status, data } = await ask(server, "GET", `${path}/${made.id}`);
      if (status !== 200 || idIn(path, data) !== made.id) missing.push(made.id);
    }
  });
  await Promise.all(readers);
  expect(missing).toEqual([]);
}

/** Returns the ids that the child reported as acknowledged before the kill. */
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
  // Every id is printed in one write, so only complete lines count.
  return output.split("\n").slice(0, -1);
}

function idsIn(dataDir: string, sql: string): Set<string> {
  const db = new Database(join(dataDir, "ringward.db"), { readonly: true });
  const rows = db.query<{ id: string }, []>(sql).all();
  db.close();
  return new Set(rows.map(({ id }) => id));
}

function sumIn(dataDir: string, sql: string): number {
  const db = new Database(join(dataDir, "ringward.db"), { readonly: true });
  const row = db.query<{ sum: number }, []>(sql).get();
  db.close();
  return row?.sum ?? 0;
}

function expectSound(file: string): void {
  const db = new Database(file, { readonly: true });
  expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  db.close();
}
