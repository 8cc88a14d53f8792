// ringward key change: a new root key, while the server runs or not. The data keys are wrapped again; no data is
// rewritten, and stored secrets keep the key that seals them, itself wrapped.
import { renameSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { systemClock, toIso } from "../core/clock.ts";
import { newRootKey } from "../core/secret-box.ts";
import { wrappedRing, type KeyRing } from "../db/data-keys.ts";
import { forgetUnwritten, neededRootKey, replaceRing, ringOf, saveRing, writtenBeside } from "../db/folder-keys.ts";
import { assertRootKey } from "../db/key-check.ts";
import { readKeyFile, settingOf } from "../db/key-source.ts";
import { DatabaseError, explanationOf } from "../db/open-fault.ts";
import type { Place } from "../db/port.ts";
import { keepRootKey, ROOT_KEY_FILE, RootKeyError } from "../db/root-key.ts";
import { tryLock } from "../db/sqlite/lock.ts";
import { UsageError, type Command } from "./command.ts";
import { configOf, placeOf } from "./context.ts";
import { lookingAt } from "./database-look.ts";
import { KEYS_LOCK } from "./key.ts";
import { print } from "./output.ts";

const NO_KEYS: KeyRing = { current: null, keys: [], sealing: null, converting: null };

export const keyChange: Command = {
  name: "key change",
  summary:
    "Replace the secret key, while the server runs or not. Nothing has to be renewed, and encrypted data is not rewritten.",
  options: {
    "new-key-file": {
      type: "string",
      value: "FILE",
      help: "The new key: 32 bytes in base64. Without it, secret.key gets a random one.",
    },
  },
  async run(args) {
    const config = configOf(args);
    const file = args.text("new-key-file");
    const setting = settingOf(config.security);
    if (file === undefined && setting !== null)
      throw new UsageError(`The key comes from ${setting}: give the new one with --new-key-file.`);
    const newKey = file === undefined ? newRootKey() : readKeyFile(file, "--new-key-file");
    const lock = tryLock(config.data.dir, KEYS_LOCK);
    if (!lock) throw new DatabaseError("The data keys are in use by another command. Try again.", { fault: "held" });
    try {
      await change(config, newKey, setting);
    } catch (error) {
      throw explanationOf(config.data.dir, error);
    } finally {
      lock.release();
    }
    return 0;
  },
};

async function change(config: Config, newKey: Uint8Array, setting: string | null): Promise<void> {
  const place = placeOf(config);
  forgetUnwritten(place.dataDir);
  finishChange(place);
  const ring = ringOf(place);
  const oldKey = neededRootKey(place, "the stored secrets");
  if (Buffer.from(oldKey).equals(newKey))
    throw new RootKeyError("The new key is the present one. Nothing was changed.");
  const sealing = ring?.sealing ?? oldKey;
  // A wrong key would be kept as the one that seals the secrets.
  await lookingAt(config, ({ reader }) => assertRootKey(reader, sealing));
  const changed = { ...(ring ?? NO_KEYS), sealing };
  const kept = setting === null ? keepRootKey(place.dataDir, oldKey, toIso(systemClock.now())) : null;
  // From here on both keys open everything, whatever happens.
  replaceRing(place.dataDir, wrappedRing(changed, [oldKey, newKey]));
  if (kept !== null) {
    const secret = join(place.dataDir, ROOT_KEY_FILE);
    renameSync(writtenBeside(secret, `${Buffer.from(newKey).toString("base64")}\n`), secret);
    replaceRing(place.dataDir, wrappedRing(changed, [newKey]));
    print(`${secret} holds the new key. Keep a copy of it apart from backups.`);
    print(`${kept} holds the old key. Backups from before open with it: delete it with the last of them.`);
    return;
  }
  print(`Both keys open the data now. Put the new one in place of the old one (${setting}).`);
  print("The first start with the new key ends this: from then on only the new key opens the data.");
  print("Keep the old key as long as you keep backups from before.");
}

/** The first start with the new key: the old one opens nothing any more. */
export function finishKeyChange(place: Place): void {
  const lock = tryLock(place.dataDir, KEYS_LOCK);
  // A command that changes the key at this moment ends the change itself.
  if (!lock) return;
  try {
    finishChange(place);
  } finally {
    lock.release();
  }
}

function finishChange(place: Place): void {
  const ring = ringOf(place);
  if (ring?.openedBy === "newest") saveRing(place, ring);
}
