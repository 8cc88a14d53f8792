// Verification of the stored audit chain: every block and entry, the stub of the pruned part, the signed heads, and
// that no entry is there that was never sealed.
import { createTurns } from "../core/clock.ts";
import type { Executor } from "../db/tables.ts";
import { idsOf } from "./chain.ts";
import * as store from "./chain-store.ts";
import { AuditFault, ChainChecker } from "./checker.ts";
import { HEAD_FORMAT, readAuditHead, STUB_FORMAT, type AuditHead } from "./head.ts";
import type { AuditBlock, ChainedEntry } from "./records.ts";
import { SUBJECT_REPLACED } from "../accounts/audit-subject-store.ts";

export interface VerifyDeps {
  reader: Executor;
  /** Public keys of the appliance, in hex. */
  keys: ReadonlySet<string>;
  /** A head that was kept elsewhere. */
  head?: AuditHead | null;
  progress?: (entries: number) => void;
}

export interface Verified {
  entries: number;
  blocks: number;
  /** Entries that were pruned before. */
  pruned: number;
  /** Entries without a place in the chain yet. */
  unsealed: number;
}

const BLOCKS_PER_PAGE = 20;

/** Throws AuditFault. Blocks that are pruned meanwhile would look removed, so it starts again then. */
export async function verifyDatabase(deps: VerifyDeps): Promise<Verified> {
  for (;;) {
    const before = (await store.stubOf(deps.reader))?.sequence;
    try {
      return await verifyOnce(deps);
    } catch (error) {
      const isSameStub = (await store.stubOf(deps.reader))?.sequence === before;
      if (!(error instanceof AuditFault) || isSameStub) throw error;
    }
  }
}

async function verifyOnce(deps: VerifyDeps): Promise<Verified> {
  const { reader, keys, head = null, progress = () => {} } = deps;
  const start = await checkedStub(reader, keys);
  const checker = new ChainChecker(start);
  const heads = new HeadReader(reader, keys, start.sequence, head);
  // Entries that are written meanwhile are left to the next run.
  const last = (await store.lastBlock(reader))?.sequence ?? start.sequence;
  const yields = createTurns();
  while (checker.end.sequence < last) {
    const blocks = await store.blocksAfter(reader, checker.end.sequence, BLOCKS_PER_PAGE);
    if (blocks.length === 0) break;
    for (const block of blocks) {
      checker.block(block);
      await heads.compare(block);
      await checkEntries(reader, checker, block, yields);
    }
    progress(checker.entries);
  }
  await heads.end(checker.end.sequence);
  const unsealed = await checkUnsealed(reader, checker);
  return { entries: checker.entries, blocks: checker.blocks, pruned: start.lastNumber, unsealed };
}

async function checkedStub(reader: Executor, keys: ReadonlySet<string>) {
  const stub = await store.stubOf(reader);
  const end = store.stubEnd(stub);
  if (stub === null) return end;
  const { sequence, entries, last } = readAuditHead(stub.line, STUB_FORMAT, keys);
  if (sequence !== end.sequence || entries !== end.lastNumber || last !== end.hash) {
    throw new AuditFault("The stub of the pruned part was changed.");
  }
  return end;
}

async function checkEntries(
  reader: Executor,
  checker: ChainChecker,
  block: AuditBlock,
  yields: () => Promise<void> | undefined,
): Promise<void> {
  const ids = idsOf(block);
  const found = await store.entriesById(reader, ids);
  for (const [index, id] of ids.entries()) {
    const entry = found.get(id);
    checker.entry(block, index, entry);
    if (entry) await checkReplacement(reader, block.first_number + index, entry);
    await yields();
  }
}

/** An erasure that replaces a sealed subject is an entry itself. */
async function checkReplacement(reader: Executor, number: number, entry: ChainedEntry): Promise<void> {
  if (entry.commitment === null || entry.salt !== null) return;
  if (await store.isReplacementNoted(reader, SUBJECT_REPLACED, entry.subject_id ?? "")) return;
  throw new AuditFault(`Entry ${number} (${entry.id}) lost its subject without an erasure.`);
}

/** Heads of the database, one after the other, and the given one. */
class HeadReader {
  #waiting: store.StoredHead[] = [];
  #isRead = false;
  #isGivenSeen = false;

  constructor(
    private readonly reader: Executor,
    private readonly keys: ReadonlySet<string>,
    private after: number,
    private readonly given: AuditHead | null,
  ) {
    // Its block was pruned: the stub vouches for it.
    this.#isGivenSeen = given === null || given.sequence <= after;
  }

  async compare({ sequence, hash }: AuditBlock): Promise<void> {
    if (this.given?.sequence === sequence) {
      if (this.given.last !== hash) throw new AuditFault(`Block ${sequence} is not the one that the head names.`);
      this.#isGivenSeen = true;
    }
    if (this.#waiting.length === 0 && !this.#isRead) {
      this.#waiting = await store.headsAfter(this.reader, this.after, BLOCKS_PER_PAGE);
      this.#isRead = this.#waiting.length < BLOCKS_PER_PAGE;
    }
    const [next] = this.#waiting;
    if (next?.sequence !== sequence) return;
    this.#waiting.shift();
    this.after = sequence;
    const head = readAuditHead(next.line, HEAD_FORMAT, this.keys);
    if (head.sequence !== sequence || head.last !== hash) {
      throw new AuditFault(`Block ${sequence} is not the one of the signed head of ${head.at}.`);
    }
  }

  /** Also without any block. A head that was signed meanwhile has its block, which the next run verifies. */
  async end(last: number): Promise<void> {
    const [beyond] = await store.headsAfter(this.reader, last, 1);
    const isThere = beyond !== undefined && (await store.blockAt(this.reader, beyond.sequence)) !== null;
    const stored = isThere ? undefined : beyond?.sequence;
    const missing = stored ?? (this.#isGivenSeen ? null : this.given?.sequence);
    if (missing !== null && missing !== undefined) {
      throw new AuditFault(`Block ${missing}, which a signed head names, is missing: the end was cut off.`);
    }
  }
}

/** Sealed ids in memory at once. */
const IDS_AT_ONCE = 200_000;
const IDS_PER_PAGE = 10_000;

/** Every entry is in a block or waits for one. Returns how many wait. */
async function checkUnsealed(reader: Executor, { end, entries }: ChainChecker): Promise<number> {
  let waiting = 0;
  for await (const _ of waitingIds(reader)) waiting += 1;
  // Removed ones were found before, so an equal number means the same entries.
  if ((await store.countEntries(reader)) === entries + waiting) return waiting;
  return findInserted(reader, end.sequence);
}

async function findInserted(reader: Executor, lastBlock: number): Promise<number> {
  let unsealed = 0;
  for (let from = ""; ;) {
    const ids = new Set<string>();
    let next = "";
    while (ids.size < IDS_AT_ONCE) {
      const page = await store.entryIdsFrom(reader, next === "" ? from : next, IDS_PER_PAGE);
      for (const id of page) ids.add(id);
      const last = page.at(-1);
      if (page.length < IDS_PER_PAGE || last === undefined) {
        next = "";
        break;
      }
      next = last;
    }
    for await (const block of allBlocks(reader)) for (const id of idsOf(block)) ids.delete(id);
    for await (const id of waitingIds(reader)) if (ids.delete(id)) unsealed += 1;
    // Sealed since, while this ran.
    for (const id of ids.size === 0 ? [] : await sealedSince(reader, lastBlock)) ids.delete(id);
    const [inserted] = ids;
    if (inserted !== undefined) throw new AuditFault(`Entry ${inserted} was never sealed: it was inserted later.`);
    if (next === "") return unsealed;
    from = next;
  }
}

async function* allBlocks(reader: Executor, after = 0): AsyncGenerator<AuditBlock, void> {
  for (let last = after; ;) {
    const blocks = await store.blocksAfter(reader, last, 200);
    yield* blocks;
    const end = blocks.at(-1);
    if (!end) return;
    last = end.sequence;
  }
}

async function sealedSince(reader: Executor, after: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const block of allBlocks(reader, after)) ids.push(...idsOf(block));
  return ids;
}

async function* waitingIds(reader: Executor): AsyncGenerator<string, void> {
  for (let after = ""; ;) {
    const rows = await store.unsealedAfter(reader, after, 1_000);
    for (const { id, entries } of rows) yield* entries === "" ? [id] : entries.split(" ");
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
