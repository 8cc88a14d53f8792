// Streamed ZIP archives: entries can be read back, and an archive that is not read to its end closes its source.
import { expect, test } from "bun:test";
import { messageOf } from "../../src/core/errors.ts";
import { openArchive } from "../../src/lists/zip.ts";
import { zipArchive, type ZipEntry } from "../../src/core/zip-writer.ts";

const encoder = new TextEncoder();
const noise = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7_919 + (i >> 3) * 31) & 0xff));

async function* one(entry: ZipEntry): AsyncGenerator<ZipEntry> {
  yield entry;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

test("deflated and stored entries are read back as they were written", async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const isStored of [false, true])
      yield {
        name: isStored ? "stored" : "deflated",
        content: (async function* () {
          yield encoder.encode("first ");
          yield noise;
        })(),
        isStored,
      };
  }
  const archive = openArchive(await bytesOf(zipArchive(entries())));
  for (const name of ["deflated", "stored"])
    expect(Buffer.from((await archive.read(name)) ?? [])).toEqual(Buffer.concat([Buffer.from("first "), noise]));
});

test("an archive that is abandoned in the middle closes its source", async () => {
  let isClosed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield noise;
    } finally {
      isClosed = true;
    }
  }
  const archive = zipArchive(one({ name: "sound", content: endless(), isStored: true }));
  await archive.next();
  await archive.next();
  await archive.return();
  expect(isClosed).toBeTrue();
});

test("an entry that fails while it is read fails the archive", async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield noise;
    throw new Error("disk full");
  }
  const archive = zipArchive(one({ name: "a", content: failing() }));
  expect(await bytesOf(archive).then(() => "", messageOf)).toBe("disk full");
});

test("reads no further ahead than a few chunks while the reader waits", async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read += noise.byteLength;
      yield noise;
    }
  }
  const archive = zipArchive(one({ name: "sound", content: endless(), isStored: true }));
  await archive.next();
  await archive.next();
  for (let turn = 0; turn < 100; turn++) await new Promise((resume) => void setImmediate(resume));
  await archive.return();
  expect(read).toBeLessThan(8 * noise.byteLength);
});
