// Export of the audit chain as JSON Lines: where it begins, each block followed by its entries, and a signed head of
// the last block. Everything is verified while it is written and while it is read.
import { createTurns } from "../core/clock.ts";
import type { Executor } from "../db/tables.ts";
import { NO_HASH, idsOf, leavesOf, type ChainEnd } from "./chain.ts";
import * as store from "./chain-store.ts";
import { AuditFault, ChainChecker } from "./checker.ts";
import { HEAD_FORMAT, readAuditHead, type AuditHead } from "./head.ts";
import type { AuditBlock, ChainedEntry } from "./records.ts";

export const EXPORT_FORMAT = "ringward-audit-export-1";
/** An entry has a few kilobytes at most. */
export const LONGEST_LINE = 1_000_000;
const BLOCKS_PER_PAGE = 20;

export interface ExportRange {
  after: ChainEnd;
  /** The last block. */
  last: number;
}

export interface ExportedPart {
  text: string;
  /** Entries until now. */
  entries: number;
}

/** Throws AuditFault if the stored chain is not whole. */
export async function* exportedParts(
  reader: Executor,
  { after, last }: ExportRange,
  sign: (end: ChainEnd) => Promise<string>,
): AsyncGenerator<ExportedPart, void> {
  const checker = new ChainChecker(after);
  const { hash, lastNumber, sequence } = after;
  yield { text: lineOf({ after: { hash, number: lastNumber, sequence }, format: EXPORT_FORMAT }), entries: 0 };
  const yields = createTurns();
  while (checker.end.sequence < last) {
    const blocks = await store.blocksAfter(reader, checker.end.sequence, BLOCKS_PER_PAGE);
    const [first] = blocks;
    if (!first) throw new AuditFault(`Block ${checker.end.sequence + 1} is missing.`);
    for (const block of blocks) {
      if (block.sequence > last) break;
      yield { text: await blockLines(reader, checker, block), entries: checker.entries };
      await yields();
    }
  }
  yield { text: `${await sign(checker.end)}\n`, entries: checker.entries };
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

async function blockLines(reader: Executor, checker: ChainChecker, block: AuditBlock): Promise<string> {
  checker.block(block);
  const found = await store.entriesById(reader, idsOf(block));
  const leaves = leavesOf(block);
  const { entry_ids: _, leaves: __, ...header } = block;
  const lines = [lineOf({ block: header })];
  for (const [index, id] of idsOf(block).entries()) {
    const entry = found.get(id);
    checker.entry(block, index, entry);
    lines.push(lineOf({ entry, hash: leaves[index] }));
  }
  return lines.join("");
}

export interface VerifiedExport {
  after: ChainEnd;
  end: ChainEnd;
  entries: number;
  head: AuditHead;
}

/** Verifies an export line by line. Throws AuditFault. */
export class ExportReader {
  #checker: ChainChecker | null = null;
  #after: ChainEnd | null = null;
  #header: Header | null = null;
  #entries: { entry: ChainedEntry; hash: string }[] = [];
  #head: AuditHead | null = null;

  /** If `keys` is null, any key is accepted, and the origin is not checked. */
  constructor(private readonly keys: ReadonlySet<string> | null) {}

  add(line: string): void {
    if (line.length > LONGEST_LINE) throw new AuditFault("The line is too long.");
    if (this.#head) throw new AuditFault("There is something after the head.");
    if (line.startsWith('{"hash":')) this.#end(line);
    else this.#addPart(parsed(line));
  }

  /** After the last line. */
  end(): VerifiedExport {
    if (!this.#checker || !this.#after || !this.#head) {
      throw new AuditFault("It has no signed head at its end: it is not complete.");
    }
    return { after: this.#after, end: this.#checker.end, entries: this.#checker.entries, head: this.#head };
  }

  /** The start of the chain, a block or an entry. */
  #addPart(value: Line): void {
    if (!this.#checker) {
      this.#after = startOf(value);
      this.#checker = new ChainChecker(this.#after);
    } else if (value.block !== undefined) {
      this.#closeBlock();
      this.#header = headerOf(value.block);
    } else if (value.entry !== undefined && isHash(value.hash)) {
      this.#addEntry(entryOf(value.entry), value.hash);
    } else throw new AuditFault("It is neither a block nor an entry.");
  }

  #addEntry(entry: ChainedEntry, hash: string): void {
    if (!this.#header) throw new AuditFault("The entry belongs to no block.");
    if (this.#entries.length >= this.#header.entry_count)
      throw new AuditFault("The entry is one too many in its block.");
    this.#entries.push({ entry, hash });
  }

  #closeBlock(): void {
    const checker = this.#checker;
    if (!checker || !this.#header) return;
    const block: AuditBlock = {
      ...this.#header,
      entry_ids: this.#entries.map(({ entry }) => entry.id).join(" "),
      leaves: this.#entries.map(({ hash }) => hash).join(""),
    };
    const { first_number, entry_count } = block;
    if (this.#entries.length < entry_count) {
      throw new AuditFault(`An entry of ${first_number} to ${first_number + entry_count - 1} is missing.`);
    }
    // Entries first, so that a changed one is named.
    for (const [index, { entry }] of this.#entries.entries()) checker.entry(block, index, entry);
    checker.block(block);
    this.#header = null;
    this.#entries = [];
  }

  #end(line: string): void {
    this.#closeBlock();
    const head = readAuditHead(line, HEAD_FORMAT, this.keys);
    const end = this.#checker?.end;
    if (!end || head.sequence !== end.sequence || head.last !== end.hash || head.entries !== end.lastNumber) {
      throw new AuditFault("The signed head names another block than the last one: blocks are missing or changed.");
    }
    this.#head = head;
  }
}

type Header = Omit<AuditBlock, "entry_ids" | "leaves">;

interface Line {
  format?: unknown;
  after?: unknown;
  block?: unknown;
  entry?: unknown;
  hash?: unknown;
}

function parsed(line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  throw new AuditFault("It is not a JSON object.");
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

function startOf({ format, after }: Line): ChainEnd {
  const { hash, number, sequence } = (after ?? {}) as Record<string, unknown>;
  if (format !== EXPORT_FORMAT) throw new AuditFault(`Its format is not ${EXPORT_FORMAT}.`);
  if (!isHash(hash) || !isNumber(number) || !isNumber(sequence) || (sequence === 0) !== (hash === NO_HASH)) {
    throw new AuditFault("It does not say where it begins.");
  }
  return { hash, lastNumber: number, sequence };
}

function headerOf(value: unknown): Header {
  const block = (value ?? {}) as Record<string, unknown>;
  const { sequence, first_number, entry_count, sealed_at, newest_at, hash } = block;
  const isValid = [sequence, first_number, entry_count, sealed_at, newest_at].every(isNumber) && isHash(hash);
  if (!isValid || Object.keys(block).length !== 6) throw new AuditFault("It is no block.");
  return block as unknown as Header;
}

const ENTRY_FIELDS: Readonly<Record<keyof ChainedEntry, (value: unknown) => boolean>> = {
  id: isText,
  organisation_id: isText,
  at: isNumber,
  actor_kind: isText,
  actor_id: isTextOrNull,
  action: isText,
  subject_id: isTextOrNull,
  detail: isText,
  request_id: isTextOrNull,
  salt: isTextOrNull,
  commitment: isTextOrNull,
};

function entryOf(value: unknown): ChainedEntry {
  const entry = (value ?? {}) as Record<string, unknown>;
  const fields = Object.entries(ENTRY_FIELDS);
  const isValid = fields.every(([name, is]) => is(entry[name])) && Object.keys(entry).length === fields.length;
  if (!isValid || /\s/.test(String(entry["id"]))) throw new AuditFault("It is no entry.");
  return entry as unknown as ChainedEntry;
}
