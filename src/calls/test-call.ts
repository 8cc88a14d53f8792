// Test calls to a telephone of the administrator's own: judged by the rules of real calls and counted like them. A
// reason overrides hours and limits, and nothing else.
import { organisationById } from "../accounts/organisation-store.ts";
import { UNKNOWN_PLACE } from "../core/callee-zone.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { checkedReason } from "../core/reason.ts";
import type { Database } from "../db/database.ts";
import type { Executor } from "../db/tables.ts";
import { inWords } from "./dry-run.ts";
import type { DialFactsSource } from "./queue/dial-facts.ts";
import type { KnownCallees } from "./queue/known-callees.ts";
import { LinesInUse } from "./queue/lines-in-use.ts";
import { allowedAt, LEGAL_WAITS, obstaclesTo, reasonOf, whenLinesAreQuiet, type PolicyFacts } from "./queue/policy.ts";

export interface TestCallDeps {
  db: Database;
  clock: Pick<Clock, "now">;
  dialFacts: Pick<DialFactsSource, "known" | "factsOf" | "noteTested" | "forgetDialled">;
}

export interface TestCallQuestion {
  /** E.164. */
  number: string;
  /** Why hours and limits are overridden; null if they are not. */
  reason: string | null;
  isClockBelieved: boolean;
}

export interface CountedTestCall {
  at: number;
  /** Hold reasons that the reason overrode. */
  overridden: readonly string[];
  reason: string | null;
}

/** A test call has no agent, so no purpose of its own. */
const PURPOSE = "service";

const WAITS: readonly string[] = LEGAL_WAITS;

export function createTestCalls({ db, clock, dialFacts }: TestCallDeps) {
  async function factsOf(
    tx: Executor,
    organisationId: string,
    question: TestCallQuestion,
    known: KnownCallees,
    now: number,
  ) {
    const organisation = await organisationById(tx, organisationId);
    if (!organisation) throw new AppError("NOT_FOUND", "There is no such organisation.");
    const { number: contactNumber } = question;
    const agent = { calling_hours: null, purpose: withdrawnPurpose(known, contactNumber) ?? PURPOSE };
    const asked = {
      organisation,
      agent,
      numbers: [],
      contactNumber,
      place: UNKNOWN_PLACE,
      source: "api",
      known,
      now,
    } as const;
    const { facts } = await dialFacts.factsOf(tx, asked, new LinesInUse([]));
    return ofTestCall(facts, question.isClockBelieved);
  }

  return {
    /** Throws what forbids the call. Otherwise counts it, before it rings. */
    async begin(organisationId: string, question: TestCallQuestion): Promise<CountedTestCall> {
      const { number } = question;
      const reason = question.reason === null ? null : checkedReason("reason", question.reason);
      return db.write(async (tx) => {
        const now = clock.now();
        const known = await dialFacts.known(tx, organisationId, [number], now);
        const facts = await factsOf(tx, organisationId, question, known, now);
        const overridden = overriddenIn(facts, reason);
        await dialFacts.noteTested(tx, { organisation_id: organisationId, contact_number: number }, now);
        return { at: now, overridden, reason };
      });
    },

    /** No telephone rang. */
    async forget(organisationId: string, number: string, { at }: CountedTestCall): Promise<void> {
      const call = { organisation_id: organisationId, contact_number: number, triggered_at: at };
      await db.write((tx) => dialFacts.forgetDialled(tx, call));
    },
  };
}

/** A consent that was withdrawn for any purpose forbids test calls too. */
function withdrawnPurpose(known: KnownCallees, number: string) {
  const consents = [...(known.consents.get(number) ?? [])];
  return consents.find(([, { state }]) => state === "withdrawn")?.[0];
}

/** It costs no credits, rings even where calls are simulated, and shows the trunk's own identity. */
const ofTestCall = (facts: PolicyFacts, isClockBelieved: boolean): PolicyFacts => ({
  ...whenLinesAreQuiet(facts),
  creditsLeft: null,
  isSimulated: false,
  agentHasNumber: true,
  legal: { ...facts.legal, hasLawfulNumber: true },
  isClockBelieved: facts.isClockBelieved && isClockBelieved,
});

function overriddenIn(facts: PolicyFacts, reason: string | null): readonly string[] {
  const obstacles = obstaclesTo(facts);
  const waits = obstacles.filter((obstacle) => WAITS.includes(reasonOf(obstacle)));
  const firm = obstacles.find((obstacle) => !waits.includes(obstacle));
  if (firm) throw invalidField("number", inWords(firm).message);
  if (reason === null && waits.length > 0) {
    const at = allowedAt(facts);
    const from = at === null ? "" : ` The rules allow the call from ${toIso(at)}.`;
    const words = waits.map((wait) => inWords(wait).message).join(" ");
    throw invalidField("reason", `${words}${from} To call a telephone of your own now, give a reason (--reason).`);
  }
  return waits.map(reasonOf);
}
