// Notes each call that was dialled, received or refused for its proof, in the transaction that ends it.
import type { NumberHash } from "../../core/number-hash.ts";
import type { DialBasis } from "../../payloads/lawful.ts";
import type { EndedCall } from "../../rules/proof/record.ts";
import { noteForProof } from "../../rules/proof/sealing.ts";
import type { LineReport } from "../../telephony/line-report.ts";
import type { CallEnd } from "../call/call-end.ts";
import type { FinalCallWatcher } from "../call/final-calls.ts";
import type { Call } from "../call/records.ts";
import { basisOf } from "../queue/dial-basis-store.ts";

export function createProvenCalls(numberHash: NumberHash): FinalCallWatcher<DialBasis | null> {
  return {
    look: (tx, call) => basisOf(tx, call.id),
    async ended(tx, { call, end }, basis) {
      const ended = endedCallOf(call, end, numberHash);
      if (ended) await noteForProof(tx, { ...ended, basis });
    },
  };
}

/** Null for a cancelled call, which was never dialled. */
function endedCallOf(call: Call, end: CallEnd | null, numberHash: NumberHash): Omit<EndedCall, "basis"> | null {
  const { state } = call;
  if (state !== "completed" && state !== "failed" && state !== "disallowed") return null;
  return {
    callId: call.id,
    organisationId: call.organisation_id,
    agentId: call.agent_id,
    direction: call.direction,
    numberHash: numberHash(call.organisation_id, call.contact_number),
    isSimulated: call.simulated,
    createdAt: call.created_at,
    scheduledAt: call.scheduled_at,
    triggeredAt: call.triggered_at,
    answeredAt: call.answered_at,
    endedAt: call.finished_at ?? call.updated_at,
    state,
    code: call.error_code,
    sipStatus: end?.line ? sipStatusOf(end.line, call.direction) : null,
    hasOptedOut: hasOptedOut(end),
    notices: end?.notices ?? (isReportLost(call, end) ? null : []),
    recording: end?.recording ?? null,
  };
}

/** A call that broke off after an opt-out has it among its details, if its report was lost. */
const hasOptedOut = (end: CallEnd | null): boolean =>
  end?.optOut === true || (end?.kind === "failed" && end.extractedDetails?.["answer"] === "opted_out");

/** An answered call broke off, and with it its agent or the agent's thread. */
const isReportLost = ({ answered_at }: Call, end: CallEnd | null): boolean =>
  end?.kind !== "completed" && answered_at !== null;

/** The final response to the INVITE: the success, or else the last failure. */
export function sipStatusOf({ trace }: LineReport, direction: Call["direction"]): number | null {
  const answering = direction === "outbound" ? "received" : "sent";
  const statuses = trace.flatMap((message) => {
    const status = /^SIP\/2\.0 ([2-6]\d\d)/.exec(message.firstLine)?.[1];
    const isToInvite = /^cseq:\s*\d+\s+INVITE\s*$/im.test(message.text);
    return status && isToInvite && message.direction === answering ? [Number(status)] : [];
  });
  return statuses.find((status) => status < 300) ?? statuses.at(-1) ?? null;
}
