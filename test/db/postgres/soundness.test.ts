// Faults that PostgreSQL itself tolerates: damaged pages and indexes, a newer schema, too few connections.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPostgres } from "../../../src/cli/doctor-postgres.ts";
import { EXIT, exitCodeOf } from "../../../src/cli/exit-codes.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { createLogger } from "../../../src/core/logger.ts";
import { openPostgres } from "../../../src/db/postgres/open.ts";
import { startPostgres, type PostgresCluster } from "../../../scripts/postgres-cluster.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { openAt, settingsFor } from "../../support/postgres.ts";
import { rejectionOf, tempFolder } from "../../support/temp.ts";
import { until } from "../../support/until.ts";

const MOST_CONNECTIONS = 24;
/** Reserved by PostgreSQL for administrators. */
const RESERVED = 3;

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await startPostgres({ settings: [`max_connections = ${MOST_CONNECTIONS}`] });
  cluster.createDatabase("pages");
  const db = await openAt(cluster.url("pages"));
  await db.write((tx) => tx.insertInto("heartbeats").values({ name: "a secret name", at: 1 }).execute());
  await db.close();
  for (const name of ["indexes", "start", "newer"]) cluster.createDatabase(name, "pages");
  await damage([
    ["pages", "heartbeats", 0xa5],
    // A page of zeros is a new one, which an index does not have.
    ["indexes", "do_not_disturb_pkey", 0],
    ["start", "deliveries_pkey", 0],
  ]);
});
afterAll(() => cluster.stop());

/** Overwrites all pages of a table or index while none is in PostgreSQL's cache. */
async function damage(all: [database: string, relation: string, byte: number][]): Promise<void> {
  cluster.psql("CHECKPOINT");
  const files = all.map(([database, relation, byte]) => {
    const path = cluster.psql(`SELECT pg_relation_filepath('${relation}')`, database);
    return { file: join(cluster.folder, "data", path), byte };
  });
  await cluster.crash();
  for (const { file, byte } of files) writeFileSync(file, Buffer.alloc(readFileSync(file).length, byte));
  await cluster.start();
}

async function opened(database: string) {
  const lines: string[] = [];
  const logger = createLogger(createManualClock(), "info", (line) => void lines.push(line));
  const place = { dataDir: tempFolder(), database: settingsFor(cluster.url(database)) };
  return { db: await openPostgres(place, { logger, as: "server" }), lines };
}

describe("damage", () => {
  test("of a page found by a read is reported from then on, and logged once without the page's content", async () => {
    const { db, lines } = await opened("pages");
    expect(await db.maintenance.fault()).toBeNull();
    const read = () => db.reader.selectFrom("heartbeats").selectAll().execute();
    for (let i = 0; i < 3; i++) await expect(read()).rejects.toThrow();
    expect(await db.maintenance.fault()).toStartWith("The database is damaged. Restore the newest dump");
    const told = lines.filter((line) => line.includes("The database is damaged."));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0]!)).toMatchObject({ level: "error", code: "XX001" });
    expect(told[0]).not.toContain("a secret name");
    await db.close();
  });

  test("of a page found by a heavy read is reported, too", async () => {
    const { db } = await opened("pages");
    await expect(db.heavy.selectFrom("heartbeats").selectAll().execute()).rejects.toThrow();
    expect(await db.maintenance.fault()).toStartWith("The database is damaged.");
    await db.close();
  });

  test("of an index found by a write is reported, too", async () => {
    const { db, lines } = await opened("indexes");
    const insert = () =>
      db.write((tx) =>
        tx.insertInto("do_not_disturb").values({ organisation_id: "o", number: "+15550100", created_at: 1 }).execute(),
      );
    await expect(insert()).rejects.toThrow();
    expect(await db.maintenance.fault()).toStartWith("The database is damaged.");
    expect(lines.some((line) => line.includes("XX002"))).toBe(true);
    await db.close();
  });

  test("found at the start refuses it, with the exit code for damage", async () => {
    const error = await rejectionOf(openAt(cluster.url("start")));
    expect(error.message).toContain("is damaged (XX002");
    expect(exitCodeOf(error)).toBe(EXIT.damaged);
  });
});

test("a schema of a newer version is refused untouched, with its own exit code", async () => {
  cluster.psql("INSERT INTO ringward_schema (version, name, at) VALUES (9999, 'later', 1)", "newer");
  for (const as of ["server", "command"] as const) {
    const error = await rejectionOf(openAt(cluster.url("newer"), as));
    expect(error.message).toContain("written by a newer Ringward: run that version, or restore a dump");
    expect(exitCodeOf(error)).toBe(EXIT.newer);
  }
  expect(cluster.psql("SELECT max(version) FROM ringward_schema", "newer")).toBe("9999");
});

describe("the doctor", () => {
  const needed = (connections: number) => connections + 4 + 2;
  const found = async (connections: number) => {
    const environment = {
      RINGWARD_DATABASE__URL: cluster.url("pages"),
      RINGWARD_DATABASE__CONNECTIONS: String(connections),
    };
    const [finding] = await checkPostgres(loadConfig({ environment }));
    return finding?.message ?? "";
  };
  const free = MOST_CONNECTIONS - RESERVED;

  test("counts the connections for searches, the lock and maintenance", async () => {
    const told = `${free} connections are free, and a server may need ${needed(16)} of them`;
    // Connections of earlier tests end a moment after they were closed.
    await until(async () => (await found(16)).includes(told));
    expect(await found(14)).not.toContain("connections are free");
  });

  test("counts those of a running server as free", async () => {
    const db = await openAt(cluster.url("pages"));
    expect(await found(14)).not.toContain("connections are free");
    await db.close();
  });
});
