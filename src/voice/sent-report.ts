// What a call has sent to model servers, told while it goes on, across a thread's border: should that thread die, the audit still
// knows.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { SentNote } from "../speech/servers/port.ts";

/** As much as may be missing then. */
const EVERY_MS = SECOND_MS;

/** Survives structuredClone. */
export interface SentReport {
  kind: "sent";
  sent: readonly SentNote[];
}

/** Whether this is what an agent tells, and no question for the calendar. */
export const isSentReport = (question: unknown): question is SentReport =>
  typeof question === "object" && question !== null && "kind" in question && question.kind === "sent";

export interface SentReports {
  /** Something was sent. */
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
    // Nobody waits for it, and the call's end tells it again.
    ask({ kind: "sent", sent: sent() } satisfies SentReport).catch(() => {});
  };
  return {
    noted() {
      cancel ??= clock.after(EVERY_MS, tell);
    },
    close: () => cancel?.(),
  };
}
