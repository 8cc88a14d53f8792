// Whether a database is older than its data folder, by counter and never by time.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FolderMemory } from "../../../src/db/lineage/folder-memory.ts";
import { standingOf } from "../../../src/db/lineage/standing.ts";
import type { Row } from "../../../src/db/tables.ts";

const row = (change: Partial<Row<"lineage">> = {}): Row<"lineage"> => ({
  line: "line",
  beat: 10,
  beat_at: 1_000,
  folder: "ours",
  is_stopped: 0,
  behind_at: null,
  behind_since: null,
  ...change,
});
const memory = (beat: number, change: Partial<FolderMemory> = {}): FolderMemory => ({
  folder: "ours",
  databases: [{ line: "line", beat, at: 1_000 }],
  restoredAt: null,
  ...change,
});

test("after a crash the database is as far as the folder, or further", () => {
  expect(standingOf(memory(10), row(), true)).toBe("current");
  expect(standingOf(memory(9), row(), true)).toBe("current");
});

test("a database behind the folder's counter is behind, stopped or not, from any folder", () => {
  for (const change of [{}, { is_stopped: 1 }, { folder: "theirs", is_stopped: 1 }])
    expect(standingOf(memory(11), row(change), true)).toBe("behind");
});

test("the clock has no influence", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.nat(100), fc.nat(100), (at, beatAt, seen, beat) => {
      const known = { ...memory(seen), databases: [{ line: "line", beat: seen, at }] };
      expect(standingOf(known, row({ beat, beat_at: beatAt }), true)).toBe(beat < seen ? "behind" : "current");
    }),
  );
});

test("from another folder it is taken over after a clean stop, and held otherwise", () => {
  for (const known of [null, memory(3, { databases: [] }), memory(3, { folder: "new" })]) {
    expect(standingOf(known, row({ is_stopped: 1 }), true)).toBe("current");
    expect(standingOf(known, row(), true)).toBe("unproven");
  }
});

test("a database without a count is new, unless the folder has served one with a count and it holds calls", () => {
  expect(standingOf(null, undefined, true)).toBe("new");
  expect(standingOf(memory(5), undefined, false)).toBe("new");
  expect(standingOf(memory(5), undefined, true)).toBe("behind");
});

test("a restored database was held by the restore", () => {
  const restored = { restoredAt: 5 };
  expect(standingOf(memory(50, restored), row(), true)).toBe("restored");
  expect(standingOf(memory(50, restored), undefined, true)).toBe("restored");
});
