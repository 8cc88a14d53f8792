// kill -9 at every step of a restore, and once more while it is being finished: never a mix of old and new.
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { restoreBackup } from "../../../src/db/backup/restore-backup.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { addCalls, backUp, folderWith, namesIn } from "./backups.ts";

const SCRIPT = join(import.meta.dir, "killed-restore.ts");
const KILLED = 137;
/** More than there are; the loop ends with the first that nobody killed. */
const MOST_STEPS = 40;

async function run(...args: string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, SCRIPT, ...args], { stdout: "ignore", stderr: "inherit" });
  await child.exited;
  return child.signalCode === "SIGKILL" ? KILLED : (child.exitCode ?? -1);
}

/** Which data a start finds: every part says whose it is. */
async function found(dataDir: string): Promise<string[]> {
  const db = await openDatabase({ dataDir }, { logger: silentLogger, as: "server" });
  await db.close();
  const folders = ["recordings", "captures"].flatMap((folder) => readdirSync(join(dataDir, folder)));
  return [...namesIn(join(dataDir, DATABASE_FILE)).map(String), ...folders];
}

const OLD = ["old", "mine.wav", "mine.pcap"];
const NEW = ["new", "one.wav", "one.pcap"];

async function oldFolder(): Promise<string> {
  const dataDir = await folderWith("old");
  addCalls(dataDir, ["mine"]);
  return dataDir;
}

test("killed at any step, a restore has happened or has not, and the next start knows which", async () => {
  const source = await folderWith("new");
  addCalls(source, ["one"]);
  const backup = backUp(source);
  const outcomes: string[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const dataDir = await oldFolder();
    const code = await run(dataDir, String(step), backup);
    // The start that finishes it may be killed as well.
    if (code === KILLED) await run(dataDir, "1");
    const now = await found(dataDir);
    expect([OLD, NEW]).toContainEqual(now);
    outcomes.push(now[0] ?? "");
    expect(existsSync(join(dataDir, "restore.ready"))).toBeFalse();
    if (now[0] === "new") {
      // What was there is kept whole, too.
      expect(namesIn(join(dataDir, `${DATABASE_FILE}.before-restore-now`))).toEqual(["old"]);
      expect(readdirSync(join(dataDir, "recordings.before-restore-now"))).toEqual(["mine.wav"]);
      expect(readdirSync(join(dataDir, "captures.before-restore-now"))).toEqual(["mine.pcap"]);
    }
    if (code === 0) break;
    expect(code).toBe(KILLED);
  }
  // It was decided once: old data first, then new, and the last was not killed.
  expect(outcomes.join(" ")).toMatch(/^(old ){3}(new ){7,}new$/);
});

test("a restore after one that was cut off finishes that one first, and keeps both older databases", async () => {
  const dataDir = await oldFolder();
  const source = await folderWith("new");
  addCalls(source, ["one"]);
  // Step 5 is in the middle of the swap.
  expect(await run(dataDir, "5", backUp(source))).toBe(KILLED);
  const third = await folderWith("third");
  addCalls(third, ["three"]);
  restoreBackup({ file: backUp(third), dataDir, restoredAt: 1, stamp: "later" });
  expect(await found(dataDir)).toEqual(["third", "three.wav", "three.pcap"]);
  expect(namesIn(join(dataDir, `${DATABASE_FILE}.before-restore-later`))).toEqual(["new"]);
  expect(namesIn(join(dataDir, `${DATABASE_FILE}.before-restore-now`))).toEqual(["old"]);
});

test("between its decision and its end nobody backs up a mix", async () => {
  const dataDir = await oldFolder();
  const source = await folderWith("new");
  addCalls(source, ["one"]);
  expect(await run(dataDir, "5", backUp(source))).toBe(KILLED);
  expect(() => backUp(dataDir)).toThrow("A restore was cut off");
});
