// Placeholders filled from the organisation's settings, so calls need not provide them: {{hospital}}, {{branch}} and
// {{callback_number}}. A value sent with the call takes precedence.

export interface KnownValues {
  /** The organisation's name. */
  hospital: string;
  /** The name of the agent's branch; null if it has none. */
  branch: string | null;
  /** E.164. */
  callback_number: string | null;
}

export const KNOWN_NAMES = ["hospital", "branch", "callback_number"] as const satisfies readonly (keyof KnownValues)[];
