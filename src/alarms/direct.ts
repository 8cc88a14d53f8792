// Messages that are not stored: lines for syslog, and e-mails while the database cannot be written. Retried from
// memory.
import { HOUR_MS, MINUTE_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";

/** Faults are few; more waiting messages mean that their receiver is gone. */
const MOST_WAITING = 100;
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, HOUR_MS, 4 * HOUR_MS];

export function createDirect({ clock, logger }: { clock: Clock; logger: Logger }) {
  const waiting = new Map<symbol, () => void>();

  async function attempt(by: string, send: () => Promise<void>, mark: symbol, count: number): Promise<void> {
    try {
      await send();
      waiting.delete(mark);
    } catch (error) {
      const afterMs = RETRY_AFTER_MS[count];
      logger.warn("An alarm could not be sent yet.", { by, attempts: count + 1, error: messageOf(error) });
      if (afterMs === undefined || !waiting.has(mark)) waiting.delete(mark);
      else
        waiting.set(
          mark,
          clock.after(afterMs, () => void attempt(by, send, mark, count + 1)),
        );
    }
  }

  return {
    /** Returns at once. */
    send(by: "e-mail" | "syslog", send: () => Promise<void>): void {
      if (waiting.size >= MOST_WAITING) {
        logger.error("An alarm is not sent, because too many wait.", { by });
        return;
      }
      const mark = Symbol(by);
      waiting.set(mark, () => {});
      void attempt(by, send, mark, 0);
    },
    stop(): void {
      for (const cancel of waiting.values()) cancel();
      waiting.clear();
    },
  };
}
