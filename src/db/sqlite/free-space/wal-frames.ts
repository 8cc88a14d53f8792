// Reader of the write-ahead log, through which every page change passes. https://sqlite.org/fileformat2.html, section
// 4.1.
import { closeSync, openSync, readSync } from "node:fs";
import type { PageAt } from "./free-span.ts";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The two valid values differ in the byte order of checksums. */
const MAGIC = 0x377f0682;
/** Small enough for the processor's cache and for a reused buffer; both have a measurable effect. */
const FRAMES_PER_READ = 32;
/** The header is reread after this many length checks, because another program may have restarted the log. */
const LOOKS_PER_HEAD = 32;

interface Log {
  pageBytes: number;
  frameBytes: number;
  /** Change with every restart of the log: frames with other salts are from an earlier one. */
  salts: bigint;
}

export class WalFrames {
  readonly #file: string;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #chunk = Buffer.alloc(0);
  #fd: number | null = null;
  #salts: bigint | null = null;
  #committed = 0;
  /** Cached header, for length checks only. */
  #remembered: Log | null = null;
  #looks = 0;

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`;
  }

  /** Frames up to the last commit read. */
  get committed(): number {
    return this.#committed;
  }

  /**
   * The pages committed since the last call that `isWanted` accepts, including duplicates. No one may write meanwhile:
   * a half-written frame could have its header without its page.
   */
  newPages(isWanted: (page: PageAt, pageNumber: number) => boolean): number[] {
    const log = this.#log();
    this.#remembered = null;
    if (log?.salts !== this.#salts) this.#committed = 0;
    this.#salts = log?.salts ?? null;
    return log ? this.#readOn(log, isWanted) : [];
  }

  #readOn({ pageBytes, frameBytes, salts }: Log, isWanted: (page: PageAt, pageNumber: number) => boolean): number[] {
    const [salt1, salt2] = [Number(salts >> 32n), Number(salts & 0xffffffffn)];
    const wanted: number[] = [];
    let wantedCommitted = 0;
    if (this.#chunk.length !== FRAMES_PER_READ * frameBytes) this.#chunk = Buffer.alloc(FRAMES_PER_READ * frameBytes);
    const chunk = this.#chunk;
    const page: PageAt = { bytes: chunk, at: 0, pageBytes };
    for (let at = this.#committed; ;) {
      const bytes = this.#read(chunk, HEADER_BYTES + at * frameBytes);
      for (let start = 0; start + frameBytes <= bytes; start += frameBytes) {
        const isOfThisLog = chunk.readUInt32BE(start + 8) === salt1 && chunk.readUInt32BE(start + 12) === salt2;
        if (!isOfThisLog) return wanted.slice(0, wantedCommitted);
        at += 1;
        const pageNumber = chunk.readUInt32BE(start);
        page.at = start + FRAME_HEADER_BYTES;
        if (isWanted(page, pageNumber)) wanted.push(pageNumber);
        // The last frame of a commit contains the database size after it; in other frames it is 0.
        if (chunk.readUInt32BE(start + 4) === 0) continue;
        wantedCommitted = wanted.length;
        this.#committed = at;
      }
      if (bytes < chunk.length) return wanted.slice(0, wantedCommitted);
    }
  }

  /** Cheap enough to call after every commit. */
  isAsLongAs(frames: number): boolean {
    if (++this.#looks % LOOKS_PER_HEAD === 0) this.#remembered = null;
    const log = (this.#remembered ??= this.#log());
    if (!log) return false;
    const bytes = this.#read(this.#header, HEADER_BYTES + (frames - 1) * log.frameBytes);
    return bytes === HEADER_BYTES && this.#header.readBigUInt64BE(8) === log.salts;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /** Null if the log is empty. */
  #log(): Log | null {
    const header = this.#header;
    if (this.#read(header, 0) < HEADER_BYTES || (header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return null;
    const pageBytes = header.readUInt32BE(8);
    return { pageBytes, frameBytes: FRAME_HEADER_BYTES + pageBytes, salts: header.readBigUInt64BE(16) };
  }

  #read(into: Buffer, at: number): number {
    this.#fd ??= openSync(this.#file, "r");
    return readSync(this.#fd, into, 0, into.length, at);
  }
}
