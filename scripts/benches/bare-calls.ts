// Baseline server for a durable create and a read: only Bun.serve, JSON and SQLite. Prints its port.
// Usage: bare-calls.ts FOLDER (group | single)
import Sqlite from "better-sqlite3";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

const [folder = "", commits = "group"] = process.argv.slice(2);
const db = new Sqlite(join(folder, `bare-${commits}.db`));
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec("CREATE TABLE calls (id TEXT PRIMARY KEY, number TEXT, body TEXT) WITHOUT ROWID");
db.exec("CREATE TABLE audit (id TEXT PRIMARY KEY, call_id TEXT, at INTEGER) WITHOUT ROWID");
const insertCall = db.prepare("INSERT INTO calls VALUES (?, ?, ?)");
const insertAudit = db.prepare("INSERT INTO audit VALUES (?, ?, ?)");
const readCall = db.prepare("SELECT id, number, body FROM calls WHERE id = ?");
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");

interface Waiting {
  body: { user_number: string };
  created: (id: string) => void;
}
let waiting: Waiting[] = [];

/** Group commit: all pending creates share one commit and are answered after it. */
function flush(): void {
  const group = waiting;
  waiting = [];
  begin.run();
  const ids = group.map(({ body }) => insert(body));
  commit.run();
  group.forEach(({ created }, i) => created(ids[i] ?? ""));
}

function insert(body: Waiting["body"]): string {
  const id = randomUUID();
  insertCall.run(id, body.user_number, JSON.stringify(body));
  insertAudit.run(randomUUID(), id, Date.now());
  return id;
}

function inGroup(body: Waiting["body"]): Promise<string> {
  return new Promise((created) => {
    if (waiting.push({ body, created }) === 1) setImmediate(flush);
  });
}

const alone = db.transaction(insert);

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "GET") {
      const id = request.url.slice(request.url.lastIndexOf("/") + 1);
      const row = readCall.get(id);
      return row ? Response.json({ data: row }) : new Response(null, { status: 404 });
    }
    const body = (await request.json()) as Waiting["body"];
    const id = commits === "group" ? await inGroup(body) : alone(body);
    return Response.json({ data: { call_id: id, status: "scheduled" } }, { status: 201 });
  },
});
console.log(server.port);
