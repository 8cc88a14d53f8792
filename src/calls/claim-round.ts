// One round of claiming, inside one transaction: counts lines as it goes and turns verdicts into changes.
import type { CallingHours } from "../agents/calling-hours.ts";
import { agentById, numbersOfAgent } from "../agents/store.ts";
import type { Config, Limit } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../db/database.ts";
import type { AgentRow, CallRow, OrganisationRow, PhoneNumberRow, Tx } from "../db/tables.ts";
import type { Carrier, DialRequest, PromptRef, Room } from "../telephony/port.ts";
import type { DialPlan } from "./dial-plan.ts";
import { isDoNotDisturb } from "./do-not-disturb-store.ts";
import type { CallEvents } from "./events.ts";
import { judge, type RefusalCode } from "./policy.ts";
import type { LiveCall } from "./queue-store.ts";
import { applyEvent, updateCall } from "./store.ts";

export interface ClaimDeps {
  db: Database;
  clock: Clock;
  config: Config;
  events: CallEvents;
  dialPlan: DialPlan;
  /** A function, because the carrier reports to the calls that the dispatcher starts. */
  carrier: () => Carrier;
}

interface AgentWithNumbers {
  agent: AgentRow;
  numbers: PhoneNumberRow[];
  prompts: PromptRef[];
}

interface Way {
  number: PhoneNumberRow;
  freeLines: number;
  room: Room;
}

const NO_ROOM: Room = { kind: "closed", reason: "number_has_no_trunk", until: null };

export class ClaimRound {
  readonly dials: DialRequest[] = [];
  /** Initiated, and the carrier cannot be told what to say: they fail as if it had refused them. */
  readonly wordless: string[] = [];
  readonly #liveByOrganisation = new Map<string, number>();
  readonly #liveByNumber = new Map<string, number>();
  readonly #dialledByTrunk = new Map<string, number>();
  readonly #contactsInCall = new Set<string>();
  readonly #agents = new Map<string, AgentWithNumbers>();

  constructor(
    private readonly deps: ClaimDeps,
    private readonly tx: Tx,
    private readonly now: number,
    live: readonly LiveCall[],
    private readonly freeLines: number,
  ) {
    for (const call of live) this.#count(call.organisation_id, call.phone_number_id, call.contact_number);
  }

  hasFreeLine(): boolean {
    return this.dials.length + this.wordless.length < this.freeLines;
  }

  freeLinesOf(organisation: OrganisationRow): number {
    const { concurrent_calls } = this.deps.config.plans[organisation.plan];
    return freeOf(concurrent_calls, this.#liveByOrganisation.get(organisation.id) ?? 0);
  }

  /** Dials, refuses or holds one queued call. */
  async consider(organisation: OrganisationRow, call: CallRow): Promise<void> {
    const { agent, numbers, prompts } = await this.#agentOf(call);
    const way = this.#wayOut(numbers);
    const verdict = judge({
      now: this.now,
      contactNumber: call.contact_number,
      creditsLeft: organisation.unlimited_credits === 1 ? null : organisation.credit_balance,
      creditsNeeded:
        this.deps.config.calls.credits_per_minute * (1 + (this.#liveByOrganisation.get(organisation.id) ?? 0)),
      isDoNotDisturb: await isDoNotDisturb(this.tx, call.organisation_id, call.contact_number),
      callingHours: agent.calling_hours === null ? null : (JSON.parse(agent.calling_hours) as CallingHours),
      contactIsInCall: this.#contactsInCall.has(contactKey(call)),
      agentHasNumber: way !== null,
      freeNumberLines: way?.freeLines ?? 0,
      room: way?.room ?? NO_ROOM,
    });
    if (verdict.kind === "hold") {
      await updateCall(this.tx, call.id, { hold_reason: verdict.reason, next_at: verdict.until, updated_at: this.now });
    } else if (verdict.kind === "refuse") {
      await this.#refuse(call, agent, verdict.code, verdict.message);
    } else if (way) {
      await this.#dial(call, agent, way.number, prompts);
    }
  }

  /** The first number that can take the call now; where none can, the one that comes closest to it. */
  #wayOut(numbers: readonly PhoneNumberRow[]): Way | null {
    const ways = numbers.map((number) => ({
      number,
      freeLines: this.#freeLinesOn(number),
      room: this.#roomOn(number.trunk_id),
    }));
    const hasLine = (way: Way) => way.freeLines > 0;
    const isOpen = ({ room }: Way) => room.kind === "open" && room.lines > 0;
    return ways.find((way) => hasLine(way) && isOpen(way)) ?? ways.find(hasLine) ?? ways[0] ?? null;
  }

  /** The carrier hears of this round's calls only after it: they are counted here. */
  #roomOn(trunkId: string | null): Room {
    const room = this.deps.carrier().room(trunkId);
    if (room.kind === "closed") return room;
    return { kind: "open", lines: room.lines - (this.#dialledByTrunk.get(trunkId ?? "") ?? 0) };
  }

  async #refuse(call: CallRow, agent: AgentRow, code: RefusalCode, message: string): Promise<void> {
    const refused = await applyEvent(this.tx, call, "disallow", {
      error_code: code,
      error_message: message,
      hold_reason: null,
      completed_at: this.now,
      finished_at: this.now,
      event_sequence: call.event_sequence + 1,
      updated_at: this.now,
    });
    if (refused) await this.deps.events.publish(this.tx, refused, agent, "disallowed");
  }

  async #dial(call: CallRow, agent: AgentRow, number: PhoneNumberRow, prompts: readonly PromptRef[]): Promise<void> {
    const { dialPlan, events } = this.deps;
    const files = await dialPlan.files(this.tx, number);
    const initiated = await applyEvent(this.tx, call, "dial", {
      phone_number_id: number.id,
      hold_reason: null,
      triggered_at: this.now,
      recording_file: files.recording,
      event_sequence: call.event_sequence + 1,
      updated_at: this.now,
    });
    if (!initiated) return;
    await events.publish(this.tx, initiated, agent, "initiated");
    this.#count(call.organisation_id, number.id, call.contact_number);
    increment(this.#dialledByTrunk, number.trunk_id ?? "");
    const request = dialPlan.request({ call: initiated, agent, number, prompts, files });
    if (request) this.dials.push(request);
    else this.wordless.push(call.id);
  }

  async #agentOf(call: CallRow): Promise<AgentWithNumbers> {
    let known = this.#agents.get(call.agent_id);
    if (!known) {
      const agent = await agentById(this.tx, call.organisation_id, call.agent_id);
      if (!agent) throw new Error("A call has no agent.");
      known = {
        agent,
        numbers: await numbersOfAgent(this.tx, agent.id),
        prompts: await this.deps.dialPlan.promptsOf(this.tx, agent.id),
      };
      this.#agents.set(call.agent_id, known);
    }
    return known;
  }

  #freeLinesOn(number: PhoneNumberRow): number {
    return number.concurrent_calls - (this.#liveByNumber.get(number.id) ?? 0);
  }

  #count(organisationId: string, numberId: string | null, contactNumber: string): void {
    increment(this.#liveByOrganisation, organisationId);
    if (numberId !== null) increment(this.#liveByNumber, numberId);
    this.#contactsInCall.add(contactKey({ organisation_id: organisationId, contact_number: contactNumber }));
  }
}

export function freeOf(limit: Limit, used: number): number {
  return limit === "unlimited" ? Infinity : limit - used;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Per organisation: whether another hospital is talking to the same person is nobody's business here. */
function contactKey(call: Pick<CallRow, "organisation_id" | "contact_number">): string {
  return `${call.organisation_id} ${call.contact_number}`;
}
