// Drop folder on the compiled binary: ten thousand rows while the process is killed, files that are half-written,
// renamed and deleted, and a full disk. Each row is applied once.
import { afterAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { startQuick } from "../support/calls.ts";
import { onlySqlite } from "../support/engines.ts";
import { fillDisk } from "../support/full-disk.ts";
import { atPace } from "../support/pace.ts";
import { isRoot } from "../support/sandbox.ts";
import { skipsFor } from "../support/skips.ts";
import { storedCount, storedRows } from "../support/stored-rows.ts";
import { until } from "../support/until.ts";
import { createChance } from "../torture/seeded.ts";

/** Only root can mount a small disk. */
const test_ = test.skipIf(skipsFor(!isRoot, "needs root"));
const mounted: string[] = [];
afterAll(() => {
  for (const disk of mounted) expect(Bun.spawnSync(["umount", "-l", disk]).success).toBeTrue();
});
// Registered after the small disk is gone, or its folder could not be removed.
leaveNothingBehind();

const BRANCH = "0190a1b2-0000-7000-8000-00000000000b";
const HEADINGS = "Id,Date,Time,Status,Patient,Mobile";
const COLUMNS = { external_id: "Id", date: "Date", time: "Time", status: "Status", name: "Patient", number: "Mobile" };
const WAIT_MS = 120_000;

interface FileView {
  file_id: string;
  name: string;
  state: string;
  finished_at: string | null;
  last_row: number;
  created: number;
  updated: number;
  faults: number;
  cancelled: number;
  absent: number | null;
  moved_to: string | null;
}

const start = (root: string, dataDir = tempFolder()) =>
  startQuick({ RINGWARD_FOLDERS__ROOT: root, RINGWARD_DATA__MIN_FREE_MB: "0" }, { dataDir });

/** Answers the source's id and its folder, made before the first look. */
async function addSource(server: Running, settings: object = {}) {
  const body = {
    name: `Export ${JSON.stringify(settings).length}`,
    kind: "folder",
    settings: {
      folder: "lists",
      list: "changes",
      columns: COLUMNS,
      default_branch_id: BRANCH,
      settle_seconds: 1,
      ...settings,
    },
  };
  const { status, data, text } = await ask(server, "POST", "/v1/sources", { body });
  if (status !== 201) throw new Error(text);
  const id = String(data["source_id"]);
  const listed = await ask(server, "GET", `/v1/sources/${id}/files`);
  const { folder } = JSON.parse(listed.text) as { folder: { path: string } };
  mkdirSync(folder.path, { recursive: true });
  return { id, path: folder.path };
}

async function filesOf(server: Running, id: string) {
  const { text } = await ask(server, "GET", `/v1/sources/${id}/files`);
  return JSON.parse(text) as { data: FileView[]; folder: { problem: string | null } };
}

async function finished(server: Running, id: string, name: string): Promise<FileView> {
  let found: FileView | undefined;
  await until(
    async () => {
      found = (await filesOf(server, id)).data.find((file) => file.name === name);
      return found !== undefined && found.finished_at !== null;
    },
    { withinMs: WAIT_MS },
  );
  return found!;
}

/** Tomorrow and the four days after it. */
const dayOf = (n: number) => new Date(Date.now() + (1 + (n % 5)) * 86_400_000).toISOString().slice(0, 10);
const rowOf = (n: number, time = `10:${String(n % 60).padStart(2, "0")}`) =>
  `A-${n},${dayOf(n)},${time},new,Patient ${n},+9198${10_000_000 + n}`;
const listOf = (rows: readonly string[]) => `${HEADINGS}\n${rows.join("\n")}\n`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

test("10,000 rows survive ten kills: each is applied once, and each row at fault is reported once", async () => {
  const [KILLS, ROWS, EVERY] = [10, 10_000, 1_000];
  const chance = createChance(63);
  const [root, dataDir] = [tempFolder(), tempFolder()];
  let server = await start(root, dataDir);
  const { id, path } = await addSource(server, { list: "complete" });
  // One row in a thousand has no date.
  const rows = numbers(ROWS).map((n) => (n % EVERY === 0 ? `A-${n},,,new,Patient ${n},` : rowOf(n)));
  writeFileSync(join(path, "all.csv"), listOf(rows));
  const lastRow = () =>
    storedRows<{ last_row: number }>(dataDir, "SELECT last_row FROM source_files")[0]?.last_row ?? 0;
  const reached: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const goal = lastRow() + chance.between(1, ROWS / (KILLS + 2));
    await until(() => lastRow() >= goal, { withinMs: WAIT_MS, everyMs: 5 });
    await server.kill();
    reached.push(lastRow());
    server = await start(root, dataDir);
  }
  // Every kill found the file half read, and further than the one before.
  expect(reached).toEqual(reached.toSorted((one, other) => one - other));
  expect(reached.at(-1)).toBeLessThan(ROWS + 1);
  const file = await finished(server, id, "all.csv");
  const faulty = ROWS / EVERY;
  expect(file).toMatchObject({ state: "done", last_row: ROWS + 1, created: ROWS - faulty, faults: faulty, updated: 0 });
  expect(existsSync(join(path, file.moved_to ?? ""))).toBeTrue();
  await server.stop();
  expect(storedCount(dataDir, `appointments WHERE source_id = '${id}'`)).toBe(ROWS - faulty);
  const actions = storedRows<object>(
    dataDir,
    `SELECT action, count(*) AS count, count(DISTINCT subject_id) AS different FROM audit_entries
      WHERE action LIKE 'appointment.%' GROUP BY action`,
  );
  expect(actions).toEqual([{ action: "appointment.created", count: ROWS - faulty, different: ROWS - faulty }]);
  const [report = ""] = readdirSync(join(path, "done")).filter((name) => name.endsWith(".faults.csv"));
  const faults = readFileSync(join(path, "done", report), "utf8");
  expect(faults.trim().split("\r\n")).toHaveLength(1 + faulty);
  expect(readdirSync(path).toSorted()).toEqual(["done", "faulty", "working"]);
  expect(readdirSync(join(path, "working"))).toEqual([]);
}, 600_000);

test("5,000 people to call become one campaign, though its preparation is killed three times", async () => {
  const [KILLS, PEOPLE] = [3, 5_000];
  const chance = createChance(64);
  const [root, dataDir] = [tempFolder(), tempFolder()];
  let server = await start(root, dataDir);
  const columns = { number: "Mobile", name: "Patient" };
  const agent_id = server.demo["agent_id"];
  const { id, path } = await addSource(server, { list: "people", columns, agent_id, calls_per_minute: 1 });
  writeFileSync(join(path, "Check-ups.csv"), listOf(numbers(PEOPLE).map((n) => rowOf(n))));
  for (let kill = 0; kill < KILLS; kill++) {
    const goal = chance.between(1, PEOPLE / 2);
    await until(() => storedCount(dataDir, "campaign_rows") >= goal, { withinMs: WAIT_MS, everyMs: 1 });
    await server.kill();
    server = await start(root, dataDir);
  }
  expect(await finished(server, id, "Check-ups.csv")).toMatchObject({ state: "done", created: PEOPLE, faults: 0 });
  await server.stop();
  const campaigns = storedRows<object>(dataDir, "SELECT name, row_count, state FROM campaigns");
  expect(campaigns).toEqual([{ name: "Check-ups", row_count: PEOPLE, state: expect.any(String) }]);
  expect(storedCount(dataDir, "campaign_rows")).toBe(PEOPLE);
}, 300_000);

describe("a file", () => {
  test("written slowly, renamed while it waits, and deleted while it is read is applied whole, once", async () => {
    const server = await start(tempFolder());
    const { id, path } = await addSource(server);
    const slow = join(path, "slow.csv");
    writeFileSync(slow, `${HEADINGS}\n`);
    // Longer than two looks of the server.
    await atPace(600, 20, (part) =>
      appendFileSync(
        slow,
        numbers(15)
          .map((n) => `${rowOf(part * 15 + n)}\n`)
          .join(""),
      ),
    );
    renameSync(slow, join(path, "renamed.csv"));
    expect(await finished(server, id, "renamed.csv")).toMatchObject({ state: "done", created: 300, faults: 0 });
    expect((await filesOf(server, id)).data).toHaveLength(1);

    const LONG = 4_000;
    writeFileSync(join(path, "deleted.csv"), listOf(numbers(LONG).map((n) => rowOf(1_000 + n))));
    await until(() => storedCount(server.dataDir, "source_files WHERE name = 'deleted.csv' AND last_row > 100") === 1, {
      withinMs: WAIT_MS,
      everyMs: 5,
    });
    rmSync(join(path, "working/deleted.csv"));
    expect(await finished(server, id, "deleted.csv")).toMatchObject({ created: LONG, faults: 0 });
    expect(storedCount(server.dataDir, `appointments WHERE source_id = '${id}'`)).toBe(300 + LONG);
    expect(storedCount(server.dataDir, "audit_entries WHERE action = 'appointment.created'")).toBe(300 + LONG);
    await server.stop();
  }, 300_000);

  test("that lacks too much asks over the API, on Today too, and is applied after a person accepts it", async () => {
    const server = await start(tempFolder());
    const { id, path } = await addSource(server, { list: "complete" });
    writeFileSync(join(path, "monday.csv"), listOf(numbers(100).map((n) => rowOf(n))));
    await finished(server, id, "monday.csv");
    writeFileSync(join(path, "tuesday.csv"), listOf(numbers(50).map((n) => rowOf(n))));
    await until(async () => (await filesOf(server, id)).data[0]?.state === "asking", { withinMs: WAIT_MS });
    const [asking] = (await filesOf(server, id)).data;
    expect(asking).toMatchObject({ name: "tuesday.csv", absent: 50, cancelled: 0 });
    await until(() => storedCount(server.dataDir, "worklist_items WHERE kind = 'source_file'") === 1, {
      withinMs: WAIT_MS,
    });
    const accepted = await ask(server, "POST", `/v1/sources/${id}/files/${asking!.file_id}/accept`);
    expect(accepted.status).toBe(200);
    expect(await finished(server, id, "tuesday.csv")).toMatchObject({ cancelled: 50 });
    expect(storedCount(server.dataDir, "appointments WHERE status = 'cancelled'")).toBe(50);
    await server.stop();
  }, 300_000);
});

describe("a full disk", () => {
  const smallDisk = (size: string) => {
    const disk = join(tempFolder(), "disk");
    mkdirSync(disk);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", disk]).success).toBeTrue();
    mounted.push(disk);
    return disk;
  };

  test_(
    "under the folder holds a file until its faults can be written, and says so",
    async () => {
      const disk = smallDisk("4m");
      const server = await start(disk);
      const { id, path } = await addSource(server);
      for (const place of ["working", "done", "faulty"]) mkdirSync(join(path, place));
      writeFileSync(join(path, "list.csv"), listOf([...numbers(40).map((n) => rowOf(n)), ",,,,No id,"]));
      fillDisk(disk);
      await until(async () => (await filesOf(server, id)).folder.problem === "disk_full", { withinMs: WAIT_MS });
      expect(readdirSync(join(path, "working"))).toEqual(["list.csv"]);
      rmSync(join(disk, "ballast"));
      await until(async () => (await filesOf(server, id)).folder.problem === null, { withinMs: WAIT_MS });
      expect(await finished(server, id, "list.csv")).toMatchObject({ state: "done", created: 40, faults: 1 });
      expect(readdirSync(join(path, "done")).filter((name) => name.endsWith(".faults.csv"))).toHaveLength(1);
      expect(storedCount(server.dataDir, "audit_entries WHERE action = 'appointment.created'")).toBe(40);
      await server.stop();
    },
    300_000,
  );

  const inDataFolder = isRoot ? onlySqlite("the database is on another disk there") : test_;
  inDataFolder(
    "under the database stops between two rows, and goes on from there",
    async () => {
      const disk = smallDisk("64m");
      mkdirSync(join(disk, "data"));
      const server = await start(tempFolder(), join(disk, "data"));
      const { id, path } = await addSource(server);
      const ROWS = 3_000;
      writeFileSync(join(path, "list.csv"), listOf(numbers(ROWS).map((n) => rowOf(n))));
      const lastRow = async () => (await filesOf(server, id)).data[0]?.last_row ?? 0;
      await until(async () => (await lastRow()) > 100, { withinMs: WAIT_MS, everyMs: 5 });
      fillDisk(disk);
      await until(() => server.output().includes("The files of a source could not be read"), { withinMs: WAIT_MS });
      expect(await lastRow()).toBeLessThan(ROWS);
      rmSync(join(disk, "ballast"));
      expect(await finished(server, id, "list.csv")).toMatchObject({ state: "done", created: ROWS, faults: 0 });
      await server.stop();
      expect(storedCount(server.dataDir, "audit_entries WHERE action = 'appointment.created'")).toBe(ROWS);
    },
    300_000,
  );
});
