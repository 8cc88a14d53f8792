// Both engines have the same tables, columns, keys, indexes and checks, although one is translated from the other.
import { Database as Sqlite } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { MIGRATIONS } from "../../../src/db/migrations.ts";
import { databaseOf, newPostgresUrl, testCluster } from "../../support/postgres.ts";

/** Only in PostgreSQL; see src/db/postgres/parts.ts. */
const ONLY_THERE = {
  tables: ["changes_pruned", "delivery_count_parts", "ringward_schema"],
  columns: ["changes.xid"],
  indexes: ["changes_by_transaction", "contacts_by_part"],
  triggers: ["calls_made", "calls_named"],
};
/** A view in PostgreSQL: the sum of delivery_count_parts. */
const VIEWS = ["delivery_counts"];

const sqlite = new Sqlite(":memory:");
let ask: (sql: string) => string[];

beforeAll(async () => {
  for (const { sql } of MIGRATIONS) sqlite.run(sql);
  // SQLite's trigram index; PostgreSQL has an ordinary index instead.
  sqlite.run("DROP TRIGGER contacts_unlisted; DROP TABLE contact_search");
  const database = databaseOf(await newPostgresUrl());
  const cluster = await testCluster();
  ask = (sql) => cluster.psql(sql, database).split("\n");
});

const here = (sql: string): string[] =>
  (sqlite.query(sql).all() as Record<string, unknown>[]).map((row) => Object.values(row).map(String).join("|"));

const without = (rows: readonly string[], ...names: readonly string[]) =>
  rows.filter((row) => !names.includes(row.split("|")[0] ?? "")).toSorted();

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";

describe("PostgreSQL has the same as SQLite", () => {
  test("tables", () => {
    const there = ask(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' UNION SELECT viewname FROM pg_views WHERE schemaname = 'public'",
    );
    expect(without(there, ...ONLY_THERE.tables)).toEqual(here(TABLES).toSorted());
  });

  test("columns: types, nullability, defaults", () => {
    const kinds =
      "CASE data_type WHEN 'bigint' THEN 'INTEGER' WHEN 'text' THEN 'TEXT' WHEN 'double precision' THEN 'REAL' WHEN 'bytea' THEN 'BLOB' END";
    const there = ask(
      `SELECT table_name || '.' || column_name, ${kinds}, CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END, coalesce(split_part(column_default, '::', 1), '')
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT IN ('${[...ONLY_THERE.tables, ...VIEWS].join("', '")}')`,
    );
    const ours = here(
      `SELECT t.name || '.' || c.name, c.type, CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN 1 ELSE 0 END, coalesce(c.dflt_value, '')
       FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT IN ('${VIEWS.join("', '")}')`,
    );
    expect(without(there, ...ONLY_THERE.columns)).toEqual(ours.toSorted());
  });

  test("text sorts by bytes, without exception", () => {
    const others = ask(
      "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C' AND table_name <> 'delivery_counts'",
    );
    expect(others).toEqual([""]);
  });

  test("primary and unique keys", () => {
    const there = ask(
      `SELECT rel.relname, string_agg(a.attname, ',' ORDER BY k.ord), i.indisprimary::int FROM pg_index i
       JOIN pg_class rel ON rel.oid = i.indrelid JOIN pg_constraint con ON con.conindid = i.indexrelid AND con.contype IN ('p', 'u'),
       unnest(i.indkey) WITH ORDINALITY k(attnum, ord) JOIN pg_attribute a ON a.attnum = k.attnum
       WHERE a.attrelid = i.indrelid AND rel.relnamespace = 'public'::regnamespace GROUP BY rel.relname, i.indexrelid, i.indisprimary`,
    );
    const ours = here(
      `SELECT t.name, (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)), i.origin = 'pk'
       FROM sqlite_schema t, pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin IN ('pk', 'u')`,
    );
    // A key of one integer is the rowid in SQLite, and has no index.
    const chain = ["audit_blocks|sequence", "audit_heads|sequence", "audit_stubs|sequence"];
    const counted = ["contacts|id", "delivery_attempts|id", "demo_received|id"];
    const keys = ["changes|sequence", "proofs|sequence", ...chain, ...counted];
    const numbered = keys.map((key) => `${key}|1`);
    expect(without(there, ...ONLY_THERE.tables, ...VIEWS)).toEqual(without([...ours, ...numbered], ...VIEWS));
  });

  test("foreign keys and their cascades", () => {
    const there = ask(
      `SELECT rel.relname, ref.relname, CASE confdeltype WHEN 'c' THEN 'CASCADE' ELSE 'NO ACTION' END, array_length(conkey, 1) FROM pg_constraint
       JOIN pg_class rel ON rel.oid = conrelid JOIN pg_class ref ON ref.oid = confrelid WHERE contype = 'f'`,
    );
    const ours = here(
      `SELECT t.name, f."table", f.on_delete, count(*) FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
       WHERE t.type = 'table' GROUP BY t.name, f.id`,
    );
    expect(without(there, ...ONLY_THERE.tables)).toEqual(without(ours, ...VIEWS));
  });

  test("indexes: columns, order, conditions", () => {
    const there = ask("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'").map(plain);
    const ours = here("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").map(plain);
    const named = new Set(ours.map((row) => row.split("|")[0]));
    expect(there.filter((row) => named.has(row.split("|")[0] ?? "")).toSorted()).toEqual(ours.toSorted());
    expect(ours.length).toBeGreaterThan(90);
    expect(there.join()).toContain("contacts_by_part");
  });

  test("checks", () => {
    const there = ask(
      "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace",
    );
    const count = MIGRATIONS.flatMap(({ sql }) => sql.match(/\bCHECK\b/g) ?? []).length;
    expect(there).toHaveLength(count);
    for (const words of ["preferred", "recognition", "is_default"]) expect(there.join()).toContain(words);
  });

  test("triggers, except the pruning one and one that would slow SQLite down", () => {
    const there = ask("SELECT DISTINCT trigger_name FROM information_schema.triggers");
    const ours = here("SELECT name FROM sqlite_schema WHERE type = 'trigger'");
    expect(without(there, ...ONLY_THERE.triggers)).toEqual(without(ours, "changes_kept"));
    expect(there).toEqual(expect.arrayContaining(ONLY_THERE.triggers));
  });
});

/** The same index in a form common to both. */
function plain(row: string): string {
  return row
    .replaceAll(/\s+/g, " ")
    .replace(/ ON (?:public\.)?(\w+)(?: USING btree)? \(/, " ON $1 (")
    .replaceAll(/::\w+(?:\[\])?/g, "")
    .replaceAll(/= ANY \(\(?ARRAY\[(.*?)\]\)?\)/g, "IN ($1)")
    .replaceAll("!=", "<>")
    .replaceAll(/[()]| COLLATE "C"/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
