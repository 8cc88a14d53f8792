// What changed, for pages that update by themselves. The database is asked, so nothing is missed: neither what another
// process changed nor what happened while a browser was away. The position is the time of the last change seen.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import { changedAppointments, changedCalls } from "./change-store.ts";

export interface Change {
  kind: "call" | "appointment";
  id: string;
  at: number;
}

/** Half a second is live enough for a person. */
const LOOK_EVERY_MS = SECOND_MS / 2;
const KEEP_ALIVE_MS = 15 * SECOND_MS;
/** A change is committed a little after the time it carries: each look goes back this far and skips what was told. */
const LOOK_BACK_MS = 2 * SECOND_MS;
/** Of more than these the newest are told: 800 a second for ever, or a night away, after which a page loads anew anyway. */
const MOST_AT_ONCE = 2_000;
/** A browser that does not read is let go; it comes back with the position it has. */
const MOST_UNREAD = 5_000;

export interface StreamOptions {
  organisationId: string;
  /** Milliseconds: what changed later is told, and once more what changed shortly before. */
  after: number;
  /** Asked at every look, so that the stream ends with the session that opened it. */
  isAllowed: () => Promise<boolean>;
}

export function createChangeFeed(db: Database, clock: Clock) {
  async function since(organisationId: string, after: number): Promise<Change[]> {
    const question = { organisationId, after, limit: MOST_AT_ONCE };
    const [calls, appointments] = await Promise.all([
      changedCalls(db.reader, question),
      changedAppointments(db.reader, question),
    ]);
    return [
      ...calls.map(({ id, updated_at }) => ({ kind: "call" as const, id, at: updated_at })),
      ...appointments.map(({ id, updated_at }) => ({ kind: "appointment" as const, id, at: updated_at })),
    ].toSorted((a, b) => a.at - b.at);
  }

  /** How to end each stream that is open. */
  const endings = new Set<() => void>();

  return {
    openStreams: () => endings.size,

    /** An appliance that stops does not wait for pages that would stay open for ever. */
    stop(): void {
      for (const end of endings) end();
    },

    /** A server-sent event stream, until the reader goes away or is not welcome any more. */
    stream({ organisationId, after, isAllowed }: StreamOptions): ReadableStream<Uint8Array> {
      const encoder = new TextEncoder();
      let position = after;
      /** What was told of late, and the change it was told for. */
      const told = new Map<string, number>();
      let cancelTimer = () => {};
      let silentSinceAt = clock.now();
      let close = () => {};
      const isOpen = () => endings.has(end);
      const end = () => {
        cancelTimer();
        endings.delete(end);
        close();
      };

      return new ReadableStream<Uint8Array>({
        start(controller) {
          close = () => controller.close();
          endings.add(end);
          const send = (text: string) => {
            controller.enqueue(encoder.encode(text));
            silentSinceAt = clock.now();
          };
          const tell = (changes: readonly Change[]) => {
            for (const { kind, id, at } of changes) {
              if (told.get(id) === at) continue;
              told.set(id, at);
              position = Math.max(position, at);
              send(`id: ${position}\nevent: ${kind}\ndata: ${JSON.stringify({ id })}\n\n`);
            }
            for (const [id, at] of told) if (at < position - LOOK_BACK_MS) told.delete(id);
          };
          const look = async () => {
            const allowed = await isAllowed().catch(() => true);
            if (!isOpen()) return;
            if (!allowed || (controller.desiredSize ?? 0) < -MOST_UNREAD) {
              end();
              return;
            }
            const changes = await since(organisationId, position - LOOK_BACK_MS).catch(() => []);
            if (!isOpen()) return;
            tell(changes);
            if (clock.now() - silentSinceAt >= KEEP_ALIVE_MS) send(": still here\n\n");
            cancelTimer = clock.after(LOOK_EVERY_MS, () => void look());
          };
          send(`retry: 2000\nid: ${position}\n\n`);
          void look();
        },
        cancel() {
          close = () => {};
          end();
        },
      });
    },
  };
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;
