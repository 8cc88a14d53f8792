// A data folder whose root key lies outside it, and what tests write into its database.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRootKey } from "../../../src/core/secret-box.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { openDatabase, type Database, type Place } from "../../../src/db/database.ts";
import type { SecuritySettings } from "../../../src/db/port.ts";
import { filesHolding } from "../../support/byte-scan.ts";
import { tempFolder } from "../../support/temp.ts";

export const SENTINEL = "Zelmira Quanfurth";

export function keyFile(): string {
  const file = join(tempFolder(), "root.key");
  writeFileSync(file, `${newRootKey().toString("base64")}\n`);
  return file;
}

export const securityOf = (key_file: string, encrypt: SecuritySettings["encrypt"] = "auto"): SecuritySettings => ({
  root_key: "",
  key_file,
  key_command: [],
  encrypt,
});

export const encryptedPlace = (): Place => ({ dataDir: tempFolder(), security: securityOf(keyFile()) });

export const opened = (place: Place, as: "server" | "command" = "server"): Promise<Database> =>
  openDatabase(place, { logger: silentLogger, as });

/** A thousand times, so that it is in many pages. */
export async function write(db: Database, word = SENTINEL, rows = 1_000): Promise<void> {
  await db.write(async (tx) => {
    for (let n = 0; n < rows; n++)
      await tx
        .insertInto("key_checks")
        .values({ name: `${word} ${n}`, sealed: word.repeat(20) })
        .execute();
  });
}

export async function countOf(place: Place): Promise<number> {
  const db = await opened(place);
  try {
    return (await db.reader.selectFrom("key_checks").select("name").execute()).length;
  } finally {
    await db.close();
  }
}

export const holding = (dataDir: string, word = SENTINEL): string[] => filesHolding(dataDir, [word])[word] ?? [];

export const picture = (dataDir: string): Record<string, unknown> =>
  Object.fromEntries(
    readdirSync(dataDir)
      .filter((name) => !name.includes(".lock"))
      .map((name) => [name, Bun.hash(readFileSync(join(dataDir, name)))]),
  );
