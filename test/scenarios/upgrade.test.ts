// A data folder of schema 6 with this binary: upgraded, killed during the upgrade, refused once it is newer, and
// restored from a backup of its time. No data is lost.
import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { EXIT } from "../../src/cli/exit-codes.ts";
import { latestVersion } from "../../src/db/migrations.ts";
import {
  BINARY,
  freePort,
  leaveNothingBehind,
  runBinary,
  startBinary,
  tempFolder,
  type Running,
} from "../support/binary.ts";
import { layOutOldFolder, OLD_KEY, OLD_SCHEMA, recordingOf, rowsOf, type Row } from "./schema-6/folder.ts";

leaveNothingBehind();

/** Together with the folder's finished calls, some thousand: the upgrade takes long enough for a kill in its middle. */
const COPIES = 500;
const KILLS = 10;

const databaseOf = (dataDir: string) => join(dataDir, "ringward.db");

function schemaOf(dataDir: string): number {
  const db = new Sqlite(databaseOf(dataDir));
  try {
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    return db.pragma("user_version", { simple: true }) as number;
  } finally {
    db.close();
  }
}

/** Kills the process when it starts this migration or a later one; returns the schema version left behind. */
async function killedInMigration(dataDir: string, version: number): Promise<number> {
  const child = Bun.spawn([BINARY, "serve", "--data", dataDir, "--port", String(await freePort())], {
    cwd: dataDir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dataDir },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  let told = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    told += decoder.decode(chunk, { stream: true });
    const begun = [...told.matchAll(/"version":(\d+),"name":"\w+","left":\d+/g)].map(([, number]) => Number(number));
    if (begun.some((number) => number >= version) || told.includes("Ringward is listening")) break;
  }
  child.kill("SIGKILL");
  await child.exited;
  return schemaOf(dataDir);
}

async function read(server: Running, path: string): Promise<Response> {
  return fetch(`${server.url}${path}`, { headers: { "x-api-key": OLD_KEY } });
}

/** Columns that an upgrade or the server's own work may change; none contains data entered by a person. */
const MAY_CHANGE = new Set(
  "updated_at next_at attempts state is_head last_used_at filled_slots consecutive_failures enabled disabled_reason".split(
    " ",
  ),
);

function expectNothingLost(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): void {
  for (const [key, row] of before) {
    const kept = after.get(key);
    if (!kept) throw new Error(`${key} is gone.`);
    for (const [column, value] of Object.entries(row)) {
      if (!(column in kept) || (MAY_CHANGE.has(column) && !key.startsWith("calls "))) continue;
      // One expectation for each of the 200,000 values would take longer than the upgrades.
      if (kept[column] !== value) expect([key, column, kept[column]]).toEqual([key, column, value]);
    }
  }
}

async function expectServed(server: Running, before: ReadonlyMap<string, Row>): Promise<void> {
  const rows = [...before].map(([key, row]) => ({ table: key.split(" ")[0], row }));
  const recorded = rows.filter(({ table, row }) => table === "calls" && row["recording_file"] !== null);
  expect(recorded).toHaveLength(7);
  for (const { row } of recorded) {
    const answer = await read(server, `/v1/calls/${row["id"]}`);
    const { data } = (await answer.json()) as {
      data: { status: string; call_recording: string; call_transcript: object };
    };
    expect(data).toMatchObject({ status: "completed", call_transcript: expect.anything() });
    const heard = await fetch(data.call_recording.replace(/^https?:\/\/[^/]+/, server.url));
    expect(Buffer.from(await heard.arrayBuffer()).equals(recordingOf(String(row["recording_file"])))).toBe(true);
  }
  for (const { row } of rows.filter(({ table }) => table === "appointments")) {
    const { data } = (await (await read(server, `/v1/appointments/${row["id"]}`)).json()) as { data: object };
    expect(data).toMatchObject({ date: row["date"], contact_number: row["contact_number"], status: row["status"] });
  }
}

let dataDir: string;

test(`killed ${KILLS} times during its upgrade it continues where it was, and no data is lost`, async () => {
  let before: ReadonlyMap<string, Row> = new Map();
  const first = OLD_SCHEMA + 1;
  const step = (latestVersion() - first) / KILLS;
  let reached = latestVersion();
  for (let kills = 0; kills < KILLS;) {
    if (reached === latestVersion()) {
      // Also when a busy machine let it finish before the signal.
      dataDir = tempFolder();
      layOutOldFolder(dataDir, COPIES);
      before = rowsOf(databaseOf(dataDir));
      reached = OLD_SCHEMA;
    }
    const left = await killedInMigration(dataDir, Math.floor(first + kills * step));
    // A migration is atomic, and none is undone later.
    expect(left).toBeGreaterThanOrEqual(reached);
    reached = left;
    if (left < latestVersion()) kills += 1;
  }
  const server = await startBinary({ dataDir, demo: false });
  expect(schemaOf(dataDir)).toBe(latestVersion());
  expectNothingLost(before, rowsOf(databaseOf(dataDir)));
  await expectServed(server, before);
  expect(await server.stop()).toBe(0);
});

test("an executable older than the folder refuses it, and changes nothing", async () => {
  const db = new Sqlite(databaseOf(dataDir));
  db.pragma(`user_version = ${latestVersion() + 1}`);
  db.close();
  const present = readFileSync(databaseOf(dataDir));
  const { code, stderr } = await runBinary(["serve", "--data", dataDir, "--port", String(await freePort())]);
  expect(code).toBe(EXIT.newer);
  expect(stderr).toContain(
    "written by a newer Ringward: run that version, or restore a backup made before the upgrade",
  );
  expect(readFileSync(databaseOf(dataDir)).equals(present)).toBe(true);
});

test("a backup of that time is restored, upgraded and served", async () => {
  const [old, anew] = [tempFolder(), tempFolder()];
  layOutOldFolder(old);
  const kept = rowsOf(databaseOf(old));
  layOutOldFolder(anew);
  rmSync(databaseOf(anew));
  // As "ringward backup" of that time wrote it: a bare database.
  const backup = join(old, "backup.db");
  const db = new Sqlite(databaseOf(old));
  db.prepare("VACUUM INTO ?").run(backup);
  db.close();
  expect((await runBinary(["restore", backup, "--data", anew])).code).toBe(0);
  expect(schemaOf(anew)).toBe(OLD_SCHEMA);
  const server = await startBinary({ dataDir: anew, demo: false });
  expectNothingLost(kept, rowsOf(databaseOf(anew)));
  await expectServed(server, kept);
  expect(await server.stop()).toBe(0);
});
