// Commits whose fsync runs outside the serving thread: which requests wait, what they see meanwhile, and what happens
// when the disk fails.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { othersFirst } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/logger.ts";
import { OutcomeUnknown } from "../../src/db/outcome-unknown.ts";
import { remembered } from "../../src/db/prepared.ts";
import { fileVersionOf, kyselyOn, openWriter, type Connection } from "../../src/db/sqlite/connection.ts";
import type { DiskStep } from "../../src/db/disk-protocol.ts";
import { DiskFault, type DiskThread } from "../../src/db/sqlite/disk-thread.ts";
import { durableCommits } from "../../src/db/sqlite/durable-commits.ts";
import { migrate } from "../../src/db/sqlite/migrate.ts";
import { openReader } from "../../src/db/sqlite/open-reader.ts";
import { TableChanges } from "../../src/db/sqlite/table-changes.ts";
import { createWriter, type Writer } from "../../src/db/sqlite/writer.ts";
import type { Executor, Tx } from "../../src/db/tables.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { rejectionOf, tempFolder } from "../support/temp.ts";

let file: string;
let connection: Connection;
let readerConnection: Connection;
let reader: Executor;
let writer: Writer;
/** Requests to the disk, in order; the test completes each, with success or an error. */
let asked: { step: DiskStep; ended: PromiseWithResolvers<void> }[];
const logLines: string[] = [];

beforeEach(() => {
  file = join(tempFolder(), "test.db");
  connection = openWriter(file);
  migrate(connection);
  readerConnection = openReader(file);
  const changes = new TableChanges(fileVersionOf(connection));
  reader = kyselyOn(readerConnection, { changes });
  asked = [];
  logLines.length = 0;
  const logger = createLogger(createManualClock(), "debug", (line) => void logLines.push(line));
  const disk: DiskThread = {
    run(step) {
      const ended = Promise.withResolvers<void>();
      asked.push({ step, ended });
      return ended.promise;
    },
    close: async () => {},
  };
  const durability = durableCommits({
    file,
    writer: connection,
    reader: readerConnection,
    changes,
    disk,
    logger,
  });
  writer = createWriter(connection, logger, undefined, changes, undefined, undefined, durability);
});

afterEach(async () => {
  await writer.drain();
  readerConnection.close();
  connection.close();
});

const beat = (name: string) => async (tx: Tx) => {
  await tx.insertInto("heartbeats").values({ name, at: 1 }).execute();
  return name;
};
const names = async () =>
  (await reader.selectFrom("heartbeats").select("name").orderBy("name").execute()).map(({ name }) => name);
/** The latest request to the disk, once there are this many. */
const atDisk = async (count: number) => {
  while (asked.length < count) await othersFirst();
  return asked[count - 1]!;
};
const stored = async (name: string) => {
  const beating = writer.write(beat(name));
  (await atDisk(asked.length + 1)).ended.resolve();
  await beating;
};
const eio = () => new DiskFault("EIO: i/o error, fdatasync", "EIO");

test("a write is answered after its fsync, and until then reads continue and see the previous commit", async () => {
  await stored("first");
  let isAnswered = false;
  const second = writer.write(beat("second")).then(() => (isAnswered = true));
  const { step, ended } = await atDisk(2);
  for (let i = 0; i < 10; i++) await othersFirst();
  expect([step, isAnswered]).toEqual(["sync", false]);
  expect(await names()).toEqual(["first"]);
  ended.resolve();
  await second;
  expect(await names()).toEqual(["first", "second"]);
});

test("commands that arrive during an fsync share the next commit", async () => {
  const first = writer.write(beat("a"));
  const { ended } = await atDisk(1);
  const others = ["b", "c", "d"].map((name) => writer.write(beat(name)));
  for (let i = 0; i < 10; i++) await othersFirst();
  expect(asked).toHaveLength(1);
  ended.resolve();
  await first;
  (await atDisk(2)).ended.resolve();
  expect(await Promise.all(others)).toEqual(["b", "c", "d"]);
  expect(writer.stats.commits).toBe(2);
});

test("values cached during an fsync miss nothing that another process committed", async () => {
  const all = remembered<{ at: number }>(["heartbeats"])((db, { at }) =>
    db.selectFrom("heartbeats").select("name").where("at", "=", at).orderBy("name"),
  );
  await stored("a");
  expect(await all(reader, { at: 1 })).toHaveLength(1);
  const ours = writer.write(async (tx) => void (await tx.deleteFrom("idempotency_keys").execute()));
  const { ended } = await atDisk(2);
  const beside = openWriter(file);
  beside.exec("INSERT INTO heartbeats (name, at) VALUES ('theirs', 1)");
  beside.close();
  expect((await all(reader, { at: 1 })).map(({ name }) => name)).toEqual(["a"]);
  ended.resolve();
  await ours;
  expect((await all(reader, { at: 1 })).map(({ name }) => name)).toEqual(["a", "theirs"]);
});

test("values cached during an fsync are read again once our own commit is on disk", async () => {
  const all = remembered<{ at: number }>(["heartbeats"])((db, { at }) =>
    db.selectFrom("heartbeats").select("name").where("at", "=", at).orderBy("name"),
  );
  await stored("a");
  const ours = writer.write(beat("b"));
  const { ended } = await atDisk(2);
  expect(await all(reader, { at: 1 })).toHaveLength(1);
  ended.resolve();
  await ours;
  expect(await all(reader, { at: 1 })).toHaveLength(2);
});

test("work that must run between two commits waits for the disk, and the next commit for it", async () => {
  const steps: string[] = [];
  const first = writer.write(beat("a")).then(() => steps.push("a"));
  const { ended } = await atDisk(1);
  const between = writer.between(async () => {
    await othersFirst();
    steps.push(`between, reader held: ${readerConnection.inTransaction}`);
  });
  const second = writer.write(beat("b")).then(() => steps.push("b"));
  for (let i = 0; i < 10; i++) await othersFirst();
  expect(steps).toEqual([]);
  ended.resolve();
  await Promise.all([first, between]);
  (await atDisk(2)).ended.resolve();
  await second;
  expect(steps).toEqual(["a", "between, reader held: false", "b"]);
});

test("a search is answered when everything that it may have seen is on disk", async () => {
  await writer.durable();
  const first = writer.write(beat("a"));
  const { ended } = await atDisk(1);
  let isDurable = false;
  const search = writer.durable().then(() => (isDurable = true));
  for (let i = 0; i < 10; i++) await othersFirst();
  expect(isDurable).toBeFalse();
  ended.resolve();
  await Promise.all([first, search]);
});

test("a command that writes nothing does not wait for the disk", async () => {
  await stored("a");
  expect((await rejectionOf(writer.write(() => Promise.reject(new Error("no"))))).message).toBe("no");
  expect(await writer.write((tx) => tx.selectFrom("heartbeats").select("name").execute())).toEqual([{ name: "a" }]);
  expect(asked).toHaveLength(1);
  expect(readerConnection.inTransaction).toBeFalse();
});

test("a commit that cannot be written changes nothing and does not block readers", async () => {
  await stored("a");
  connection.pragma("query_only = ON");
  expect(await rejectionOf(writer.write(beat("b")))).toBeDefined();
  connection.pragma("query_only = OFF");
  expect(readerConnection.inTransaction).toBeFalse();
  expect(await names()).toEqual(["a"]);
});

test("where the disk fails, the outcome is unknown and nothing is written until what was committed is on disk", async () => {
  await stored("before");
  const first = writer.write(beat("a"));
  const { ended } = await atDisk(2);
  const second = writer.write(beat("b"));
  const refusals = Promise.all([rejectionOf(first), rejectionOf(second)]);
  ended.reject(eio());
  // The next command rewrites every byte of the WAL, and is refused while that fails, too.
  const again = await atDisk(3);
  expect(again.step).toBe("rewrite");
  expect(await rejectionOf(writer.durable())).toMatchObject({ code: "UNAVAILABLE" });
  again.ended.reject(eio());
  const [unknown, refused] = await refusals;
  expect(unknown).toBeInstanceOf(OutcomeUnknown);
  expect(unknown.message).toContain("not known whether this was stored");
  expect(refused).toMatchObject({ code: "UNAVAILABLE" });
  expect(refused).not.toBeInstanceOf(OutcomeUnknown);
  // Reads continue, at the last commit that is on disk.
  expect(await names()).toEqual(["before"]);
  expect(logLines.join()).toContain("The disk failed after a commit.");

  const third = writer.write(beat("c"));
  (await atDisk(4)).ended.resolve();
  (await atDisk(5)).ended.resolve();
  await third;
  expect(asked.slice(3).map(({ step }) => step)).toEqual(["rewrite", "sync"]);
  // It was stored.
  expect(await names()).toEqual(["a", "before", "c"]);
  await writer.durable();
});

test("if the thread is gone, the commit runs fsync on the serving thread", async () => {
  const first = writer.write(beat("a"));
  (await atDisk(1)).ended.reject(new Error("The thread that waits for the disk ended."));
  expect(await first).toBe("a");
  expect(await names()).toEqual(["a"]);
});
