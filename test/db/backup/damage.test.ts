// Damaged, truncated, foreign, newer or crafted backups are rejected, and the data folder does not change.
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { BackupError } from "../../../src/db/archive/fault.ts";
import { checkArchive, kindOf } from "../../../src/db/archive/archive-reader.ts";
import { endOf, FORMAT, lineOf, MANIFEST_ENTRY, type FileLine } from "../../../src/db/archive/manifest.ts";
import { paddingAfter, tarHeader } from "../../../src/db/archive/tar.ts";
import { latestVersion } from "../../../src/db/migrations.ts";
import { tempFolder } from "../../support/temp.ts";
import { addCalls, backUp, folderWith, picture, restoreInto } from "./backups.ts";

async function smallBackup(): Promise<string> {
  const dataDir = await folderWith("a", "b");
  addCalls(dataDir, ["one", "two"]);
  return backUp(dataDir);
}

function check(file: string): void {
  kindOf(file);
  checkArchive(file);
}

/** Flips a bit in place, runs the check, and flips it back: thousands of copies would be slow. */
function withFlipped(file: string, bit: number, work: () => void): void {
  const fd = openSync(file, "r+");
  const held = Buffer.alloc(1);
  readSync(fd, held, 0, 1, bit >> 3);
  const byte = held.readUInt8();
  const put = (value: number) => writeSync(fd, Buffer.of(value), 0, 1, bit >> 3);
  put(byte ^ (1 << (bit & 7)));
  try {
    work();
  } finally {
    put(byte);
    closeSync(fd);
  }
}

describe("a single flipped bit is detected", () => {
  test("anywhere: 600 positions spread over the whole file", async () => {
    const file = await smallBackup();
    const bits = readFileSync(file).length * 8;
    for (let i = 0; i < 600; i++) {
      const bit = Math.floor(((i + 0.5) * bits) / 600) + (i % 8);
      withFlipped(file, bit, () => expect(() => check(file)).toThrow(BackupError));
    }
    check(file);
  });

  test("at random", async () => {
    const file = await smallBackup();
    const bits = readFileSync(file).length * 8;
    const oneBit = fc.property(fc.integer({ min: 0, max: bits - 1 }), (bit) =>
      withFlipped(file, bit, () => expect(() => check(file)).toThrow(BackupError)),
    );
    fc.assert(oneBit, { numRuns: 300 });
  });

  test("in each third bit of the manifest and the end", async () => {
    const file = await smallBackup();
    const bytes = readFileSync(file);
    const start = bytes.indexOf(`${MANIFEST_ENTRY}\0`) * 8;
    expect(start).toBeGreaterThan(0);
    for (let bit = start; bit < bytes.length * 8; bit += 3)
      withFlipped(file, bit, () => expect(() => check(file)).toThrow(BackupError));
  });

  test("by the restore itself, in 60 positions, and nothing in the data folder is touched", async () => {
    const file = await smallBackup();
    const dataDir = await folderWith("present");
    addCalls(dataDir, ["mine"]);
    const before = picture(dataDir);
    const bits = readFileSync(file).length * 8;
    for (let i = 0; i < 60; i++)
      withFlipped(file, Math.floor(((i + 0.3) * bits) / 60), () =>
        expect(() => restoreInto(dataDir, file)).toThrow(BackupError),
      );
    expect(picture(dataDir)).toEqual(before);
  });

  test("and the damaged part is named", async () => {
    const file = await smallBackup();
    const place = (needle: string) => readFileSync(file).indexOf(needle) * 8;
    const complaint = (bit: number) => {
      let message = "";
      withFlipped(file, bit, () => {
        try {
          check(file);
        } catch (error) {
          message = (error as Error).message;
        }
      });
      return message;
    };
    // Behind the header of the entry.
    const SEALED_BYTE = 600 * 8;
    expect(complaint(4096 * 8)).toContain("ringward.db was changed");
    expect(complaint(place("captures/two.pcap\0") + SEALED_BYTE)).toContain("captures/two.pcap was changed");
    expect(complaint(place("manifest.jsonl\0"))).toContain("manifest");
    expect(complaint(readFileSync(file).length * 8 - 1)).toContain("its end");
  });
});

test("a backup that is truncated anywhere, or has trailing data, is rejected", async () => {
  const whole = readFileSync(await smallBackup());
  const file = join(tempFolder(), "cut.tar");
  for (let i = 0; i < 60; i++) {
    writeFileSync(file, whole.subarray(0, Math.floor((i * whole.length) / 60)));
    expect(() => check(file)).toThrow(BackupError);
  }
  for (const extra of [1, 512, 4096]) {
    writeFileSync(file, Buffer.concat([whole, Buffer.alloc(extra)]));
    expect(() => check(file)).toThrow(BackupError);
  }
});

/** An archive made by an attacker who knows the format: all hashes are correct. */
function crafted(
  entries: [name: string, content: Buffer][],
  options: { head?: object; asWritten?: string } = {},
): string {
  const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(paddingAfter(bytes.length))]);
  const lines: FileLine[] = entries.map(([name, content]) => ({
    name,
    bytes: content.length,
    sha256: hashOf(content),
  }));
  const head = {
    format: 1,
    ringward: "0.1.0",
    schema: latestVersion(),
    made_at: "2026-03-01T00:00:00.000Z",
    with_recordings: true,
    ...options.head,
  };
  const manifest = Buffer.from([head, ...lines].map((line) => lineOf(line)).join(""));
  const parts = entries.flatMap(([name, content]) => [
    tarHeader(options.asWritten ?? name, content.length),
    padded(content),
  ]);
  const end = endOf({ manifestBytes: manifest.length, manifestSha256: hashOf(manifest) });
  const file = join(tempFolder(), "crafted.tar");
  writeFileSync(file, Buffer.concat([...parts, tarHeader(MANIFEST_ENTRY, manifest.length), padded(manifest), end]));
  return file;
}

/** The database of a real backup, for crafted ones. */
let realDatabase: Buffer;
beforeAll(async () => {
  const whole = readFileSync(await smallBackup());
  const size = Number.parseInt(whole.toString("latin1", 124, 135), 8);
  realDatabase = whole.subarray(512, 512 + size);
});

describe("a crafted backup with correct hashes is rejected", () => {
  const sound = Buffer.from("RIFF");
  const cases: [what: string, make: (database: Buffer) => string, why: string][] = [
    [
      "that leads out of the folder",
      (db) =>
        crafted([
          ["ringward.db", db],
          ["recordings/../../x.wav", sound],
        ]),
      "does not belong",
    ],
    [
      "with an absolute path",
      (db) =>
        crafted([
          ["ringward.db", db],
          ["/etc/passwd", sound],
        ]),
      "does not belong",
    ],
    [
      "with another name",
      (db) =>
        crafted([
          ["ringward.db", db],
          ["secret.key", sound],
        ]),
      "does not belong",
    ],
    [
      "with a hidden file",
      (db) =>
        crafted([
          ["ringward.db", db],
          ["recordings/.wav", sound],
        ]),
      "does not belong",
    ],
    [
      "with a name twice",
      (db) =>
        crafted([
          ["ringward.db", db],
          ["recordings/one.wav", sound],
          ["recordings/one.wav", sound],
        ]),
      "does not belong",
    ],
    [
      "with a second database",
      (db) =>
        crafted([
          ["ringward.db", db],
          ["ringward.db", db],
        ]),
      "does not belong",
    ],
    ["without a database", () => crafted([["recordings/one.wav", sound]]), "does not belong"],
    ["with nothing in it", () => crafted([]), "does not name"],
    [
      "with a recording of no call",
      (db) =>
        crafted([
          ["ringward.db", db],
          ["recordings/three.wav", sound],
        ]),
      "none of its calls",
    ],
    ["whose headers say otherwise", (db) => crafted([["ringward.db", db]], { asWritten: "../x" }), "was changed"],
    ["whose database is none", () => crafted([["ringward.db", Buffer.from("rubbish".repeat(1000))]]), "as a database"],
    ["of a newer schema", (db) => crafted([["ringward.db", db]], { head: { schema: 9_999 } }), "newer Ringward"],
    ["of a newer format", (db) => crafted([["ringward.db", db]], { head: { format: FORMAT + 1 } }), "newer Ringward"],
    ["with a size below zero", (db) => crafted([["ringward.db", db]], { head: { schema: -1 } }), "manifest"],
  ];
  test.each(cases)("%s", async (_, make, why) => {
    const dataDir = await folderWith("present");
    const before = picture(dataDir);
    const file = make(realDatabase);
    expect(() => restoreInto(dataDir, file)).toThrow(why);
    expect(picture(dataDir)).toEqual(before);
  });

  test("with a link instead of a file", async () => {
    const file = crafted([
      ["ringward.db", realDatabase],
      ["recordings/one.wav", sound],
    ]);
    const bytes = readFileSync(file);
    const at = bytes.indexOf("recordings/one.wav\0");
    bytes.write("2", at + 156, "latin1");
    bytes.write("/etc/passwd", at + 157, "latin1");
    writeFileSync(file, bytes);
    expect(() => restoreInto(tempFolder(), file)).toThrow("recordings/one.wav was changed");
  });

  test("and one in our own form is accepted", async () => {
    const file = crafted([
      ["ringward.db", realDatabase],
      ["recordings/one.wav", sound],
    ]);
    expect(restoreInto(await folderWith("present"), file).files).toBe(1);
  });
});
