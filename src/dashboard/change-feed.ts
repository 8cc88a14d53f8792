// Change feed of the dashboard pages. One poll of the change log serves all open streams, and polling stops when there
// are none. The database is the source, so changes by other processes and changes during a disconnect are not missed.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Reach } from "../core/reach.ts";
import type { Positions } from "./change-position.ts";
import { createChangeText } from "./change-text.ts";
import type { ChangeLog } from "./change-store.ts";
import { openChangeStream, type ChangeStream } from "./change-stream.ts";
import { HeldBack } from "./held-back.ts";
import type { ReachSubjects } from "./reach-subject-store.ts";
import type { Change } from "./records.ts";
import { admitStream, type Listener } from "./stream-limits.ts";

/** Polling interval: 500 ms is live enough for people. */
const LOOK_EVERY_MS = SECOND_MS / 2;
/** Rows per poll, over all organisations. The rest is read at the next poll. */
const MOST_READ = 5_000;
const COME_BACK_MS = 2 * SECOND_MS;
/** Reconnect delay of an evicted stream. Without it, it would at once evict the stream that replaced it. */
const COME_BACK_LATER_MS = 60 * SECOND_MS;

export interface ChangeFeedDeps {
  log: ChangeLog;
  clock: Clock;
  logger: Logger;
  positions: Positions;
  /**
   * Returns the sessions that are still open, each with the key of its bounds. Checked at every poll, so that a stream
   * ends with its session and with what the person may see.
   */
  liveAmong: (sessions: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  changesWithin: ReachSubjects["changesWithin"];
}

export interface StreamRequest extends Listener {
  lastEventId: string | null;
}

export function createChangeFeed({ log, clock, logger, positions, liveAmong, changesWithin }: ChangeFeedDeps) {
  const encoder = new TextEncoder();
  /** In the order of opening. */
  const streams = new Set<ChangeStream>();
  /** Position of the last change sent; null while no stream is open. */
  let position: number | null = null;
  let cancelTimer: (() => void) | null = null;
  const heldBack = new HeldBack({ clock, logger });

  const text = createChangeText(positions);
  const bytes = (message: string) => encoder.encode(message);
  const here = () => position ?? 0;

  /** One poll: two queries, regardless of the number of streams. */
  async function look(after: number): Promise<void> {
    const live = await liveAmong([...new Set([...streams].map(({ session }) => session))]);
    for (const stream of streams) if (live.get(stream.session) !== stream.boundsKey) stream.end();
    const { changes, upTo, lostSome, isHeldBack = false } = await log.after(after, MOST_READ);
    const messageTo = await messagesOf(changes, streams, async (organisationId, rows, reach) =>
      bytes(text.changes(reach ? await changesWithin(organisationId, reach, rows) : rows, upTo)),
    );
    // Only now: a poll whose questions failed is repeated.
    position = upTo;
    const missed = bytes(text.missed(upTo));
    const isAll = heldBack.seen(isHeldBack && upTo === after) || lostSome;
    for (const stream of streams) {
      const message = isAll ? missed : messageTo(stream, missed);
      if (message && message.length > 0) stream.offer(message);
    }
  }

  async function lookAndGoOn(): Promise<void> {
    await look(here()).catch((error: unknown) =>
      logger.warn("The changes could not be read; it is tried again.", { error: messageOf(error) }),
    );
    for (const stream of streams) stream.tend(LOOK_EVERY_MS);
    goOn();
  }

  function goOn(): void {
    if (streams.size > 0) {
      cancelTimer = clock.after(LOOK_EVERY_MS, () => void lookAndGoOn());
      return;
    }
    cancelTimer = null;
    position = null;
    heldBack.forget();
  }

  /** Changes that a browser missed while disconnected, up to the current position of the feed. */
  async function sinceLastEvent(listener: Listener, lastEventId: string, upTo: number): Promise<string> {
    const { organisationId, reach } = listener;
    const after = positions.sequenceOf(lastEventId);
    const { oldest } = await log.ends();
    if (after === null || after > upTo || after < oldest) return text.missed(upTo);
    const rows = await log.ofOrganisation({ organisationId, after, upTo, limit: MOST_READ });
    return text.changes(reach ? await changesWithin(organisationId, reach, rows) : rows, upTo);
  }

  return {
    openStreams: () => streams.size,
    /** Warning for the health report; null if there is none. */
    note: () => heldBack.note,

    /** Closes all streams, because pages would keep them open forever. */
    stop(): void {
      for (const stream of streams) stream.end();
      cancelTimer?.();
    },

    /** Opens a server-sent event stream. It lasts until the reader disconnects or its session ends. */
    async open(request: StreamRequest): Promise<ReadableStream<Uint8Array>> {
      // A cheap check first, so that a rejected request costs no reads. It is repeated below, after the reads.
      admitStream(streams, request);
      const from = position ?? (await log.ends()).newest;
      const told = request.lastEventId === null ? null : await sinceLastEvent(request, request.lastEventId, from);
      admitStream(streams, request)?.end(bytes(`${text.retryLine(COME_BACK_LATER_MS)}\n`));
      const { organisationId, personId, session, reach, boundsKey } = request;
      position ??= from;
      const stream = openChangeStream({
        organisationId,
        personId,
        session,
        reach,
        boundsKey,
        hello: bytes(text.retryLine(COME_BACK_MS) + (told ?? `${text.idLine(here())}\n`)),
        missed: () => bytes(text.missed(here())),
        beat: () => bytes(text.beat(here())),
        ended: (ended) => streams.delete(ended),
      });
      streams.add(stream);
      // A poll ran while this request was being answered.
      if (position !== from) stream.offer(bytes(text.missed(here())));
      if (!cancelTimer) goOn();
      return stream.body;
    },
  };
}

type Say = (organisationId: string, rows: readonly Change[], reach?: Reach) => Promise<Uint8Array>;

/** Each stream's message. People with the same bounds share one. `missed` is for streams opened meanwhile. */
async function messagesOf(changes: readonly Change[], streams: Iterable<ChangeStream>, say: Say) {
  const messages = new Map<string, Uint8Array>();
  const ofOrganisation = Map.groupBy(changes, ({ organisation_id }) => organisation_id);
  const keyOf = ({ organisationId, reach, boundsKey }: Listener) => organisationId + (reach ? boundsKey : "");
  for (const stream of streams) {
    const rows = ofOrganisation.get(stream.organisationId);
    if (rows && !messages.has(keyOf(stream)))
      messages.set(keyOf(stream), await say(stream.organisationId, rows, stream.reach));
  }
  return (stream: ChangeStream, missed: Uint8Array): Uint8Array | undefined =>
    ofOrganisation.has(stream.organisationId) ? (messages.get(keyOf(stream)) ?? missed) : undefined;
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;
