// Large database for the part `searches`: calls to fictitious people and an audit trail, inserted directly into the
// file.
import Sqlite from "better-sqlite3";
import { createHash } from "node:crypto";
import { join } from "node:path";

const TOKEN = "bench-token";
export const OWNER_COOKIE = `ringward_session=${TOKEN}`;

const FIRST = [
  "Asha",
  "Ravi",
  "Meera",
  "Vikram",
  "Lakshmi",
  "Arjun",
  "Priya",
  "Sanjay",
  "Kavita",
  "Rahul",
  "Nisha",
  "Deepak",
];
const LAST = ["Kumar", "Sharma", "Iyer", "Patel", "Reddy", "Nair", "Banerjee", "Gupta", "Mehta", "Das"];
const SYLLABLES = ["ba", "chi", "du", "fe", "gho", "ja", "ki", "lu", "mo", "ne", "po", "ra", "su", "ti", "va", "ze"];

/** Two common names and a rare one. */
function nameOf(person: number): string {
  const syllable = (shift: number) => SYLLABLES[(person >> shift) & 15] ?? "";
  const rare = syllable(0) + syllable(4) + syllable(8) + syllable(12);
  return `${FIRST[person % FIRST.length]} ${rare.charAt(0).toUpperCase()}${rare.slice(1)} ${LAST[person % LAST.length]}`;
}

const numberOf = (person: number) => `+9198${String(person).padStart(8, "0")}`;

/** Search text of a round: a common name, a rare one, an unknown one, a number. */
export function keysTyped(round: number): { text: string; isNumber: boolean } {
  const person = (round * 7_919) % 60_000;
  const [first = "", rare = "", last = ""] = nameOf(person).split(" ");
  switch (round % 5) {
    case 0:
      return { text: `${first} ${rare}`, isNumber: false };
    case 1:
      return { text: rare, isNumber: false };
    case 2:
      return { text: last, isNumber: false };
    case 3:
      return { text: "Quentin Xylander", isNumber: false };
    default:
      return { text: numberOf(person).slice(-8), isNumber: true };
  }
}

const PEOPLE = 250_000;
const PER_STATEMENT = 50_000;

/** Returns how long it took. */
export function fillForSearches(dataDir: string, { calls, audit }: { calls: number; audit: number }): number {
  const startedMs = performance.now();
  const db = new Sqlite(join(dataDir, "ringward.db"));
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -500000");
  db.pragma("foreign_keys = OFF");
  db.function("person_name", { deterministic: true }, (person) => nameOf(Number(person)));
  db.function("person_number", { deterministic: true }, (person) => numberOf(Number(person)));
  const organisation = db.prepare("SELECT id FROM organisations LIMIT 1").pluck().get() as string;
  const agent = db.prepare("SELECT id FROM agents LIMIT 1").pluck().get() as string;
  const now = Date.now();
  signIn(db, organisation, now);
  const numbered = "WITH RECURSIVE n(i) AS (SELECT :from UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :to)";
  const someCalls = db.prepare(`${numbered}
    INSERT INTO calls (id, organisation_id, agent_id, state, direction, source, contact_number, contact_name,
      missing_placeholders, scheduled_at, next_at, triggered_at, completed_at, finished_at, duration_seconds, credits_consumed,
      retry_count, event_sequence, created_at, updated_at, outcome, simulated)
    SELECT printf('call_%010d', i), :organisation, :agent,
      CASE WHEN i % 50 = 0 THEN 'failed' ELSE 'completed' END, 'outbound', 'api',
      person_number(i * 7 % ${PEOPLE}), person_name(i * 7 % ${PEOPLE}), '[]',
      :begin + i * :step, :begin + i * :step, :begin + i * :step, :begin + i * :step, :begin + i * :step, 60, 1, 0, 3,
      :begin + i * :step, :begin + i * :step, CASE WHEN i % 50 = 0 THEN 'no_answer' ELSE 'completed' END, 1 FROM n`);
  const someAudit = db.prepare(`${numbered}
    INSERT INTO audit_entries (id, organisation_id, at, actor_kind, actor_id, action, subject_id, detail, request_id)
    SELECT printf('aud_%010d', i), :organisation, :begin + i * :step, 'person',
      CASE WHEN i % 200003 = 0 THEN 'per_rare' ELSE 'per_' || (i % 40) END,
      CASE WHEN i % 100003 = 0 THEN 'api_key.created' WHEN i % 3 = 0 THEN 'call.created' ELSE 'call.read' END,
      printf('call_%010d', i / 2), '{}', printf('req_%010d', i) FROM n`);
  const yearMs = 365 * 86_400_000;
  const fill = (statement: Sqlite.Statement, rows: number, also: object) => {
    const step = Math.max(1, Math.floor(yearMs / Math.max(1, rows)));
    for (let from = 0; from < rows; from += PER_STATEMENT) {
      const to = Math.min(rows, from + PER_STATEMENT);
      statement.run({ from, to, organisation, begin: now - step * rows, step, ...also });
    }
  };
  fill(someCalls, calls, { agent });
  fill(someAudit, audit, {});
  // Supports executables from before the directory of people existed.
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'contacts'").get()) {
    db.exec(`INSERT INTO contacts (organisation_id, contact_number, contact_name)
      SELECT organisation_id, contact_number, contact_name FROM calls WHERE contact_name IS NOT NULL
      GROUP BY 1, 2, 3 ORDER BY max(created_at) ON CONFLICT DO NOTHING`);
    db.exec("INSERT INTO contact_search (contact_search) VALUES ('rebuild')");
  }
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  return performance.now() - startedMs;
}

function signIn(db: Sqlite.Database, organisation: string, now: number): void {
  db.prepare(
    `INSERT INTO people (id, organisation_id, email, name, role, password_hash, created_at)
      VALUES ('per_bench', ?, 'bench@hospital.example', 'Bench', 'owner', '-', ?)`,
  ).run(organisation, now);
  const hash = createHash("sha256").update(TOKEN).digest("hex");
  db.prepare(
    `INSERT INTO sessions (token_hash, person_id, organisation_id, created_at, last_seen_at, expires_at)
      VALUES (?, 'per_bench', ?, ?, ?, ?)`,
  ).run(hash, organisation, now, now, now + 86_400_000);
}
