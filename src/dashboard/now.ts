// What is live now and what became of today's calls: the first lines of Today.
import { organisationById } from "../accounts/organisation-store.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import { NOT_REACHED_OUTCOMES } from "../campaigns/retry.ts";
import type { Actor } from "../core/actor.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { instantOf, wallTime } from "../core/zones.ts";
import type { Database } from "../db/database.ts";
import { countBooked, countConfirmed, countQueued, liveCalls, outcomesSince } from "./now-store.ts";

export interface NowDeps {
  db: Database;
  clock: Clock;
  readNotes: ReadNotes;
}

/** Lines on the page; the call list has the others. */
const MOST_LIVE = 8;
const MOST_QUEUED = 1_000;

export function createNow({ db, clock, readNotes }: NowDeps) {
  return {
    async look(organisationId: string, actor: Actor) {
      const { heavy } = db;
      const seen = { organisationId, reach: actor.reach };
      const zone = (await organisationById(db.reader, organisationId))?.time_zone ?? "UTC";
      const from = instantOf(wallTime(clock.now(), zone).date, 0, zone);
      const live = await liveCalls(heavy, seen, MOST_LIVE + 1);
      const outcomes = await outcomesSince(heavy, seen, from);
      const notReached = outcomes.filter(({ outcome }) => NOT_REACHED_OUTCOMES.some((each) => each === outcome));
      const shown = live.slice(0, MOST_LIVE);
      await readNotes.note({ organisationId, actor, action: "call.listed", detail: { count: shown.length } });
      const queued = await countQueued(heavy, seen, MOST_QUEUED);
      return {
        live: shown.map((call) => ({
          call_id: call.id,
          status: call.state,
          contact_name: call.contact_name,
          contact_number: call.contact_number,
          agent_name: call.agent_name,
          since: toIso(call.answered_at ?? call.triggered_at ?? clock.now()),
        })),
        has_more_live: live.length > MOST_LIVE,
        /** The server's time, so that a page with another clock counts seconds correctly. */
        at: toIso(clock.now()),
        queued,
        /** There are at least `queued`. */
        has_more_queued: queued === MOST_QUEUED,
        today: {
          booked: await countBooked(heavy, seen, from),
          confirmed: await countConfirmed(heavy, seen, from),
          not_reached: notReached.reduce((sum, { count }) => sum + count, 0),
        },
      };
    },
  };
}

export type Now = ReturnType<typeof createNow>;
