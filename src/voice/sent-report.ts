// Reports what a call has sent to model servers while it runs, so that the audit is complete even if the call's thread
// dies.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { SentNote } from "../speech/servers/port.ts";

/** At most this much of the audit can be missing after a crash. */
const EVERY_MS = SECOND_MS;

/** Survives structuredClone. */
export interface SentReport {
  kind: "sent";
  sent: readonly SentNote[];
}

/** Tells a report from a question for the calendar. */
export const isSentReport = (question: unknown): question is SentReport =>
  typeof question === "object" && question !== null && "kind" in question && question.kind === "sent";

export interface SentReports {
  /** Notes that something was sent. */
  noted(): void;
  close(): void;
}

export function createSentReports(options: {
  clock: Clock;
  sent: () => readonly SentNote[];
  ask: (question: unknown) => Promise<unknown>;
}): SentReports {
  const { clock, sent, ask } = options;
  let cancel: (() => void) | null = null;
  const tell = (): void => {
    cancel = null;
    // Fire and forget: the end of the call reports it again.
    ask({ kind: "sent", sent: sent() } satisfies SentReport).catch(() => {});
  };
  return {
    noted() {
      cancel ??= clock.after(EVERY_MS, tell);
    },
    close: () => cancel?.(),
  };
}
