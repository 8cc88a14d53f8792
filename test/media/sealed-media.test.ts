// Encrypted recordings and captures: written while a call goes on, cut off at any write, served in ranges, converted.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { G711_WAV_HEADER_BYTES, mulawWavHeader } from "../../src/audio/wav.ts";
import { createIds } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { openReadable } from "../../src/core/sealed-file.ts";
import type { FileKey, FileKeys } from "../../src/core/sealed-frames.ts";
import { createSealedWriter, SHORT_FRAME_BYTES, type SealedWrite } from "../../src/core/sealed-writer.ts";
import { serveFile } from "../../src/http/serve-file.ts";
import { convertFiles } from "../../src/media/convert-files.ts";
import { createRecordings } from "../../src/media/recordings.ts";
import { salvageRecording } from "../../src/media/salvage.ts";
import { createRecorder } from "../../src/telephony/rtp/recorder.ts";
import { openCapture } from "../../src/telephony/sip/worker/capture.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { isRoot, NOBODY } from "../support/sandbox.ts";
import { skipsFor } from "../support/skips.ts";
import { tempFolder } from "../support/temp.ts";

const keyNamed = (id: string, fill: number): FileKey => ({ id, key: Buffer.alloc(32, fill) });
const OLD = keyNamed("00000000000000aa", 1);
const NEW = keyNamed("00000000000000bb", 2);
const ring = (current: FileKey): FileKeys => ({
  current,
  byId: (id) => [OLD, NEW].find((key) => key.id === id)?.key,
});
const KEYS = ring(NEW);
const keyOf = KEYS.byId;

function contentOf(path: string, keys: FileKeys | null = KEYS): Buffer {
  const file = openReadable(path, keys);
  const bytes = Buffer.alloc(file.bytes);
  file.readInto(bytes, 0);
  file.close();
  return bytes;
}

function perform(path: string, writes: readonly SealedWrite[], before = Buffer.alloc(0)): void {
  let file = before;
  for (const { bytes, at } of writes) {
    const longer = Buffer.alloc(Math.max(file.length, at + bytes.length));
    file.copy(longer);
    longer.set(bytes, at);
    file = longer;
  }
  writeFileSync(path, file);
}

const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3 * SHORT_FRAME_BYTES }), { maxLength: 5 });

describe("a growing sealed file", () => {
  test("is what was appended, with its header changed at the end", () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const path = join(tempFolder(), "file");
        const writer = createSealedWriter(NEW);
        const writes = writer.write(Buffer.alloc(58, 1), 0);
        let length = 58;
        for (const part of parts) {
          writes.push(...writer.write(part, length));
          length += part.length;
        }
        writes.push(...writer.write(Buffer.alloc(58, 2), 0), ...writer.finish());
        perform(path, writes);
        expect(contentOf(path)).toEqual(Buffer.concat([Buffer.alloc(58, 2), ...parts]));
      }),
      { numRuns: 60 },
    );
  });

  test("refuses a change behind its first frame", () => {
    const writer = createSealedWriter(NEW);
    writer.write(Buffer.alloc(3 * SHORT_FRAME_BYTES), 0);
    expect(() => writer.write(Buffer.alloc(2), SHORT_FRAME_BYTES - 1)).toThrow("grows at its end");
    expect(() => writer.write(Buffer.alloc(1), 3 * SHORT_FRAME_BYTES + 1)).toThrow("grows at its end");
  });
});

/** Two seconds at a time, as a recorder writes them. */
const BLOCK = 32_000;
const blocks = Array.from({ length: 4 }, (_, i) => Buffer.alloc(BLOCK, i + 1));

describe("a recording that was cut off", () => {
  const writer = createSealedWriter(NEW);
  const header = (frames: number) => mulawWavHeader({ channels: 2, frames });
  const writes = [
    ...writer.write(header(0), 0),
    ...blocks.flatMap((block, i) => writer.write(block, G711_WAV_HEADER_BYTES + i * BLOCK)),
    ...writer.write(header(2 * BLOCK), 0),
    ...writer.finish(),
  ];

  test("at any write, and within it, keeps what was written before, but for a second", () => {
    for (const [i, { bytes, at }] of writes.entries())
      for (const kept of [0, 1, 100, 4096, bytes.length - 1, bytes.length]) {
        const path = join(tempFolder(), "call.wav");
        perform(path, [...writes.slice(0, i), { bytes: bytes.subarray(0, kept), at }]);
        const seconds = salvageRecording(path, keyOf);
        const fullBlocks = Math.max(0, Math.min(blocks.length, i - 2 + (kept === bytes.length ? 1 : 0)));
        const lost = SHORT_FRAME_BYTES / 16_000;
        if (fullBlocks === 0) {
          expect(seconds ?? 0).toBeLessThanOrEqual(2);
          continue;
        }
        expect(seconds ?? 0).toBeGreaterThanOrEqual(2 * fullBlocks - lost);
        const content = contentOf(path);
        expect(content.subarray(0, G711_WAV_HEADER_BYTES)).toEqual(
          header((content.length - G711_WAV_HEADER_BYTES) / 2),
        );
        // Behind the second that a cut-off header may cost.
        const whole = Buffer.concat(blocks);
        const from = SHORT_FRAME_BYTES - G711_WAV_HEADER_BYTES;
        expect(
          content.subarray(SHORT_FRAME_BYTES).equals(whole.subarray(from, content.length - G711_WAV_HEADER_BYTES)),
        ).toBeTrue();
        expect(salvageRecording(path, keyOf)).toBe(seconds);
      }
  });

  test("needs its key, and has to be a recording", () => {
    const path = join(tempFolder(), "call.wav");
    perform(path, writes.slice(0, 3));
    expect(salvageRecording(path)).toBeNull();
    expect(salvageRecording(join(tempFolder(), "none.wav"), keyOf)).toBeNull();
    const other = createSealedWriter(NEW);
    perform(path, [...other.write(Buffer.alloc(500, 7), 0), ...other.finish()]);
    expect(salvageRecording(path, keyOf)).toBeNull();
    expect(contentOf(path)).toEqual(Buffer.alloc(500, 7));
  });
});

test("a recorder and a capture write encrypted files that equal the plain ones", async () => {
  const folder = tempFolder();
  const contents = [];
  for (const [name, key] of [
    ["plain", null],
    ["sealed", NEW],
  ] as const) {
    const recorder = createRecorder(join(folder, `${name}.wav`), silentLogger, key);
    for (let i = 0; i < 450; i++) recorder.write(Buffer.alloc(160, i), Buffer.alloc(160, 255 - i), "PCMU", "PCMA");
    expect((await recorder.close()).seconds).toBe(9);
    const capture = openCapture(join(folder, `${name}.pcap`), silentLogger, {
      clock: createManualClock(),
      nowMs: () => 5,
      key,
    });
    const [local, remote] = [
      { address: "192.0.2.1", port: 1 },
      { address: "192.0.2.2", port: 2 },
    ];
    for (let i = 0; i < 900; i++) capture.rtp("sent", Buffer.alloc(172, i), local, remote);
    expect(await capture.close()).toBeTrue();
    contents.push(["wav", "pcap"].map((type) => contentOf(join(folder, `${name}.${type}`))));
  }
  expect(contents[0]?.[0]?.equals(contents[1]?.[0] ?? Buffer.alloc(0))).toBeTrue();
  expect(contents[0]?.[1]?.equals(contents[1]?.[1] ?? Buffer.alloc(0))).toBeTrue();
  expect(readFileSync(join(folder, "sealed.wav")).includes("WAVEfmt")).toBeFalse();
});

describe("an encrypted file over HTTP", () => {
  const recordings = createRecordings(tempFolder(), createIds(createManualClock()), KEYS);
  const content = Buffer.from(Array.from({ length: 60_000 }, (_, i) => (i * 7) % 256));
  recordings.store("call.wav", content);
  const ask = (range?: string) =>
    serveFile(
      new Request("http://x/", range === undefined ? {} : { headers: { range } }),
      recordings.fileOf("call.wav"),
      {},
    );

  test("is stored encrypted, and known by its plain length", () => {
    expect(recordings.bytes("call.wav")).toBe(content.length);
    expect(readFileSync(recordings.pathOf("call.wav")).includes(content.subarray(0, 64))).toBeFalse();
  });

  test("is whole without a range", async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBeTrue();
  });

  test("is answered in ranges like a plain one", async () => {
    const path = join(tempFolder(), "plain.wav");
    writeFileSync(path, content);
    for (const range of [
      "0-",
      "0-0",
      "100-199",
      "8191-8192",
      "59999-",
      "-100",
      "-70000",

      "59000-70000",
      "x",
    ]) {
      const value = `bytes=${range}`;
      const headers = { headers: { range: value } };
      const plain = await serveFile(new Request("http://x/", headers), { path, keys: KEYS }, {});
      const sealed = await ask(value);
      expect([sealed.status, sealed.headers.get("content-range")]).toEqual([
        plain.status,
        plain.headers.get("content-range"),
      ]);
      expect(await sealed.bytes()).toEqual(await plain.bytes());
    }
  });

  test("of many megabytes is streamed, and can be abandoned", async () => {
    const large = Buffer.alloc(9_000_000, 9);
    recordings.store("large.wav", large);
    const response = await serveFile(new Request("http://x/"), recordings.fileOf("large.wav"), {});
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBeTrue();
    const abandoned = await serveFile(new Request("http://x/"), recordings.fileOf("large.wav"), {});
    await abandoned.body?.cancel();
  });

  test("that was cut or has no key is refused", async () => {
    const path = recordings.pathOf("call.wav");
    const others = { current: OLD, byId: () => undefined };
    await expect(serveFile(new Request("http://x/"), { path, keys: others }, {})).rejects.toThrow("is missing");
    const bytes = readFileSync(path);
    truncateSync(path, bytes.length - 10);
    await expect(ask()).rejects.toThrow("cut short");
    writeFileSync(path, bytes);
  });
});

const asRoot = test.skipIf(skipsFor(!isRoot, "needs root"));

describe("conversion", () => {
  function folder(): string {
    const dataDir = tempFolder();
    for (const name of ["recordings", "captures"]) mkdirSync(join(dataDir, name));
    for (let i = 0; i < 4; i++) writeFileSync(join(dataDir, "recordings", `${i}.wav`), Buffer.alloc(i * 5_000, i));
    writeFileSync(join(dataDir, "captures", "a.pcap"), "packets of Kamala");
    return dataDir;
  }
  const all = (dataDir: string, keys: FileKeys | null) =>
    readdirSync(dataDir, { recursive: true, encoding: "utf8" })
      .filter((name) => name.includes("."))
      .toSorted()
      .map((name) => [name, contentOf(join(dataDir, name), keys)] as const);

  test("there and back leaves every file as it was; a second run changes nothing", () => {
    const dataDir = folder();
    const before = all(dataDir, null);
    expect(convertFiles(dataDir, KEYS, NEW)).toMatchObject({ files: 5, failed: [] });
    expect(all(dataDir, KEYS)).toEqual(before);
    expect(readFileSync(join(dataDir, "captures", "a.pcap")).includes("Kamala")).toBeFalse();
    expect(convertFiles(dataDir, KEYS, NEW).files).toBe(0);
    expect(convertFiles(dataDir, KEYS, null).files).toBe(5);
    expect(all(dataDir, null)).toEqual(before);
  });

  test("continues where it was cut off, from any mixed state and any older key", () => {
    const dataDir = folder();
    const before = all(dataDir, null);
    convertFiles(dataDir, KEYS, OLD);
    writeFileSync(join(dataDir, "recordings", "0.wav"), "plain again");
    for (const left of ["1.wav.converting", "9.wav.unfinished"])
      writeFileSync(join(dataDir, "recordings", left), "half");
    expect(convertFiles(dataDir, KEYS, NEW)).toMatchObject({ files: 5, failed: [] });
    for (const left of ["1.wav.converting", "9.wav.unfinished"])
      expect(existsSync(join(dataDir, "recordings", left))).toBeFalse();
    expect(all(dataDir, { ...KEYS, byId: (id) => (id === NEW.id ? NEW.key : undefined) }).slice(0, 1)).toEqual(
      before.slice(0, 1),
    );
  });

  test("repairs a recording that was cut off before its key is given up", () => {
    const dataDir = folder();
    const writer = createSealedWriter(NEW);
    const path = join(dataDir, "recordings", "cut.wav");
    const header = mulawWavHeader({ channels: 2, frames: 0 });
    perform(path, [...writer.write(header, 0), ...writer.write(Buffer.alloc(BLOCK, 3), header.length)]);
    expect(convertFiles(dataDir, KEYS, null)).toMatchObject({ files: 1, failed: [] });
    expect(salvageRecording(path)).toBe(2);
  });

  test("leaves a damaged file as it is, names it, and converts the others", () => {
    const dataDir = folder();
    convertFiles(dataDir, KEYS, NEW);
    const damaged = join(dataDir, "recordings", "2.wav");
    truncateSync(damaged, 3_000);
    const bytes = readFileSync(damaged);
    expect(convertFiles(dataDir, KEYS, null)).toMatchObject({ files: 4, failed: [damaged] });
    expect(readFileSync(damaged)).toEqual(bytes);
  });

  test("stops where a file cannot be written, names it, and goes on when it is run again", () => {
    for (const to of [NEW, null]) {
      const dataDir = folder();
      if (to === null) convertFiles(dataDir, KEYS, NEW);
      const before = all(dataDir, KEYS);
      const path = join(dataDir, "recordings", "2.wav");
      // Stands for every error of the disk.
      mkdirSync(`${path}.converting`);
      expect(() => convertFiles(dataDir, KEYS, to)).toThrow(`${path} was not converted`);
      rmdirSync(`${path}.converting`);
      expect(all(dataDir, KEYS)).toEqual(before);
      expect(convertFiles(dataDir, KEYS, to).files).toBeGreaterThan(0);
      expect(convertFiles(dataDir, KEYS, to)).toMatchObject({ files: 0, failed: [] });
      expect(all(dataDir, KEYS)).toEqual(before);
    }
  });

  asRoot("stops where a recording that was cut off cannot be repaired", () => {
    const dataDir = folder();
    const writer = createSealedWriter(NEW);
    const path = join(dataDir, "recordings", "cut.wav");
    const header = mulawWavHeader({ channels: 2, frames: 0 });
    perform(path, [...writer.write(header, 0), ...writer.write(Buffer.alloc(BLOCK, 3), header.length)]);
    const mounting = (...words: string[]) => expect(Bun.spawnSync(words).success).toBeTrue();
    mounting("mount", "--bind", path, path);
    try {
      mounting("mount", "-o", "remount,bind,ro", path);
      expect(() => convertFiles(dataDir, KEYS, OLD)).toThrow(`${path} was not converted`);
    } finally {
      mounting("umount", path);
    }
    expect(convertFiles(dataDir, KEYS, OLD)).toMatchObject({ files: expect.any(Number), failed: [] });
  });

  asRoot("by root leaves owner and mode of every file", () => {
    const dataDir = folder();
    const facts = () =>
      all(dataDir, KEYS).map(([name]) => {
        const { uid, gid, mode } = statSync(join(dataDir, name));
        return [name, uid, gid, mode & 0o777];
      });
    for (const [i, [name]] of all(dataDir, null).entries()) {
      chownSync(join(dataDir, name), NOBODY, NOBODY - 1);
      chmodSync(join(dataDir, name), i === 0 ? 0o640 : 0o600);
    }
    const before = facts();
    for (const to of [NEW, OLD, null]) {
      expect(convertFiles(dataDir, KEYS, to).files).toBe(5);
      expect(facts()).toEqual(before);
    }
  });
});
