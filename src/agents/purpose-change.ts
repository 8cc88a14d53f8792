// An agent that stops being promotional may call without consent, from any caller ID. That needs an owner, a key or the
// command line, and a reason, which is recorded.
import type { Audit } from "../accounts/audit.ts";
import type { Actor } from "../core/actor.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { LONGEST_REASON, readReason, SHORTEST_REASON } from "../core/reason.ts";
import type { Tx } from "../db/tables.ts";
import type { Purpose } from "../payloads/lawful.ts";
import type { Agent } from "./records.ts";

export interface PurposeChange {
  /** The previous purpose. */
  before: string;
  agent: Agent;
  reason: string | undefined;
  actor: Actor;
}

export async function changePurpose(tx: Tx, audit: Audit, { before, agent, reason, actor }: PurposeChange) {
  if (!leavesPromotional(before, agent.purpose)) return;
  assertMayLeave(actor);
  await audit.record(tx, {
    organisationId: agent.organisation_id,
    actor,
    action: "agent.purpose_loosened",
    subjectId: agent.id,
    detail: { purpose: agent.purpose, reason: checkedPurposeReason(reason) },
  });
}

export const leavesPromotional = (before: string, after: string): boolean =>
  before === PROMOTIONAL && after !== PROMOTIONAL;

const PROMOTIONAL: Purpose = "promotional";

export function checkedPurposeReason(given: string | undefined): string {
  const reason = readReason(given);
  if (reason !== null) return reason;
  throw invalidField(
    "purpose_reason",
    `An agent stops being promotional only with a purpose_reason of ${SHORTEST_REASON} to ${LONGEST_REASON} characters.`,
  );
}

function assertMayLeave({ kind, role }: Actor): void {
  if (kind !== "person" || role === "owner") return;
  throw new AppError("INSUFFICIENT_SCOPE", "Only an owner may give a promotional agent another purpose. Ask an owner.");
}
