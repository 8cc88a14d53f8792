// Analysis after a call. The end of a call is stored at once, with the analysis by rules and a deadline. Meanwhile the
// hospital's language model analyses a few calls at a time. The model's answer or the deadline, whichever comes first,
// settles the analysis and publishes call.completed exactly once, even after a crash.
import type { Audit } from "../../accounts/audit.ts";
import { agentById } from "../../agents/store.ts";
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { DueSource } from "../../core/due-source.ts";
import type { Logger } from "../../core/logger.ts";
import { wallTime } from "../../core/zones.ts";
import type { Database } from "../../db/database.ts";
import type { Agent } from "../../agents/records.ts";
import type { Call, CallResult } from "../call/records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { Appointment } from "../../payloads/appointment.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import type { NoticeHeard, RecordingReport } from "../../payloads/lawful.ts";
import { createChatClient } from "../../speech/servers/chat/chat-client.ts";
import { serversFor, type ServerChoices } from "../../speech/servers/choices.ts";
import { ServerFault, type SentNote, type ServerAddress } from "../../speech/servers/port.ts";
import { byRules, withModel, type Findings } from "../../voice/analysis/analysis.ts";
import type { ModelAnalysis } from "../../voice/analysis/answer.ts";
import type { SpokenRecord } from "../../voice/grounding/details.ts";
import { askAboutCall } from "../../voice/analysis/ask.ts";
import type { Conversation } from "../call/call-end.ts";
import type { CallEvents } from "../call/events.ts";
import { callById, keepResult, resultOf, updateCall } from "../call/store.ts";
import {
  duePending,
  insertPending,
  nearestDeadline,
  organisationsWaiting,
  pendingOf,
  pendingOfOrganisation,
  takePending,
} from "./pending-store.ts";

export interface AnalysesDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  audit: Audit;
  events: CallEvents;
  appointmentOf: (tx: Tx, callId: string) => Promise<Appointment | null>;
  serversOf: (executor: Executor, organisationId: string, agentId: string) => Promise<ServerChoices>;
  timeZoneOf: (executor: Executor, call: Call, agent: Agent) => Promise<string>;
  /** `models.analysis_seconds`; 0 disables analysis by a model. */
  seconds: number;
  /** More work may be due. */
  wake: () => void;
}

/** The model server also serves live calls; this limit keeps analyses from crowding them out. */
const MOST_PER_ORGANISATION = 4;
/** Each uses a connection and an answer of a few kilobytes. */
const MOST_AT_ONCE = 32;
const MOST_SETTLED_AT_ONCE = 50;

interface Running {
  organisationId: string;
  controller: AbortController;
  done: Promise<void>;
}

/** Result of the request, for the audit trail. */
interface Asked {
  server: ServerAddress;
  note: SentNote | null;
  outcome: string;
}

interface Subject {
  call: Call;
  agent: Agent;
  rules: Findings;
  transcript: Utterance[];
}

export class Analyses implements DueSource {
  readonly name = "analyses";
  readonly #running = new Map<string, Running>();
  #isStopped = false;

  constructor(private readonly deps: AnalysesDeps) {}

  /** Runs in the transaction that ends a call. False if no model is asked and the analysis by rules is final. */
  async postpone(tx: Tx, call: Call, agent: Agent, end: Conversation): Promise<boolean> {
    const { clock, seconds } = this.deps;
    if (seconds === 0 || end.analytics?.disposition === "voicemail" || !hasWordsOfCallee(end.transcript)) return false;
    if ((await this.#serverFor(tx, call, agent)) === null) return false;
    const { analytics, extractedDetails, modelDetails = [] } = end;
    const rules: Findings = { analytics, extractedDetails, modelDetails };
    const deadline_at = clock.now() + seconds * SECOND_MS;
    await insertPending(tx, { call_id: call.id, deadline_at, rules: JSON.stringify(rules) });
    return true;
  }

  /**
   * Settles due analyses, aborts those of erased calls, and starts the next ones. After a start it continues with all
   * pending analyses.
   */
  async runDue(): Promise<number | null> {
    const { db } = this.deps;
    for (const [callId, { controller }] of this.#running) {
      if (!(await pendingOf(db.reader, callId))) controller.abort();
    }
    if ((await nearestDeadline(db.reader)) === null) return null;
    await this.#settleDue();
    // Per organisation: one hospital's slow server does not delay the others.
    for (const organisationId of await organisationsWaiting(db.reader)) await this.#startOf(organisationId);
    return nearestDeadline(db.reader);
  }

  async #startOf(organisationId: string): Promise<void> {
    const ofOne = [...this.#running.values()].filter((running) => running.organisationId === organisationId).length;
    let free = Math.min(MOST_PER_ORGANISATION - ofOne, MOST_AT_ONCE - this.#running.size);
    const { reader } = this.deps.db;
    const nearest = await pendingOfOrganisation(reader, organisationId, MOST_PER_ORGANISATION);
    for (const { call_id, deadline_at } of nearest) {
      if (free <= 0 || this.#running.has(call_id)) continue;
      this.#start(organisationId, call_id, deadline_at);
      free -= 1;
    }
  }

  /** Unanswered analyses stay on disk and are settled after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort();
    await Promise.all(running.map(({ done }) => done));
  }

  async #settleDue(): Promise<void> {
    const { db, clock, seconds } = this.deps;
    for (;;) {
      const now = clock.now();
      const range = { until: now, from: now + seconds * SECOND_MS };
      const due = await duePending(db.reader, range, MOST_SETTLED_AT_ONCE);
      for (const { call_id } of due) {
        this.#running.get(call_id)?.controller.abort();
        await this.#settle(call_id, null, null);
      }
      if (due.length < MOST_SETTLED_AT_ONCE) return;
    }
  }

  #start(organisationId: string, callId: string, deadlineAt: number): void {
    if (this.#isStopped) return;
    const { clock, logger, wake } = this.deps;
    const controller = new AbortController();
    const cancel = clock.after(deadlineAt - clock.now(), () => controller.abort());
    const done = this.#analyse(callId, deadlineAt, controller.signal)
      .catch((error: unknown) => {
        // The error message may contain words of the call, so only its name is logged.
        const name = error instanceof Error ? error.name : typeof error;
        logger.error("An analysis failed; the rules settle it at its deadline.", { call_id: callId, error: name });
      })
      .finally(() => {
        cancel();
        this.#running.delete(callId);
        if (!this.#isStopped) wake();
      });
    this.#running.set(callId, { organisationId, controller, done });
  }

  async #analyse(callId: string, deadlineAt: number, signal: AbortSignal): Promise<void> {
    const { db, clock } = this.deps;
    const subject = await this.#subject(db.reader, callId);
    if (!subject) return;
    const server = await this.#serverFor(db.reader, subject.call, subject.agent);
    if (server === null) {
      await this.#settle(callId, null, null);
      return;
    }
    if (!(await this.#noteAsking(subject.call, server)) || signal.aborted) return;
    const asked: Asked = { server, note: null, outcome: "used" };
    const leftMs = Math.max(1, deadlineAt - clock.now());
    const client = createChatClient({
      clock,
      // The deadline applies here, not the timeouts of a conversation.
      address: { ...server, firstMs: leftMs, totalMs: leftMs },
      note: (note) => (asked.note = note),
    });
    let model: ModelAnalysis | null = null;
    try {
      model = await askAboutCall(client, await this.#question(subject), signal);
      if (!model) asked.outcome = "did not fit";
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      asked.outcome = error.kind;
    } finally {
      client.close();
    }
    if (!this.#isStopped) await this.#settle(callId, model, asked);
  }

  /**
   * Runs before anything is sent, so the audit trail has an entry whatever happens next. False if the call was erased
   * meanwhile.
   */
  async #noteAsking({ id, organisation_id }: Call, server: ServerAddress): Promise<boolean> {
    const { db, audit } = this.deps;
    return db.write(async (tx) => {
      if (!(await pendingOf(tx, id))) return false;
      await audit.record(tx, {
        organisationId: organisation_id,
        actor: SYSTEM_ACTOR,
        action: "call.analysis_asked",
        subjectId: id,
        detail: { server: server.id, host: new URL(server.baseUrl).host },
      });
      return true;
    });
  }

  /** Publishes exactly once: only the transaction that takes the row does. */
  async #settle(callId: string, model: ModelAnalysis | null, asked: Asked | null): Promise<void> {
    const { db, clock, events, appointmentOf } = this.deps;
    await db.write(async (tx) => {
      const subject = await this.#subject(tx, callId);
      const taken = await takePending(tx, callId);
      if (!taken || !subject) return;
      const { call, agent, rules, transcript } = subject;
      const fields = agent.analysis_fields;
      const found = model ? withModel(rules, model, fields, await this.#record(subject)) : byRules(rules, fields);
      const result = await resultOf(tx, callId);
      if (result) {
        const { analytics, extractedDetails, source } = found;
        await keepResult(tx, {
          ...result,
          analytics: json(analytics),
          extracted_details: json(extractedDetails),
          analysis_source: json(source),
        });
      }
      await updateCall(tx, callId, { outcome: found.analytics?.disposition ?? null, updated_at: clock.now() });
      if (asked) await this.#noteSent(tx, call, asked);
      const end: Conversation = {
        kind: "completed",
        durationSeconds: call.duration_seconds ?? 0,
        recorded: call.recording_file !== null,
        transcript,
        ...saidIn(result),
        ...found,
      };
      await events.publish(tx, call, agent, "completed", end, await appointmentOf(tx, callId));
    });
  }

  async #noteSent(tx: Tx, { id, organisation_id }: Call, { server, note, outcome }: Asked): Promise<void> {
    await this.deps.audit.record(tx, {
      organisationId: organisation_id,
      actor: SYSTEM_ACTOR,
      action: "call.model_used",
      subjectId: id,
      detail: {
        purpose: "analysis",
        role: "language",
        server: server.id,
        host: new URL(server.baseUrl).host,
        requests: note?.requests ?? 0,
        bytes_out: note?.bytesOut ?? 0,
        bytes_in: note?.bytesIn ?? 0,
        ms: Math.round(note?.ms ?? 0),
        outcome,
      },
    });
  }

  async #subject(executor: Executor, callId: string): Promise<Subject | null> {
    const pending = await pendingOf(executor, callId);
    const call = pending && (await callById(executor, callId));
    const agent = call && (await agentById(executor, call.organisation_id, call.agent_id));
    if (!agent) return null;
    const result = await resultOf(executor, callId);
    const transcript = JSON.parse(result?.transcript ?? "[]") as Utterance[];
    return { call, agent, transcript, rules: JSON.parse(pending.rules) as Findings };
  }

  /** Transcript with its date and language. */
  async #record({ call, agent, transcript }: Subject): Promise<SpokenRecord> {
    const zone = await this.deps.timeZoneOf(this.deps.db.reader, call, agent);
    const { date } = wallTime(call.answered_at ?? call.created_at, zone);
    return { transcript, date, language: call.preferred_language ?? agent.language };
  }

  async #question(subject: Subject) {
    const { call, agent, rules } = subject;
    return {
      agentName: agent.name,
      direction: call.direction,
      ...(await this.#record(subject)),
      rules: rules.analytics,
      fields: agent.analysis_fields,
    };
  }

  async #serverFor(executor: Executor, call: Call, agent: Agent): Promise<ServerAddress | null> {
    const choices = await this.deps.serversOf(executor, agent.organisation_id, agent.id);
    return serversFor(choices, call.preferred_language ?? agent.language).language;
  }
}

function hasWordsOfCallee(transcript: readonly Utterance[]): boolean {
  return transcript.some(({ speaker, text }) => speaker !== "agent" && text.trim() !== "");
}

/** Notices and recording, for the event. */
function saidIn(result: CallResult | undefined): Pick<Conversation, "notices" | "recording"> {
  return {
    ...(result?.notices && { notices: JSON.parse(result.notices) as NoticeHeard[] }),
    ...(result?.recording && { recording: JSON.parse(result.recording) as RecordingReport }),
  };
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
