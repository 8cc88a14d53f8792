// Says before a button dials what will happen: when the dispatcher's rules let each call out, and which calls to the
// same numbers are pending already. Creates nothing.
import { callWithin } from "../accounts/reach-store.ts";
import { organisationById } from "../accounts/organisation-store.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import type { CallingHours } from "../agents/calling-hours.ts";
import { agentById, numbersOfAgent } from "../agents/store.ts";
import type { Actor } from "../core/actor.ts";
import type { CalleePlace } from "../core/callee-zone.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";
import type { CallSource } from "./call/records.ts";
import type { DialFactsSource } from "./queue/dial-facts.ts";
import { LinesInUse } from "./queue/lines-in-use.ts";
import { allowedAt, LEGAL_WAITS, obstaclesTo, reasonOf, whenLinesAreQuiet, type PolicyFacts } from "./queue/policy.ts";
import { liveCalls } from "./queue/queue-store.ts";

export interface Callee {
  agentId: string;
  number: string;
  place: CalleePlace;
  source: CallSource;
  /** Hours of the call or campaign, within the agent's. */
  ownHours?: CallingHours | null;
}

export interface DialAheadDeps {
  db: Database;
  clock: Clock;
  readNotes: ReadNotes;
  dialFacts: Pick<DialFactsSource, "known" | "factsOf">;
}

export interface PendingCall {
  call_id: string;
  status: string;
  scheduled_at: string;
  agent_name: string;
  contact_number: string;
}

export interface DialAhead {
  /** Calls that go out at once, as far as lines are free. */
  now: number;
  /** Calls that wait for hours or limits: the first goes out at `first_at`. */
  later: number;
  first_at: string | null;
  /** Calls that do not go out, or for which no time is known. */
  held: number;
  /** Hold reasons and refusal codes of the calls that do not go out at once. */
  reasons: string[];
  /** Pending and live calls to these numbers, within the reader's reach. */
  pending: PendingCall[];
}

/** Holds that a known time ends. */
const TIMED: readonly string[] = [...LEGAL_WAITS, "outside_calling_hours"];
const MOST_PENDING = 5;

type Outlook = { kind: "now" } | { kind: "later"; at: number } | { kind: "held" };

export function createDialAhead({ db, clock, readNotes, dialFacts }: DialAheadDeps) {
  const { reader } = db;

  async function factsOf(organisationId: string, callees: readonly Callee[], at: number): Promise<PolicyFacts[]> {
    const organisation = await organisationById(reader, organisationId);
    if (!organisation) throw new AppError("NOT_FOUND", "There is no such organisation.");
    const numbers = [...new Set(callees.map(({ number }) => number))];
    const known = await dialFacts.known(reader, organisationId, numbers, at);
    const lines = new LinesInUse(await liveCalls(reader));
    const agents = new Map<string, Awaited<ReturnType<typeof callerOf>>>();
    const found: PolicyFacts[] = [];
    for (const { agentId, number: contactNumber, place, source, ownHours = null } of callees) {
      const caller = agents.get(agentId) ?? (await callerOf(organisationId, agentId));
      agents.set(agentId, caller);
      const question = { ...caller, organisation, ownHours, contactNumber, place, source, known, now: at };
      found.push((await dialFacts.factsOf(reader, question, lines)).facts);
    }
    return found;
  }

  async function callerOf(organisationId: string, agentId: string) {
    const agent = await agentById(reader, organisationId, agentId);
    if (!agent) throw new AppError("NOT_FOUND", "There is no agent with this id.");
    return { agent, numbers: await numbersOfAgent(reader, agentId) };
  }

  async function pendingAmong(organisationId: string, callees: readonly Callee[], actor: Actor) {
    const numbers = [...new Set(callees.map(({ number }) => number))];
    let query = reader
      .selectFrom("calls")
      .innerJoin("agents", "agents.id", "calls.agent_id")
      .select(["calls.id", "calls.state", "calls.scheduled_at", "calls.contact_number", "agents.name"])
      .where("calls.organisation_id", "=", organisationId)
      .where("calls.contact_number", "in", numbers)
      .where("calls.finished_at", "is", null);
    if (actor.reach) query = query.where(callWithin(actor.reach));
    return query.orderBy("calls.scheduled_at").orderBy("calls.id").limit(MOST_PENDING).execute();
  }

  /** `at`: when the calls are planned; now if undefined. Reveals whether numbers may be called, so it is a read. */
  return async (
    organisationId: string,
    callees: readonly Callee[],
    at: number | undefined,
    actor: Actor,
    except: readonly string[] = [],
  ): Promise<DialAhead> => {
    if (callees.length === 0) return { now: 0, later: 0, first_at: null, held: 0, reasons: [], pending: [] };
    const now = clock.now();
    const detail = { count: callees.length };
    await readNotes.note({ organisationId, actor, action: "call.dry_run", detail });
    const facts = (await factsOf(organisationId, callees, Math.max(now, at ?? now))).map(withoutTraffic);
    const outlooks = facts.map(outlookOf);
    const times = outlooks.flatMap((outlook) => (outlook.kind === "later" ? [outlook.at] : []));
    const pending = await pendingAmong(organisationId, callees, actor);
    return {
      now: outlooks.filter(({ kind }) => kind === "now").length,
      later: times.length,
      first_at: times.length === 0 ? null : toIso(Math.min(...times)),
      held: outlooks.filter(({ kind }) => kind === "held").length,
      reasons: [...new Set(facts.flatMap((each) => obstaclesTo(each).map(reasonOf)))],
      pending: pending
        .filter(({ id }) => !except.includes(id))
        .map(({ id, state, scheduled_at, name, contact_number }) => ({
          call_id: id,
          status: state,
          scheduled_at: toIso(scheduled_at),
          agent_name: name,
          contact_number,
        })),
    };
  };
}

export type DialAheadQuestion = ReturnType<typeof createDialAhead>;

/** Lines that are busy at this moment say nothing about the next minutes; a trunk that is down does. */
function withoutTraffic(facts: PolicyFacts): PolicyFacts {
  const quiet = whenLinesAreQuiet(facts);
  const { trunkLines } = facts;
  const isDown = trunkLines.kind === "closed" && trunkLines.reason !== "overloaded";
  return isDown ? { ...quiet, trunkLines } : quiet;
}

function outlookOf(facts: PolicyFacts): Outlook {
  const reasons = obstaclesTo(facts).map(reasonOf);
  if (reasons.length === 0) return { kind: "now" };
  const at = allowedAt(facts);
  return at === null || !reasons.every((reason) => TIMED.includes(reason)) ? { kind: "held" } : { kind: "later", at };
}
