// The worklist as people see it: each item with its subject and the next step.
import type { Actor } from "../core/actor.ts";
import { namesOfPeople } from "../accounts/person-store.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { rowCounts, type RowCount } from "../campaigns/result-store.ts";
import { callsWaitingForRules, countHeld, heldCalls } from "../calls/queue/held-store.ts";
import { FAILED_OUTCOMES, NOT_REACHED_OUTCOMES } from "../campaigns/retry.ts";
import { DAY_MS, toIso, type Clock } from "../core/clock.ts";
import { decodeCursor, encodeCursor } from "../core/pages.ts";
import type { Reach } from "../core/reach.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import { HELD_KINDS, type HeldKind, type WorklistKind } from "./kinds.ts";
import type { WorklistItem } from "./records.ts";
import { filesNamed, foldersNamed } from "./source-file-store.ts";
import {
  appointmentsOf,
  callsNamed,
  campaignsNamed,
  endpointsNamed,
  trunksNamed,
  unfinishedCallsTo,
  wishesNamed,
} from "./subject-store.ts";
import { countOpen, doneItems, openItems, urgentItems } from "./worklist-store.ts";

export interface WorklistViewDeps {
  db: Database;
  clock: Clock;
  readNotes: ReadNotes;
}

/** Whose items are shown: absent reach means the whole organisation. */
interface Seen {
  organisationId: string;
  reach?: Reach | undefined;
}

const PER_PAGE = 50;
const MOST_DONE = 20;

export function createWorklistView({ db: { reader }, clock, readNotes }: WorklistViewDeps) {
  const views = (organisationId: string, items: readonly WorklistItem[], { reach }: Actor) =>
    viewsOf(reader, { organisationId, reach }, items, clock.now());

  return {
    /** Open items in pages. The first page also has the urgent items and the most recently done ones. */
    async page(organisationId: string, question: { kind?: string; cursor?: string }, actor: Actor) {
      const { reach } = actor;
      const before = question.cursor === undefined ? undefined : decodeCursor(question.cursor, question);
      const rows = await openItems(reader, { organisationId, kind: question.kind, before, reach, limit: PER_PAGE + 1 });
      const page = rows.slice(0, PER_PAGE);
      const last = page.at(-1);
      const isFirst = before === undefined && question.kind === undefined;
      const urgent = isFirst ? await urgentItems(reader, organisationId, PER_PAGE, reach) : [];
      const waiting = isFirst ? await waitingFor(reader, { organisationId, reach }, clock.now()) : NOTHING_WAITS;
      const named = waiting.reasons.reduce((sum, { calls }) => sum + calls.length, 0);
      await readNotes.note({
        organisationId,
        actor,
        action: "worklist.read",
        detail: { count: urgent.length + page.length + named },
      });
      return {
        data: await views(organisationId, [...urgent, ...page], actor),
        next_cursor:
          rows.length > PER_PAGE && last ? encodeCursor({ createdAt: last.created_at, id: last.id }, question) : null,
        counts: await countOpen(reader, organisationId, reach),
        waiting,
        done: before
          ? []
          : await views(organisationId, await doneItems(reader, organisationId, MOST_DONE, reach), actor),
      };
    },

    async count(organisationId: string, reach?: Reach): Promise<{ open: number }> {
      const counts = await countOpen(reader, organisationId, reach);
      return { open: Object.values(counts).reduce((sum, count) => sum + count, 0) };
    },
  };
}

export type WorklistView = ReturnType<typeof createWorklistView>;
export type WorklistPage = Awaited<ReturnType<WorklistView["page"]>>;

/** Calls, each with the person's next appointment and call. */
async function callsOf(reader: Executor, { organisationId, reach }: Seen, ids: readonly string[], now: number) {
  const calls = await callsNamed(reader, ids);
  const numbers = [...new Set(calls.map(({ contact_number }) => contact_number))];
  const next = new Map(
    (await unfinishedCallsTo(reader, organisationId, numbers, reach)).map((call) => [call.contact_number, call]),
  );
  // A day early, because a branch may be west of UTC.
  const from = toIso(now - DAY_MS).slice(0, 10);
  const appointments = await appointmentsOf(reader, organisationId, numbers, from, reach);
  const appointmentTo = (number: string) => {
    const theirs = appointments.filter(({ contact_number }) => contact_number === number);
    return theirs.find(({ change_requested_at }) => change_requested_at !== null) ?? theirs[0];
  };
  return new Map(
    calls.map((call) => {
      const appointment = appointmentTo(call.contact_number);
      const following = next.get(call.contact_number);
      return [
        call.id,
        {
          call_id: call.id,
          contact_name: call.contact_name,
          contact_number: call.contact_number,
          call_direction: call.direction,
          agent_name: call.agent_name,
          appointment: appointment ? { branch_id: appointment.branch_id, date: appointment.date } : null,
          /** A pending or live call to the person. */
          next_call: following ? { call_id: following.id, scheduled_at: toIso(following.scheduled_at) } : null,
        },
      ] as const;
    }),
  );
}

/** Only the earliest are listed; the command line lists all. */
const MOST_HELD_NAMED = 50;

/** Held calls by kind, for kinds that have an item. */
async function heldOf(reader: Executor, organisationId: string, items: readonly WorklistItem[]) {
  const kinds = (Object.keys(HELD_KINDS) as HeldKind[]).filter((kind) => items.some((item) => item.kind === kind));
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const question = { organisationId, reason: HELD_KINDS[kind] };
      const calls = await heldCalls(reader, question, MOST_HELD_NAMED);
      const named = calls.map(({ id, contact_name, contact_number, scheduled_at }) => ({
        call_id: id,
        contact_name,
        contact_number,
        scheduled_at: toIso(scheduled_at),
      }));
      return [kind, { reason: HELD_KINDS[kind], count: await countHeld(reader, question), calls: named }] as const;
    }),
  );
  return new Map<string, (typeof found)[number][1]>(found);
}

/** Reasons with at most this many calls named. */
const MOST_WAITING_NAMED = 20;
const NOTHING_WAITS: Awaited<ReturnType<typeof waitingFor>> = { reasons: [], has_more: false };

/** Calls that wait for a legal rule, by reason. `has_more`: later ones were not counted. */
async function waitingFor(reader: Executor, { organisationId, reach }: Seen, now: number) {
  const { calls, hasMore } = await callsWaitingForRules(reader, organisationId, now, reach);
  const reasons = [...Map.groupBy(calls, ({ hold_reason }) => hold_reason ?? "")].map(([reason, ofReason]) => ({
    reason,
    count: ofReason.length,
    calls: ofReason.slice(0, MOST_WAITING_NAMED).map(({ id, contact_name, contact_number, next_at }) => ({
      call_id: id,
      contact_name,
      contact_number,
      until: toIso(next_at),
    })),
  }));
  return { reasons, has_more: hasMore };
}

const countOf = (counts: readonly RowCount[], campaignId: string, outcomes: readonly string[]) =>
  counts
    .filter(
      ({ campaign_id, state, outcome }) =>
        campaign_id === campaignId && state === "done" && outcome !== null && outcomes.includes(outcome),
    )
    .reduce((sum, { count }) => sum + count, 0);

const ofKind = (items: readonly WorklistItem[], kind: WorklistKind): string[] =>
  items.filter((item) => item.kind === kind).map(({ subject_id }) => subject_id);

async function viewsOf(reader: Executor, seen: Seen, items: readonly WorklistItem[], now: number) {
  const { organisationId } = seen;
  const subjects = items.map(({ subject_id }) => subject_id);
  const calls = await callsOf(reader, seen, subjects, now);
  const held = await heldOf(reader, organisationId, items);
  const trunks = new Map((await trunksNamed(reader, subjects)).map((trunk) => [trunk.id, trunk]));
  const endpoints = new Map((await endpointsNamed(reader, subjects)).map((row) => [row.id, row]));
  const campaigns = new Map((await campaignsNamed(reader, subjects)).map((row) => [row.id, row]));
  const counts = await rowCounts(reader, ofKind(items, "campaign_failed"));
  const wishes = new Map((await wishesNamed(reader, ofKind(items, "wish_open"))).map(({ id, ...row }) => [id, row]));
  const files = new Map((await filesNamed(reader, ofKind(items, "source_file"))).map(({ id, ...row }) => [id, row]));
  const folders = new Map(
    (await foldersNamed(reader, ofKind(items, "source_folder"))).map(({ id, ...row }) => [id, row]),
  );
  const people = await namesOfPeople(
    reader,
    items.flatMap(({ done_by }) => done_by ?? []),
  );
  return items.map(({ id, kind, subject_id, detail, created_at, done_at, done_by }) => {
    const trunk = trunks.get(subject_id);
    const endpoint = endpoints.get(subject_id);
    const campaign = campaigns.get(subject_id);
    return {
      id,
      kind: kind as WorklistKind,
      detail,
      at: toIso(created_at),
      done: done_at === null ? null : { at: toIso(done_at), by: people.get(done_by ?? "") ?? "" },
      call: calls.get(subject_id) ?? null,
      held: held.get(kind) ?? null,
      /** What a source was asked for. */
      wish: wishes.get(subject_id) ?? null,
      /** A list that waits or asks, or is at fault. */
      file: files.get(subject_id) ?? null,
      /** A folder that cannot be used. */
      folder: folders.get(subject_id) ?? null,
      trunk: trunk ? { trunk_id: trunk.id, name: trunk.name, fault: trunk.fault } : null,
      // The host is enough to identify a receiver; the rest of a URL may contain a secret.
      endpoint: endpoint
        ? {
            endpoint_id: endpoint.id,
            host: new URL(endpoint.url).host,
            fault: endpoint.disabled_reason ?? endpoint.outage_reason,
          }
        : null,
      campaign: campaign
        ? {
            campaign_id: campaign.id,
            name: campaign.name,
            row_count: campaign.row_count,
            not_reached: countOf(counts, campaign.id, NOT_REACHED_OUTCOMES),
            /** Number of people that "call all failed again" would call. */
            failed: countOf(counts, campaign.id, FAILED_OUTCOMES),
          }
        : null,
    };
  });
}
