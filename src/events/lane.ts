// In-memory delivery state of one endpoint: deliveries in flight, deliveries found due, and the pace.
import { AHEAD_PER_PLACE, MOST_PLACES, Pace } from "./pace.ts";

/**
 * Answered attempts per place that may wait to be stored. More of them make larger groups; after a power cut all of
 * them are sent again.
 */
const WRITTEN_LATER = 3;
/** Deliveries to start, at least, before the next database query. */
const FOUND_AHEAD = 192;
/** Deliveries in flight are still heads in the database, so a query returns them too and they are skipped. */
export const MOST_FOUND = FOUND_AHEAD + (1 + WRITTEN_LATER + AHEAD_PER_PLACE) * MOST_PLACES;

/** Keyed by endpoint; only endpoints that were sent to since the start. */
export type Lanes = Map<string, Lane>;

export class Lane {
  readonly pace = new Pace();
  /** Keyed by delivery, from its start until its attempt is on disk. */
  readonly underWay = new Map<string, Promise<void>>();
  /** Number of deliveries in flight whose receiver has not answered yet. */
  awaited = 0;
  /** The receiver asked for a pause. Retries still run on time, because their schedule is guaranteed. */
  pausedUntil = -Infinity;
  /** Whether the database may have more than was found. */
  mayHaveMore = { retries: true, others: true };
  /** The loop is filling places; `isToFill` requests another pass. */
  isFilling = false;
  isToFill = false;
  readonly #found = { retries: [] as string[], others: [] as string[] };
  #tookRetry = false;

  constructor(readonly endpointId: string) {}

  /**
   * A place is free as soon as the receiver has answered, up to a limit of attempts not yet stored. Half of the
   * prefetched deliveries are used up before more are fetched, because a query per finished delivery would cost more
   * than the delivery.
   */
  freePlaces(mayHandAhead: boolean): number {
    const { places } = this.pace;
    const ahead = mayHandAhead ? this.pace.ahead : 0;
    const unwritten = (1 + WRITTEN_LATER) * places + ahead;
    const free = Math.min(places + ahead - this.awaited, unwritten - this.underWay.size);
    return free < ahead / 2 ? 0 : Math.max(0, free);
  }

  isEmpty(kind: "retries" | "others"): boolean {
    return this.#found[kind].length === 0;
  }

  /** Longest due first, at most MOST_FOUND. */
  found(kind: "retries" | "others", ids: readonly string[]): void {
    this.#found[kind] = ids.filter((id) => !this.underWay.has(id)).toReversed();
    this.mayHaveMore[kind] = ids.length === MOST_FOUND;
  }

  /** A write may have made another delivery due. */
  lookAgain(): void {
    this.mayHaveMore = { retries: true, others: true };
  }

  forget(): void {
    this.#found.retries = [];
    this.#found.others = [];
    this.lookAgain();
  }

  /** The next deliveries, at most `most`, without duplicates or deliveries in flight. */
  take(most: number, isPaused: boolean): string[] {
    const taken = new Set<string>();
    while (taken.size < most) {
      const id = this.next(isPaused);
      if (id === null) break;
      // A retry is also found among the others.
      if (!this.underWay.has(id)) taken.add(id);
    }
    return [...taken];
  }

  /** Retries are time-critical, but they alternate with other deliveries so that neither starves. */
  next(isPaused: boolean): string | null {
    const { retries, others } = this.#found;
    const isRetrysTurn = retries.length > 0 && (!this.#tookRetry || isPaused || others.length === 0);
    this.#tookRetry = isRetrysTurn;
    if (isRetrysTurn) return retries.pop() ?? null;
    return isPaused ? null : (others.pop() ?? null);
  }
}
