// Chains of proofs without a database: varied calls of two organisations, signed with a fixed key.
import { headOf } from "../../src/rules/proof/head.ts";
import { factsOf, NO_HASH, recordOf, type ChainPlace, type EndedCall } from "../../src/rules/proof/record.ts";
import { createSigner, signedLine } from "../../src/rules/proof/signature.ts";

export const SIGNER = createSigner("07".repeat(32));
const START = Date.UTC(2026, 10, 18, 9, 0, 0);

export const ORGANISATIONS = ["org_a", "org_b"];

/** A call that differs from its neighbours in most fields. */
export function endedCall(at: number, organisationId = "org_a"): EndedCall {
  const isAnswered = at % 3 !== 0;
  const triggeredAt = START + at * 1_000;
  return {
    callId: `call_${String(at).padStart(6, "0")}`,
    organisationId,
    agentId: `agt_${at % 5}`,
    direction: at % 7 === 0 ? "inbound" : "outbound",
    numberHash: String(at % 10).repeat(64),
    isSimulated: at % 2 === 0,
    createdAt: triggeredAt - 60_000,
    scheduledAt: triggeredAt - 1_000,
    triggeredAt,
    answeredAt: isAnswered ? triggeredAt + 5_000 : null,
    endedAt: triggeredAt + 30_000,
    state: isAnswered ? "completed" : "failed",
    code: isAnswered ? null : "busy",
    sipStatus: isAnswered ? 200 : 486,
    hasOptedOut: at % 11 === 0,
    basis: {
      rules: "us-2026.11",
      isEnforced: true,
      purpose: "service",
      region: at % 2 === 0 ? "CA" : null,
      zones: ["America/Los_Angeles"],
      localTime: "2026-11-18T09:00",
      counts: { day: at % 2, week: at % 3, perDay: 1, perWeek: 3, isExempt: false },
      consentId: at % 4 === 0 ? `cns_${at}` : null,
      question: at % 5 === 0 ? { answer: "go", at: "2026-11-18T09:00:00.000Z" } : null,
      recording: "ask",
    },
    notices: !isAnswered
      ? []
      : at % 13 === 7
        ? null
        : [
            { kind: "caller", heardAt: 2.345 },
            { kind: "stop", heardAt: null },
          ],
    recording: isAnswered && at % 13 !== 7 ? { mode: "ask", consent: "given", from: 8.2, until: null } : null,
  };
}

/** Lines in their order. With one organisation, the file is one chain; with two, they alternate. */
export function chainOf(count: number, organisations: readonly string[] = ["org_a"], signer = SIGNER): string[] {
  const lines: string[] = [];
  let chain: ChainPlace = { previous: NO_HASH, sequence: 0 };
  const own = new Map<string, ChainPlace>();
  for (let at = 0; at < count; at++) {
    const organisationId = organisations[at % organisations.length]!;
    const last = own.get(organisationId) ?? { previous: NO_HASH, sequence: 0 };
    const record = recordOf(factsOf(endedCall(at, organisationId)), {
      key: signer.key,
      sealedAt: START + at * 1_000 + 31_000,
      agentVersion: at % 4 === 3 ? null : at % 4,
      chain: { ...chain, sequence: chain.sequence + 1 },
      own: { ...last, sequence: last.sequence + 1 },
    });
    const { hash, line } = signedLine("record", record, signer);
    lines.push(line);
    chain = { previous: hash, sequence: chain.sequence + 1 };
    own.set(organisationId, { previous: hash, sequence: last.sequence + 1 });
  }
  return lines;
}

/** The head after the last of these lines, for the appliance or for an organisation. */
export function headAfter(lines: readonly string[], organisationId: string | null = null): string {
  const last = JSON.parse(
    lines.findLast((line) => organisationId === null || line.includes(`"id":"${organisationId}"`))!,
  ) as { hash: string; record: { chain: ChainPlace; organisation: ChainPlace } };
  const { sequence } = organisationId === null ? last.record.chain : last.record.organisation;
  return signedLine("head", headOf(SIGNER.key, { organisationId, last: last.hash, sequence }, START), SIGNER).line;
}
