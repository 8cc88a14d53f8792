// Encrypting, decrypting and encrypting again: killed at any step, every row is readable, and the same command ends it.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { convertData } from "../../../src/db/backup/convert-data.ts";
import { encryptionState } from "../../../src/db/encryption-state.ts";
import { ringOf } from "../../../src/db/folder-keys.ts";
import type { Place } from "../../../src/db/database.ts";
import { keyOfFile } from "../../../src/db/sqlite/cipher.ts";
import { openWriter } from "../../../src/db/sqlite/connection.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { rejectionOf, tempFolder } from "../../support/temp.ts";
import { countOf, encryptedPlace, holding, keyFile, opened, picture, securityOf, write } from "./ground.ts";

const SCRIPT = join(import.meta.dir, "killed-conversion.ts");
/** More steps than there are; the loop ends with the first run that was not killed. */
const MOST_STEPS = 20;
const ROWS = 1_000;

type What = "encrypt" | "decrypt" | "again";

const convert = (place: Place, what: What) =>
  convertData({
    place,
    to: what === "decrypt" ? "decrypt" : "encrypt",
    withNewKey: what === "again",
    convertFiles: () => {},
    progress: () => {},
  });

async function placeFor(what: What): Promise<Place> {
  const place = what === "encrypt" ? { dataDir: tempFolder() } : encryptedPlace();
  const db = await opened(place);
  await write(db);
  await db.close();
  // A plain installation has its key in the folder; from here on it lies outside.
  return { ...place, security: place.security ?? securityOf(keyFile()) };
}

const fileIn = ({ dataDir }: Place) => join(dataDir, DATABASE_FILE);
const keyIn = (place: Place) => keyOfFile(fileIn(place), ringOf(place));
const leftovers = ({ dataDir }: Place) => readdirSync(dataDir).filter((name) => name.includes("converting"));

describe.each(["encrypt", "decrypt", "again"] as const)("%s", (what) => {
  test("converts every row, and leaves nothing of the old file", async () => {
    const place = await placeFor(what);
    const before = keyIn(place);
    expect(await convert(place, what)).toBeTrue();
    expect(keyIn(place) === null).toBe(what === "decrypt");
    expect(keyIn(place)).not.toEqual(before);
    expect(holding(place.dataDir)).toEqual(what === "decrypt" ? [DATABASE_FILE] : []);
    expect(leftovers(place)).toEqual([]);
    expect(await countOf(place)).toBe(ROWS);
    expect(encryptionState(place)).toBe(what === "decrypt" ? "off, key outside" : "on");
    if (what !== "again") expect(await convert(place, what)).toBeFalse();
  });

  test("killed at any step keeps every row, and ends when it is run again", async () => {
    let killed = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const place = await placeFor(what);
      const child = Bun.spawn(
        [process.execPath, SCRIPT, place.dataDir, place.security?.key_file ?? "", what, String(step)],
        { stdout: "ignore", stderr: "inherit" },
      );
      await child.exited;
      // A start in between, which removes what the kill left.
      expect(await countOf(place)).toBe(ROWS);
      expect(leftovers(place)).toEqual([]);
      if (child.signalCode !== "SIGKILL") break;
      killed += 1;
      expect(encryptionState(place)).toBe(what === "decrypt" ? "decrypt" : "encrypt");
      expect(await convert(place, what)).toBeTrue();
      expect(await countOf(place)).toBe(ROWS);
      expect(keyIn(place) === null).toBe(what === "decrypt");
      expect(holding(place.dataDir)).toEqual(what === "decrypt" ? [DATABASE_FILE] : []);
    }
    expect(killed).toBe(6);
  });
});

test("a conversion that was cut off can also be taken back", async () => {
  const place = await placeFor("encrypt");
  const child = Bun.spawn([process.execPath, SCRIPT, place.dataDir, place.security?.key_file ?? "", "encrypt", "4"]);
  await child.exited;
  expect(keyIn(place)).not.toBeNull();
  expect(await convert(place, "decrypt")).toBeTrue();
  expect(keyIn(place)).toBeNull();
  expect(await countOf(place)).toBe(ROWS);
});

test("while another command has the database open, a conversion changes nothing", async () => {
  const place = await placeFor("encrypt");
  const other = openWriter(fileIn(place));
  other.exec("BEGIN IMMEDIATE");
  const before = readFileSync(fileIn(place));
  expect((await rejectionOf(convert(place, "encrypt"))).message).toContain("Another command uses the database");
  other.close();
  expect(readFileSync(fileIn(place))).toEqual(before);
  expect(encryptionState(place)).toBe("off, key outside");
  expect(await convert(place, "encrypt")).toBeTrue();
});

test("a damaged database is not converted", async () => {
  const place = await placeFor("decrypt");
  const bytes = readFileSync(fileIn(place));
  bytes.fill(7, 4_096 * 3, 4_096 * 30);
  writeFileSync(fileIn(place), bytes);
  const { ["data-keys"]: _, ...before } = picture(place.dataDir);
  await rejectionOf(convert(place, "decrypt"));
  const { ["data-keys"]: __, ...after } = picture(place.dataDir);
  expect(after).toEqual(before);
  expect(encryptionState(place)).toBe("on");
  expect(existsSync(`${fileIn(place)}-converting`)).toBeFalse();
});
