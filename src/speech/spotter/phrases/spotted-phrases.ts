// Phrases to spot in one language. All words must be in the model's vocabulary; a test verifies it.

export interface SpottedPhrases {
  /** Each complete match is an alarm. */
  alarms: readonly string[];
  /** Words before an alarm that deny it. */
  denials: readonly string[];
  /** Everyday words that would be spotted as an alarm without an alternative; alarms inside them do not count. */
  harmless: readonly string[];
}
