// Facts about a call for policy.ts. Dispatcher, dry run, inbound webhook and inbound calls all use this source, so each
// sees the same facts at the same moment.
import { commonHours, type CallingHours } from "../../agents/calling-hours.ts";
import { isSimulatedDemo, type Config, type Limit } from "../../config/schema.ts";
import { isBelieved, SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Organisation } from "../../accounts/records.ts";
import type { Agent, PhoneNumber } from "../../agents/records.ts";
import type { Executor } from "../../db/tables.ts";
import type { Carrier, TrunkLines } from "../../telephony/port.ts";
import { isDoNotDisturb } from "../people/do-not-disturb-store.ts";
import type { LinesInUse } from "./lines-in-use.ts";
import type { LineFacts, PolicyFacts } from "./policy.ts";

export interface DialFactsDeps {
  config: Config;
  clock: Pick<Clock, "doubtedMs">;
  /** A function, because carrier and calls depend on each other. */
  carrier: () => Pick<Carrier, "lines" | "trunkLines">;
  /** Whether speech recognition has capacity for one more call beside this many. */
  hasEarsBeside: (calls: number) => boolean;
}

export interface DialQuestion {
  organisation: Organisation;
  agent: Pick<Agent, "calling_hours">;
  /** Calling hours of the call, within the agent's. */
  ownHours?: CallingHours | null;
  /** Outbound: the numbers the call may use. Inbound: the number that rang. */
  numbers: readonly PhoneNumber[];
  contactNumber: string;
  /** When the call would start. */
  now: number;
  /** Set if already known. */
  isDoNotDisturb?: boolean;
}

export interface DialFacts {
  facts: PolicyFacts;
  /** The number the call would use; null if the agent has none. */
  number: PhoneNumber | null;
}

interface Way {
  number: PhoneNumber;
  freeLines: number;
  trunkLines: TrunkLines;
}

const NO_LINES: TrunkLines = { kind: "closed", reason: "number_has_no_trunk", until: null };

/** Conversations end within minutes, and each end frees capacity, so this is shorter than the interval for trunks. */
const LOOK_FOR_EARS_AGAIN_MS = 5 * SECOND_MS;

export function createDialFacts({ config, clock, carrier, hasEarsBeside }: DialFactsDeps) {
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

  function trunkLinesOn(trunkId: string | null, lines: LinesInUse, now: number): TrunkLines {
    const trunkLines = carrier().trunkLines(trunkId);
    if (trunkLines.kind === "closed") return trunkLines;
    if (!hasEarsBeside(lines.all()))
      return { kind: "closed", reason: "overloaded", until: now + LOOK_FOR_EARS_AGAIN_MS };
    return { kind: "open", lines: trunkLines.lines - lines.unheardOfTrunk(trunkId) };
  }

  return {
    /** Facts that need no query, so a round can stop before it reads more calls. */
    lineFactsOf,

    async factsOf(executor: Executor, question: DialQuestion, lines: LinesInUse): Promise<DialFacts> {
      const { organisation, agent, numbers, contactNumber, now } = question;
      const way = wayOver(numbers, lines, now);
      const facts: PolicyFacts = {
        now,
        contactNumber,
        allowedRanges: config.calls.allowed_ranges,
        isSimulated: config.telephony.carrier !== "sip",
        creditsLeft: organisation.unlimited_credits ? null : organisation.credit_balance,
        // Live calls are not charged yet, and each costs at least a minute.
        creditsNeeded: config.calls.credits_per_minute * (1 + lines.ofOrganisation(organisation.id)),
        isDoNotDisturb: question.isDoNotDisturb ?? (await isDoNotDisturb(executor, organisation.id, contactNumber)),
        isClockBelieved: isBelieved(clock),
        callingHours: commonHours(agent.calling_hours, question.ownHours ?? null),
        isDemo: isSimulatedDemo(config),
        ...lineFactsOf(organisation, lines),
        contactIsInCall: lines.hasContact(organisation.id, contactNumber),
        agentHasNumber: way !== null,
        freeNumberLines: way?.freeLines ?? 0,
        trunkLines: way?.trunkLines ?? NO_LINES,
        turnAt: now,
      };
      return { facts, number: way?.number ?? null };
    },
  };
}

export type DialFactsSource = ReturnType<typeof createDialFacts>;

function freeOf(limit: Limit, used: number): number {
  return limit === "unlimited" ? Infinity : limit - used;
}
