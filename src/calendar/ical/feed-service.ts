// Calendar feeds: created with a secret address that is shown once, read by calendar programs, and revoked.
import type { Actor } from "../../core/actor.ts";
import type { Audit } from "../../accounts/audit.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import { MINUTE_MS, toIso, type Clock } from "../../core/clock.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hmac.ts";
import type { Ids } from "../../core/ids.ts";
import { addDays } from "../../core/zones.ts";
import type { Database } from "../../db/database.ts";
import type { CalendarFeed } from "../records.ts";
import { closuresOver } from "../closure-store.ts";
import { windowsOnDates } from "../dated-windows.ts";
import { localNow } from "../days.ts";
import { appointmentTypesOf, branchesOf, zoneOf } from "../directory-store.ts";
import { beginsIn } from "../moments.ts";
import { calendarText } from "./calendar-text.ts";
import { feedEvents } from "./feed-events.ts";
import { deleteFeed, expectedAt, feedByToken, feedsOf, insertFeed } from "./feed-store.ts";

const TOKEN_BYTES = 32;
/** The format of our tokens; others are rejected without a database query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const MOST_FEEDS = 100;
const DAYS_BACK = 14;
const DAYS_AHEAD = 90;
const MOST_EVENTS = 3_000;
const MOST_PEOPLE = 5_000;
/** Programs poll every 15 minutes; reads of a feed are audited at most this often. */
const NOTED_AGAIN_AFTER_MS = 60 * MINUTE_MS;

export interface FeedServiceDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  readNotes: ReadNotes;
  baseUrl: string;
}

export class FeedService {
  readonly #notedAt = new Map<string, number>();

  constructor(private readonly deps: FeedServiceDeps) {}

  async create(
    organisationId: string,
    input: { branch_id: string; people: CalendarFeed["people"] },
    actor: Actor,
  ): Promise<{ feed_id: string; url: string }> {
    const { db, clock, ids, audit, baseUrl } = this.deps;
    const branchId = input.branch_id.toLowerCase();
    const token = ids.secret(TOKEN_BYTES);
    const row: CalendarFeed = {
      id: ids.next("cfd"),
      organisation_id: organisationId,
      branch_id: branchId,
      token_hash: sha256Hex(token),
      people: input.people,
      created_at: clock.now(),
    };
    await db.write(async (tx) => {
      if (!(await branchesOf(tx, organisationId)).some(({ id }) => id === branchId))
        throw invalidField("branch_id", "There is no such branch.");
      if ((await feedsOf(tx, organisationId)).length >= MOST_FEEDS)
        throw new AppError("CONFLICT", `There are ${MOST_FEEDS} calendar links already. Take one back first.`);
      await insertFeed(tx, row);
      await audit.record(tx, {
        organisationId,
        actor,
        action: "calendar_feed.created",
        subjectId: row.id,
        detail: { branch: branchId, people: input.people },
      });
    });
    return { feed_id: row.id, url: `${baseUrl}/calendar-feeds/${token}/calendar.ics` };
  }

  async list(organisationId: string) {
    return (await feedsOf(this.deps.db.reader, organisationId)).map(({ id, branch_id, people, created_at }) => ({
      feed_id: id,
      branch_id,
      people,
      created_at: toIso(created_at),
    }));
  }

  /** The address is invalid from this commit on. */
  async revoke(organisationId: string, id: string, actor: Actor): Promise<{ ok: true }> {
    const { db, audit } = this.deps;
    await db.write(async (tx) => {
      if (!(await deleteFeed(tx, organisationId, id)))
        throw new AppError("NOT_FOUND", "There is no calendar link with this id.");
      await audit.record(tx, { organisationId, actor, action: "calendar_feed.revoked", subjectId: id });
    });
    return { ok: true };
  }

  async byToken(token: string): Promise<CalendarFeed> {
    const feed = TOKEN.test(token) ? await feedByToken(this.deps.db.reader, sha256Hex(token)) : undefined;
    if (!feed) throw new AppError("NOT_FOUND", "There is no calendar at this address, or no longer.");
    return feed;
  }

  async text(feed: CalendarFeed, requestId: string): Promise<string> {
    const { db, clock } = this.deps;
    const { organisation_id, branch_id } = feed;
    const zone = await zoneOf(db.reader, organisation_id, branch_id);
    const today = localNow(clock, zone).date;
    const range = { from: addDays(today, -DAYS_BACK), to: addDays(today, DAYS_AHEAD) };
    const filter = { organisationId: organisation_id, branchId: branch_id };
    const names = new Map((await appointmentTypesOf(db.reader, organisation_id)).map(({ id, name }) => [id, name]));
    const branches = await branchesOf(db.reader, organisation_id);
    const branch = branches.find(({ id }) => id === branch_id)?.name ?? "Calendar";
    const begins = beginsIn(zone);
    const places = await windowsOnDates(db, { filter, range, beginsAt: () => begins, now: clock.now() });
    const events = feedEvents(feed.people, {
      zone,
      branch,
      serviceName: (id) => names.get(id) ?? null,
      places: places.slice(0, MOST_EVENTS),
      expected: await expectedAt(db.reader, organisation_id, branch_id, range, MOST_PEOPLE),
      closures: (await closuresOver(db.reader, organisation_id, branch_id, range.from)).slice(0, MOST_EVENTS),
    });
    await this.#note(feed, requestId);
    return calendarText(branch, events, zone);
  }

  /** Reading a feed with names is audited like any other list of people. */
  async #note({ id, organisation_id, people }: CalendarFeed, requestId: string): Promise<void> {
    const { clock, readNotes } = this.deps;
    if (people === "none") return;
    if (Math.abs(clock.now() - (this.#notedAt.get(id) ?? -Infinity)) < NOTED_AGAIN_AFTER_MS) return;
    const actor = { kind: "share_link" as const, id: null, requestId };
    await readNotes.note({ organisationId: organisation_id, actor, action: "calendar_feed.read", subjectId: id });
    this.#notedAt.set(id, clock.now());
  }
}

export const createFeedService = (deps: FeedServiceDeps): FeedService => new FeedService(deps);
