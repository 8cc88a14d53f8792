import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecretBox } from "../../src/core/secret-box.ts";
import type { Database } from "../../src/db/database.ts";
import { DATABASE_FILE } from "../../src/db/sqlite/file.ts";
import { loadRootKey, makeRootKey, ROOT_KEY_FILE } from "../../src/db/root-key.ts";
import { shutSecrets } from "../../src/db/sealed-secrets.ts";
import { openTempDatabase, rejectionOf, tempFolder } from "../support/temp.ts";

/**
 * Two webhook endpoints, an inbound webhook, a trunk from the dashboard and one from the settings. Other rows are not
 * needed.
 */
async function folderWithSecrets(key: Uint8Array): Promise<{ db: Database; dataDir: string }> {
  const { db, dataDir } = await openTempDatabase();
  const box = createSecretBox(key);
  const connection = new Sqlite(join(dataDir, DATABASE_FILE));
  connection.pragma("foreign_keys = OFF");
  connection.pragma("ignore_check_constraints = ON");
  const insert = (table: string, given: Record<string, string>) => {
    const columns = connection.pragma(`table_info(${table})`) as { name: string; type: string; notnull: number }[];
    const needed = columns.filter(({ name, notnull }) => notnull === 1 || name in given);
    const values = needed.map(({ name, type }) => given[name] ?? (type === "TEXT" ? "" : 0));
    const names = needed.map(({ name }) => name).join(", ");
    connection.prepare(`INSERT INTO ${table} (${names}) VALUES (${values.map(() => "?").join(", ")})`).run(...values);
  };
  for (const id of ["e1", "e2"]) insert("webhook_endpoints", { id, sealed_secret: box.seal("s", "webhook-endpoint") });
  insert("inbound_hooks", { organisation_id: "o", sealed_signing_secret: box.seal("s", "inbound-hook") });
  insert("trunks", { id: "t1", name: "a", source: "dashboard", sealed_secret: box.seal("s", "trunk/t1") });
  insert("trunks", { id: "t2", name: "b", source: "settings", sealed_secret: box.seal("s", "trunk/t2") });
  connection.close();
  return { db, dataDir };
}

let empty: Database;
beforeAll(async () => void ({ db: empty } = await openTempDatabase()));
afterAll(() => empty.close());

describe("the root key", () => {
  test("is created at the first start and does not change", async () => {
    const dataDir = tempFolder();
    const key = await loadRootKey(dataDir, null, empty.reader);
    expect(key).toHaveLength(32);
    expect(await loadRootKey(dataDir, null, empty.reader)).toEqual(key);
    expect(await loadRootKey(tempFolder(), null, empty.reader)).not.toEqual(key);
  });

  test("is in a file that only its owner can read, and leaves no other file", async () => {
    const dataDir = tempFolder();
    await loadRootKey(dataDir, null, empty.reader);
    expect(statSync(join(dataDir, ROOT_KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual([ROOT_KEY_FILE]);
  });

  test("that is missing is not replaced if secrets exist: the error lists them and the remedy", async () => {
    const { db, dataDir } = await folderWithSecrets(Buffer.alloc(32, 1));
    expect((await rejectionOf(loadRootKey(dataDir, null, db.reader))).message).toMatch(
      /secret\.key is missing, and nothing else opens the signing secrets of 2 webhook endpoints, the signing secrets of 1 inbound webhook and the passwords of 1 trunk\..*"ringward key new"/,
    );
    expect(existsSync(join(dataDir, ROOT_KEY_FILE))).toBeFalse();
    makeRootKey(dataDir);
    expect(await loadRootKey(dataDir, null, db.reader)).toHaveLength(32);
    await db.close();
  });

  test("that differs from the one used for encryption is detected", async () => {
    const { db } = await folderWithSecrets(Buffer.alloc(32, 1));
    expect(await shutSecrets(db.reader, Buffer.alloc(32, 1))).toEqual({
      endpoints: 0,
      hooks: 0,
      trunks: 0,
      questions: 0,
      modelServers: 0,
      proofKeys: 0,
      totp: 0,
    });
    expect(await shutSecrets(db.reader, Buffer.alloc(32, 2))).toEqual({
      endpoints: 2,
      hooks: 1,
      trunks: 1,
      questions: 0,
      modelServers: 0,
      proofKeys: 0,
      totp: 0,
    });
    await db.close();
  });

  test("of a database of an early version is checked with the tables that it has", async () => {
    const { db, dataDir } = await folderWithSecrets(Buffer.alloc(32, 1));
    const connection = new Sqlite(join(dataDir, DATABASE_FILE));
    connection.pragma("foreign_keys = OFF");
    for (const table of ["model_servers", "trunks"]) connection.exec(`DROP TABLE ${table}`);
    connection.close();
    expect(await shutSecrets(db.reader, null)).toEqual({
      endpoints: 2,
      hooks: 1,
      questions: 0,
      trunks: 0,
      modelServers: 0,
      proofKeys: 0,
      totp: 0,
    });
    await db.close();
  });

  test("never replaces an existing one", async () => {
    const dataDir = tempFolder();
    const key = await loadRootKey(dataDir, null, empty.reader);
    expect(makeRootKey(dataDir)).toEqual(key);
  });

  test("from the configuration creates no file", async () => {
    const dataDir = tempFolder();
    const configured = Buffer.alloc(32, 9);
    expect(await loadRootKey(dataDir, configured, empty.reader)).toEqual(Buffer.alloc(32, 9));
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test.each(["", "short", Buffer.alloc(31).toString("base64"), "%%%"])(
    "in a file that holds %p is refused, and the file left alone",
    async (text) => {
      const dataDir = tempFolder();
      const file = join(dataDir, ROOT_KEY_FILE);
      writeFileSync(file, text);
      const refusal = await rejectionOf(loadRootKey(dataDir, null, empty.reader));
      expect(refusal.message).toContain("Put back the file from your backup");
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );
});
