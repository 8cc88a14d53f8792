// Facts about a call for policy.ts. Dispatcher, dry run, inbound webhook and inbound calls all use this source, so each
// sees the same facts at the same moment.
import { commonHours, type CallingHours } from "../../agents/calling-hours.ts";
import type { Config, Limit } from "../../config/schema.ts";
import { isBelieved, SECOND_MS, type Clock } from "../../core/clock.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Organisation } from "../../accounts/records.ts";
import type { Agent, CallingNumber, PhoneNumber } from "../../agents/records.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { Carrier, TrunkLines } from "../../telephony/port.ts";
import { calleeZones, type CalleePlace } from "../../core/callee-zone.ts";
import { ruleBook } from "../../rules/book/embedded-books.ts";
import { createCalleeHash } from "../../core/number-hash.ts";
import type { Purpose } from "../../payloads/lawful.ts";
import type { Call, CallSource } from "../call/records.ts";
import { forgetDialled, noteDialled, type DialBatch } from "./dialled-store.ts";
import { knownCallees, type KnownCallees } from "./known-callees.ts";
import type { LinesInUse } from "./lines-in-use.ts";
import type { LegalFacts } from "./legal-facts.ts";
import type { ArrivalFacts, LineFacts, PolicyFacts, TrunkPlaces } from "./policy.ts";

export interface DialFactsDeps {
  config: Config;
  clock: Pick<Clock, "doubtedMs">;
  /** A function, because carrier and calls depend on each other. */
  carrier: () => Pick<Carrier, "lines" | "trunkLines">;
  /** Whether speech recognition has capacity for one more call beside this many. */
  hasEarsBeside: (calls: number) => boolean;
  secrets: Pick<SecretBox, "deriveKey">;
}

/** An inbound call: the number that rang. */
export interface ArrivalQuestion {
  organisation: Organisation;
  numbers: readonly PhoneNumber[];
  now: number;
}

export interface DialQuestion extends ArrivalQuestion {
  agent: Pick<Agent, "calling_hours" | "purpose">;
  /** Calling hours of the call, within the agent's. */
  ownHours?: CallingHours | null;
  /** The numbers the call may use. */
  numbers: readonly CallingNumber[];
  contactNumber: string;
  place: CalleePlace;
  source: CallSource;
  /** When the call would start. */
  now: number;
  /** Set if already read. */
  known?: KnownCallees | undefined;
}

export interface DialFacts {
  facts: PolicyFacts;
  /** The number the call would use; null if the agent has none. */
  number: PhoneNumber | null;
}

type DialledCallee = Pick<Call, "organisation_id" | "contact_number">;

interface Dialled {
  at: number;
  /** Set if already read. */
  known: KnownCallees | undefined;
  /** Of the agent. */
  purpose: Purpose;
}

interface Way {
  number: PhoneNumber;
  freeLines: number;
  trunkLines: TrunkPlaces;
}

const NO_LINES: TrunkPlaces = { kind: "closed", reason: "number_has_no_trunk", until: null };

/** Conversations end within minutes, and each end frees capacity, so this is shorter than the interval for trunks. */
const LOOK_FOR_EARS_AGAIN_MS = 5 * SECOND_MS;

/** The pace of the trunk may be changed meanwhile. */
const LOOK_AT_PACE_AGAIN_MS = 30 * SECOND_MS;

export function createDialFacts({ config, clock, secrets, carrier, hasEarsBeside }: DialFactsDeps) {
  const numberHash = createCalleeHash(secrets);

  function lineFactsOf(organisation: Organisation, lines: LinesInUse): LineFacts {
    return {
      freeApplianceLines: Math.min(
        freeOf(config.calls.concurrent_calls, lines.all()),
        freeOf(carrier().lines, lines.all()),
      ),
      freePlanLines: freeOf(config.plans[organisation.plan].concurrent_calls, lines.ofOrganisation(organisation.id)),
    };
  }

  /** The first number with a free line on an open trunk, otherwise the first with a free line, otherwise the first. */
  function wayOver(numbers: readonly PhoneNumber[], lines: LinesInUse, now: number): Way | null {
    const ways = numbers.map((number) => ({
      number,
      freeLines: number.concurrent_calls - lines.ofNumber(number.id),
      trunkLines: trunkLinesOn(number.trunk_id, lines, now),
    }));
    const hasLine = (way: Way) => way.freeLines > 0;
    const isOpen = ({ trunkLines }: Way) => trunkLines.kind === "open" && trunkLines.lines > 0;
    return ways.find((way) => hasLine(way) && isOpen(way)) ?? ways.find(hasLine) ?? ways[0] ?? null;
  }

  function trunkLinesOn(trunkId: string | null, lines: LinesInUse, now: number): TrunkPlaces {
    const trunkLines = carrier().trunkLines(trunkId);
    if (trunkLines.kind === "closed") return trunkLines;
    if (!hasEarsBeside(lines.all()))
      return { kind: "closed", reason: "overloaded", until: now + LOOK_FOR_EARS_AGAIN_MS };
    return placesOn(trunkLines, lines.unheardOfTrunk(trunkId), lines.heldByTrunk(trunkId));
  }

  const hashOf = ({ organisation_id, contact_number }: DialledCallee) => numberHash(organisation_id, contact_number);

  /** Facts that need no query. */
  function arrivalFactsOf({ organisation, now }: ArrivalQuestion, way: Way | null, lines: LinesInUse): ArrivalFacts {
    return {
      now,
      creditsLeft: organisation.unlimited_credits ? null : organisation.credit_balance,
      // Live calls are not charged yet, and each costs at least a minute.
      creditsNeeded: config.calls.credits_per_minute * (1 + lines.ofOrganisation(organisation.id)),
      ...lineFactsOf(organisation, lines),
      agentHasNumber: way !== null,
      freeNumberLines: way?.freeLines ?? 0,
    };
  }

  return {
    /** Facts that need no query, so a round can stop before it reads more calls. */
    lineFactsOf,

    /** For the numbers of many calls at once; see DialQuestion. */
    known: (executor: Executor, organisationId: string, numbers: readonly string[], now: number) =>
      knownCallees(executor, organisationId, numbers, numberHash, now),

    /** In the transaction that dials. A call that the callee asked for is not counted. */
    async noteDialled({ rows }: DialBatch, call: Call, { at, known, purpose }: Dialled): Promise<void> {
      if (isRequested(call.source, purpose)) return;
      const number_hash = known?.noteDial(call.contact_number, at) ?? hashOf(call);
      rows.push({ organisation_id: call.organisation_id, number_hash, at });
    },

    /** A call of a trial, which is no call of the queue. */
    noteTested: (tx: Tx, callee: DialledCallee, at: number): Promise<void> =>
      noteDialled(tx, [{ organisation_id: callee.organisation_id, number_hash: hashOf(callee), at }]),

    /** The call went back to the queue before any telephone rang. */
    async forgetDialled(tx: Tx, call: DialledCallee & Pick<Call, "triggered_at">): Promise<void> {
      const { organisation_id, triggered_at: at } = call;
      if (at !== null) await forgetDialled(tx, { organisation_id, number_hash: hashOf(call), at });
    },

    ofArrival: (question: ArrivalQuestion, lines: LinesInUse): ArrivalFacts =>
      arrivalFactsOf(question, wayOver(question.numbers, lines, question.now), lines),

    async factsOf(executor: Executor, question: DialQuestion, lines: LinesInUse): Promise<DialFacts> {
      const { organisation, agent, numbers, contactNumber, now } = question;
      const known = question.known ?? (await knownCallees(executor, organisation.id, [contactNumber], numberHash, now));
      const legal = legalFactsOf(question, known);
      const lawful = config.rules.enforce ? numbers.filter((number) => isLawful(number, legal)) : numbers;
      const way = wayOver(lawful.length > 0 ? lawful : numbers, lines, now);
      const facts: PolicyFacts = {
        ...arrivalFactsOf(question, way, lines),
        contactNumber,
        allowedRanges: config.calls.allowed_ranges,
        isSimulated: config.telephony.carrier !== "sip",
        isDoNotDisturb: known.doNotDisturb.has(contactNumber),
        isClockBelieved: isBelieved(clock),
        callingHours: commonHours(agent.calling_hours, question.ownHours ?? null),
        isEnforced: config.rules.enforce,
        legal,
        contactIsInCall: lines.hasContact(organisation.id, contactNumber),
        trunkLines: way?.trunkLines ?? NO_LINES,
        turnAt: now,
      };
      return { facts, number: way?.number ?? null };
    },
  };
}

export type DialFactsSource = ReturnType<typeof createDialFacts>;

function legalFactsOf(question: DialQuestion, known: KnownCallees): LegalFacts {
  const { contactNumber: number, place, numbers, source, agent } = question;
  const consent = known.consents.get(number)?.get(agent.purpose) ?? null;
  const legal: LegalFacts = {
    rules: ruleBook().resolve(
      { number, region: place.region, purpose: agent.purpose, hasConsent: consent?.state === "given" },
      known.changes,
    ),
    purpose: agent.purpose,
    zones: calleeZones(number, place),
    dials: known.dialsOf(number),
    isRequested: isRequested(source, agent.purpose),
    consent,
    isRefusedByRegistry: known.refused.has(number),
    hasLawfulNumber: false,
  };
  return { ...legal, hasLawfulNumber: numbers.some((each) => isLawful(each, legal)) };
}

/** A callback that offers something counts like every other call. */
const isRequested = (source: CallSource, purpose: Purpose): boolean =>
  source === "callback" && purpose !== "promotional";

/** By the number that is shown. For an extension the exchange chooses it, so it is not known. */
const isLawful = ({ number, trunk_caller_id }: CallingNumber, { rules }: LegalFacts): boolean =>
  rules.callerIdPrefix === null || (trunk_caller_id ?? number).startsWith(rules.callerIdPrefix);

/** `unheardOf` and `held`: calls of this round that the trunk does not know of, and that wait for its pace. */
function placesOn(
  { lines, spacingMs }: Extract<TrunkLines, { kind: "open" }>,
  unheardOf: number,
  held: number,
): TrunkPlaces {
  const left = { kind: "open", lines: lines - unheardOf } as const;
  if (spacingMs === undefined) return left;
  const moreInMs = Math.max(spacingMs, SECOND_MS) + held * spacingMs;
  return { ...left, moreInMs: Math.min(moreInMs, LOOK_AT_PACE_AGAIN_MS) };
}

function freeOf(limit: Limit, used: number): number {
  return limit === "unlimited" ? Infinity : limit - used;
}
