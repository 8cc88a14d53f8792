import { describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { DATABASE_FILE } from "../../src/db/database.ts";
import { loadRootKey, makeRootKey, ROOT_KEY_FILE, shutWithout } from "../../src/db/root-key.ts";
import { openTempDatabase, tempFolder } from "../support/temp.ts";

/** Two webhook endpoints, an inbound webhook, a trunk of people and one of the settings. The hospital around does not matter. */
async function folderWithSecrets(key: Uint8Array): Promise<string> {
  const { db, dataDir } = openTempDatabase();
  await db.close();
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
  return dataDir;
}

describe("the root key", () => {
  test("is made at first and is the same ever after", () => {
    const dataDir = tempFolder();
    const key = loadRootKey(dataDir, "");
    expect(key).toHaveLength(32);
    expect(loadRootKey(dataDir, "")).toEqual(key);
    expect(loadRootKey(tempFolder(), "")).not.toEqual(key);
  });

  test("lies in a file that only its owner can read, and leaves no other file", () => {
    const dataDir = tempFolder();
    loadRootKey(dataDir, "");
    expect(statSync(join(dataDir, ROOT_KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual([ROOT_KEY_FILE]);
  });

  test("that is missing beside sealed secrets is not made anew: the refusal says what it opened and the way on", async () => {
    const dataDir = await folderWithSecrets(Buffer.alloc(32, 1));
    expect(() => loadRootKey(dataDir, "")).toThrow(
      /secret\.key is missing, and the signing secrets of 2 webhook endpoints, the signing secrets of 1 inbound webhook and the passwords of 1 trunk open with nothing else\..*"ringward key new"/,
    );
    expect(existsSync(join(dataDir, ROOT_KEY_FILE))).toBeFalse();
    makeRootKey(dataDir);
    expect(loadRootKey(dataDir, "")).toHaveLength(32);
  });

  test("that is another one than the secrets were sealed with is told from the right one", async () => {
    const dataDir = await folderWithSecrets(Buffer.alloc(32, 1));
    expect(shutWithout(dataDir, Buffer.alloc(32, 1))).toEqual({ endpoints: 0, hooks: 0, trunks: 0, modelServers: 0 });
    expect(shutWithout(dataDir, Buffer.alloc(32, 2))).toEqual({ endpoints: 2, hooks: 1, trunks: 1, modelServers: 0 });
  });

  test("is never made in the place of one that is there", () => {
    const dataDir = tempFolder();
    const key = loadRootKey(dataDir, "");
    expect(makeRootKey(dataDir)).toEqual(key);
  });

  test("from the configuration makes no file", () => {
    const dataDir = tempFolder();
    const configured = Buffer.alloc(32, 9).toString("base64");
    expect(loadRootKey(dataDir, configured)).toEqual(Buffer.alloc(32, 9));
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test.each(["", "short", Buffer.alloc(31).toString("base64"), "%%%"])(
    "in a file that holds %p is refused, and the file left alone",
    (text) => {
      const dataDir = tempFolder();
      const file = join(dataDir, ROOT_KEY_FILE);
      writeFileSync(file, text);
      expect(() => loadRootKey(dataDir, "")).toThrow("Put back the file from your backup");
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );
});
