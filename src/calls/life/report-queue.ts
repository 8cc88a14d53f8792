// Stores what a carrier reports: the reports of one call in their order, each tried until it is on disk. On PostgreSQL
// the reports of different calls that wait at the same time share a transaction.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Command, Database } from "../../db/database.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import { CALL_LANE } from "../queue/call-lane.ts";
import { callsById } from "../call/store.ts";

export interface Report {
  name: string;
  /**
   * Reads what it needs, and answers what writes it down. `call` as it is in this transaction. Reports of different
   * people are read at the same time, and then written one after the other. Both run again where the transaction
   * failed.
   */
  read: (tx: Tx, call: Call | undefined) => Promise<() => Promise<void>>;
  /** Runs once it is on disk. */
  stored?: () => void;
}

/** A full disk must not lose what a carrier reported: it is tried until it is stored or the process ends. */
const TRY_AGAIN_MS = SECOND_MS;
/** The end of a call takes some milliseconds, and a caller who is to be answered may wait behind the group. */
const MOST_PER_GROUP = 8;

export function createReportQueue(deps: { db: Database; clock: Clock; logger: Logger }) {
  const { db, clock, logger } = deps;
  /**
   * Of each call, the report that is being stored and those behind it: an end stored before its answer would not fit.
   */
  const waiting = new Map<string, Report[]>();
  /** Calls whose first report is to be stored next. */
  const ready: string[] = [];
  let isStoring = false;

  const firstOf = (callId: string): Report | undefined => waiting.get(callId)?.[0];

  async function storeAll(): Promise<void> {
    isStoring = true;
    while (ready.length > 0) await storeGroup(ready.splice(0, MOST_PER_GROUP));
    isStoring = false;
  }

  async function storeGroup(callIds: readonly string[]): Promise<void> {
    const store: Command<void> = async (tx) => {
      const calls = await callsById(tx, callIds);
      for (const part of byPerson(callIds, calls)) {
        const writes = await Promise.all(part.map(async (callId) => firstOf(callId)?.read(tx, calls.get(callId))));
        for (const write of writes) await write?.();
      }
    };
    const [first, ...others] = callIds;
    try {
      await db.write(store, CALL_LANE);
    } catch (error) {
      if (first !== undefined && others.length === 0) tryLater(first, error);
      // One that cannot be stored must not hold up the others.
      else for (const callId of callIds) await storeGroup([callId]);
      return;
    }
    for (const callId of callIds) stored(callId);
  }

  function stored(callId: string): void {
    const reports = waiting.get(callId);
    const report = reports?.shift();
    if (reports && reports.length > 0) begin(callId);
    else waiting.delete(callId);
    // A throw of a listener is its own, and is logged as every stray rejection is.
    void (async () => report?.stored?.())();
  }

  function tryLater(callId: string, error: unknown): void {
    const report = firstOf(callId)?.name;
    logger.error("A carrier's report could not be stored; it is tried again.", { report, error: messageOf(error) });
    clock.after(TRY_AGAIN_MS, () => begin(callId));
  }

  /** SQLite's writer puts everything that waits for it into one commit by itself. */
  function begin(callId: string): void {
    if (db.engine === "sqlite") {
      void storeGroup([callId]);
      return;
    }
    ready.push(callId);
    if (!isStoring) void storeAll();
  }

  return (callId: string, report: Report): void => {
    const reports = waiting.get(callId);
    if (reports) {
      reports.push(report);
      return;
    }
    waiting.set(callId, [report]);
    begin(callId);
  };
}

/** In parts in which each person is once: the end of one call to them is read by the end of the other. */
function byPerson(callIds: readonly string[], calls: ReadonlyMap<string, Call>): string[][] {
  const parts: { people: Set<string>; callIds: string[] }[] = [];
  for (const callId of callIds) {
    const call = calls.get(callId);
    const person = call ? `${call.organisation_id} ${call.contact_number}` : callId;
    let part = parts.find(({ people }) => !people.has(person));
    if (!part) parts.push((part = { people: new Set(), callIds: [] }));
    part.people.add(person);
    part.callIds.push(callId);
  }
  return parts.map((part) => part.callIds);
}
