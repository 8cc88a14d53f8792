// ringward encrypt, ringward decrypt: convert existing data. The server is stopped.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { ConfigError } from "../config/load.ts";
import { convertData, type ConvertFiles } from "../db/backup/convert-data.ts";
import { DatabaseError, explanationOf } from "../db/open-fault.ts";
import { isKeyOutside } from "../db/key-source.ts";
import { tryLock } from "../db/sqlite/lock.ts";
import { convertFiles as convertMedia } from "../media/convert-files.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { configOf, placeOf } from "./context.ts";
import { KEYS_LOCK } from "./key.ts";
import { print, printError } from "./output.ts";

const YES: Readonly<Record<string, Option>> = { yes: { type: "boolean", help: "Required: a backup was made." } };

/** Content that does not open stays as it is: it would not be readable in the other form either. */
const convertFiles: ConvertFiles = (dataDir, from, to, progress) => {
  progress("Recordings and captures");
  const { failed } = convertMedia(dataDir, from, to?.current ?? null);
  for (const path of failed) printError(`${path} is damaged or has another key, and stays as it is.`);
};

export const encrypt: Command = {
  name: "encrypt",
  summary:
    "Encrypt the data of this installation. The server must be stopped; after an interruption, run the command again.",
  options: {
    ...YES,
    "new-data-key": { type: "boolean", help: "Encrypt again with a new key what is encrypted already." },
  },
  async run(args) {
    const config = configOf(args);
    if (config.security.encrypt === false)
      throw new ConfigError(['security.encrypt: is false. Set it to "auto" or true before you encrypt.']);
    if (!(await converted(args, config, "encrypt"))) {
      print('The data is encrypted already. "ringward encrypt --new-data-key" encrypts it with a new key.');
      return 0;
    }
    print("The data is encrypted. Without the secret key nothing opens it: keep a copy of the key apart from backups.");
    if (!isKeyOutside(config.data.dir, config.security))
      printError(
        "The secret key lies in the data folder, where it protects nothing. Move it out, and name it in security.key_file.",
      );
    tellPlainCopies(config);
    return 0;
  },
};

export const decrypt: Command = {
  name: "decrypt",
  summary: "Decrypt the data of this installation. The server must be stopped; after an interruption, run it again.",
  options: YES,
  async run(args) {
    const config = configOf(args);
    if (config.security.encrypt === true)
      throw new ConfigError(['security.encrypt: is true. Set it to "auto" or false before you decrypt.']);
    const isDone = await converted(args, config, "decrypt");
    print(isDone ? "The data is no longer encrypted." : "The data is not encrypted.");
    return 0;
  },
};

async function converted(args: Arguments, config: Config, to: "encrypt" | "decrypt"): Promise<boolean> {
  if (!args.flag("yes")) throw new UsageError("Stop the server, make a backup, and add --yes.");
  const { dir } = config.data;
  const lock = tryLock(dir);
  if (!lock) throw new DatabaseError(`A Ringward is running on ${dir}. Stop it first.`, { fault: "held" });
  try {
    const keysLock = tryLock(dir, KEYS_LOCK);
    if (!keysLock) throw new DatabaseError("The secret key is being changed. Try again.", { fault: "held" });
    try {
      const withNewKey = to === "encrypt" && args.flag("new-data-key");
      const progress = (step: string) => printError(`${step} …`);
      return await convertData({ place: placeOf(config), to, withNewKey, convertFiles, progress });
    } catch (error) {
      throw explanationOf(dir, error);
    } finally {
      keysLock.release();
    }
  } finally {
    lock.release();
  }
}

/** Copies from before the encryption are as readable as they were. */
function tellPlainCopies({ data }: Config): void {
  for (const name of readdirSync(data.dir).filter((each) => /before-restore|before-update/.test(each)))
    printError(`Not encrypted, with personal data: ${join(data.dir, name)}. Delete it when you no longer need it.`);
  printError("Backups that were made before are not encrypted.");
}
