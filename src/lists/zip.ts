// Extracts the files that a workbook needs from its ZIP archive (APPNOTE 6.3), by the central directory. Sizes are
// limited against decompression bombs.
import { promisify } from "node:util";
import { listFault } from "./table.ts";

/** Ten thousand rows of fifty cells are 22 MB of XML. */
const MOST_INFLATED_BYTES = 40 * 1024 * 1024;
/** A workbook of a hundred sheets has a few hundred entries. */
const MOST_ENTRIES = 5_000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const [STORED, DEFLATED] = [0, 8];
const ENCRYPTED = 1;

interface Entry {
  method: number;
  isEncrypted: boolean;
  compressedBytes: number;
  inflatedBytes: number;
  localAt: number;
}

export interface Archive {
  has(name: string): boolean;
  /** Null if not found. The limit applies to all files together. */
  read(name: string): Promise<Uint8Array | null>;
}

/** Imported on first use: workbooks are rare, and the import would slow down every start. */
async function inflated(packed: Uint8Array, options: { maxOutputLength: number }): Promise<Buffer> {
  const { inflateRaw } = await import("node:zlib");
  return promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw)(packed, options);
}

const broken = () =>
  listFault("The workbook is damaged. Open it in a spreadsheet, save it again, and choose the new file.");
const tooLarge = () =>
  listFault("The workbook is too large. Copy the rows and columns that are needed into a new one.");

export function openArchive(bytes: Uint8Array): Archive {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = directoryOf(view);
  let left = MOST_INFLATED_BYTES;
  return {
    has: (name) => entries.has(name),
    async read(name) {
      const entry = entries.get(name);
      if (!entry) return null;
      if (entry.isEncrypted) throw listFault("The workbook is locked with a password. Save it without one.");
      if (entry.inflatedBytes > left) throw tooLarge();
      const content = await contentOf(view, entry, left);
      left -= content.byteLength;
      return content;
    },
  };
}

function directoryOf(view: Buffer): Map<string, Entry> {
  const end = endOfDirectory(view);
  if (end === null) throw broken();
  const count = view.readUInt16LE(end + 10);
  let at = view.readUInt32LE(end + 16);
  if (count > MOST_ENTRIES) throw tooLarge();
  const entries = new Map<string, Entry>();
  for (let index = 0; index < count; index++) {
    if (at + 46 > view.length || view.readUInt32LE(at) !== DIRECTORY_ENTRY) throw broken();
    const nameEnd = at + 46 + view.readUInt16LE(at + 28);
    const name = view
      .toString("utf8", at + 46, nameEnd)
      .replaceAll("\\", "/")
      .replace(/^\//, "")
      .toLowerCase();
    entries.set(name, {
      method: view.readUInt16LE(at + 10),
      isEncrypted: (view.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      compressedBytes: view.readUInt32LE(at + 20),
      inflatedBytes: view.readUInt32LE(at + 24),
      localAt: view.readUInt32LE(at + 42),
    });
    at = nameEnd + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
  return entries;
}

function endOfDirectory(view: Buffer): number | null {
  const lowest = Math.max(0, view.length - END_BYTES - LONGEST_COMMENT);
  for (let at = view.length - END_BYTES; at >= lowest; at--) if (view.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  return null;
}

async function contentOf(view: Buffer, entry: Entry, mostBytes: number): Promise<Uint8Array> {
  const { localAt, compressedBytes, method } = entry;
  if (localAt + 30 > view.length || view.readUInt32LE(localAt) !== LOCAL_ENTRY) throw broken();
  const from = localAt + 30 + view.readUInt16LE(localAt + 26) + view.readUInt16LE(localAt + 28);
  if (from + compressedBytes > view.length) throw broken();
  const packed = view.subarray(from, from + compressedBytes);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw broken();
  try {
    return await inflated(packed, { maxOutputLength: mostBytes });
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : broken();
  }
}
