// Streams a ZIP archive (APPNOTE 6.3). Entries are deflated one after the other, off the serving thread, so memory does
// not grow with the archive. Sizes follow each entry (data descriptor). Archives past 4 GB have ZIP64 offsets; a single
// entry has at most 4 GB.
import { Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

export interface ZipEntry {
  /** Path inside the archive, in ASCII. */
  name: string;
  content: AsyncIterable<Uint8Array>;
  /** Sound compresses little: storing it saves the processor. */
  isStored?: boolean;
}

interface Written {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const DIRECTORY = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const VERSION = 45;
const SIZES_FOLLOW = 1 << 3;
const DEFLATED = 8;
const MOST_32 = 0xffff_ffff;
const MOST_16 = 0xffff;
const ZIP64_FIELD = 1;
/** 1 January 1980: the archive carries no times of its own. */
const NO_DATE = 0x21;
/** Bytes per chunk: fewer hops between threads than with the default of 16 kB. */
const CHUNK_BYTES = 64 * 1024;

export async function* zipArchive(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void> {
  const written: Written[] = [];
  let at = 0;
  for await (const { name: text, content, isStored = false } of entries) {
    const name = Buffer.from(text);
    const entry: Written = { name, crc: 0, packed: 0, size: 0, at };
    yield localHeader(name);
    for await (const chunk of deflated(measuredBy(content, entry), isStored ? 0 : 1)) {
      entry.packed += chunk.byteLength;
      yield chunk;
    }
    if (entry.size > MOST_32 || entry.packed > MOST_32) throw new Error("An entry of the archive is larger than 4 GB.");
    yield descriptorOf(entry);
    at += 30 + name.byteLength + entry.packed + 16;
    written.push(entry);
  }
  const start = at;
  for (const entry of written) {
    const line = directoryLine(entry);
    at += line.byteLength;
    yield line;
  }
  yield endOf(written.length, start, at);
}

/** If the reader stops early or an error occurs, the source is closed too: it may be an open file. */
async function* deflated(content: AsyncGenerator<Uint8Array>, level: number): AsyncGenerator<Uint8Array, void> {
  const source = Readable.from(content, { objectMode: true, highWaterMark: 1 });
  const deflating = createDeflateRaw({ level, chunkSize: CHUNK_BYTES });
  source.on("error", (error) => deflating.destroy(error));
  try {
    yield* source.pipe(deflating) as AsyncIterable<Uint8Array>;
  } finally {
    deflating.destroy();
    source.destroy();
    await content.return(undefined);
  }
}

async function* measuredBy(content: AsyncIterable<Uint8Array>, entry: Written): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    entry.crc = crc32(chunk, entry.crc);
    entry.size += chunk.byteLength;
    yield chunk;
  }
}

function localHeader(name: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(LOCAL, 0);
  head.writeUInt16LE(VERSION, 4);
  head.writeUInt16LE(SIZES_FOLLOW, 6);
  head.writeUInt16LE(DEFLATED, 8);
  head.writeUInt16LE(NO_DATE, 12);
  head.writeUInt16LE(name.byteLength, 26);
  return Buffer.concat([head, name]);
}

function descriptorOf({ crc, packed, size }: Written): Buffer {
  const descriptor = Buffer.alloc(16);
  [DESCRIPTOR, crc, packed, size].forEach((value, i) => descriptor.writeUInt32LE(value, i * 4));
  return descriptor;
}

function directoryLine({ name, crc, packed, size, at }: Written): Buffer {
  const isFar = at >= MOST_32;
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(ZIP64_FIELD, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(at), 4);
  }
  const line = Buffer.alloc(46);
  line.writeUInt32LE(DIRECTORY, 0);
  line.writeUInt16LE(VERSION, 4);
  line.writeUInt16LE(VERSION, 6);
  line.writeUInt16LE(SIZES_FOLLOW, 8);
  line.writeUInt16LE(DEFLATED, 10);
  line.writeUInt16LE(NO_DATE, 14);
  line.writeUInt32LE(crc, 16);
  line.writeUInt32LE(packed, 20);
  line.writeUInt32LE(size, 24);
  line.writeUInt16LE(name.byteLength, 28);
  line.writeUInt16LE(extra.byteLength, 30);
  line.writeUInt32LE(isFar ? MOST_32 : at, 42);
  return Buffer.concat([line, name, extra]);
}

function endOf(count: number, start: number, end: number): Buffer {
  const isLarge = count >= MOST_16 || end >= MOST_32;
  const record = Buffer.alloc(isLarge ? 76 : 0);
  if (isLarge) {
    record.writeUInt32LE(END_64, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeUInt16LE(VERSION, 12);
    record.writeUInt16LE(VERSION, 14);
    record.writeBigUInt64LE(BigInt(count), 24);
    record.writeBigUInt64LE(BigInt(count), 32);
    record.writeBigUInt64LE(BigInt(end - start), 40);
    record.writeBigUInt64LE(BigInt(start), 48);
    record.writeUInt32LE(LOCATOR_64, 56);
    record.writeBigUInt64LE(BigInt(end), 64);
    record.writeUInt32LE(1, 72);
  }
  const last = Buffer.alloc(22);
  last.writeUInt32LE(END, 0);
  last.writeUInt16LE(Math.min(count, MOST_16), 8);
  last.writeUInt16LE(Math.min(count, MOST_16), 10);
  last.writeUInt32LE(Math.min(end - start, MOST_32), 12);
  last.writeUInt32LE(Math.min(start, MOST_32), 16);
  return Buffer.concat([record, last]);
}
