// ringward key new, ringward key accept: recovery after the loss of the secret key. `restore --new-key` also creates a
// new key.
import { systemClock, toIso } from "../core/clock.ts";
import type { Config } from "../config/schema.ts";
import { silentLogger } from "../core/logger.ts";
import { openDatabase } from "../db/database.ts";
import { acceptRootKey } from "../db/key-check.ts";
import { presentSealingKey, wrappedKeysIn } from "../db/folder-keys.ts";
import { rootKeyOf, whereKeyIs } from "../db/key-source.ts";
import { makeRootKey, missingKeyWords, ROOT_KEY_FILE, RootKeyError, wrongKeyWords } from "../db/root-key.ts";
import {
  isAnyShut,
  renewWords,
  shutSecrets,
  shutWords,
  NOTHING_SHUT,
  type SealedCounts,
} from "../db/sealed-secrets.ts";
import type { Command } from "./command.ts";
import { configOf, placeOf } from "./context.ts";
import { lookingAt } from "./database-look.ts";
import { print, printError } from "./output.ts";

export const NEW_KEY_HELP = "secret.key is lost: make another, and give up what opens with the old one alone.";

/** Held by commands that change the data keys. */
export const KEYS_LOCK = "keys.lock";

const LOST_WORDS =
  "The data is encrypted, and only the lost secret key opens it. Nothing was changed. A new key would not open it: put " +
  "back the key, or restore a backup whose key you have into an empty data folder.";

export const keyNew: Command = {
  name: "key new",
  summary: "Create a new secret.key after losing the old one, and list what must be renewed.",
  async run(args) {
    const config = configOf(args);
    const { data, security } = config;
    if (rootKeyOf(data.dir, security))
      throw new RootKeyError(
        `A key already exists: ${whereKeyIs(data.dir, security)}. "ringward key change" replaces it; to give it up, ` +
          "move it away first.",
      );
    if (wrappedKeysIn(data.dir) !== null) throw new RootKeyError(LOST_WORDS);
    await makeKeyAndTell(config);
    return 0;
  },
};

export const keyAccept: Command = {
  name: "key accept",
  summary: "Accept the present secret key for this database after losing the right one, and list what must be renewed.",
  async run(args) {
    const config = configOf(args);
    const { dir } = config.data;
    // Throws if the data is encrypted and this key does not open it: accepting it would open nothing.
    const key = presentSealingKey(placeOf(config));
    if (!key) throw new RootKeyError(`There is no key in ${dir} yet. "ringward key new" makes one.`);
    const shut = await shutIn(config, key);
    await takeFor(config, key);
    if (!isAnyShut(shut)) {
      print("The key opens every stored secret. There is nothing to renew.");
      return 0;
    }
    print(`The key was accepted. Lost with the old key: ${shutWords(shut)}.`);
    tellRenewals(shut);
    return 0;
  },
};

/** Binds the database to this key. If there is no database yet, the first start does that. */
async function takeFor(config: Config, key: Uint8Array): Promise<void> {
  if ((await lookingAt(config, async () => true)) === null) return;
  const db = await openDatabase(placeOf(config), { logger: silentLogger, as: "command" });
  try {
    await acceptRootKey(db, key);
  } finally {
    await db.close();
  }
}

/** After a restore: reports which stored secrets the key opens, and how to renew the others. */
export async function tellOfKey(config: Config, mayMakeNew: boolean): Promise<void> {
  const { dir } = config.data;
  const key = presentSealingKey(placeOf(config));
  const shut = await shutIn(config, key);
  if (!isAnyShut(shut)) return;
  if (key) {
    printError(wrongKeyWords(shut));
    tellRenewals(shut);
  } else if (mayMakeNew) await makeKeyAndTell(config);
  else printError(`${missingKeyWords(dir, shut)} Until then Ringward does not start on this folder.`);
}

/** Counts the stored secrets that the key does not open; without a key, all of them. */
async function shutIn(config: Config, key: Uint8Array | null): Promise<SealedCounts> {
  return (await lookingAt(config, ({ reader }) => shutSecrets(reader, key))) ?? NOTHING_SHUT;
}

async function makeKeyAndTell(config: Config): Promise<void> {
  const { data } = config;
  const lost = await shutIn(config, null);
  await takeFor(config, makeRootKey(data.dir));
  print(`Created ${data.dir}/${ROOT_KEY_FILE} at ${toIso(systemClock.now())}. Keep a copy separate from backups.`);
  if (isAnyShut(lost)) printError(`Lost with the old key: ${shutWords(lost)}.`);
  printError("Links to recordings in earlier events no longer work. Passwords are not affected.");
  tellRenewals(lost);
}

function tellRenewals(shut: SealedCounts): void {
  for (const words of renewWords(shut)) printError(`Run ${words}.`);
}
