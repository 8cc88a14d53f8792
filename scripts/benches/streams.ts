// Cost of open dashboard pages to other requests: sequential POST /v1/calls without change streams, with as many as one
// session opens, and with those of many users. `./scripts/bench streams -- --streams 4000 --seconds 5`
import Sqlite from "better-sqlite3";
import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBinary, type Running } from "../../test/support/binary.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count, ms, quantile } from "./figures.ts";

const PEOPLE = 100;

/** Inserts users and sessions directly, because a sign-in takes 0.1 s by design. */
function signInMany(server: Running): string[] {
  const db = new Sqlite(join(server.dataDir, "ringward.db"));
  const organisation = db.prepare("SELECT id FROM organisations LIMIT 1").pluck().get();
  const person = db.prepare(
    "INSERT INTO people (id, organisation_id, email, name, role, password_hash, created_at) VALUES (?, ?, ?, 'Bench', 'viewer', '-', ?)",
  );
  const session = db.prepare(
    "INSERT INTO sessions (token_hash, person_id, organisation_id, created_at, last_seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const now = Date.now();
  const tokens = Array.from({ length: PEOPLE }, (_, i) => `bench-token-${i}`);
  db.transaction(() => {
    for (const [i, token] of tokens.entries()) {
      person.run(`per_bench${i}`, organisation, `bench${i}@hospital.example`, now);
      const hash = createHash("sha256").update(token).digest("hex");
      session.run(hash, `per_bench${i}`, organisation, now, now, now + 86_400_000);
    }
  })();
  db.close();
  return tokens;
}

/** Bare sockets, because `fetch` would queue some of them. */
async function openStreams(
  server: Running,
  streams: number,
  tokenOf: (i: number) => string,
): Promise<{ sockets: Socket[]; answers: Map<string, number> }> {
  const answers = new Map<string, number>();
  const sockets: Socket[] = [];
  for (let i = 0; i < streams; i++) {
    await new Promise<void>((answered) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        socket.write(
          `GET /dashboard/api/changes HTTP/1.1\r\nHost: localhost\r\nCookie: ringward_session=${tokenOf(i)}\r\n\r\n`,
        );
      });
      socket.once("data", (chunk) => {
        const status = chunk.toString("latin1").slice(9, 12);
        answers.set(status, (answers.get(status) ?? 0) + 1);
        answered();
      });
      socket.on("error", () => answered());
      socket.resume();
      sockets.push(socket);
    });
  }
  return { sockets, answers };
}

/** Milliseconds per request. */
async function creates(server: Running, seconds: number): Promise<number[]> {
  const headers = { "x-api-key": server.demo["api_key"] ?? "", "content-type": "application/json" };
  const body = JSON.stringify({
    agent_id: server.demo["agent_id"],
    user_number: "+15555550123",
    scheduled_time: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline) {
    const startedMs = performance.now();
    const answer = await fetch(`${server.url}/v1/calls`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`Answered ${answer.status} instead of 201.`);
    times.push(performance.now() - startedMs);
  }
  return times;
}

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({
    args,
    options: {
      streams: { type: "string", default: quick ? "1000" : "4000" },
      seconds: { type: "string", default: quick ? "0.5" : "5" },
    },
  });
  const [streams, seconds] = [Number(values.streams), Number(values.seconds)];
  const server = await startBinary({
    env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "error" },
  });
  const tokens = signInMany(server);
  const findings: Finding[] = [];
  await creates(server, seconds / 2);
  for (const [name, tokenOf] of [
    ["one session", () => tokens[0] ?? ""],
    [`${PEOPLE} people`, (i: number) => tokens[i % PEOPLE] ?? ""],
  ] as const) {
    const alone = quantile(await creates(server, seconds), 0.5);
    const { sockets, answers } = await openStreams(server, streams, tokenOf);
    const beside = await creates(server, seconds);
    for (const socket of sockets) socket.destroy();
    const open = answers.get("200") ?? 0;
    findings.push({
      measure: `a create while ${name} asks for ${count(streams)} streams of changes and ${count(open)} are opened, p50`,
      here: `${ms(quantile(beside, 0.5))} (p99 ${ms(quantile(beside, 0.99))})`,
      against: `${ms(alone)} without any`,
      ratio: quantile(beside, 0.5) / alone,
      goal: "≤ × 2",
      holds: quantile(beside, 0.5) <= 2 * alone,
    });
  }
  await server.stop();
  return findings;
}

export const streams: Bench = {
  name: "streams",
  about: "what open pages of the dashboard cost a create, by one session and by many people",
  run,
};
