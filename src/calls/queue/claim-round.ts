// One round of claims in one transaction: counts lines in use and applies the verdicts of policy.ts.
import { agentById, numbersOfAgent } from "../../agents/store.ts";
import { toIso, type Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Organisation } from "../../accounts/records.ts";
import type { Agent, CallingNumber, PhoneNumber } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { DialBasis } from "../../payloads/lawful.ts";
import { questionFact } from "../../rules/question/answer.ts";
import type { AskedCall, Asker } from "../../rules/question/asker.ts";
import type { Carrier } from "../../telephony/port.ts";
import { placeOf } from "../call/new-call.ts";
import { dialBasisOf } from "./dial-basis.ts";
import type { DialFactsSource } from "./dial-facts.ts";
import { keepBases, storedBasis, type StoredBasis } from "./dial-basis-store.ts";
import { noteDialled, type DialBatch } from "./dialled-store.ts";
import type { KnownCallees } from "./known-callees.ts";
import type { CallRequest, DialPlan, PlannedCall } from "../talks/dial-plan.ts";
import type { CallEvents } from "../call/events.ts";
import type { Subscriber } from "../../events/outbox-store.ts";
import type { FinalCalls } from "../call/final-calls.ts";
import { holdForPerson } from "./held-store.ts";
import { blockedSince, isOverdue } from "./lateness.ts";
import type { LinesInUse } from "./lines-in-use.ts";
import type { Overdue } from "./overdue.ts";
import {
  hasLine,
  judge,
  OVERDUE,
  QUESTION_PENDING,
  TRUNK_LINES_BUSY,
  type HoldReason,
  type LineFacts,
  type Obstacle,
  type PolicyFacts,
} from "./policy.ts";
import type { TurnRound, Turns } from "./turns.ts";
import { applyEventToRead, updateCall } from "../call/store.ts";

export interface ClaimDeps {
  db: Database;
  clock: Clock;
  events: CallEvents;
  dialPlan: DialPlan;
  dialFacts: DialFactsSource;
  finalCalls: Pick<FinalCalls, "tell">;
  /** A function, because carrier and dispatcher depend on each other. */
  carrier: () => Carrier;
  overdue: Pick<Overdue, "latestMsOf" | "look">;
  /** Asks the organisation's own system before a call. */
  questions: Pick<Asker, "answerTo" | "places">;
  turns: Turns;
  isSimulated: () => boolean;
}

interface AgentWithNumbers {
  agent: Agent;
  numbers: CallingNumber[];
  words: AgentsWords;
}

type Refusal = Extract<Obstacle, { kind: "refuse" }>;

type AgentsWords = Pick<PlannedCall, "recorded" | "pronunciations" | "servers" | "changes">;

const WAITING_FOR_LINE: HoldReason = "waiting_for_line";

/** Keeps a claim's transaction at about ten milliseconds, so requests do not wait behind it. */
export const MOST_DIALS_PER_ROUND = 100;

export class ClaimRound {
  readonly dials: CallRequest[] = [];
  /** Initiated calls whose agent texts became too long: they fail as if the carrier had refused them. */
  readonly wordless: string[] = [];
  /** Lateness of each dialled call: time since it could first be dialled. */
  readonly lateMs: number[] = [];
  /** Number of calls that could be dialled but wait for capacity of the carrier. */
  roomless = 0;
  /** Calls to be asked about after the commit. */
  readonly questions: AskedCall[] = [];
  readonly turns: TurnRound;
  /** Organisations that cannot ask about more calls now. */
  readonly #askedOut = new Set<string>();
  readonly #agents = new Map<string, AgentWithNumbers>();
  readonly #dialled: DialBatch;
  readonly #bases: StoredBasis[] = [];
  /** By organisation. */
  readonly #known = new Map<string, KnownCallees>();
  readonly #subscribers = new Map<string, readonly Subscriber[]>();

  constructor(
    private readonly deps: ClaimDeps,
    private readonly tx: Tx,
    private readonly now: number,
    private readonly lines: LinesInUse,
    /** Number of calls for which the carrier has reserved capacity. */
    private readonly room: number,
  ) {
    this.turns = deps.turns.begin(now);
    this.#dialled = { tx, rows: [] };
  }

  isFull(): boolean {
    return this.dials.length + this.wordless.length + this.roomless + this.questions.length >= MOST_DIALS_PER_ROUND;
  }

  lineFactsOf(organisation: Organisation): LineFacts {
    return this.deps.dialFacts.lineFactsOf(organisation, this.lines);
  }

  /** Whether another call of this organisation is worth considering. */
  hasLineFor(organisation: Organisation): boolean {
    return !this.#askedOut.has(organisation.id) && hasLine(this.lineFactsOf(organisation));
  }

  /** Reads for all calls at once the data that `consider` would read for each. */
  async learn(organisationId: string, calls: readonly Call[]): Promise<void> {
    const numbers = calls.map(({ contact_number }) => contact_number);
    this.#known.set(organisationId, await this.deps.dialFacts.known(this.tx, organisationId, numbers, this.now));
  }

  /** Stores the dials of the round for the limits per number, and their facts for the proofs. */
  async noteDialled(): Promise<void> {
    await noteDialled(this.tx, this.#dialled.rows);
    await keepBases(this.tx, this.#bases);
  }

  #knownOf({ organisation_id, contact_number }: Call): KnownCallees | undefined {
    const known = this.#known.get(organisation_id);
    return known?.numbers.has(contact_number) ? known : undefined;
  }

  /** Dials, refuses or holds one queued call, which was read in this transaction. */
  async consider(organisation: Organisation, call: Call): Promise<void> {
    const { agent, numbers, words } = await this.#agentOf(call);
    const { facts, number } = await this.deps.dialFacts.factsOf(
      this.tx,
      {
        organisation,
        agent,
        ownHours: call.calling_hours,
        numbers,
        contactNumber: call.contact_number,
        place: placeOf(call),
        source: call.source,
        now: this.now,
        known: this.#knownOf(call),
      },
      this.lines,
    );
    const judged = this.#withAnswer(this.#withTurn(facts, call), organisation, call);
    const verdict = judge(judged);
    if (verdict.kind === "refuse") {
      const recording = this.deps.dialPlan.recordingMode({ organisation, call, agent, number, ...words });
      await this.#refuse(call, agent, verdict, dialBasisOf(judged, recording));
    } else if (isOverdue(call, this.deps.overdue.latestMsOf(agent))) {
      await holdForPerson(this.tx, [call.id], OVERDUE, this.now);
    } else if (verdict.kind === "hold") {
      if (verdict.reason === TRUNK_LINES_BUSY && number) this.lines.addHeld(number);
      if (verdict.reason === QUESTION_PENDING && !(number && this.#ask(call, agent, number))) return;
      await updateCall(this.tx, call.id, {
        hold_reason: verdict.reason,
        next_at: verdict.until,
        blocked_since: blockedSince(call, verdict.reason, this.now),
        updated_at: this.now,
      });
    } else if (number && this.dials.length >= this.room) {
      await this.#wait(call, number);
    } else if (number) {
      await this.#dial(organisation, call, agent, number, words, judged);
    }
  }

  /** Runs after all other rules, because asking for a turn assigns one. */
  #withTurn(facts: PolicyFacts, { released_at, organisation_id }: Call): PolicyFacts {
    if (released_at === null || judge(facts).kind !== "dial") return facts;
    return { ...facts, turnAt: this.turns.turnAt(organisation_id) };
  }

  /** Only organisations with an address are asked; for others this costs nothing. */
  #withAnswer(facts: PolicyFacts, { asks_before_calls }: Organisation, call: Call): PolicyFacts {
    if (!asks_before_calls) return facts;
    const answer = this.deps.questions.answerTo(call.id, this.now);
    return { ...facts, question: questionFact(answer, call.blocked_since, this.now) };
  }

  /** Counts as dialled, so no more calls are asked about than have lines. False if its turn to be asked is later. */
  #ask(call: Call, agent: Agent, number: PhoneNumber): boolean {
    const { id, organisation_id: organisationId } = call;
    const underWay = this.questions.filter((question) => question.organisationId === organisationId).length;
    if (underWay >= this.deps.questions.places(organisationId)) {
      this.#askedOut.add(organisationId);
      return false;
    }
    this.lines.addDialled(call, number);
    this.questions.push({
      organisationId,
      phoneNumberId: number.id,
      dueAt: call.next_at,
      data: {
        call_id: id,
        agent_id: agent.id,
        purpose: agent.purpose,
        user_number: call.contact_number,
        scheduled_at: toIso(call.scheduled_at),
        attempt: call.retry_count + 1,
      },
    });
    return true;
  }

  /**
   * The call keeps its place in the queue and counts as dialled, so capacity is requested for all calls that could be
   * dialled together.
   */
  async #wait(call: Call, number: PhoneNumber): Promise<void> {
    this.roomless += 1;
    this.lines.addDialled(call, number);
    if (call.hold_reason === WAITING_FOR_LINE) return;
    await updateCall(this.tx, call.id, { hold_reason: WAITING_FOR_LINE, updated_at: this.now });
  }

  async #refuse(call: Call, agent: Agent, { code, message }: Refusal, basis: DialBasis): Promise<void> {
    const refused = await applyEventToRead(this.tx, call, "disallow", {
      error_code: code,
      error_message: message,
      outcome: code,
      hold_reason: null,
      simulated: this.deps.isSimulated(),
      completed_at: this.now,
      finished_at: this.now,
      event_sequence: call.event_sequence + 1,
      updated_at: this.now,
    });
    if (!refused) return;
    await keepBases(this.tx, [storedBasis(call.id, basis)]);
    await this.#publish(refused, agent, "disallowed");
    await this.deps.finalCalls.tell(this.tx, refused);
  }

  async #dial(
    organisation: Organisation,
    call: Call,
    agent: Agent,
    number: PhoneNumber,
    words: AgentsWords,
    facts: PolicyFacts,
  ): Promise<void> {
    const { dialPlan, dialFacts } = this.deps;
    const files = await dialPlan.files(this.tx, number);
    const recording = dialPlan.recordingMode({ organisation, call, agent, number, ...words });
    const isFirstDial = call.event_sequence === 0;
    const initiated = await applyEventToRead(this.tx, call, "dial", {
      phone_number_id: number.id,
      hold_reason: null,
      triggered_at: this.now,
      recording_file: files.recording,
      simulated: this.deps.isSimulated(),
      event_sequence: isFirstDial ? 1 : call.event_sequence,
      updated_at: this.now,
    });
    if (!initiated) return;
    const known = this.#known.get(call.organisation_id);
    await dialFacts.noteDialled(this.#dialled, call, { at: this.now, known, purpose: agent.purpose });
    this.#bases.push(storedBasis(call.id, dialBasisOf(facts, recording)));
    // Published once: a requeued call has already been announced.
    if (isFirstDial) await this.#publish(initiated, agent, "initiated");
    if (call.released_at !== null) this.turns.take(call.organisation_id);
    this.lines.addDialled(call, number);
    const [timeZone, branchName] = await Promise.all([
      dialPlan.timeZoneOf(this.tx, initiated, agent),
      dialPlan.branchNameOf(this.tx, initiated, agent),
    ]);
    const consents = known?.consents.get(call.contact_number);
    const planned = { organisation, call: initiated, agent, number, consents, ...words };
    const request = dialPlan.request({ ...planned, files, timeZone, branchName });
    // After a hold, lateness counts from the end of the hold.
    this.lateMs.push(Math.max(0, this.now - call.next_at));
    if (request) this.dials.push(request);
    else this.wordless.push(call.id);
  }

  async #publish(call: Call, agent: Agent, status: "initiated" | "disallowed"): Promise<void> {
    const { events } = this.deps;
    let subscribers = this.#subscribers.get(call.organisation_id);
    if (!subscribers)
      this.#subscribers.set(call.organisation_id, (subscribers = await events.subscribersOf(this.tx, call)));
    await events.publish(this.tx, call, agent, status, null, null, subscribers);
  }

  async #agentOf(call: Call): Promise<AgentWithNumbers> {
    let known = this.#agents.get(call.agent_id);
    if (!known) {
      const { organisation_id, agent_id } = call;
      const { recordedWordsOf, pronunciationsOf, serversOf, ruleChangesOf } = this.deps.dialPlan;
      const [agent, numbers, recorded, pronunciations, servers, changes] = await Promise.all([
        agentById(this.tx, organisation_id, agent_id),
        numbersOfAgent(this.tx, agent_id),
        recordedWordsOf(this.tx, agent_id),
        pronunciationsOf(this.tx, organisation_id),
        serversOf(this.tx, organisation_id, agent_id),
        ruleChangesOf(this.tx, organisation_id),
      ]);
      if (!agent) throw new Error("A call has no agent.");
      known = { agent, numbers, words: { recorded, pronunciations, servers, changes } };
      this.#agents.set(call.agent_id, known);
    }
    return known;
  }
}
