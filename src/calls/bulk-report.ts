// What came of one act on many calls: how many it was done for, and why not for the others.

export interface BulkResult {
  done: number;
  left_out: { reason: string; count: number }[];
}

export class BulkReport<Reason extends string> {
  #done = 0;
  readonly #leftOut = new Map<Reason, number>();

  /** Null where it was done. */
  note(reason: Reason | null): void {
    if (reason === null) this.#done += 1;
    else this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1);
  }

  result(): BulkResult {
    return { done: this.#done, left_out: [...this.#leftOut].map(([reason, count]) => ({ reason, count })) };
  }
}
