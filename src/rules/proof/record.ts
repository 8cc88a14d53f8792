// Content of a proof: what is known about a call at its end, and its place in the chain. It has no name, no number and
// no words of the call.
import { toIsoOrNull, toIso } from "../../core/clock.ts";
import type { DialBasis, NoticeHeard, RecordingReport } from "../../payloads/lawful.ts";
import { plainText } from "./canonical.ts";

export const PROOF_FORMAT = "ringward-proof-1";

/** Hash before the first record of a chain. */
export const NO_HASH = "0".repeat(64);

/** A call that ended, with the reports of line and agent. Times are milliseconds since 1970. */
export interface EndedCall {
  callId: string;
  organisationId: string;
  agentId: string;
  direction: "outbound" | "inbound";
  /** HMAC of the other side's number; see number-hash.ts. */
  numberHash: string;
  isSimulated: boolean;
  createdAt: number;
  scheduledAt: number;
  triggeredAt: number | null;
  answeredAt: number | null;
  endedAt: number;
  state: "completed" | "failed" | "disallowed";
  /** Reason of a failure or refusal. */
  code: string | null;
  /** Final SIP response to the INVITE; null without SIP. */
  sipStatus: number | null;
  hasOptedOut: boolean;
  basis: DialBasis | null;
  /** Null if what was said is not known. */
  notices: readonly NoticeHeard[] | null;
  recording: RecordingReport | null;
}

/** The part of a record that is known when the call ends. Keys are in alphabetical order; see signedLine. */
export type ProofFacts = ReturnType<typeof factsOf>;

export function factsOf(call: EndedCall) {
  return {
    agent_id: plainText(call.agentId),
    basis: call.basis && basisOf(call.basis),
    call: plainText(call.callId),
    direction: call.direction,
    notices: call.notices?.map(({ kind, heardAt }) => ({ heard_ms: msOf(heardAt), kind: plainText(kind) })) ?? null,
    number_hmac: call.numberHash,
    opted_out: call.hasOptedOut,
    organisation_id: plainText(call.organisationId),
    recording: call.recording && {
      consent: call.recording.consent,
      from_ms: msOf(call.recording.from),
      mode: call.recording.mode,
      until_ms: msOf(call.recording.until),
    },
    result: {
      code: call.code === null ? null : plainText(call.code),
      sip: call.sipStatus,
      state: call.state,
    },
    simulated: call.isSimulated,
    times: {
      answered: toIsoOrNull(call.answeredAt),
      created: toIso(call.createdAt),
      ended: toIso(call.endedAt),
      scheduled: toIso(call.scheduledAt),
      triggered: toIsoOrNull(call.triggeredAt),
    },
  };
}

const msOf = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds * 1_000));

function basisOf(basis: DialBasis) {
  const { counts, question } = basis;
  return {
    consent: basis.consentId === null ? null : plainText(basis.consentId),
    counts: {
      day: counts.day,
      exempt: counts.isExempt,
      per_day: counts.perDay,
      per_week: counts.perWeek,
      week: counts.week,
    },
    enforced: basis.isEnforced,
    local_time: plainText(basis.localTime),
    purpose: plainText(basis.purpose),
    question: question && { answer: plainText(question.answer), at: plainText(question.at) },
    recording: plainText(basis.recording),
    region: basis.region === null ? null : plainText(basis.region),
    rules: plainText(basis.rules),
    zones: basis.zones.map(plainText),
  };
}

/** A position in a chain: the hash before it, and its number, from 1. */
export interface ChainPlace {
  previous: string;
  sequence: number;
}

export interface ProofRecord extends Omit<ProofFacts, "agent_id" | "organisation_id" | "times"> {
  agent: { id: string; version: number | null };
  /** The chain of the appliance. */
  chain: ChainPlace;
  format: typeof PROOF_FORMAT;
  /** Public key, in hex. */
  key: string;
  /** The chain of the organisation's own records. */
  organisation: ChainPlace & { id: string };
  times: ProofFacts["times"] & { sealed: string };
}

/** Keys are in alphabetical order; see signedLine. */
export function recordOf(
  facts: ProofFacts,
  place: { key: string; agentVersion: number | null; chain: ChainPlace; own: ChainPlace; sealedAt: number },
): ProofRecord {
  const { answered, created, ended, scheduled, triggered } = facts.times;
  return {
    agent: { id: facts.agent_id, version: place.agentVersion },
    basis: facts.basis,
    call: facts.call,
    chain: place.chain,
    direction: facts.direction,
    format: PROOF_FORMAT,
    key: place.key,
    notices: facts.notices,
    number_hmac: facts.number_hmac,
    opted_out: facts.opted_out,
    organisation: { id: facts.organisation_id, ...place.own },
    recording: facts.recording,
    result: facts.result,
    simulated: facts.simulated,
    times: { answered, created, ended, scheduled, sealed: toIso(place.sealedAt), triggered },
  };
}
