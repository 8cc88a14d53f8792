// Queue of carrier reports: in order per call, each retried until it is stored. On PostgreSQL, waiting reports of
// different calls share a transaction.
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
   * Reads its data and returns the function that writes the report. `call` is its state in this transaction. Reports
   * about different people are read concurrently and then written one after the other. Both steps are repeated if the
   * transaction fails.
   */
  read: (tx: Tx, call: Call | undefined) => Promise<() => Promise<void>>;
  /** Runs after the commit. */
  stored?: () => void;
}

/** Retry interval. A full disk must not lose a report: it is retried until it is stored or the process ends. */
const TRY_AGAIN_MS = SECOND_MS;
/** Storing an end takes some milliseconds, and an answer to an inbound call may wait behind the group. */
const MOST_PER_GROUP = 8;

export function createReportQueue(deps: { db: Database; clock: Clock; logger: Logger }) {
  const { db, clock, logger } = deps;
  /**
   * Per call, the report being stored and those behind it. The order matters: an end stored before its answer would be
   * invalid.
   */
  const waiting = new Map<string, Report[]>();
  /** Calls whose first report is ready to be stored. */
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
      // Stored one by one, so that a failing report does not block the others.
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
    // An error in a listener is logged like any unhandled rejection.
    void (async () => report?.stored?.())();
  }

  function tryLater(callId: string, error: unknown): void {
    const report = firstOf(callId)?.name;
    logger.error("A carrier's report could not be stored; it is tried again.", { report, error: messageOf(error) });
    clock.after(TRY_AGAIN_MS, () => begin(callId));
  }

  /** SQLite's writer already groups waiting commands into one commit. */
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

/**
 * Splits the calls into parts with each person once, because ending a call reads the state of other calls to the same
 * person.
 */
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
