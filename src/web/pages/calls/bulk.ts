// Bulk action on calls, in batches of a few hundred. Counts the calls done, and adds up the skipped ones.

export interface BulkAnswer {
  done: number;
  left_out: readonly { reason: string; count: number }[];
}

export interface BulkTally {
  /** Calls processed so far. */
  seen: number;
  done: number;
  leftOut: Record<string, number>;
}

/** Batch limit of the appliance. */
export const MOST_AT_ONCE = 250;

export const NOTHING_YET: BulkTally = { seen: 0, done: 0, leftOut: {} };

export function added(tally: BulkTally, asked: number, { done, left_out }: BulkAnswer): BulkTally {
  const leftOut = { ...tally.leftOut };
  for (const { reason, count } of left_out) leftOut[reason] = (leftOut[reason] ?? 0) + count;
  return { seen: tally.seen + asked, done: tally.done + done, leftOut };
}

export function commandsOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MOST_AT_ONCE) }, (_, index) =>
    ids.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE),
  );
}
