// The worklist: matters that need a person. A call that needs follow-up creates an item in the transaction that ends
// it. Items about lasting problems (a trunk that is down, a disabled endpoint) are synchronised with their tables every
// few seconds. Solved items disappear by themselves; items done by a person are marked with their name.
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import type { FinalCall, FinalCallWatcher } from "../calls/call/final-calls.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Database } from "../db/database.ts";
import { countHeld, countHeldByOrganisation } from "../calls/queue/held-store.ts";
import type { PersonHold } from "../calls/queue/policy.ts";
import { hasUnfinishedCall } from "../calls/call/unfinished-store.ts";
import { offerOfCall } from "../waiting-list/offer-store.ts";
import type { Call } from "../calls/call/records.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { createCampaignLines } from "./campaign-lines.ts";
import { sourceTroubles } from "./source-file-store.ts";
import { findingOf, HELD_KINDS, isSolved, type HeldKind, type WorklistKind } from "./kinds.ts";
import {
  campaignsFinished,
  deleteItems,
  endpointsDown,
  itemOf,
  itemsOfKind,
  openOfContact,
  putItem,
  setDone,
  trunksDown,
  wishesFulfilled,
  wishesWaiting,
  type Trouble,
} from "./worklist-store.ts";

export interface WorklistDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  /** Whether calls use trunks at all. */
  usesTrunks: boolean;
}

/** Shorter outages end by themselves. */
const OUTAGE_MS = 5 * MINUTE_MS;
/** Most sources answer a wish within minutes. */
const UNANSWERED_MS = 4 * HOUR_MS;
/** Older campaigns, and older files at fault, are not shown. */
const FINISHED_SHOWN_MS = 7 * DAY_MS;
const MOST_PER_COMMAND = 250;
const HELD = Object.entries(HELD_KINDS) as [HeldKind, PersonHold][];

export function createWorklist({ db, clock, ids, audit, usesTrunks }: WorklistDeps) {
  const put = (tx: Tx, organisationId: string, kind: WorklistKind, subjectId: string, detail: string | null) =>
    putItem(tx, {
      id: ids.next("wrk"),
      organisation_id: organisationId,
      kind,
      subject_id: subjectId,
      detail,
      created_at: clock.now(),
      done_at: null,
      done_by: null,
    });

  const campaignLines = createCampaignLines({ db, put });

  /**
   * Runs in the transaction that ends a call. The latest finding about a person replaces earlier ones; an emergency is
   * closed only by a person.
   */
  async function callEnded(
    tx: Tx,
    final: FinalCall,
    { hasTurn, hasOther, open }: Known,
    isCalledAgain: boolean,
  ): Promise<void> {
    const { call } = final;
    const isTriedAgain = call.scheduled_call_id !== null || isCalledAgain || hasTurn || hasOther;
    const finding = findingOf(final, isTriedAgain);
    const wasSpokenTo = call.state === "completed" && call.outcome !== "voicemail";
    if (finding === null && !isSolved(final, finding)) return;
    const outdated = open.filter(({ kind }) => kind === "call_failed" || (wasSpokenTo && kind !== "emergency"));
    await deleteItems(
      tx,
      outdated.map(({ id }) => id),
    );
    if (!finding || (finding.kind === "call_failed" && (await campaignLines.isOneOfMany(tx, call)))) return;
    await put(tx, call.organisation_id, finding.kind, call.id, finding.detail);
  }

  async function compare(kind: WorklistKind, troubles: readonly Trouble[], organisationId?: string): Promise<void> {
    const known = (await itemsOfKind(db.reader, kind)).filter(
      (item) => organisationId === undefined || item.organisation_id === organisationId,
    );
    const over = known.filter(({ subject_id }) => !troubles.some((trouble) => trouble.subject_id === subject_id));
    const begun = troubles.filter(({ subject_id }) => !known.some((item) => item.subject_id === subject_id));
    if (over.length + begun.length === 0) return;
    await db.write(async (tx) => {
      await deleteItems(
        tx,
        over.slice(0, MOST_PER_COMMAND).map(({ id }) => id),
      );
      for (const { organisation_id, subject_id } of begun.slice(0, MOST_PER_COMMAND))
        await put(tx, organisation_id, kind, subject_id, null);
    });
  }

  async function mark(organisationId: string, id: string, actor: Actor, isDone: boolean): Promise<void> {
    await db.write(async (tx) => {
      const item = await itemOf(tx, organisationId, id);
      if (!item) throw new AppError("NOT_FOUND", "This is no longer on the worklist.");
      if ((item.done_at !== null) === isDone) return;
      await setDone(tx, id, isDone ? { done_at: clock.now(), done_by: actor.id } : { done_at: null, done_by: null });
      const action = isDone ? "worklist.done" : "worklist.reopened";
      await audit.record(tx, { organisationId, actor, action, subjectId: id, detail: { kind: item.kind } });
    });
  }

  return {
    /** Runs after the watchers that may call the person again: compose/watchers.ts. */
    callWatcher: { look: knownOf, ended: callEnded } satisfies FinalCallWatcher<Known>,
    done: (organisationId: string, id: string, actor: Actor) => mark(organisationId, id, actor, true),
    undo: (organisationId: string, id: string, actor: Actor) => mark(organisationId, id, actor, false),

    /** Synchronises the items about held calls at once, after a person released or cancelled some. */
    async lookHeld(organisationId: string): Promise<void> {
      for (const [kind, reason] of HELD) {
        const held = await countHeld(db.reader, { organisationId, reason });
        await compare(kind, held === 0 ? [] : [aboutOrganisation({ organisation_id: organisationId })], organisationId);
      }
    },

    /** Synchronises items with other tables. */
    async look(): Promise<void> {
      for (const [kind, reason] of HELD)
        await compare(kind, (await countHeldByOrganisation(db.reader, reason)).map(aboutOrganisation));
      await compare("trunk_down", usesTrunks ? await trunksDown(db.reader) : []);
      await compare("endpoint_down", await endpointsDown(db.reader, clock.now() - OUTAGE_MS));
      await compare("wish_open", await openWishes(db.reader, clock.now()));
      for (const found of await ended(db.reader, clock.now() - FINISHED_SHOWN_MS)) await compare(...found);
      await campaignLines.clear();
      await removeFulfilled(db);
    },
  };
}

/** From a day early, because a branch may be west of UTC. */
const openWishes = (reader: Executor, now: number): Promise<Trouble[]> =>
  wishesWaiting(reader, now - UNANSWERED_MS, toIso(now - DAY_MS).slice(0, 10));

/** Lists and folders of the hospital's systems, and campaigns. */
const ended = async (reader: Executor, since: number): Promise<[kind: WorklistKind, troubles: Trouble[]][]> => [
  ...(await sourceTroubles(reader, since)),
  ["campaign_finished", await campaignsFinished(reader, since)],
];

async function removeFulfilled(db: Database): Promise<void> {
  const fulfilled = await wishesFulfilled(db.reader);
  if (fulfilled.length > 0) await db.write((tx) => deleteItems(tx, fulfilled.slice(0, MOST_PER_COMMAND)));
}

const aboutOrganisation = ({ organisation_id }: { organisation_id: string }): Trouble => ({
  organisation_id,
  subject_id: organisation_id,
});

/** Data about the person besides the call that ends. */
interface Known {
  /** The person keeps their turn on the waiting list if they do not answer. */
  hasTurn: boolean;
  /** Another call to them is pending or live. */
  hasOther: boolean;
  open: Awaited<ReturnType<typeof openOfContact>>;
}

async function knownOf(tx: Tx, { id, organisation_id, contact_number }: Call): Promise<Known> {
  const [offer, hasOther, open] = await Promise.all([
    offerOfCall(tx, id),
    hasUnfinishedCall(tx, organisation_id, contact_number, id),
    openOfContact(tx, organisation_id, contact_number),
  ]);
  return { hasTurn: offer !== undefined, hasOther, open };
}

export type Worklist = ReturnType<typeof createWorklist>;
