// The keys of people in memory and as a file. The file is written beside the backups and replaced after each erasure:
// a backup is readable with it, except for people whose key it no longer has.
import Sqlite from "better-sqlite3";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { newRowKey, type RowKey } from "../../core/sealed-row.ts";
import { createSecretBox } from "../../core/secret-box.ts";
import { BackupError } from "../archive/fault.ts";
import { backupKeysOf, NO_KEY_SOURCE } from "../key-source.ts";
import type { Place } from "../port.ts";
import { DATABASE_FILE } from "../sqlite/file.ts";
import type { Connection } from "../sqlite/connection.ts";
import { openReader } from "../sqlite/open-reader.ts";
import { presentFileKey } from "../sqlite/settled-key.ts";
import { IS_NUMBER_NAMED } from "../person-key-rule.ts";

export interface PersonKey extends RowKey {
  readonly organisationId: string;
  /** Empty: rows of the organisation that name no number. */
  readonly number: string;
}

export interface PersonKeys {
  /** The backups that it opens name the same. */
  readonly store: string;
  readonly revision: number;
  readonly keys: readonly PersonKey[];
  /** Erased one by one, while their person's key is kept. */
  readonly erasedCalls: readonly ErasedCall[];
}

export interface ErasedCall {
  readonly id: string;
  readonly organisationId: string;
  readonly erasedAt: number;
  readonly actorKind: string;
}

const PURPOSE = "person-keys";
const NAME = /^ringward-[0-9a-f]{16}\.person-keys$/;

export const personKeysName = (store: string): string => `ringward-${store}.person-keys`;
export const isPersonKeysName = (name: string): boolean => NAME.test(name);

/** Whether the database has the table; older ones do not. */
export const hasPersonKeys = (connection: Connection): boolean =>
  connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'person_keys'").get() !== undefined;

interface KeyRow {
  id: string;
  organisation_id: string;
  contact_number: string;
  sealing_key: string;
}

export function keysIn(connection: Connection): PersonKey[] {
  const rows = connection.prepare("SELECT * FROM person_keys ORDER BY id").all() as KeyRow[];
  return rows.map(({ id, organisation_id, contact_number, sealing_key }) => ({
    id,
    organisationId: organisation_id,
    number: contact_number,
    key: Buffer.from(sealing_key, "base64url"),
  }));
}

/** Null if no backup was made of this database. */
export function personKeysIn(connection: Connection): PersonKeys | null {
  if (!hasPersonKeys(connection)) return null;
  return connection.transaction(() => {
    const store = connection.prepare("SELECT id, revision FROM person_key_stores").get() as
      | { id: string; revision: number }
      | undefined;
    if (!store) return null;
    // What retention erased is erased again by the next retention.
    const erasedCalls = connection
      .prepare(
        "SELECT call_id AS id, organisation_id AS organisationId, erased_at AS erasedAt, actor_kind AS actorKind " +
          "FROM erased_calls WHERE actor_kind <> 'system' ORDER BY call_id",
      )
      .all() as ErasedCall[];
    return { store: store.id, revision: store.revision, keys: keysIn(connection), erasedCalls };
  })();
}

/** Those of the database in a data folder. */
export function personKeysOf(place: Place): PersonKeys | null {
  const file = join(place.dataDir, DATABASE_FILE);
  if (!existsSync(file)) return null;
  const connection = openReader(file, presentFileKey(place, file));
  try {
    return personKeysIn(connection);
  } finally {
    connection.close();
  }
}

/** Returns the id of the store. */
export function settleStore(connection: Connection): string {
  return connection
    .transaction(() => {
      const present = connection.prepare("SELECT id FROM person_key_stores").pluck().get();
      if (typeof present === "string") return present;
      const { id } = newRowKey();
      connection.prepare("INSERT INTO person_key_stores (id, revision) VALUES (?, 1)").run(id);
      return id;
    })
    .immediate();
}

const AT_ONCE = 500;
const INSERT =
  "INSERT INTO person_keys (id, organisation_id, contact_number, sealing_key) " +
  "SELECT id, organisation_id, contact_number, sealing_key FROM " +
  "(SELECT ? AS id, ? AS organisation_id, ? AS contact_number, ? AS sealing_key) AS person_keys " +
  `WHERE contact_number = '' OR ${IS_NUMBER_NAMED}`;

/** Keeps new keys, except those of people who were erased since the key was made: nothing opens what it sealed. */
export function keepKeys(connection: Connection, keys: readonly PersonKey[]): void {
  const insert = connection.prepare(INSERT);
  const keepSome = connection.transaction((some: readonly PersonKey[]) => {
    for (const { id, organisationId, number, key } of some)
      insert.run(id, organisationId, number, Buffer.from(key).toString("base64url"));
    connection.prepare("UPDATE person_key_stores SET revision = revision + 1").run();
  });
  for (let at = 0; at < keys.length; at += AT_ONCE) keepSome.immediate(keys.slice(at, at + AT_ONCE));
}

/** Into a restored database, which no server has opened. */
export function putKeys(connection: Connection, { store, revision, keys, erasedCalls }: PersonKeys): void {
  connection.exec("DELETE FROM person_keys; DELETE FROM person_key_stores");
  connection.prepare("INSERT INTO person_key_stores (id, revision) VALUES (?, ?)").run(store, revision);
  const insert = connection.prepare("INSERT INTO person_keys VALUES (?, ?, ?, ?)");
  for (const { id, organisationId, number, key } of keys)
    insert.run(id, organisationId, number, Buffer.from(key).toString("base64url"));
  // Also of calls that only newer backups have.
  const tombstone = connection.prepare(
    "INSERT OR IGNORE INTO erased_calls (call_id, organisation_id, erased_at, actor_kind) " +
      "SELECT ?, id, ?, ? FROM organisations WHERE id = ?",
  );
  for (const call of erasedCalls) tombstone.run(call.id, call.erasedAt, call.actorKind, call.organisationId);
}

/** Null as root key: for backups that are not encrypted themselves. */
export function personKeysText({ keys, ...rest }: PersonKeys, rootKey: Uint8Array | null): string {
  const rows = keys.map(({ id, organisationId, number, key }) => [
    id,
    organisationId,
    number,
    Buffer.from(key).toString("base64url"),
  ]);
  const erasedCalls = rest.erasedCalls.map((call) => [call.id, call.organisationId, call.erasedAt, call.actorKind]);
  const text = JSON.stringify({ version: 1, ...rest, erasedCalls, keys: rows });
  return rootKey === null ? text : createSecretBox(rootKey).seal(text, PURPOSE);
}

/** Throws if it is no such file, or neither the root key nor an earlier one opens it. */
export function parsePersonKeys(text: string, place: Place, calledThus: string): PersonKeys {
  try {
    const value = JSON.parse(text.startsWith("{") ? text : opened(text.trim(), place)) as Record<string, unknown>;
    if (value["version"] === 1) return asPersonKeys(value);
  } catch {
    // Damaged, or sealed with another key: reported below.
  }
  throw new BackupError(`${calledThus} is not a file of people's keys, or the secret key does not open it.`);
}

function opened(sealed: string, place: Place): string {
  for (const rootKey of backupKeysOf(place.dataDir, place.security ?? NO_KEY_SOURCE)) {
    try {
      return createSecretBox(rootKey).open(sealed, PURPOSE);
    } catch {
      // Sealed with another key of this appliance, or of another one.
    }
  }
  throw new RangeError("no key opens it");
}

function asPersonKeys(value: Record<string, unknown>): PersonKeys {
  const { store, revision, keys, erasedCalls } = value;
  if (typeof store !== "string" || typeof revision !== "number") throw new TypeError("no store");
  if (!Array.isArray(keys) || !Array.isArray(erasedCalls)) throw new TypeError("no keys");
  const read = keys.map((row: unknown) => {
    const [id, organisationId, number, key] = (row as unknown[]).map(String);
    return {
      id: id ?? "",
      organisationId: organisationId ?? "",
      number: number ?? "",
      key: Buffer.from(key ?? "", "base64url"),
    };
  });
  const erased = erasedCalls.map((row: unknown) => {
    const [id, organisationId, erasedAt, actorKind] = row as unknown[];
    return {
      id: String(id),
      organisationId: String(organisationId),
      erasedAt: Number(erasedAt),
      actorKind: String(actorKind),
    };
  });
  return { store, revision, keys: read, erasedCalls: erased };
}

/** Opened for the few writes of a backup beside a running server. */
export function openLive(file: string, unlocked: (connection: Connection) => void): Connection {
  const connection = new Sqlite(file, { timeout: WRITE_WAIT_MS, fileMustExist: true });
  try {
    unlocked(connection);
    connection.pragma("synchronous = FULL");
    connection.pragma("secure_delete = ON");
    connection.pragma("temp_store = MEMORY");
    // The copy gets its rows table by table.
    connection.pragma("foreign_keys = OFF");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const WRITE_WAIT_MS = 30_000;
