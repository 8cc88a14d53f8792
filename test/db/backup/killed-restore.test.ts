// kill -9 at every step of a restore, and again while it is completed: never a mix of old and new data.
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
/** More steps than there are; the loop ends with the first run that was not killed. */
const MOST_STEPS = 40;

async function run(...args: string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, SCRIPT, ...args], { stdout: "ignore", stderr: "inherit" });
  await child.exited;
  return child.signalCode === "SIGKILL" ? KILLED : (child.exitCode ?? -1);
}

/** Which data a start finds: every part names its origin. */
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

test("killed at any step, a restore is either complete or not applied, and the next start knows which", async () => {
  const source = await folderWith("new");
  addCalls(source, ["one"]);
  const backup = backUp(source);
  const outcomes: string[] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const dataDir = await oldFolder();
    const code = await run(dataDir, String(step), backup);
    // The start that completes it may be killed as well.
    if (code === KILLED) await run(dataDir, "1");
    const now = await found(dataDir);
    expect([OLD, NEW]).toContainEqual(now);
    outcomes.push(now[0] ?? "");
    expect(existsSync(join(dataDir, "restore.ready"))).toBeFalse();
    if (now[0] === "new") {
      // The previous data is kept complete, too.
      expect(namesIn(join(dataDir, `${DATABASE_FILE}.before-restore-now`))).toEqual(["old"]);
      expect(readdirSync(join(dataDir, "recordings.before-restore-now"))).toEqual(["mine.wav"]);
      expect(readdirSync(join(dataDir, "captures.before-restore-now"))).toEqual(["mine.pcap"]);
    }
    if (code === 0) break;
    expect(code).toBe(KILLED);
  }
  // There is one point of decision: old data before it, new data after it, and the last run was not killed.
  expect(outcomes.join(" ")).toMatch(/^(old ){3}(new ){7,}new$/);
});

test("a restore after an interrupted one completes that one first, and keeps both older databases", async () => {
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

test("between the decision and the end, a backup of a mix is refused", async () => {
  const dataDir = await oldFolder();
  const source = await folderWith("new");
  addCalls(source, ["one"]);
  expect(await run(dataDir, "5", backUp(source))).toBe(KILLED);
  expect(() => backUp(dataDir)).toThrow("A restore was cut off");
});
