// An erased row leaves no byte in the file, the WAL or its index, and the whole file is scanned only if another program
// wrote to it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { readMark } from "../../../src/db/sqlite/free-space/clean-mark.ts";
import { leftoversIn } from "../../../src/db/sqlite/free-space/free-span.ts";
import { settle } from "../../support/manual-clock.ts";
import { put, remove, Stage, type Run } from "./stage.ts";

const PAGE_BYTES = 4096;
const PEOPLE = 600;
const everybody = Array.from({ length: PEOPLE }, (_, id) => id);

let stage: Stage;
let run: Run;

/**
 * Rows in random order that grow after they were written: pages are rebuilt, and old copies stay in their free space.
 */
function fill(from = run.writer): void {
  from.transaction(() => {
    for (const id of everybody) put(from, (id * 37) % PEOPLE, (id * 31) % 300);
    for (const id of everybody) put(from, (id * 41) % PEOPLE, (id * 53) % 700);
  })();
}

function dirtyPages(): number[] {
  const bytes = readFileSync(stage.file);
  const numbers = Array.from({ length: bytes.length / PAGE_BYTES }, (_, i) => i + 1);
  return numbers.filter((n) => leftoversIn(bytes.subarray((n - 1) * PAGE_BYTES, n * PAGE_BYTES), n) !== null);
}

async function erase(ids: readonly number[]): Promise<void> {
  remove(run.writer, ids);
  expect(await run.upkeep.wipe()).toBeTrue();
  const left = stage.peopleInBytes();
  expect(ids.filter((id) => left.has(id))).toEqual([]);
}

beforeEach(async () => {
  stage = new Stage();
  run = stage.begin();
  fill();
  // The first wipe scans the file, because its state is unknown.
  expect(await run.upkeep.wipe()).toBeTrue();
  expect(run.upkeep.stats).toEqual({ wipes: 1, looksThroughFile: 1 });
});
afterEach(() => run.close());

const looks = () => run.upkeep.stats.looksThroughFile;

describe("the pages that a wipe reads", () => {
  test("are those that the WAL marked as dirty, however often it was checkpointed before", async () => {
    for (let round = 0; round < 5; round++) {
      fill();
      expect(await run.upkeep.truncateWal()).toBeTrue();
    }
    // Otherwise the test would prove nothing.
    expect(dirtyPages().length).toBeGreaterThan(0);
    await erase([3, 5, 8]);
    expect(dirtyPages()).toEqual([]);
    expect(looks()).toBe(1);
  });

  test("are remembered across runs", async () => {
    fill();
    await run.close();
    expect(dirtyPages().length).toBeGreaterThan(0);
    run = stage.begin();
    await erase([13, 21]);
    expect(dirtyPages()).toEqual([]);
    expect(looks()).toBe(0);
  });

  test("include pages that another process wrote without a checkpoint, as our commands do", async () => {
    stage.shell((command) => {
      command.pragma("wal_autocheckpoint = 0");
      fill(command);
    });
    await erase([34, 55]);
    expect(dirtyPages()).toEqual([]);
    expect(looks()).toBe(1);
  });

  test("are wiped automatically once there are many and the writer is idle", async () => {
    await run.close();
    run = stage.begin({ frames: 20, mostFrames: 20, dirtyPages: 10, mostDirtyPages: 10_000 });
    fill();
    run.upkeep.committed();
    await settle(3);
    for (let round = 0; round < 5; round++) {
      await stage.clock.advance(30);
      put(run.writer, round, 50);
      run.upkeep.committed();
    }
    expect(run.upkeep.stats.wipes).toBe(0);
    await stage.clock.advance(100);
    expect(run.upkeep.stats.wipes).toBe(1);
    expect(await run.upkeep.wipe()).toBeTrue();
    expect(dirtyPages()).toEqual([]);
    expect(run.upkeep.stats).toEqual({ wipes: 2, looksThroughFile: 0 });
  });

  test("are wiped at once when there are very many", async () => {
    await run.close();
    run = stage.begin({ frames: 20, mostFrames: 20, dirtyPages: 5, mostDirtyPages: 10 });
    fill();
    run.upkeep.committed();
    while (run.upkeep.stats.wipes === 0) await settle(1);
    // A request that arrives during a wipe waits for it and for one of its own.
    expect(await run.upkeep.wipe()).toBeTrue();
    expect(dirtyPages()).toEqual([]);
    expect(run.upkeep.stats).toEqual({ wipes: 2, looksThroughFile: 0 });
  });

  test("are wiped only while no other thread reads, also automatically", async () => {
    await run.close();
    const { promise: idle, resolve: end } = Promise.withResolvers<void>();
    let waits = 0;
    run = stage.begin({ frames: 20, mostFrames: 20, dirtyPages: 5, mostDirtyPages: 10 }, async (work) => {
      waits += 1;
      await idle;
      return work();
    });
    fill();
    run.upkeep.committed();
    while (waits + run.upkeep.stats.wipes === 0) await settle(1);
    expect(run.upkeep.stats.wipes).toBe(0);
    end();
    while (run.upkeep.stats.wipes === 0) await settle(1);
    expect(await run.upkeep.wipe()).toBeTrue();
    expect(dirtyPages()).toEqual([]);
  });
});

describe("the WAL is moved into the file", () => {
  const LIMITS = { frames: 4, mostFrames: 40, dirtyPages: 10_000, mostDirtyPages: 10_000 };
  /** Time of the file itself, which changes only with a checkpoint. */
  const isMoved = (before: Buffer) => !readFileSync(stage.file).equals(before);

  async function write(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      put(run.writer, round, 50);
      run.upkeep.committed();
      await settle(1);
    }
  }

  beforeEach(async () => {
    await run.close();
    run = stage.begin(LIMITS);
  });

  test("when the writer has been idle for a moment, and not before", async () => {
    const before = readFileSync(stage.file);
    await write(6);
    await stage.clock.advance(30);
    await write(1);
    await stage.clock.advance(30);
    expect(isMoved(before)).toBeFalse();
    await stage.clock.advance(60);
    expect(isMoved(before)).toBeTrue();
    await erase([2, 4]);
    expect(looks()).toBe(0);
  });

  test("at once when it is long, and then restarts", async () => {
    const before = readFileSync(stage.file);
    await write(60);
    expect(isMoved(before)).toBeTrue();
    const length = statSync(`${stage.file}-wal`).size;
    await write(200);
    expect(statSync(`${stage.file}-wal`).size).toBeLessThan(2 * length);
    await erase([2, 4]);
    expect(looks()).toBe(0);
  });

  test("not after closing", async () => {
    await write(6);
    put(run.writer, 7, 50);
    run.upkeep.committed();
    await run.close();
    const after = readFileSync(stage.file);
    await settle(1);
    await stage.clock.advance(200);
    expect(isMoved(after)).toBeFalse();
    run = stage.begin(LIMITS);
  });
});

describe("the whole file is looked through", () => {
  test("after another program checkpointed the WAL, also if the size did not change", async () => {
    stage.shell((shell) => {
      fill(shell);
      shell.pragma("wal_checkpoint(TRUNCATE)");
    });
    expect(dirtyPages().length).toBeGreaterThan(0);
    await erase([1, 2]);
    expect(dirtyPages()).toEqual([]);
    expect(looks()).toBe(2);
    await erase([3]);
    expect(looks()).toBe(2);
  });

  test("after a run that ended without its final note, unless the file is unchanged", async () => {
    await run.close();
    const killed = stage.begin();
    fill(killed.writer);
    expect(await killed.upkeep.truncateWal()).toBeTrue();
    run = stage.begin();
    await erase([4]);
    expect(dirtyPages()).toEqual([]);
    expect(looks()).toBe(1);
    await killed.close();
  });

  test("if the final note is of another file, of another boot of the machine, or truncated", async () => {
    const mark = `${stage.file}-clean`;
    const spoil = [
      () => unlinkSync(mark),
      () => writeFileSync(mark, readFileSync(mark, "utf8").slice(0, -2)),
      () => writeFileSync(mark, readFileSync(mark, "utf8").replace(/"machine":"./, '"machine":"?')),
      () => utimesSync(stage.file, statSync(stage.file).atime, statSync(stage.file).mtimeMs / 1000 + 1),
    ];
    for (const spoilt of spoil) {
      await run.close();
      expect(readMark(stage.file)).not.toBeNull();
      spoilt();
      run = stage.begin();
      expect(await run.upkeep.wipe()).toBeTrue();
      expect(looks()).toBe(1);
    }
  });
});

describe("a wipe", () => {
  test("reports failure while a reader blocks it, and loses nothing", async () => {
    const reader = stage.begin();
    reader.writer.exec("BEGIN; SELECT count(*) FROM people;");
    reader.writer.prepare("SELECT count(*) FROM people").get();
    fill();
    remove(run.writer, [10, 11]);
    expect(await run.upkeep.wipe()).toBeFalse();
    fill();
    expect(await run.upkeep.wipe()).toBeFalse();
    reader.writer.exec("COMMIT");
    await erase([10, 11]);
    expect(dirtyPages()).toEqual([]);
    expect(looks()).toBe(1);
    await reader.close();
  });

  test("is not undone by pages that another process read just before", async () => {
    fill();
    const erased = everybody.slice(0, 300);
    remove(run.writer, erased);
    expect(await run.upkeep.truncateWal()).toBeTrue();
    // Otherwise there would be nothing to restore.
    expect(erased.filter((id) => stage.peopleInBytes().has(id)).length).toBeGreaterThan(0);
    const other = stage.begin();
    const { exec } = run.writer;
    // Each time the wipe takes the lock, the last time before it zeroes anything.
    run.writer.exec = (sql) => {
      exec.call(run.writer, sql);
      if (sql === "BEGIN IMMEDIATE") other.writer.pragma("integrity_check");
      return run.writer;
    };
    expect(await run.upkeep.wipe()).toBeTrue();
    run.writer.exec = exec;
    other.writer.exec("UPDATE people SET words = upper(words)");
    const left = stage.peopleInBytes();
    expect(erased.filter((id) => left.has(id))).toEqual([]);
    await other.close();
  });

  test("in progress is ended by closing, and the next run knows that the state is unknown", async () => {
    stage.shell((shell) => {
      fill(shell);
      shell.pragma("wal_checkpoint(TRUNCATE)");
    });
    const wiped = run.upkeep.wipe();
    await run.close();
    expect(await wiped).toBeFalse();
    run = stage.begin();
    await erase([7]);
    expect(dirtyPages()).toEqual([]);
    expect(looks()).toBe(1);
  });
});

test("the WAL is checkpointed often enough to stay short", async () => {
  const walBytes = () => statSync(`${stage.file}-wal`).size;
  for (let round = 0; round < 40; round++) {
    fill();
    run.upkeep.committed();
    await settle(1);
  }
  expect(walBytes()).toBeLessThan(3_000 * (PAGE_BYTES + 24));
});

test("the database is intact after all of it", async () => {
  fill();
  await erase(everybody.filter((id) => id % 3 === 0));
  fill();
  await erase(everybody.filter((id) => id % 3 === 1));
  stage.shell((shell) => expect(shell.pragma("integrity_check", { simple: true })).toBe("ok"));
});
