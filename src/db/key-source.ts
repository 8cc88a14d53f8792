// Where the root key comes from: the settings, a file, or a command that asks a TPM, systemd-creds or a vault. Without
// any of them it is DATA/secret.key, which protects nothing that lies beside it.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { SECOND_MS } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { ROOT_KEY_BYTES } from "../core/secret-box.ts";
import type { KeySource } from "./port.ts";
import { earlierRootKeys, presentRootKey, RootKeyError, ROOT_KEY_FILE } from "./root-key.ts";

export const NO_KEY_SOURCE: KeySource = { root_key: "", key_file: "", key_command: [] };

/** A command may ask a service on the network. */
const LONGEST_COMMAND_MS = 30 * SECOND_MS;
/** A key in base64 has 44 characters. */
const MOST_BYTES = 4_096;

/** The name of the setting; null for DATA/secret.key. */
export function settingOf({ root_key, key_file, key_command }: KeySource): string | null {
  if (root_key !== "") return "security.root_key";
  if (key_file !== "") return "security.key_file";
  return key_command.length > 0 ? "security.key_command" : null;
}

/** Null if the settings name none. */
export function configuredRootKey(source: KeySource): Uint8Array | null {
  const { root_key, key_file, key_command } = source;
  if (root_key !== "") return Buffer.from(root_key, "base64");
  if (key_file !== "") return readKeyFile(key_file, "security.key_file");
  return key_command.length > 0 ? keyOfCommand(key_command) : null;
}

/** The configured key, or the one in the folder; null if there is none. */
export const rootKeyOf = (dataDir: string, source: KeySource): Uint8Array | null =>
  presentRootKey(dataDir, configuredRootKey(source));

/** The same for backups, and the keys of before. None if there is no key. */
export function backupKeysOf(dataDir: string, source: KeySource): readonly Uint8Array[] {
  const key = rootKeyOf(dataDir, source);
  return [...(key ? [key] : []), ...earlierRootKeys(dataDir).map((earlier) => earlier.key)];
}

/** Who copies the data folder does not get the key with it. */
export function isKeyOutside(dataDir: string, source: KeySource): boolean {
  if (source.key_file === "") return settingOf(source) !== null;
  try {
    return !realpathSync(source.key_file).startsWith(realpathSync(dataDir) + sep);
  } catch {
    // No folder yet, so nothing can lie in it.
    return true;
  }
}

/** `calledThus` is its name in messages: a setting or an option. */
export function readKeyFile(file: string, calledThus: string): Uint8Array {
  let text: string;
  try {
    if (statSync(file).size > MOST_BYTES) throw new Error("it is too large");
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new RootKeyError(`${calledThus}: ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  return keyIn(text, `${calledThus}: ${file}`);
}

/** Asked once for each process: a vault may log every use, and a TPM takes a second. */
const asked = new Map<string, Uint8Array>();

function keyOfCommand(command: readonly string[]): Uint8Array {
  const name = command.join("\0");
  const known = asked.get(name);
  if (known) return known;
  const key = keyIn(outputOf(command), "security.key_command: the output");
  asked.set(name, key);
  return key;
}

/** Without a shell. What it writes to stderr goes nowhere, because it may contain the key. */
function outputOf(command: readonly string[]): string {
  const [program = ""] = command;
  const refused = (why: string, cause?: unknown) =>
    new RootKeyError(`security.key_command: ${program} ${why}. Nothing was changed. Run it by hand to see why.`, {
      cause,
    });
  let ended: Bun.SyncSubprocess<"pipe", "ignore">;
  try {
    const limits = { timeout: LONGEST_COMMAND_MS, killSignal: "SIGKILL", maxBuffer: MOST_BYTES } as const;
    ended = Bun.spawnSync([...command], { stdin: "ignore", stdout: "pipe", stderr: "ignore", ...limits });
  } catch (error) {
    throw refused(`cannot be started: ${messageOf(error)}`, error);
  }
  if (ended.exitedDueToTimeout === true) throw refused(`did not end within ${LONGEST_COMMAND_MS / SECOND_MS} seconds`);
  if (ended.exitedDueToMaxBuffer === true) throw refused(`wrote more than ${MOST_BYTES} bytes`);
  if (ended.exitCode !== 0) throw refused(`ended with code ${ended.exitCode}`);
  return ended.stdout.toString("utf8");
}

function keyIn(text: string, calledThus: string): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, "base64");
  if (/^[A-Za-z0-9+/]{43}=$/.test(trimmed) && key.length === ROOT_KEY_BYTES) return key;
  throw new RootKeyError(`${calledThus} does not hold ${ROOT_KEY_BYTES} bytes in base64. Nothing was changed.`);
}

/** For messages: where the key is. */
export const whereKeyIs = (dataDir: string, source: KeySource): string =>
  settingOf(source) ?? `${dataDir}${sep}${ROOT_KEY_FILE}`;
