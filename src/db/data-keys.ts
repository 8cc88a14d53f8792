// Keys that encrypt data at rest, in DATA/data-keys. Each is random and wrapped (sealed) by the root key, so a change
// of the root key rewrites this small file only. Their content never leaves the process: not in arguments, logs or
// errors.
import { createSecretBox, newRootKey, ROOT_KEY_BYTES, type SecretBox } from "../core/secret-box.ts";
import { RootKeyError } from "./root-key.ts";

export const DATA_KEYS_FILE = "data-keys";

export interface DataKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Given to everything that stores files; null in its place means that encryption is off. */
export interface DataKeys {
  /** Encrypts new data. */
  readonly current: DataKey;
  /** Older keys, too. */
  byId(id: string): Uint8Array | undefined;
}

export interface KeyRing {
  /** Null while encryption is off: new data is plain. */
  readonly current: DataKey | null;
  /** The current key first. */
  readonly keys: readonly DataKey[];
  /** Seals the stored secrets; null while the root key itself does. */
  readonly sealing: Uint8Array | null;
  /** A conversion that has not ended: some data is still as before it. */
  readonly converting: "encrypt" | "decrypt" | null;
}

export interface OpenedRing extends KeyRing {
  /** "only" except while a change of the root key is not finished: then two root keys open the file. */
  readonly openedBy: "only" | "newest" | "older";
}

/**
 * The file's content. `wrapped` has one text for each root key that opens it: two during a change of the root key, the
 * newest last.
 */
interface KeysFile {
  readonly version: 1;
  readonly current: string | null;
  readonly keys: readonly { readonly id: string; readonly wrapped: readonly string[] }[];
  readonly sealing: readonly string[] | null;
  readonly converting: KeyRing["converting"];
  /** A known text, wrapped like a key: tells which root key opens the file even if it holds no key. */
  readonly check: readonly string[];
}

const ID_BYTES = 8;
const CHECK = "ringward";
const CHECK_PURPOSE = "data-keys/check";
const SEALING_PURPOSE = "data-keys/sealing";
const purposeOf = (id: string) => `data-keys/${id}`;

export function newDataKey(): DataKey {
  return { id: newRootKey().subarray(0, ID_BYTES).toString("hex"), key: newRootKey() };
}

export function dataKeysOf(ring: KeyRing | null): DataKeys | null {
  if (!ring?.current) return null;
  const byId = new Map(ring.keys.map(({ id, key }) => [id, key]));
  return { current: ring.current, byId: (id) => byId.get(id) };
}

/** The text of the file: every key, wrapped by each of the root keys. */
export function wrappedRing(ring: KeyRing, rootKeys: readonly Uint8Array[]): string {
  const boxes = rootKeys.map(createSecretBox);
  const wrap = (key: Uint8Array, purpose: string) => boxes.map((box) => box.seal(base64Of(key), purpose));
  const file: KeysFile = {
    version: 1,
    current: ring.current?.id ?? null,
    keys: ring.keys.map(({ id, key }) => ({ id, wrapped: wrap(key, purposeOf(id)) })),
    sealing: ring.sealing && wrap(ring.sealing, SEALING_PURPOSE),
    converting: ring.converting,
    check: boxes.map((box) => box.seal(CHECK, CHECK_PURPOSE)),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** `calledThus` is the file's name in messages. Throws if the root key does not open it. */
export function unwrappedRing(text: string, rootKey: Uint8Array, calledThus: string): OpenedRing {
  const file = parsed(text, calledThus);
  const box = createSecretBox(rootKey);
  const at = file.check.findIndex((check) => opened(box, check, CHECK_PURPOSE) === CHECK);
  if (at === -1) throw new RootKeyError(notOpenedWords(calledThus));
  const unwrap = (wrapped: readonly string[], purpose: string) => {
    const key = Buffer.from(opened(box, wrapped[at] ?? "", purpose) ?? "", "base64");
    if (key.length !== ROOT_KEY_BYTES) throw new RootKeyError(unreadableWords(calledThus));
    return key;
  };
  const keys = file.keys.map(({ id, wrapped }) => ({ id, key: unwrap(wrapped, purposeOf(id)) }));
  const current = keys.find(({ id }) => id === file.current) ?? null;
  if (file.current !== null && !current) throw new RootKeyError(unreadableWords(calledThus));
  const rest = keys.filter((key) => key !== current);
  const isNewest = at === file.check.length - 1;
  return {
    current,
    keys: current ? [current, ...rest] : rest,
    sealing: file.sealing && unwrap(file.sealing, SEALING_PURPOSE),
    converting: file.converting,
    openedBy: file.check.length === 1 ? "only" : isNewest ? "newest" : "older",
  };
}

/** Needs no root key. */
export function keyIdsIn(text: string): string[] {
  return parsed(text, "The file").keys.map(({ id }) => id);
}

const notOpenedWords = (calledThus: string): string =>
  `The secret key does not open ${calledThus}, and nothing else opens the encrypted data. Nothing was changed. ` +
  "Put the right key back: secret.key, security.root_key, security.key_file or security.key_command.";

function opened(box: SecretBox, text: string, purpose: string): string | null {
  try {
    return box.open(text, purpose);
  } catch {
    return null;
  }
}

function parsed(text: string, calledThus: string): KeysFile {
  try {
    const value: unknown = JSON.parse(text);
    if (isKeysFile(value)) return value;
  } catch {
    // Not JSON: reported below.
  }
  throw new RootKeyError(unreadableWords(calledThus));
}

const unreadableWords = (calledThus: string): string =>
  `${calledThus} is not a file of data keys, and nothing else opens the encrypted data. Put back the file from your backup.`;

function isKeysFile(value: unknown): value is KeysFile {
  if (typeof value !== "object" || value === null) return false;
  const { version, current, keys, sealing, converting, check } = value as Record<string, unknown>;
  const areKeys = Array.isArray(keys) && keys.every(isWrappedKey) && (sealing === null || areTexts(sealing));
  const isCurrent = current === null || typeof current === "string";
  const isState = converting === null || converting === "encrypt" || converting === "decrypt";
  return version === 1 && isCurrent && areKeys && isState && areTexts(check);
}

function isWrappedKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, wrapped } = value as Record<string, unknown>;
  return typeof id === "string" && /^[0-9a-f]{16}$/.test(id) && areTexts(wrapped);
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((text) => typeof text === "string");

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
