// Something that has work at certain times. The scheduler asks; features answer.

export interface DueSource {
  name: string;
  /** Does what is due and answers when to ask again: a time, or null when only a wake can bring work. */
  runDue(): Promise<number | null>;
}
