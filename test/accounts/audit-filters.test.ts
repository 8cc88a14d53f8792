// Filters of the audit trail, alone and combined: the result equals a scan of all entries, page by page.
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { listAuditPage, type AuditFilter } from "../../src/accounts/audit.ts";
import type { AuditEntry } from "../../src/accounts/records.ts";
import { createAccounts } from "../support/accounts.ts";

type Accounts = Awaited<ReturnType<typeof createAccounts>>;
let accounts: Accounts | undefined;
afterEach(async () => {
  await accounts?.db.close();
  accounts = undefined;
});

const ACTIONS = ["call.read", "call.listed", "call", "caller.seen", "api_key.created", "audit.exported"];
const PEOPLE = ["per_1", "per_2", null];
const RECORDS = ["call_1", "call_2", null];
const COUNT = 120;

function entries(organisations: readonly string[]): AuditEntry[] {
  const pick = <T>(from: readonly T[], i: number, by: number) => from[(i * by) % from.length] as T;
  return Array.from({ length: COUNT }, (_, i) => ({
    id: `aud_${String((i * 37) % COUNT).padStart(4, "0")}`,
    organisation_id: pick(organisations, i, 5),
    // Three share a millisecond.
    at: 1_000 + Math.floor(i / 3),
    actor_kind: "person",
    actor_id: pick(PEOPLE, i, 7),
    action: pick(ACTIONS, i, 11),
    subject_id: pick(RECORDS, i, 13),
    detail: "{}",
    request_id: null,
    salt: null,
    commitment: null,
  }));
}

const isWanted = (row: AuditEntry, { organisationId, action, actorId, subjectId, from, to }: AuditFilter) =>
  row.organisation_id === organisationId &&
  (action === undefined || row.action.startsWith(action.toLowerCase())) &&
  (actorId === undefined || row.actor_id === actorId) &&
  (subjectId === undefined || row.subject_id === subjectId) &&
  (from === undefined || row.at >= from) &&
  (to === undefined || row.at < to);

const byTime = (a: AuditEntry, b: AuditEntry) => b.at - a.at || (a.id < b.id ? 1 : -1);

const optional = <T>(...values: T[]) => fc.constantFrom<T | undefined>(undefined, ...values);
const filters = fc.record({
  action: optional("call", "call.", "CALL.r", "c", "api_key.created", "nothing", ""),
  actorId: optional("per_1", "per_9"),
  subjectId: optional("call_2"),
  from: optional(1_010),
  to: optional(1_030),
});

test("every filter returns the expected entries, newest first, on every page", async () => {
  accounts = await createAccounts();
  const { db, organisations } = accounts;
  const make = async (name: string) => (await organisations.create({ name, timeZone: "UTC" }, CLI_ACTOR)).id;
  const ours = [await make("One"), await make("Two")];
  const all = entries(ours);
  await db.write(async (tx) => {
    await tx.deleteFrom("audit_entries").execute();
    await tx.insertInto("audit_entries").values(all).execute();
  });
  for (const filter of fc.sample(filters, { numRuns: 60, seed: 34 })) {
    const asked: AuditFilter = { ...filter, organisationId: ours[0] ?? "", limit: 7 };
    const wanted = all.filter((row) => isWanted(row, asked)).toSorted(byTime);
    const found: string[] = [];
    for (;;) {
      const page = await listAuditPage(db.heavy, asked);
      found.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (!last || page.length < asked.limit) break;
      asked.before = { createdAt: Date.parse(last.at), id: last.id };
    }
    expect([filter, found]).toEqual([filter, wanted.map(({ id }) => id)]);
  }
});
