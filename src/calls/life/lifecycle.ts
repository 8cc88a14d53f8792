// Stores a carrier's reports: one transaction each, in order per call.
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { Call, CallState } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { Recordings } from "../../media/recordings.ts";
import type { ArrivalAnswer, Arrivals } from "./arrivals.ts";
import { captureNameOf } from "../talks/dial-plan.ts";
import type { CallListener } from "../talks/talks.ts";
import type { CallEnd } from "../call/call-end.ts";
import { CallEndings, type CallEndingsDeps } from "./call-endings.ts";
import { keepLeg } from "./leg-store.ts";
import { createReportQueue, type Report } from "./report-queue.ts";
import type { CallEvent } from "../call/state.ts";
import type { Agreed } from "../../voice/port.ts";
import { applyEventToRead, type CallChange } from "../call/store.ts";

export interface LifecycleDeps extends CallEndingsDeps {
  db: Database;
  logger: Logger;
  recordings: Recordings;
  captures: Pick<Recordings, "remove">;
  arrivals: Arrivals;
  /** Lines became free, or a call was created. */
  wake: () => void;
}

/** Log messages for rejected inbound calls, so that an administrator can find the cause. */
type Refused = Extract<ArrivalAnswer, { kind: "reject" }>;
const NOT_TAKEN: Record<Refused["why"] | NonNullable<Refused["becauseOf"]>, string> = {
  unknown_number:
    "A call was not taken: no inbound agent has the number that was dialled, or the number is on another trunk.",
  no_line:
    "A call was not taken: every line of its number, its plan or this machine is in use, or credits are missing.",
  words_too_long: "A call was not taken: its agent's greeting or prompt is too long. Shorten it.",
};

export type Lifecycle = CallListener & {
  /** `call` must be read in this transaction. False if it was not live. */
  end(tx: Tx, call: Call, end: CallEnd): Promise<boolean>;
};

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { db, clock, logger, arrivals, wake } = deps;
  const endings = new CallEndings(deps);
  const report = createReportQueue({ db, clock, logger });

  /** Moves the call to its next state if it is still live. */
  async function advance(
    tx: Tx,
    call: Call | undefined,
    event: CallEvent,
    times: (now: number) => Omit<CallChange, "updated_at">,
  ): Promise<void> {
    const now = clock.now();
    if (call) await applyEventToRead(tx, call, event, { ...times(now), updated_at: now });
  }

  return {
    end: async (tx, call, outcome) => (await endings.read(tx, call, outcome))(),
    ringing(callId) {
      report(callId, {
        name: "ringing",
        read: async (tx, call) => () => advance(tx, call, "ring", (now) => ({ ringing_at: now })),
      });
    },
    answered(callId) {
      report(callId, {
        name: "answered",
        read: async (tx, call) => () => advance(tx, call, "answer", (now) => ({ answered_at: now })),
      });
    },
    legKept(callId, leg) {
      report(callId, {
        name: "leg",
        read: async (tx, call) => async () => {
          if (call?.finished_at === null) await keepLeg(tx, { call_id: callId, leg, kept_at: clock.now() });
        },
      });
    },
    agreed: (callId, agreed) =>
      new Promise((resolve) => {
        const stored = (): void => {
          resolve();
          wake();
        };
        report(callId, { ...agreedReport(endings, agreed), stored });
      }),
    arrived(arrival) {
      let answer: ArrivalAnswer = { kind: "reject", why: "no_line" };
      report(arrival.callId, {
        name: "arrived",
        // Runs as a write step, because it counts lines that earlier reports took or freed.
        read: async (tx) => async () => {
          answer = await arrivals(tx, arrival);
        },
        stored() {
          if (answer.kind === "accept") arrival.accept(answer.request);
          else {
            arrival.reject(answer.why);
            const reason = answer.becauseOf ?? answer.why;
            logger.info(NOT_TAKEN[reason], { trunk_id: arrival.trunkId, reason });
          }
          wake();
        },
      });
    },
    ended: (callId, outcome) => report(callId, endedReport(deps, endings, callId, outcome)),
  };
}

function endedReport(deps: LifecycleDeps, endings: CallEndings, callId: string, outcome: CallEnd): Report {
  const { logger, recordings, captures, wake } = deps;
  let file: string | null = null;
  /** State of a call that was not live; null otherwise. */
  let state: CallState | null = null;
  return {
    name: "ended",
    async read(tx, call) {
      // Reset, because the transaction may be retried.
      file = null;
      state = null;
      if (!call) return async () => {};
      const end = await endings.read(tx, call, outcome);
      return async () => {
        if (await end()) file = call.recording_file;
        else state = call.state;
      };
    },
    stored() {
      if (state !== null) logger.warn("A carrier ended a call that was not under way.", { call_id: callId, state });
      if (file !== null && !outcome.recorded) recordings.remove(file);
      // A requeued call is captured anew.
      const isCaptureKept = outcome.line?.captured && !(outcome.kind === "failed" && outcome.putBack);
      if (file !== null && !isCaptureKept) captures.remove(captureNameOf(file));
      wake();
    },
  };
}

const agreedReport = (endings: CallEndings, agreed: Agreed): Report => ({
  name: "agreed",
  read: async (tx, call) => async () => {
    if (call) await endings.agree(tx, call, agreed);
  },
});
