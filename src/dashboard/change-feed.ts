// What changed, for pages that update by themselves. The database is asked, so nothing is missed: neither what another
// process changed nor what happened while a browser was away. The position is the time and id of the last change seen.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import { changedAppointments, changedCalls } from "./change-store.ts";

export interface Change {
  kind: "call" | "appointment";
  id: string;
  at: number;
}

/** Half a second is live enough for a person; commits of this process are noticed sooner than that of another. */
const LOOK_EVERY_MS = SECOND_MS / 2;
const KEEP_ALIVE_MS = 15 * SECOND_MS;
const MOST_AT_ONCE = 200;

export function createChangeFeed(db: Database, clock: Clock) {
  async function since(organisationId: string, after: number): Promise<Change[]> {
    const [calls, appointments] = await Promise.all([
      changedCalls(db.reader, organisationId, after, MOST_AT_ONCE),
      changedAppointments(db.reader, organisationId, after, MOST_AT_ONCE),
    ]);
    return [
      ...calls.map(({ id, updated_at }) => ({ kind: "call" as const, id, at: updated_at })),
      ...appointments.map(({ id, updated_at }) => ({ kind: "appointment" as const, id, at: updated_at })),
    ].toSorted((a, b) => a.at - b.at);
  }

  /** How to end each stream that is open. */
  const endings = new Set<() => void>();

  return {
    /** An appliance that stops does not wait for pages that would stay open for ever. */
    stop(): void {
      for (const end of endings) end();
    },

    /** A server-sent event stream from `after` on (milliseconds), until the reader goes away. */
    stream(organisationId: string, after: number): ReadableStream<Uint8Array> {
      const encoder = new TextEncoder();
      let position = after;
      let cancelTimer = () => {};
      let isOpen = true;
      let end = () => {};
      let silentSinceAt = clock.now();

      return new ReadableStream<Uint8Array>({
        start(controller) {
          end = () => {
            isOpen = false;
            cancelTimer();
            endings.delete(end);
            controller.close();
          };
          endings.add(end);
          const send = (text: string) => {
            controller.enqueue(encoder.encode(text));
            silentSinceAt = clock.now();
          };
          const look = async () => {
            const changes = await since(organisationId, position).catch(() => []);
            if (!isOpen) return;
            for (const change of changes) {
              position = Math.max(position, change.at);
              send(`id: ${position}\nevent: ${change.kind}\ndata: ${JSON.stringify({ id: change.id })}\n\n`);
            }
            if (clock.now() - silentSinceAt >= KEEP_ALIVE_MS) send(": still here\n\n");
            cancelTimer = clock.after(LOOK_EVERY_MS, () => void look());
          };
          send(`retry: 2000\nid: ${position}\n\n`);
          void look();
        },
        cancel() {
          isOpen = false;
          cancelTimer();
          endings.delete(end);
        },
      });
    },
  };
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;
