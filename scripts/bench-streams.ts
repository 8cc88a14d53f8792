// What open dashboard pages cost everybody else: POST /v1/calls one after the other, without streams of changes, beside as
// many as one session asks for, and beside those of many people. Usage: scripts/bench-streams [streams] [seconds]
import Sqlite from "better-sqlite3";
import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { startBinary } from "../test/support/binary.ts";

const STREAMS = Number(process.argv[2] ?? "4000");
const SECONDS = Number(process.argv[3] ?? "5");
const PEOPLE = 100;

const server = await startBinary({
  env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited", RINGWARD_LOG__LEVEL: "error" },
});

/** People and their sessions, written straight into the database: signing in costs a tenth of a second by design. */
function signInMany(): string[] {
  const db = new Sqlite(join(server.dataDir, "ringward.db"));
  const organisation = db.prepare("SELECT id FROM organisations LIMIT 1").pluck().get();
  const person = db.prepare("INSERT INTO people VALUES (?, ?, ?, 'Bench', 'viewer', '-', ?, NULL)");
  const session = db.prepare("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)");
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

/** Bare sockets: `fetch` would keep some of them waiting for others. */
async function openStreams(
  tokenOf: (i: number) => string,
): Promise<{ sockets: Socket[]; answers: Map<string, number> }> {
  const answers = new Map<string, number>();
  const sockets: Socket[] = [];
  for (let i = 0; i < STREAMS; i++) {
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

const headers = { "x-api-key": server.demo["api_key"] ?? "", "content-type": "application/json" };
const body = JSON.stringify({
  agent_id: server.demo["agent_id"],
  user_number: "+15555550123",
  scheduled_time: new Date(Date.now() + 86_400_000).toISOString(),
});

async function measure(name: string): Promise<number> {
  const times: number[] = [];
  const deadline = performance.now() + SECONDS * 1000;
  while (performance.now() < deadline) {
    const startedMs = performance.now();
    const answer = await fetch(`${server.url}/v1/calls`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`Answered ${answer.status} instead of 201.`);
    times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  const perSecond = times.length / SECONDS;
  console.log(
    `${name.padEnd(44)} ${perSecond.toFixed(0).padStart(6)} creates/s   p50 ${at(0.5).toFixed(2)} ms   p99 ${at(0.99).toFixed(1)} ms`,
  );
  return perSecond;
}

const tokens = signInMany();
const alone = await measure("nobody listens");
for (const [name, tokenOf] of [
  ["one session", () => tokens[0] ?? ""],
  [`${PEOPLE} people`, (i: number) => tokens[i % PEOPLE] ?? ""],
] as const) {
  const { sockets, answers } = await openStreams(tokenOf);
  const told = [...answers].map(([status, count]) => `${count} × ${status}`).join(", ");
  const beside = await measure(`${STREAMS} streams of ${name} (${told})`);
  console.log(`${"".padEnd(44)} × ${(alone / beside).toFixed(2)} slower`);
  for (const socket of sockets) socket.destroy();
}
await server.stop();
