// One round of claims in one transaction: counts lines in use and applies the verdicts of policy.ts.
import { agentById, numbersOfAgent } from "../../agents/store.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Organisation } from "../../accounts/records.ts";
import type { Agent, PhoneNumber } from "../../agents/records.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { Carrier } from "../../telephony/port.ts";
import { listedAmong } from "../people/do-not-disturb-store.ts";
import type { DialFactsSource, DialQuestion } from "./dial-facts.ts";
import type { CallRequest, DialPlan, PlannedCall } from "../talks/dial-plan.ts";
import type { CallEvents } from "../call/events.ts";
import type { FinalCalls } from "../call/final-calls.ts";
import { holdForPerson } from "./held-store.ts";
import { blockedSince, isOverdue } from "./lateness.ts";
import type { LinesInUse } from "./lines-in-use.ts";
import type { Overdue } from "./overdue.ts";
import {
  hasLine,
  judge,
  OVERDUE,
  type HoldReason,
  type LineFacts,
  type PolicyFacts,
  type RefusalCode,
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
  turns: Turns;
  isSimulated: () => boolean;
}

interface AgentWithNumbers {
  agent: Agent;
  numbers: PhoneNumber[];
  words: AgentsWords;
}

type AgentsWords = Pick<PlannedCall, "recorded" | "pronunciations" | "servers">;

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
  readonly turns: TurnRound;
  readonly #agents = new Map<string, AgentWithNumbers>();
  /** By organisation. */
  readonly #doNotDisturb = new Map<string, { asked: ReadonlySet<string>; listed: ReadonlySet<string> }>();

  constructor(
    private readonly deps: ClaimDeps,
    private readonly tx: Tx,
    private readonly now: number,
    private readonly lines: LinesInUse,
    /** Number of calls for which the carrier has reserved capacity. */
    private readonly room: number,
  ) {
    this.turns = deps.turns.begin(now);
  }

  isFull(): boolean {
    return this.dials.length + this.wordless.length + this.roomless >= MOST_DIALS_PER_ROUND;
  }

  lineFactsOf(organisation: Organisation): LineFacts {
    return this.deps.dialFacts.lineFactsOf(organisation, this.lines);
  }

  /** Whether another call of this organisation is worth considering. */
  hasLineFor(organisation: Organisation): boolean {
    return hasLine(this.lineFactsOf(organisation));
  }

  /** Reads for all calls at once the data that `consider` would read for each. */
  async learn(organisationId: string, calls: readonly Call[]): Promise<void> {
    const numbers = calls.map(({ contact_number }) => contact_number);
    this.#doNotDisturb.set(organisationId, {
      asked: new Set(numbers),
      listed: await listedAmong(this.tx, organisationId, numbers),
    });
  }

  #listed({ organisation_id, contact_number }: Call): Pick<DialQuestion, "isDoNotDisturb"> {
    const known = this.#doNotDisturb.get(organisation_id);
    return known?.asked.has(contact_number) ? { isDoNotDisturb: known.listed.has(contact_number) } : {};
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
        now: this.now,
        ...this.#listed(call),
      },
      this.lines,
    );
    const verdict = judge(this.#withTurn(facts, call));
    if (verdict.kind === "refuse") {
      await this.#refuse(call, agent, verdict.code, verdict.message);
    } else if (isOverdue(call, this.deps.overdue.latestMsOf(agent))) {
      await holdForPerson(this.tx, [call.id], OVERDUE, this.now);
    } else if (verdict.kind === "hold") {
      await updateCall(this.tx, call.id, {
        hold_reason: verdict.reason,
        next_at: verdict.until,
        blocked_since: blockedSince(call, verdict.reason, this.now),
        updated_at: this.now,
      });
    } else if (number && this.dials.length >= this.room) {
      await this.#wait(call, number);
    } else if (number) {
      await this.#dial(call, agent, number, words);
    }
  }

  /** Runs after all other rules, because asking for a turn assigns one. */
  #withTurn(facts: PolicyFacts, { released_at, organisation_id }: Call): PolicyFacts {
    if (released_at === null || judge(facts).kind !== "dial") return facts;
    return { ...facts, turnAt: this.turns.turnAt(organisation_id) };
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

  async #refuse(call: Call, agent: Agent, code: RefusalCode, message: string): Promise<void> {
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
    await this.deps.events.publish(this.tx, refused, agent, "disallowed");
    await this.deps.finalCalls.tell(this.tx, refused);
  }

  async #dial(call: Call, agent: Agent, number: PhoneNumber, words: AgentsWords): Promise<void> {
    const { dialPlan, events } = this.deps;
    const files = await dialPlan.files(this.tx, number);
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
    // Published once: a requeued call has already been announced.
    if (isFirstDial) await events.publish(this.tx, initiated, agent, "initiated");
    if (call.released_at !== null) this.turns.take(call.organisation_id);
    this.lines.addDialled(call, number);
    const [timeZone, branchName] = await Promise.all([
      dialPlan.timeZoneOf(this.tx, initiated, agent),
      dialPlan.branchNameOf(this.tx, initiated, agent),
    ]);
    const request = dialPlan.request({ call: initiated, agent, number, ...words, files, timeZone, branchName });
    // After a hold, lateness counts from the end of the hold.
    this.lateMs.push(Math.max(0, this.now - call.next_at));
    if (request) this.dials.push(request);
    else this.wordless.push(call.id);
  }

  async #agentOf(call: Call): Promise<AgentWithNumbers> {
    let known = this.#agents.get(call.agent_id);
    if (!known) {
      const { organisation_id, agent_id } = call;
      const { recordedWordsOf, pronunciationsOf, serversOf } = this.deps.dialPlan;
      const [agent, numbers, recorded, pronunciations, servers] = await Promise.all([
        agentById(this.tx, organisation_id, agent_id),
        numbersOfAgent(this.tx, agent_id),
        recordedWordsOf(this.tx, agent_id),
        pronunciationsOf(this.tx, organisation_id),
        serversOf(this.tx, organisation_id, agent_id),
      ]);
      if (!agent) throw new Error("A call has no agent.");
      known = { agent, numbers, words: { recorded, pronunciations, servers } };
      this.#agents.set(call.agent_id, known);
    }
    return known;
  }
}
