import { describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger, silentLogger } from "../../src/core/logger.ts";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { isServed, openDatabase } from "../../src/db/database.ts";
import { DATABASE_FILE } from "../../src/db/sqlite/file.ts";
import { EXIT, exitCodeOf } from "../../src/cli/exit-codes.ts";
import { DatabaseError } from "../../src/db/open-fault.ts";
import { tryLock } from "../../src/db/sqlite/lock.ts";
import { latestVersion, MigrationError } from "../../src/db/migrations.ts";
import { damageSchema, damageTable, overwrite } from "../support/damage.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { fileOf, openTempDatabase, rejectionOf, tempFolder } from "../support/temp.ts";

const asServer = (dataDir: string) => openDatabase({ dataDir }, { logger: silentLogger, as: "server" });
const asCommand = (dataDir: string) => openDatabase({ dataDir }, { logger: silentLogger, as: "command" });

async function closedDatabase(rows = 0): Promise<{ dataDir: string; file: string }> {
  const { db, dataDir } = await openTempDatabase();
  const pad = "x".repeat(500);
  await db.write(async (tx) => {
    for (let i = 0; i < rows; i++)
      await tx
        .insertInto("heartbeats")
        .values({ name: `${pad}${i}`, at: i })
        .execute();
  });
  await db.close();
  return { dataDir, file: join(dataDir, DATABASE_FILE) };
}

describe("opening", () => {
  test("an empty folder creates the folder and a database that only their owner can read", async () => {
    const dataDir = join(tempFolder(), "deep", "data");
    const lines: string[] = [];
    const db = await openDatabase(
      { dataDir },
      {
        logger: createLogger(createManualClock(), "info", (line) => void lines.push(line)),
        as: "server",
      },
    );
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(fileOf(db)).mode & 0o777).toBe(0o600);
    expect(lines.join()).toContain("schema was upgraded");
    await db.close();
  });

  test("sets the pragmas for durability, erasure and foreign keys", () => {
    const connection = openWriter(join(tempFolder(), "test.db"));
    const value = (pragma: string) => connection.pragma(pragma, { simple: true });
    expect(value("journal_mode")).toBe("wal");
    expect(value("synchronous")).toBe(2); // FULL
    expect(value("secure_delete")).toBe(1);
    expect(value("foreign_keys")).toBe(1);
    expect(value("temp_store")).toBe(2); // MEMORY
    connection.close();
  });

  test("again finds everything that was acknowledged", async () => {
    const { dataDir } = await closedDatabase(3);
    const db = await asServer(dataDir);
    expect(await db.reader.selectFrom("heartbeats").selectAll().execute()).toHaveLength(3);
    await db.close();
  });
});

describe("one server per folder", () => {
  test("a second one is refused, with instructions", async () => {
    const { db, dataDir } = await openTempDatabase();
    expect((await rejectionOf(asServer(dataDir))).message).toContain(
      `Another Ringward is running on ${dataDir}. Stop it first`,
    );
    await db.close();
    await (await asServer(dataDir)).close();
  });

  test("the folder is free after a server was killed, and its acknowledged writes are there", async () => {
    const dataDir = tempFolder();
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../support/hold-database.ts"), dataDir], {
      stdin: "pipe",
      stdout: "pipe",
    });
    const { value } = await child.stdout.getReader().read();
    expect(Buffer.from(value!).toString()).toBe("open\n");
    expect(await rejectionOf(asServer(dataDir))).toBeInstanceOf(DatabaseError);
    child.kill("SIGKILL");
    await child.exited;
    const db = await asServer(dataDir);
    expect(await db.reader.selectFrom("heartbeats").select("name").execute()).toEqual([{ name: "child" }]);
    await db.close();
  });

  test("a lock can be released twice", () => {
    const dataDir = tempFolder();
    const lock = tryLock(dataDir);
    expect(tryLock(dataDir)).toBeNull();
    lock?.release();
    lock?.release();
    const again = tryLock(dataDir);
    expect(again).not.toBeNull();
    again?.release();
  });
});

describe("a command", () => {
  test("works next to a running server, and each sees what the other wrote", async () => {
    const { db: server, dataDir } = await openTempDatabase();
    const command = await asCommand(dataDir);
    await command.write((tx) => tx.insertInto("heartbeats").values({ name: "command", at: 1 }).execute());
    await server.write((tx) => tx.insertInto("heartbeats").values({ name: "server", at: 2 }).execute());
    for (const db of [server, command])
      expect(await db.reader.selectFrom("heartbeats").selectAll().execute()).toHaveLength(2);
    await command.close();
    expect(await rejectionOf(asServer(dataDir))).toBeInstanceOf(DatabaseError);
    await server.close();
  });

  test("without a server does not prevent one from starting", async () => {
    const { dataDir } = await closedDatabase();
    const command = await asCommand(dataDir);
    const server = await asServer(dataDir);
    await server.close();
    await command.close();
  });

  test("on an empty folder is refused and creates nothing", async () => {
    const dataDir = join(tempFolder(), "none");
    expect((await rejectionOf(asCommand(dataDir))).message).toContain("There is no database");
    expect(() => statSync(dataDir)).toThrow();
  });

  test("next to a server with an older schema is refused", async () => {
    const { db, dataDir } = await openTempDatabase();
    const meddler = new Sqlite(join(dataDir, DATABASE_FILE));
    meddler.pragma("user_version = 0");
    expect((await rejectionOf(asCommand(dataDir))).message).toContain("The running server is older");
    meddler.close();
    await db.close();
  });
});

describe("a database that must not be opened", () => {
  test("because a newer binary wrote it", async () => {
    const { dataDir, file } = await closedDatabase();
    const meddler = new Sqlite(file);
    meddler.pragma(`user_version = ${latestVersion() + 1}`);
    meddler.close();
    for (const error of [await rejectionOf(asServer(dataDir)), await rejectionOf(asCommand(dataDir))]) {
      expect(error).toBeInstanceOf(MigrationError);
      expect(exitCodeOf(error)).toBe(EXIT.newer);
    }
  });

  test("because it is another program's", async () => {
    const dataDir = tempFolder();
    const theirs = new Sqlite(join(dataDir, DATABASE_FILE));
    theirs.exec("CREATE TABLE theirs (a)");
    theirs.close();
    expect((await rejectionOf(asServer(dataDir))).message).toContain("database of another program");
  });

  test("because it is not a database", async () => {
    const dataDir = tempFolder();
    writeFileSync(join(dataDir, DATABASE_FILE), "not a database, but a good deal of text\n".repeat(100));
    expect((await rejectionOf(asServer(dataDir))).message).toContain(
      'Restore the newest backup: "ringward restore FILE"',
    );
  });

  test.each([
    ["a table", (file: string) => damageTable(file, "heartbeats")],
    ["the page with its schema", damageSchema],
    ["many of its pages", (file: string) => overwrite(file, 8192, statSync(file).size - 8192)],
    ["its second half", (file: string) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
  ])("because %s is damaged: it names the way back and lets go of the folder", async (_, damage) => {
    const { dataDir, file } = await closedDatabase(400);
    damage(file);
    expect((await rejectionOf(asServer(dataDir))).message).toContain(
      'Restore the newest backup: "ringward restore FILE"',
    );
    const lock = tryLock(dataDir);
    expect(lock).not.toBeNull();
    lock?.release();
  });

  test("a damaged database is not migrated first", async () => {
    const { dataDir, file } = await closedDatabase(400);
    const meddler = new Sqlite(file);
    meddler.pragma(`user_version = ${latestVersion() - 1}`);
    meddler.close();
    damageTable(file, "heartbeats");
    const before = readFileSync(file);
    expect((await rejectionOf(asServer(dataDir))).message).toContain("The database is damaged");
    expect(readFileSync(file).equals(before)).toBeTrue();
  });
});

describe("the reader", () => {
  test("cannot write", async () => {
    const { db } = await openTempDatabase();
    const refusal = await rejectionOf(db.reader.insertInto("heartbeats").values({ name: "x", at: 1 }).execute());
    expect(refusal.message).toContain("readonly");
    await db.close();
  });
});

describe("the WAL", () => {
  test("is checkpointed into the database file on demand", async () => {
    const { db } = await openTempDatabase();
    await db.write((tx) => tx.insertInto("heartbeats").values({ name: "x", at: 1 }).execute());
    expect(statSync(`${fileOf(db)}-wal`).size).toBeGreaterThan(0);
    expect(await db.maintenance.upkeep()).toBeTrue();
    expect(statSync(`${fileOf(db)}-wal`).size).toBe(0);
    await db.close();
  });

  test("contains nothing of a deleted row after a checkpoint", async () => {
    const { db, dataDir } = await openTempDatabase();
    await db.write((tx) => tx.insertInto("heartbeats").values({ name: "Kamala-was-here", at: 1 }).execute());
    await db.write((tx) => tx.deleteFrom("heartbeats").execute());
    await db.maintenance.upkeep();
    for (const suffix of ["", "-wal"]) {
      expect(readFileSync(join(dataDir, DATABASE_FILE + suffix)).includes("Kamala-was-here")).toBeFalse();
    }
    await db.close();
  });

  test("is not checkpointed while a reader blocks it, which is reported", async () => {
    const { db } = await openTempDatabase();
    await db.write((tx) => tx.insertInto("heartbeats").values({ name: "x", at: 1 }).execute());
    const other = new Sqlite(fileOf(db), { readonly: true });
    other.exec("BEGIN");
    other.prepare("SELECT * FROM heartbeats").all();
    await db.write((tx) => tx.insertInto("heartbeats").values({ name: "y", at: 1 }).execute());
    const startedMs = performance.now();
    expect(await db.maintenance.upkeep()).toBeFalse();
    // It runs on the thread that answers requests, so it gives up at once instead of waiting five seconds for the
    // reader.
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    other.close();
    expect(await db.maintenance.upkeep()).toBeTrue();
    await db.close();
  });
});

test("closing waits for pending writes", async () => {
  const { db, dataDir } = await openTempDatabase();
  const late = db.write((tx) => tx.insertInto("heartbeats").values({ name: "late", at: 1 }).execute());
  await db.close();
  await late;
  const again = await asServer(dataDir);
  expect(await again.reader.selectFrom("heartbeats").select("name").execute()).toEqual([{ name: "late" }]);
  await again.close();
});

test("whether a server runs can be checked without starting one", async () => {
  const dataDir = join(tempFolder(), "new");
  expect(await isServed({ dataDir })).toBeFalse();
  const db = await asServer(dataDir);
  expect(await isServed({ dataDir })).toBeTrue();
  await db.close();
  expect(await isServed({ dataDir })).toBeFalse();
});

test("the newest delivery is the one from before it was opened", async () => {
  const { db, dataDir } = await openTempDatabase();
  expect(db.newestDeliveryId).toBeNull();
  await db.close();
  const meddler = new Sqlite(join(dataDir, DATABASE_FILE));
  meddler.pragma("foreign_keys = OFF");
  meddler.exec(
    "CREATE TABLE old AS SELECT * FROM deliveries; DROP TABLE deliveries; ALTER TABLE old RENAME TO deliveries",
  );
  meddler.exec("INSERT INTO deliveries (id) VALUES ('dlv_2'), ('dlv_3'), ('dlv_1')");
  meddler.close();
  const again = await asServer(dataDir);
  expect(again.newestDeliveryId).toBe("dlv_3");
  await again.close();
});
