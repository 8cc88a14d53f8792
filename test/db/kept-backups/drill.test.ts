// A restore drill counts what it restored, and finds what is missing.
import { expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { join } from "node:path";
import { runDrill } from "../../../src/db/kept-backups/drill.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { tempFolder } from "../../support/temp.ts";
import { bareBackupOf } from "../backup/backups.ts";
import { filesIn, keptWith, NOON, ROOT_KEY } from "./kept.ts";

test("a drill of a whole backup finds everything, and leaves nothing", async () => {
  const { dataDir, to, make } = await keptWith();
  const { name } = await make(0);
  const scratch = tempFolder();
  const order = { file: join(to, name), scratch: join(scratch, "drill"), rootKey: ROOT_KEY, now: NOON };
  const { lines, isSame, hasCounts } = runDrill(order);
  expect({ isSame, hasCounts }).toEqual({ isSame: true, hasCounts: true });
  expect(lines).toContainEqual({ what: "calls", inBackup: 2, restored: 2 });
  expect(lines).toContainEqual({ what: "files", inBackup: 4, restored: 4 });
  expect(filesIn(scratch)).toEqual([]);
  // The rows that a restore withdraws on purpose are not counted as missing.
  const db = new Sqlite(join(dataDir, DATABASE_FILE));
  db.pragma("foreign_keys = OFF");
  const columns = (db.pragma("table_info(waiting_openings)") as { name: string; type: string }[]).map((c) => c);
  db.prepare(`INSERT INTO waiting_openings VALUES (${columns.map(() => "?").join()})`).run(
    columns.map(({ type }) => (type === "TEXT" ? "x" : 1)),
  );
  db.close();
  const later = await make(1);
  expect(runDrill({ ...order, file: join(to, later.name) }).isSame).toBeTrue();
});

test("a drill of a damaged backup fails, and leaves nothing", async () => {
  const { to, make } = await keptWith();
  const { name } = await make(0);
  const scratch = tempFolder();
  const wrong = { file: join(to, name), scratch: join(scratch, "drill"), rootKey: Buffer.alloc(32), now: NOON };
  expect(() => runDrill(wrong)).toThrow("another secret key");
  expect(filesIn(scratch)).toEqual([]);
});

test("a drill of a backup of an early version says that it has no counts", async () => {
  const file = await bareBackupOf("a");
  const result = runDrill({ file, scratch: join(tempFolder(), "drill"), rootKey: null, now: NOON });
  expect(result).toMatchObject({ hasCounts: false, isSame: true });
});
