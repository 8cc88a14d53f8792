// After a restore, the administrator is told which decisions about people the database lacks.
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArguments } from "../../src/cli/command.ts";
import { configOf } from "../../src/cli/context.ts";
import { restore } from "../../src/cli/restore.ts";
import { databaseCopy } from "../../src/cli/update-database.ts";
import { backUp, bareBackupOf, folderWith } from "../db/backup/backups.ts";
import { tempFolder } from "../support/temp.ts";

const MADE_AT = "2026-03-01T00:00:00.000Z";
const WORDS = "Missing: withdrawn consents, refusals, do-not-disturb entries and retention holds since";

let said: string[];
let outputs: { mockRestore(): void }[];
beforeEach(() => {
  said = [];
  outputs = [process.stdout, process.stderr].map((output) =>
    spyOn(output, "write").mockImplementation((text: string | Uint8Array) => said.push(String(text)) > 0),
  );
});
afterEach(() => outputs.forEach((output) => output.mockRestore()));

const restored = (dataDir: string, file: string) => restore.run(parseArguments(restore, [file, "--data", dataDir]));

test("a restore names the time since which they are missing", async () => {
  expect(await restored(tempFolder(), backUp(await folderWith("a"), { madeAt: MADE_AT }))).toBe(0);
  expect(said.join("")).toContain(`${WORDS} ${MADE_AT}.`);
});

test("a restore of a bare database says it without a time", async () => {
  expect(await restored(tempFolder(), await bareBackupOf("a"))).toBe(0);
  expect(said.join("")).toContain(`${WORDS} the backup was made.`);
});

test("an update that puts the database back names the time", async () => {
  const dataDir = await folderWith("a");
  const update = databaseCopy(configOf(parseArguments(restore, ["FILE", "--data", dataDir])));
  update.copy();
  // As if it had been made earlier.
  const file = join(dataDir, "before-update.backup");
  rmSync(file);
  renameSync(backUp(dataDir, { withRecordings: false, madeAt: MADE_AT }), file);
  update.putBack();
  expect(said.join("")).toContain(`${WORDS} ${MADE_AT}.`);
});
