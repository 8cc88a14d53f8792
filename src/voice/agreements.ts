// Agreements with the callee outside the calendar (callback, opt-out). The agent has each one stored by the main thread
// before it confirms it in words.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import { within } from "../core/within.ts";
import type { Agreed } from "./port.ts";

/** A write takes milliseconds. Callers take five seconds of silence for a dead line. */
const WRITING_MOST_MS = 5 * SECOND_MS;

/** Survives structuredClone. */
export interface Agreement {
  kind: "agree";
  agreed: Agreed;
}

/** Tells an agreement from a question for the calendar. */
export const isAgreement = (question: unknown): question is Agreement =>
  typeof question === "object" && question !== null && "kind" in question && question.kind === "agree";

export interface Agreements {
  /** The agreement as it stands now. Skips the write when nothing was agreed or nothing changed. */
  stand(agreed: Agreed): void;
  /** Null when no write is pending. Never rejects: a failed write is repeated when the call ends. */
  written(): Promise<void> | null;
}

export function createAgreements(options: {
  clock: Clock;
  logger: Logger;
  agree: (agreed: Agreed) => Promise<void>;
}): Agreements {
  const { clock, logger, agree } = options;
  let told = JSON.stringify({});
  let writing: Promise<void> | null = null;

  async function write(agreed: Agreed): Promise<void> {
    const isWritten = await within(clock, WRITING_MOST_MS, async () => (await agree(agreed), true), false);
    if (!isWritten) logger.warn("storing what was agreed on a call failed; retried when the call ends");
  }

  return {
    stand(agreed) {
      const now = JSON.stringify(agreed);
      if (now === told || now === "{}") return;
      told = now;
      const mine = write(agreed).finally(() => {
        if (writing === mine) writing = null;
      });
      writing = mine;
    },
    written: () => writing,
  };
}
