// How an emergency on a call was handed over, as the API, events and pages tell it.

/**
 * `connected`: a person talks with them. `handed_over`: the exchange took them away and told nothing more. `gone`: it
 * took them away, and nobody answered. `no_desk`: there is nobody to ask. `hung_up`: they left before it was decided.
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

/** Of what the agent noted at the end of a call; null where it was no emergency. */
export function emergencyOutcomeIn(details: Readonly<Record<string, unknown>> | null): EmergencyOutcome | null {
  const noted = details?.["emergency_outcome"];
  return EMERGENCY_OUTCOMES.find((outcome) => outcome === noted) ?? null;
}
