// What the spotter listens for in one language. All words must be in the model's vocabulary; a test holds them to it.

export interface SpottedPhrases {
  /** Each heard as a whole is an alarm. */
  alarms: readonly string[];
  /** What comes before an alarm and takes it back. */
  denials: readonly string[];
  /** What everyday words are heard as, and taken for an alarm while there was nothing else to take them for; no alarm within counts. */
  harmless: readonly string[];
}
