// Encrypting, decrypting, changing the key and making a backup with the executable: ten kills and ten full disks each.
// Every row, every recording and every earlier backup is there, and the same command ends the work.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReadable } from "../../src/core/sealed-file.ts";
import { checkArchive } from "../../src/db/archive/archive-reader.ts";
import { countRows } from "../../src/db/backup/database-copy.ts";
import { encryptionState } from "../../src/db/encryption-state.ts";
import { fileKeysIn } from "../../src/db/folder-keys.ts";
import { backupKeysOf } from "../../src/db/key-source.ts";
import type { SecuritySettings } from "../../src/db/port.ts";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { presentFileKey } from "../../src/db/sqlite/settled-key.ts";
import { BINARY, leaveNothingBehind, runBinary, tempFolder } from "../support/binary.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { placeAndFinish, startQuick } from "../support/calls.ts";
import { fillDisk } from "../support/full-disk.ts";
import { isRoot } from "../support/sandbox.ts";
import { skipsFor } from "../support/skips.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const NAME = "Kamala Sentinel";
const ROUNDS = 10;
const MOST_TRIES = 60;
const DEADLINE_MS = 240_000;

interface Work {
  /** The folder that each round begins with. */
  from: () => string;
  args: string[];
  env: () => Record<string, string>;
  /** As `encryptionState` tells it at the end. */
  ends: string;
  /** KB that are free in a round with a full disk. */
  freeKb: (round: number) => number;
}

let outside: string;
let sealed: string;
let plain: string;
let beside: string;
let backups: string;
let rows: Record<string, number>;
let sounds: Record<string, unknown>;

const keyOutside = () => ({ RINGWARD_SECURITY__KEY_FILE: outside });
const withBackups = (to: string) => ({ RINGWARD_BACKUP__TO: to, RINGWARD_BACKUP__KEEP: "2" });
/** From nothing to more than a second copy of the database. */
const upToACopy = (round: number) => Math.round((round * statSync(join(sealed, "ringward.db")).size * 1.3) / 9 / 1024);

const WORKS: Record<string, Work> = {
  encrypt: { from: () => plain, args: ["encrypt", "--yes"], env: keyOutside, ends: "on", freeKb: upToACopy },
  decrypt: {
    from: () => sealed,
    args: ["decrypt", "--yes"],
    env: keyOutside,
    ends: "off, key outside",
    freeKb: upToACopy,
  },
  "key change": {
    from: () => beside,
    args: ["key", "change"],
    env: () => ({}),
    ends: "on, key beside",
    freeKb: (round) => 4 * round,
  },
  "backup now": {
    from: () => beside,
    args: ["backup", "now"],
    env: () => withBackups(backups),
    ends: "on, key beside",
    freeKb: upToACopy,
  },
};

const securityOf = (work: Work): SecuritySettings => ({
  root_key: "",
  key_file: work.env()["RINGWARD_SECURITY__KEY_FILE"] ?? "",
  key_command: [],
  encrypt: "auto",
});

beforeAll(async () => {
  outside = join(tempFolder(), "root.key");
  writeFileSync(outside, `${Buffer.alloc(32, 9).toString("base64")}\n`);
  backups = tempFolder();
  const server = await startQuick(keyOutside());
  for (let n = 0; n < 3; n++) {
    const { call_recording } = await placeAndFinish(server, { user_name: NAME });
    // A simulated recording is made when it is asked for.
    expect((await fetch(String(call_recording))).status).toBe(200);
  }
  await server.stop();
  sealed = server.dataDir;
  plain = copyOf(sealed);
  expect(await ringward(WORKS["decrypt"]!, plain)).toMatchObject({ code: 0 });
  beside = copyOf(sealed);
  cpSync(outside, join(beside, "secret.key"));
  expect(await ringward(WORKS["backup now"]!, beside)).toMatchObject({ code: 0 });
  rows = rowsOf(WORKS["decrypt"]!, sealed);
  sounds = soundsOf(WORKS["decrypt"]!, sealed);
  expect(Object.keys(sounds)).toHaveLength(3);
}, DEADLINE_MS);

function copyOf(folder: string, to = join(tempFolder(), "data")): string {
  cpSync(folder, to, { recursive: true });
  return to;
}

const ringward = ({ args, env }: Work, dataDir: string) => runBinary([...args, "--data", dataDir], { env: env() });

function rowsOf(work: Work, dataDir: string): Record<string, number> {
  const file = join(dataDir, "ringward.db");
  const key = presentFileKey({ dataDir, security: securityOf(work) }, file);
  // As the next start does: rolls back what a kill left.
  openWriter(file, key).close();
  // Keys of people are made by the first backup.
  const { person_keys: _keys, person_key_stores: _stores, ...counts } = countRows(file, key);
  return counts;
}

function soundsOf(work: Work, dataDir: string): Record<string, unknown> {
  const keys = fileKeysIn({ dataDir, security: securityOf(work) });
  const folder = join(dataDir, "recordings");
  const names = readdirSync(folder).filter((name) => name.endsWith(".wav"));
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const file = openReadable(join(folder, name), keys);
      const bytes = Buffer.alloc(file.bytes);
      file.readInto(bytes, 0);
      file.close();
      return [name, Bun.hash(bytes)];
    }),
  );
}

const whole = (work: Work, dataDir: string, to = backups) => {
  expect(rowsOf(work, dataDir)).toEqual(rows);
  expect(soundsOf(work, dataDir)).toEqual(sounds);
  const rootKeys = () => backupKeysOf(beside === work.from() ? dataDir : beside, securityOf(work));
  const names = readdirSync(to).filter((name) => name.endsWith(".backup"));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) checkArchive(join(to, name), { rootKeys });
};

/** The same command again. */
async function ended(work: Work, dataDir: string, to = backups): Promise<void> {
  expect(await ringward(work, dataDir)).toMatchObject({ code: 0 });
  whole(work, dataDir, to);
  expect(encryptionState({ dataDir, security: securityOf(work) }) as string).toBe(work.ends);
  const left = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => /converting|\.new$|partial/.test(name))).toEqual([]);
  const holding = filesHolding(dataDir, [NAME, "WAVEfmt"]);
  if (work.ends.startsWith("on")) expect(holding).toEqual({});
  else expect(Object.keys(holding)).toHaveLength(2);
}

/** Changes with every write to a file of the folder. */
const pictureOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false, bigint: true });
      return found ? `${name} ${found.ino} ${found.size} ${found.mtimeNs}` : "";
    })
    .join("\n");

/** Kills the command after this many changes of the folder. Returns false if it ended before. */
async function isKilledAt(work: Work, dataDir: string, changes: number): Promise<boolean> {
  const child = Bun.spawn([BINARY, ...work.args, "--data", dataDir], {
    env: { PATH: process.env["PATH"] ?? "", ...work.env() },
    stdout: "ignore",
    stderr: "ignore",
  });
  let left = changes;
  let before = pictureOf(dataDir);
  const isDue = () => {
    const now = pictureOf(dataDir);
    if (now !== before) left -= 1;
    before = now;
    return child.exitCode !== null || child.signalCode !== null || left <= 0;
  };
  await until(isDue, { everyMs: 1 });
  child.kill("SIGKILL");
  await child.exited;
  return child.signalCode === "SIGKILL";
}

test.each(Object.entries(WORKS))(
  "%s: ten kills lose nothing",
  async (_, work) => {
    let kills = 0;
    let most = 8;
    for (let i = 0; kills < ROUNDS && i < MOST_TRIES; i++) {
      const dataDir = copyOf(work.from());
      const changes = 1 + (i % most);
      if (await isKilledAt(work, dataDir, changes)) kills += 1;
      else most = Math.max(1, changes - 1);
      whole(work, dataDir);
      await ended(work, dataDir);
      rmSync(dataDir, { recursive: true });
    }
    expect(kills).toBe(ROUNDS);
  },
  DEADLINE_MS,
);

describe.skipIf(skipsFor(!isRoot, "needs root to mount a small disk"))("ten full disks lose nothing", () => {
  let disk: string;
  beforeEach(() => {
    disk = join(tempFolder(), "disk");
    mkdirSync(disk);
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64m,mode=0700", "tmpfs", disk]).success).toBeTrue();
  });
  afterEach(() => expect(Bun.spawnSync(["umount", disk]).success).toBeTrue());

  test.each(Object.entries(WORKS))(
    "%s",
    async (_, work) => {
      const failed = await failedOn(disk, work, () => copyOf(work.from(), join(disk, "data")));
      expect(failed).toBeGreaterThanOrEqual(3);
    },
    DEADLINE_MS,
  );

  test(
    "backup now, where the disk of the backups is full",
    async () => {
      const to = join(disk, "backups");
      cpSync(backups, to, { recursive: true });
      const work = { ...WORKS["backup now"]!, env: () => withBackups(to) };
      expect(await failedOn(disk, work, () => copyOf(work.from()), to)).toBeGreaterThanOrEqual(3);
      expect(readdirSync(to).filter((name) => name.endsWith(".backup"))).toHaveLength(2);
    },
    DEADLINE_MS,
  );
});

/** The number of rounds in which the command failed. */
async function failedOn(disk: string, work: Work, newFolder: () => string, to = backups): Promise<number> {
  const ballast = join(disk, "ballast");
  let failed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = newFolder();
    fillDisk(disk);
    truncateSync(ballast, Math.max(0, statSync(ballast).size - work.freeKb(round) * 1024));
    const { code, stderr } = await ringward(work, dataDir);
    if (code !== 0) failed += 1;
    // The reason, and no trace of the program.
    expect(stderr).not.toMatch(/^ +at /m);
    rmSync(ballast);
    whole(work, dataDir, to);
    await ended(work, dataDir, to);
    rmSync(dataDir, { recursive: true });
  }
  return failed;
}

test(
  "a backup from before a change of the key in the data folder is restored there",
  async () => {
    const work = WORKS["key change"]!;
    const dataDir = copyOf(beside);
    const before = readFileSync(join(dataDir, "secret.key"), "utf8");
    const { stdout } = await ringward(work, dataDir);
    expect(readFileSync(join(dataDir, "secret.key"), "utf8")).not.toBe(before);
    const [kept = ""] = readdirSync(dataDir).filter((name) => name.startsWith("secret.key.until-"));
    expect(stdout).toContain(`${join(dataDir, kept)} holds the old key.`);
    expect(readFileSync(join(dataDir, kept), "utf8")).toBe(before);
    const [backup = ""] = readdirSync(backups).filter((name) => name.endsWith(".backup"));
    const file = join(backups, backup);
    expect(await runBinary(["backup", "verify", file, "--data", dataDir])).toMatchObject({ code: 0 });
    expect(await runBinary(["restore", file, "--data", dataDir])).toMatchObject({ code: 0 });
    expect(rowsOf(work, dataDir)["calls"]).toBe(rows["calls"]);
    rmSync(join(dataDir, kept));
    expect(await runBinary(["backup", "verify", file, "--data", dataDir])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("another secret key"),
    });
  },
  DEADLINE_MS,
);
