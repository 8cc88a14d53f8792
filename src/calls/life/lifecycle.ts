// What a carrier reports, written down: new state, result, credits, follow-up call and event in one transaction each.
import { agentById } from "../../agents/store.ts";
import type { Credits } from "../../accounts/credits.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import type { AgentRow, CallRow, Tx } from "../../db/tables.ts";
import type { Appointment } from "../../payloads/appointment.ts";
import type { Recordings } from "../../media/recordings.ts";
import type { ArrivalAnswer, Arrivals } from "./arrivals.ts";
import { captureNameOf } from "../queue/dial-plan.ts";
import type { CallListener } from "../talks.ts";
import type { CallEnd, Conversation } from "./call-end.ts";
import type { CallEvents } from "./events.ts";
import { insertLine } from "./line-store.ts";
import { deleteLeg, keepLeg } from "./leg-store.ts";
import { followUpInput, newCallRow } from "../new-call.ts";
import { releaseHeldFor } from "../queue/queue-store.ts";
import { createReportQueue } from "./report-queue.ts";
import { followUpOf } from "./retry.ts";
import { applyEvent, callById, insertCall, insertResult } from "../store.ts";

export interface LifecycleDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Config;
  logger: Logger;
  events: CallEvents;
  credits: Credits;
  recordings: Recordings;
  captures: Pick<Recordings, "remove">;
  arrivals: Arrivals;
  /** What the agent did with the calendar during the call, and letting go of what it only offered. */
  calendar: CallCalendar;
  /** The callee does not want to be called any more. */
  optOut: (tx: Tx, call: CallRow) => Promise<void>;
  /** Lines became free, or a new call was made. */
  wake: () => void;
}

export interface CallCalendar {
  appointmentOf(tx: Tx, callId: string): Promise<Appointment | null>;
  releaseHolds(tx: Tx, callId: string): Promise<void>;
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

export function createLifecycle(
  deps: LifecycleDeps,
): CallListener & { end(tx: Tx, call: CallRow, end: CallEnd): Promise<boolean> } {
  const { db, clock, ids, config, logger, events, credits, recordings, captures, arrivals, calendar, optOut, wake } =
    deps;

  const report = createReportQueue({ db, clock, logger });

  async function end(tx: Tx, call: CallRow, outcome: CallEnd): Promise<boolean> {
    const agent = await agentById(tx, call.organisation_id, call.agent_id);
    if (!agent) throw new Error("A call has no agent.");
    const now = clock.now();
    const ended = await (outcome.kind === "completed"
      ? complete(tx, call, agent, outcome, now)
      : fail(tx, call, agent, outcome, now));
    if (!ended) return false;
    await keepLine(tx, call, outcome);
    await deleteLeg(tx, call.id);
    await releaseHeldFor(tx, call, now);
    await calendar.releaseHolds(tx, call.id);
    return true;
  }

  async function keepLine(tx: Tx, call: CallRow, { line }: CallEnd): Promise<void> {
    if (!line) return;
    await insertLine(tx, {
      call_id: call.id,
      trunk_id: line.trunkId,
      trace: JSON.stringify(line.trace),
      media: line.media === null ? null : JSON.stringify(line.media),
      capture_file: line.captured && call.recording_file !== null ? captureNameOf(call.recording_file) : null,
    });
  }

  async function complete(
    tx: Tx,
    call: CallRow,
    agent: AgentRow,
    conversation: Conversation,
    now: number,
  ): Promise<boolean> {
    const creditsConsumed = Math.ceil(conversation.durationSeconds / 60) * config.calls.credits_per_minute;
    const next = follow(call, agent, conversation, now);
    // A conversation has been answered, even where the carrier never said so: otherwise its line would stay taken for ever.
    const answered = await applyEvent(tx, call, "answer", { answered_at: now, updated_at: now });
    const completed = await applyEvent(tx, answered ?? call, "complete", {
      completed_at: now,
      finished_at: now,
      duration_seconds: conversation.durationSeconds,
      credits_consumed: creditsConsumed,
      recording_file: conversation.recorded ? call.recording_file : null,
      scheduled_call_id: next?.id ?? null,
      event_sequence: call.event_sequence + 1,
      updated_at: now,
    });
    if (!completed) return false;
    if (next) await insertCall(tx, next);
    if (conversation.optOut && call.direction === "outbound") await optOut(tx, call);
    await insertResult(tx, {
      call_id: call.id,
      transcript: JSON.stringify(conversation.transcript),
      analytics: conversation.analytics === null ? null : JSON.stringify(conversation.analytics),
      extracted_details: conversation.extractedDetails === null ? null : JSON.stringify(conversation.extractedDetails),
    });
    await credits.charge(tx, call.organisation_id, call.id, creditsConsumed);
    await events.publish(tx, completed, agent, "completed", conversation, await calendar.appointmentOf(tx, call.id));
    return true;
  }

  async function fail(
    tx: Tx,
    call: CallRow,
    agent: AgentRow,
    failure: Exclude<CallEnd, Conversation>,
    now: number,
  ): Promise<boolean> {
    const next = follow(call, agent, failure, now);
    const failed = await applyEvent(tx, call, "fail", {
      completed_at: now,
      finished_at: now,
      duration_seconds: failure.durationSeconds ?? 0,
      error_code: failure.code,
      error_message: failure.message,
      recording_file: failure.recorded ? call.recording_file : null,
      scheduled_call_id: next?.id ?? null,
      event_sequence: call.event_sequence + 1,
      updated_at: now,
    });
    if (!failed) return false;
    if (next) await insertCall(tx, next);
    await events.publish(tx, failed, agent, "failed", failure, await calendar.appointmentOf(tx, call.id));
    return true;
  }

  function follow(call: CallRow, agent: AgentRow, outcome: CallEnd, now: number): CallRow | null {
    const followUp = followUpOf(call, agent, outcome, now);
    return followUp ? newCallRow(ids, followUpInput(call, agent, followUp), now) : null;
  }

  return {
    end,
    ringing(callId) {
      report(callId, {
        name: "ringing",
        async store(tx) {
          const call = await callById(tx, callId);
          const now = clock.now();
          if (call) await applyEvent(tx, call, "ring", { ringing_at: now, updated_at: now });
        },
      });
    },
    answered(callId) {
      report(callId, {
        name: "answered",
        async store(tx) {
          const call = await callById(tx, callId);
          const now = clock.now();
          if (call) await applyEvent(tx, call, "answer", { answered_at: now, updated_at: now });
        },
      });
    },
    legKept(callId, leg) {
      report(callId, {
        name: "leg",
        async store(tx) {
          const call = await callById(tx, callId);
          if (call?.finished_at === null) await keepLeg(tx, { call_id: callId, leg, kept_at: clock.now() });
        },
      });
    },
    arrived(arrival) {
      let answer: ArrivalAnswer = { kind: "reject", why: "no_line" };
      report(arrival.callId, {
        name: "arrived",
        async store(tx) {
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
    ended(callId, outcome) {
      let file: string | null = null;
      report(callId, {
        name: "ended",
        async store(tx) {
          const call = await callById(tx, callId);
          if (!call) return;
          const ended = await end(tx, call, outcome);
          if (!ended) {
            logger.warn("A carrier ended a call that was not under way.", { call_id: callId, state: call.state });
            return;
          }
          file = call.recording_file;
        },
        stored() {
          if (file !== null && !outcome.recorded) recordings.remove(file);
          if (file !== null && !outcome.line?.captured) captures.remove(captureNameOf(file));
          wake();
        },
      });
    },
  };
}
