// A source of work that is due at certain times. The scheduler polls it; features implement it.

export interface DueSource {
  name: string;
  /** Runs all due work and returns when to run again: a time, or null if only a wake-up can bring work. */
  runDue(): Promise<number | null>;
}
