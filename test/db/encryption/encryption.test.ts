// An encrypted database: no byte of it is readable in its folder, only its own key opens it, and whoever has no key
// changes nothing.
import { describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../../src/config/load.ts";
import { startDiskWorker, startReadWorker } from "../../../src/compose/threads/start.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { newRootKey } from "../../../src/core/secret-box.ts";
import { DATA_KEYS_FILE, dataKeysOf } from "../../../src/db/data-keys.ts";
import { lookAtDatabase, openDatabase, type Place } from "../../../src/db/database.ts";
import { encryptionNote, encryptionState } from "../../../src/db/encryption-state.ts";
import { dataKeysIn } from "../../../src/db/folder-keys.ts";
import { configuredRootKey, NO_KEY_SOURCE } from "../../../src/db/key-source.ts";
import { RootKeyError } from "../../../src/db/root-key.ts";
import { fileKeyOf, keyOfFile } from "../../../src/db/sqlite/cipher.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { fileOf, rejectionOf, tempFolder } from "../../support/temp.ts";
import { countOf, encryptedPlace, holding, keyFile, opened, picture, securityOf, SENTINEL, write } from "./ground.ts";

const fileIn = (dataDir: string) => join(dataDir, DATABASE_FILE);

describe("a new installation", () => {
  test("with its key outside the data folder is encrypted: file, WAL and index hold no readable byte", async () => {
    const place = encryptedPlace();
    const db = await openDatabase(place, {
      logger: silentLogger,
      as: "server",
      startReader: startReadWorker,
      startDisk: startDiskWorker,
    });
    await write(db);
    const found = await db.heavy.selectFrom("key_checks").select("name").where("name", "like", "%999").execute();
    expect(found).toHaveLength(1);
    expect(statSync(`${fileOf(db)}-wal`).size).toBeGreaterThan(0);
    expect(holding(place.dataDir)).toEqual([]);
    await db.close();
    expect(holding(place.dataDir)).toEqual([]);
    expect(await countOf(place)).toBe(1_000);
    expect(statSync(join(place.dataDir, DATA_KEYS_FILE)).mode & 0o777).toBe(0o600);
    expect(encryptionState(place)).toBe("on");
    expect(dataKeysIn(place)?.byId(dataKeysIn(place)?.current.id ?? "")).toHaveLength(32);
    expect(() => new Sqlite(fileOf(db), { readonly: true }).pragma("user_version")).toThrow("not a database");
  });

  test.each([
    ["whose key lies in the data folder", () => ({ dataDir: tempFolder(), security: securityOf("") })],
    ["that forbids it", () => ({ dataDir: tempFolder(), security: securityOf(keyFile(), false) })],
  ])("%s is plain", async (_, make) => {
    const place = make();
    const db = await opened(place);
    await write(db, SENTINEL, 1);
    await db.close();
    expect(holding(place.dataDir)).toEqual([DATABASE_FILE]);
    expect(encryptionState(place)).toBe("off");
    expect(dataKeysIn(place)).toBeNull();
  });

  test("that demands it is encrypted with the key in its folder, which is reported", async () => {
    const place = { dataDir: tempFolder(), security: securityOf("", true) };
    await (await opened(place)).close();
    expect(encryptionState(place)).toBe("on, key beside");
    expect(encryptionNote(place)).toContain("protects nothing");
  });
});

describe("existing data", () => {
  test("stays plain when a key outside the folder is set, and that is reported", async () => {
    const dataDir = tempFolder();
    await (await opened({ dataDir })).close();
    const place = { dataDir, security: securityOf(keyFile()) };
    await (await opened(place)).close();
    expect(existsSync(join(dataDir, DATA_KEYS_FILE))).toBeFalse();
    expect(encryptionState(place)).toBe("off, key outside");
    expect(encryptionNote(place)).toContain('"ringward encrypt"');
  });

  test("that is not as the settings demand is refused, and left alone", async () => {
    const encrypted = encryptedPlace();
    await (await opened(encrypted)).close();
    const plain = tempFolder();
    await (await opened({ dataDir: plain })).close();
    const key = encrypted.security?.key_file ?? "";
    for (const [dataDir, demanded] of [
      [encrypted.dataDir, false],
      [plain, true],
    ] as const) {
      const before = picture(dataDir);
      const refusal = await rejectionOf(opened({ dataDir, security: securityOf(key, demanded) }));
      expect(refusal).toBeInstanceOf(ConfigError);
      expect(refusal.message).toMatch(demanded ? /"ringward encrypt"/ : /"ringward decrypt"/);
      expect(picture(dataDir)).toEqual(before);
    }
  });
});

describe("without the right key nothing opens and nothing changes:", () => {
  const asBefore = ({ security }: Place) => security;
  const cases: [string, (place: Place) => Promise<Place["security"]> | Place["security"], RegExp][] = [
    ["another key", () => securityOf(keyFile()), /does not open .*data-keys/],
    ["no key", () => undefined, /secret\.key is missing/],
    ["a file that is not there", () => securityOf("/nowhere/root.key"), /cannot be read/],
    ["data-keys of another folder", withForeignKeys, /not in the data-keys file/],
    ["no data-keys", (at) => (rmSync(keysIn(at)), asBefore(at)), /its data-keys file is missing/],
    ["damaged data-keys", (at) => (writeFileSync(keysIn(at), "{}"), asBefore(at)), /is not a file of data keys/],
  ];
  test.each(cases)("%s", async (_, change, why) => {
    const place = encryptedPlace();
    await (await opened(place)).close();
    const security = await change(place);
    const at = security ? { ...place, security } : { dataDir: place.dataDir };
    const before = picture(place.dataDir);
    for (const open of [() => opened(at), () => opened(at, "command"), () => lookAtDatabase(at)]) {
      const refusal = await rejectionOf(open());
      expect(refusal).toBeInstanceOf(RootKeyError);
      expect(refusal.message).toMatch(why);
    }
    expect(picture(place.dataDir)).toEqual(before);
  });

  const keysIn = ({ dataDir }: Place) => join(dataDir, DATA_KEYS_FILE);

  /** Of an installation with the same root key. */
  async function withForeignKeys(place: Place): Promise<Place["security"]> {
    const other = { ...place, dataDir: tempFolder() };
    await (await opened(other)).close();
    writeFileSync(keysIn(place), readFileSync(keysIn(other)));
    return place.security;
  }
});

test("a damaged plain database is not taken for an encrypted one", async () => {
  const dataDir = tempFolder();
  await (await opened({ dataDir })).close();
  const file = fileIn(dataDir);
  const bytes = readFileSync(file);
  bytes.fill(7, 0, 32);
  writeFileSync(file, bytes);
  expect(keyOfFile(file, null)).toBeNull();
  expect((await rejectionOf(opened({ dataDir }))).message).toContain("damaged");
});

describe("the key of a command", () => {
  const command = (text: string): string => {
    const file = join(tempFolder(), "key-command");
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const keyOf = (file: string) =>
    configuredRootKey({ ...NO_KEY_SOURCE, key_command: [file, "an argument; with $signs"] });
  const key = newRootKey().toString("base64");

  test("is what it prints, asked once, with its arguments as they are", () => {
    const times = join(tempFolder(), "times");
    const file = command(`echo "$1" >> ${times}; echo ${key}`);
    expect(keyOf(file)).toEqual(Buffer.from(key, "base64"));
    expect(keyOf(file)).toEqual(Buffer.from(key, "base64"));
    expect(readFileSync(times, "utf8")).toBe("an argument; with $signs\n");
  });

  test.each([
    ["fails", `echo ${key}; exit 3`, "code 3"],
    ["prints no key", `echo secret-in-stdout; echo secret-in-stderr >&2`, "does not hold 32 bytes"],
    ["prints without end", "yes", "more than 4096 bytes"],
  ])("is refused when it %s, without its output", (_, text, why) => {
    const run = () => keyOf(command(text));
    expect(run).toThrow(RootKeyError);
    expect(run).toThrow(why);
    expect(run).not.toThrow(/secret-in|==/);
  });

  test("is refused when it cannot be started", () => {
    expect(() => keyOf("/nowhere/key-command")).toThrow("cannot be started");
  });
});

test("a data key gives the database another key than itself", () => {
  const key = newRootKey();
  expect(Buffer.from(fileKeyOf(key)).equals(key)).toBeFalse();
  expect(dataKeysOf(null)).toBeNull();
});
