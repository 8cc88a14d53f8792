// Outcome of a campaign call, and its retry policy: after which outcomes, how often, and with which delay.
import { Type, type Static } from "@sinclair/typebox";
import { MINUTE_MS } from "../core/clock.ts";
import { STRICT } from "../core/schema.ts";
import type { FinalCall } from "../calls/call/final-calls.ts";
import type { Agent } from "../agents/records.ts";
import type { Call } from "../calls/call/records.ts";

export const RETRY_OUTCOMES = ["no_answer", "busy", "voicemail", "failed"] as const;
export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

const rule = (when: string) =>
  Type.Optional(
    Type.Object(
      {
        attempts: Type.Integer({ minimum: 0, maximum: 10, description: "How many more calls at most." }),
        minutes: Type.Integer({ minimum: 1, maximum: 7 * 24 * 60, description: "How long after the call before." }),
      },
      { description: when },
    ),
  );

export const RetryPolicySchema = Type.Object(
  {
    no_answer: rule("Nobody answered."),
    busy: rule("The line was busy."),
    voicemail: rule("A machine answered."),
    failed: rule("A fault of the line or of this machine."),
  },
  { description: "Without it, the agent's own policy.", [STRICT]: true },
);
export type RetryPolicy = Static<typeof RetryPolicySchema>;

/** Technical faults, which may be gone at the next attempt. */
const FAULTS = ["carrier_error", "infrastructure_error", "interrupted"];

/** Default outcomes of "call all failed again": the person was not spoken to, and nothing forbids another call. */
export const FAILED_OUTCOMES = ["no_answer", "busy", "rejected", "insufficient_credits", ...FAULTS] as const;

/** Outcomes without a conversation: the failed ones, voicemail and invalid numbers. */
export const NOT_REACHED_OUTCOMES = [...FAILED_OUTCOMES, "voicemail", "invalid_number"] as const;

export const OUTCOMES = [
  "answered",
  "voicemail",
  "callback_scheduled",
  "no_answer",
  "busy",
  "rejected",
  "invalid_number",
  "carrier_error",
  "infrastructure_error",
  "interrupted",
  "do_not_disturb",
  "dropped_by_hospital",
  "insufficient_credits",
  "no_consent",
  "registry_refused",
  "cancelled",
  "erased",
] as const;

export function outcomeOf({ call, end }: FinalCall): string {
  if (call.state === "cancelled") return "cancelled";
  // The promised callback is an ordinary call of the agent, however this call ended.
  if (call.scheduled_call_id !== null) return "callback_scheduled";
  if (call.state !== "completed") return call.error_code ?? "infrastructure_error";
  return end?.kind === "completed" && end.analytics?.disposition === "voicemail" ? "voicemail" : "answered";
}

/** The rule of the policy that applies to the outcome. */
export function retryOutcomeOf(call: Call, outcome: string): RetryOutcome | null {
  // After the phone rang, an infrastructure fault does not lead to another call.
  const hasRung = call.ringing_at !== null || call.answered_at !== null;
  if (outcome === "infrastructure_error" && hasRung) return null;
  if (FAULTS.includes(outcome)) return "failed";
  return RETRY_OUTCOMES.find((known) => known === outcome) ?? null;
}

/** When the person is called again, or null if not. `attempts` counts the calls so far. */
export function calledAgainAt(
  policy: RetryPolicy,
  outcome: RetryOutcome | null,
  attempts: number,
  now: number,
): number | null {
  const applied = outcome === null ? undefined : policy[outcome];
  return applied && attempts <= applied.attempts ? now + applied.minutes * MINUTE_MS : null;
}

/** Outcomes after which call number `attempts` would be retried, as call outcomes. */
export function retriesOf(policy: RetryPolicy, attempts: number): string[] {
  const outcomes = RETRY_OUTCOMES.filter((outcome) => calledAgainAt(policy, outcome, attempts, 0) !== null);
  return outcomes.flatMap((outcome) => (outcome === "failed" ? FAULTS : [outcome]));
}

/** Copies known fields only: the schema lets a field called `__proto__` pass, and it would be stored. */
export function knownRules(sent: RetryPolicy): RetryPolicy {
  const rules = (Object.keys(RetryPolicySchema.properties) as (keyof RetryPolicy)[]).flatMap((outcome) => {
    const rule = sent[outcome];
    return rule ? [[outcome, { attempts: rule.attempts, minutes: rule.minutes }] as const] : [];
  });
  return Object.fromEntries(rules);
}

export function policyOfAgent({ retry_attempts, retry_minutes, retry_outcomes }: Agent): RetryPolicy {
  const known = RETRY_OUTCOMES.filter(
    (outcome) =>
      retry_outcomes.includes(outcome) ||
      (outcome === "failed" && retry_outcomes.some((each) => FAULTS.includes(each))),
  );
  return Object.fromEntries(known.map((outcome) => [outcome, { attempts: retry_attempts, minutes: retry_minutes }]));
}
