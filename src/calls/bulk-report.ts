// Result of a bulk action on calls: how many succeeded, and how many were skipped for each reason.

export interface BulkResult {
  done: number;
  left_out: { reason: string; count: number }[];
}

export class BulkReport<Reason extends string> {
  #done = 0;
  readonly #leftOut = new Map<Reason, number>();

  /** Null if the action succeeded. */
  note(reason: Reason | null): void {
    if (reason === null) this.#done += 1;
    else this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1);
  }

  result(): BulkResult {
    return { done: this.#done, left_out: [...this.#leftOut].map(([reason, count]) => ({ reason, count })) };
  }
}
