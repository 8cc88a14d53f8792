// What changed, for pages that update by themselves. One look at the log serves every stream there is, and nobody looks
// while nobody listens. The database is asked, so nothing is missed: neither what another process changed nor what
// happened while a browser was away.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Positions } from "./change-position.ts";
import { createChangeText } from "./change-text.ts";
import type { ChangeLog } from "./change-store.ts";
import { openChangeStream, type ChangeStream } from "./change-stream.ts";
import { HeldBack } from "./held-back.ts";
import { admitStream, type Listener } from "./stream-limits.ts";

/** Half a second is live enough for a person. */
const LOOK_EVERY_MS = SECOND_MS / 2;
/** At one look, of all organisations; the rest waits for the next. */
const MOST_READ = 5_000;
const COME_BACK_MS = 2 * SECOND_MS;
/** For the one that had to make room: at once it would push out the one that it made room for. */
const COME_BACK_LATER_MS = 60 * SECOND_MS;

export interface ChangeFeedDeps {
  log: ChangeLog;
  clock: Clock;
  logger: Logger;
  positions: Positions;
  /** Which of these sessions are open: asked at every look, so that a stream ends with the session that opened it. */
  liveAmong: (sessions: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface StreamRequest extends Listener {
  lastEventId: string | null;
}

export function createChangeFeed({ log, clock, logger, positions, liveAmong }: ChangeFeedDeps) {
  const encoder = new TextEncoder();
  /** In the order of opening. */
  const streams = new Set<ChangeStream>();
  /** The newest change that was told; null while nobody listens. */
  let position: number | null = null;
  let cancelTimer: (() => void) | null = null;
  const heldBack = new HeldBack({ clock, logger });

  const text = createChangeText(positions);
  const bytes = (message: string) => encoder.encode(message);
  const here = () => position ?? 0;

  /** Everything that is read for one look: two questions, however many listen. */
  async function look(after: number): Promise<void> {
    const live = await liveAmong([...new Set([...streams].map(({ session }) => session))]);
    for (const stream of streams) if (!live.has(stream.session)) stream.end();
    const { changes, upTo, lostSome, isHeldBack = false } = await log.after(after, MOST_READ);
    position = upTo;
    const messages = new Map(
      [...Map.groupBy(changes, ({ organisation_id }) => organisation_id)].map(([id, rows]) => [
        id,
        bytes(text.changes(rows, here())),
      ]),
    );
    const forAll = heldBack.seen(isHeldBack && upTo === after) || lostSome ? bytes(text.missed(here())) : null;
    for (const stream of streams) {
      const message = forAll ?? messages.get(stream.organisationId);
      if (message) stream.offer(message);
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

  /** What a browser missed while it was away, up to where the feed is. */
  async function sinceLastEvent({ organisationId }: Listener, lastEventId: string, upTo: number): Promise<string> {
    const after = positions.sequenceOf(lastEventId);
    const { oldest } = await log.ends();
    if (after === null || after > upTo || after < oldest) return text.missed(upTo);
    return text.changes(await log.ofOrganisation({ organisationId, after, upTo, limit: MOST_READ }), upTo);
  }

  return {
    openStreams: () => streams.size,
    /** What a person should know of it; null where there is nothing to say. */
    note: () => heldBack.note,

    /** An appliance that stops does not wait for pages that would stay open for ever. */
    stop(): void {
      for (const stream of streams) stream.end();
      cancelTimer?.();
    },

    /** A server-sent event stream, until the reader goes away or is not welcome any more. */
    async open(request: StreamRequest): Promise<ReadableStream<Uint8Array>> {
      // Asked again below, when it counts: whoever is refused costs no reading.
      admitStream(streams, request);
      const from = position ?? (await log.ends()).newest;
      const told = request.lastEventId === null ? null : await sinceLastEvent(request, request.lastEventId, from);
      admitStream(streams, request)?.end(bytes(`${text.retryLine(COME_BACK_LATER_MS)}\n`));
      const { organisationId, personId, session } = request;
      position ??= from;
      const stream = openChangeStream({
        organisationId,
        personId,
        session,
        hello: bytes(text.retryLine(COME_BACK_MS) + (told ?? `${text.idLine(here())}\n`)),
        missed: () => bytes(text.missed(here())),
        stillHere: () => bytes(`: still here\n${text.idLine(here())}\n`),
        ended: (ended) => streams.delete(ended),
      });
      streams.add(stream);
      // There was a look while this one was being answered.
      if (position !== from) stream.offer(bytes(text.missed(here())));
      if (!cancelTimer) goOn();
      return stream.body;
    },
  };
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;
