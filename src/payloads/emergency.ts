// Outcomes of an emergency handover, in the API, events and pages.

/**
 * `connected`: a person talks with the callee. `handed_over`: the exchange took over the call without further reports.
 * `gone`: the exchange took over the call, and no one answered. `no_desk`: no desk is configured. `hung_up`: the callee
 * hung up before a decision.
 */
export const EMERGENCY_OUTCOMES = [
  "connected",
  "handed_over",
  "busy",
  "no_answer",
  "refused",
  "gone",
  "no_desk",
  "hung_up",
] as const;
export type EmergencyOutcome = (typeof EMERGENCY_OUTCOMES)[number];

/** Read from the details noted at the end of a call; null if it was not an emergency. */
export function emergencyOutcomeIn(details: Readonly<Record<string, unknown>> | null): EmergencyOutcome | null {
  const noted = details?.["emergency_outcome"];
  return EMERGENCY_OUTCOMES.find((outcome) => outcome === noted) ?? null;
}
