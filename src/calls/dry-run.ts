// What would become of a call, told without making it.
import type { CallingHours } from "../agents/calling-hours.ts";
import { nextAllowedInstant } from "../agents/calling-hours.ts";
import { calleeZones } from "../core/callee-zone.ts";
import { toIso } from "../core/clock.ts";
import type { OrganisationRow } from "../db/tables.ts";
import { checkedWords, missingWords } from "./agent-words.ts";
import type { DryRun } from "./model.ts";
import type { NewCall } from "./new-call.ts";
import type { HoldReason } from "./policy.ts";

export interface DryRunFacts {
  call: NewCall;
  organisation: OrganisationRow;
  isDoNotDisturb: boolean;
  creditsPerMinute: number;
  /** What would make it wait if it went out now; empty for a call that is not due soon. */
  busyNow: readonly HoldReason[];
}

const BUSY_WORDS: Readonly<Record<HoldReason, string>> = {
  waiting_for_line: "Every line that the plan allows is in use.",
  number_in_call: "This number is in another call.",
  number_lines_busy: "Every line of the agent's numbers is in use.",
  outside_calling_hours: "The agent's calling hours are closed.",
  agent_has_no_number: "The agent has no phone number.",
  number_has_no_trunk: "The agent's phone number is on no trunk.",
  trunk_unavailable: "The trunk of the agent's phone number cannot take calls now.",
  trunk_lines_busy: "Every line of the trunk is in use.",
  overloaded: "This machine has as many calls as it can carry well.",
  restored_from_backup: "It was due before a backup was restored, and waits for a person's word.",
};

export function dryRun({ call, organisation, isDoNotDisturb, creditsPerMinute, busyNow }: DryRunFacts): DryRun {
  const { agent } = call;
  const refusals = [
    ...(isDoNotDisturb ? [{ reason: "do_not_disturb", message: "The number is on the do-not-disturb list." }] : []),
    ...(organisation.unlimited_credits === 0 && organisation.credit_balance < creditsPerMinute
      ? [{ reason: "insufficient_credits", message: "The organisation has too few credits for this call." }]
      : []),
  ];
  const allowedAt = allowedInstant(agent.calling_hours, call);
  const holds =
    allowedAt === call.scheduledAt
      ? []
      : [
          {
            reason: "outside_calling_hours",
            message: "The agent's calling hours are closed at that time where the callee is.",
          },
        ];
  return {
    dry_run: true,
    greeting: checkedWords(agent, call).greeting,
    missing_placeholders: missingWords(agent, call),
    scheduled_at: toIso(call.scheduledAt),
    would_dial_at: refusals.length > 0 || allowedAt === null ? null : toIso(allowedAt),
    held_back_by: [...refusals, ...holds, ...busyNow.map((reason) => ({ reason, message: BUSY_WORDS[reason] }))],
  };
}

function allowedInstant(callingHours: string | null, call: NewCall): number | null {
  if (callingHours === null) return call.scheduledAt;
  return nextAllowedInstant(
    JSON.parse(callingHours) as CallingHours,
    calleeZones(call.contactNumber),
    call.scheduledAt,
  );
}
