// Stream of the audit chain to a syslog collector. It follows the sealed blocks from a stored position, so a collector
// that is away costs no memory: the blocks wait in the database. A block is delivered at least once.
import { MINUTE_MS, othersFirst, SECOND_MS, toIso, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { SyslogClient } from "../net/syslog.ts";
import type { SyslogMessage } from "../net/syslog-message.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import { idsOf, leavesOf } from "./chain.ts";
import * as store from "./chain-store.ts";
import type { AuditBlock, ChainedEntry } from "./records.ts";

export interface AuditStreamDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  /** Null: nothing is streamed. */
  syslog: Pick<SyslogClient, "sendAll"> | null;
}

/** The number of RFC 5612 for documentation, because Ringward has none of its own. */
export const SD_ID = "ringward@32473";
export const STREAM = "syslog";
const HEADS = "syslog heads";

/** One delivery: 500 messages at most. */
const BLOCKS_AT_ONCE = 5;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
const FIRST_PAUSE_MS = 15 * SECOND_MS;
/** /readyz reports a collector that is away for longer. */
const TOLD_AFTER_MS = 15 * MINUTE_MS;
/** The collector is told of entries that come later than this after their seal. */
const LATE_AFTER_MS = 5 * MINUTE_MS;

export interface AuditStream extends RecurringJob {
  /** Delivers everything that waits. Throws a NetFailure. */
  deliverAll(): Promise<void>;
  /** The last delivered block; null without a stream. */
  delivered(): Promise<number | null>;
  /** Whether the last delivery succeeded. */
  isConnected(): boolean;
  note(): string | null;
  /** Resolves when no delivery is under way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export function createAuditStream({ db, clock, logger, syslog }: AuditStreamDeps): AuditStream {
  let running: Promise<void> | null = null;
  let isStopped = false;
  let failing: { sinceMs: number; pauseMs: number; untilMs: number; message: string } | null = null;
  const late = createLateNotes(clock, logger);

  /** A new stream begins with the entries that are sealed from then on. */
  async function position(): Promise<number> {
    const known = await store.positionOf(db.reader, STREAM);
    if (known) return known.sequence;
    const { sequence } = await store.chainEnd(db.reader);
    await db.write((tx) => store.movePosition(tx, STREAM, sequence, clock.now()));
    return sequence;
  }

  async function deliverSome(client: Pick<SyslogClient, "sendAll">): Promise<boolean> {
    const after = await position();
    const { sequence: end } = await store.chainEnd(db.reader);
    if (end < after) throw new Error(`The collector has block ${after}, and the chain ends with block ${end}.`);
    const blocks = await store.blocksAfter(db.reader, after, BLOCKS_AT_ONCE);
    const last = blocks.at(-1);
    if (!last) return false;
    const messages: SyslogMessage[] = [];
    for (const block of blocks) messages.push(...(await messagesOf(db.reader, block)));
    await client.sendAll(messages);
    const now = clock.now();
    await db.write((tx) => store.movePosition(tx, STREAM, last.sequence, now));
    late.note(blocks, now);
    return true;
  }

  async function deliverAll(): Promise<void> {
    if (!syslog) return;
    while (!isStopped && (await deliverSome(syslog))) await othersFirst();
    if (!isStopped) await deliverHeads({ db, clock, client: syslog, reached: await position() });
    if (!isStopped) await late.tell(syslog);
  }

  async function deliverQuietly(): Promise<void> {
    try {
      await deliverAll();
      if (failing) logger.info("The syslog collector has the audit trail again.");
      failing = null;
    } catch (error) {
      if (isStopped) return;
      const message = messageOf(error);
      if (failing?.message !== message)
        logger.warn("The audit trail could not be sent to the syslog collector; tried again.", { error: message });
      const nowMs = clock.elapsedMs();
      const pauseMs = failing ? Math.min(failing.pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
      failing = { sinceMs: failing?.sinceMs ?? nowMs, pauseMs, untilMs: nowMs + pauseMs, message };
    } finally {
      running = null;
    }
  }

  return {
    name: "send the audit trail to syslog",
    pattern: "*/15 * * * * *",
    deliverAll,
    // Not awaited: the scheduler does not wait for a collector.
    async run() {
      if (!syslog || running || isStopped || (failing && clock.elapsedMs() < failing.untilMs)) return;
      running = deliverQuietly();
    },
    delivered: async () => (syslog ? position() : null),
    isConnected: () => failing === null,
    note() {
      if (!failing || clock.elapsedMs() - failing.sinceMs < TOLD_AFTER_MS) return null;
      return `The syslog collector does not get the audit trail: ${failing.message} The entries wait in the database.`;
    },
    async settled() {
      await running;
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

async function messagesOf(reader: Database["reader"], block: AuditBlock): Promise<SyslogMessage[]> {
  const found = await store.entriesById(reader, idsOf(block));
  const leaves = leavesOf(block);
  return idsOf(block).map((id, index) => {
    const place = { number: block.first_number + index, block: block.sequence, hash: leaves[index] };
    const entry = found.get(id);
    return entry ? entryMessage(entry, place) : missingMessage(id, block, place);
  });
}

interface Place {
  number: number;
  block: number;
  hash: string | undefined;
}

/** Ids, no names. A contact's id leads to their number, so its salted hash stands for it. */
function entryMessage(entry: ChainedEntry, place: Place): SyslogMessage {
  const { id, organisation_id, at, actor_kind, actor_id, action, subject_id, commitment, request_id } = entry;
  const subject = commitment === null ? { subject: subject_id } : { subject_hash: commitment };
  const who = { organisation: organisation_id, actor_kind, actor: actor_id };
  return {
    facility: "audit",
    severity: "notice",
    at,
    msgId: "AUDIT",
    data: { [SD_ID]: { id, ...who, action, ...subject, request: request_id, ...place } },
    text: action,
  };
}

/** The place is sent all the same: the collector sees that an entry is gone. */
const missingMessage = (id: string, { sealed_at }: AuditBlock, place: Place): SyslogMessage => ({
  facility: "audit",
  severity: "critical",
  at: sealed_at,
  msgId: "AUDITMISSING",
  data: { [SD_ID]: { id, ...place } },
  text: "The entry was removed.",
});

const headMessage = ({ sequence, at, line }: store.StoredHead): SyslogMessage => ({
  facility: "audit",
  severity: "notice",
  at,
  msgId: "AUDITHEAD",
  data: { [SD_ID]: { block: sequence, head: line } },
  text: "Signed head of the audit chain.",
});

/** Sent behind the late entries. */
const lateMessage = ({ entries, since }: { entries: number; since: number }, now: number): SyslogMessage => ({
  facility: "audit",
  severity: "warning",
  at: now,
  msgId: "AUDITLATE",
  data: { [SD_ID]: { entries, since: toIso(since), until: toIso(now) } },
  text: "Audit entries came late, because the collector could not be reached. None is missing.",
});

interface HeadsOrder extends Pick<AuditStreamDeps, "db" | "clock"> {
  client: Pick<SyslogClient, "sendAll">;
  /** The last delivered block. */
  reached: number;
}

async function deliverHeads({ db, clock, client, reached }: HeadsOrder): Promise<void> {
  const after = (await store.positionOf(db.reader, HEADS))?.sequence ?? 0;
  const heads = (await store.headsAfter(db.reader, after, BLOCKS_AT_ONCE)).filter((head) => head.sequence <= reached);
  const last = heads.at(-1);
  if (!last) return;
  await client.sendAll(heads.map(headMessage));
  await db.write((tx) => store.movePosition(tx, HEADS, last.sequence, clock.now()));
}

/** Counts entries that came late, by their seals, so that a restart meanwhile hides no gap. */
function createLateNotes(clock: Clock, logger: Logger) {
  let entries = 0;
  /** The seal of the first one. */
  let since = 0;
  return {
    note(blocks: readonly AuditBlock[], now: number): void {
      for (const { sealed_at, entry_count } of blocks.filter((block) => now - block.sealed_at > LATE_AFTER_MS)) {
        if (entries === 0) since = sealed_at;
        entries += entry_count;
      }
    },
    async tell(client: Pick<SyslogClient, "sendAll">): Promise<void> {
      if (entries === 0) return;
      await client.sendAll([lateMessage({ entries, since }, clock.now())]);
      logger.warn("The syslog collector got audit entries late; none is missing.", { entries, since: toIso(since) });
      entries = 0;
    },
  };
}
