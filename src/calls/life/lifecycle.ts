// What a carrier reports, written down: each report in a transaction of its own, in the order of its call.
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
  /** Lines became free, or a new call was made. */
  wake: () => void;
}

/** Without a word nobody would find out why a call that came in was refused. */
type Refused = Extract<ArrivalAnswer, { kind: "reject" }>;
const NOT_TAKEN: Record<Refused["why"] | NonNullable<Refused["becauseOf"]>, string> = {
  unknown_number:
    "A call was not taken: no inbound agent has the number that was dialled, or the number is on another trunk.",
  no_line:
    "A call was not taken: every line of its number, its plan or this machine is in use, or credits are missing.",
  words_too_long: "A call was not taken: its agent's greeting or prompt is too long. Shorten it.",
};

export type Lifecycle = CallListener & {
  /** `call` as this transaction has read it. False where it was not under way. */
  end(tx: Tx, call: Call, end: CallEnd): Promise<boolean>;
};

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { db, clock, logger, arrivals, wake } = deps;
  const endings = new CallEndings(deps);
  const report = createReportQueue({ db, clock, logger });

  /** The call goes on to its next state, where it is still under way. */
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
        // It counts the lines that the reports before it took and left.
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
  /** Of a call that was not under way. */
  let state: CallState | null = null;
  return {
    name: "ended",
    async read(tx, call) {
      // It may be tried again.
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
      // A call that was put back into the queue is captured anew.
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
