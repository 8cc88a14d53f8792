// What the delivery loop has in mind of one endpoint: what is under way to it, what was found due and has not begun,
// and its pace.
import { AHEAD_PER_PLACE, MOST_PLACES, Pace } from "./pace.ts";

/**
 * For each place so many may wait to be written down: the more, the larger the groups. All of them would be sent again
 * after a power cut.
 */
const WRITTEN_LATER = 3;
/** At least so many begin before the database is asked again. */
const FOUND_AHEAD = 192;
/**
 * What is under way is still the head of its order in the database, so it comes back in the answer and is passed over.
 */
export const MOST_FOUND = FOUND_AHEAD + (1 + WRITTEN_LATER + AHEAD_PER_PLACE) * MOST_PLACES;

/** By endpoint; those to which something was sent since the start. */
export type Lanes = Map<string, Lane>;

export class Lane {
  readonly pace = new Pace();
  /** By delivery, from its start until its attempt is on disk. */
  readonly underWay = new Map<string, Promise<void>>();
  /** Those among them whose receiver has not answered yet. */
  awaited = 0;
  /** The receiver asked for a pause. Retries keep their times all the same: those are promised. */
  pausedUntil = -Infinity;
  /** Whether the database may know of more than was found. */
  mayHaveMore = { retries: true, others: true };
  /** The loop fills its places; it does so again where somebody asks for it meanwhile. */
  isFilling = false;
  isToFill = false;
  readonly #found = { retries: [] as string[], others: [] as string[] };
  #tookRetry = false;

  constructor(readonly endpointId: string) {}

  /**
   * A place is free as soon as the receiver has answered; but not without end while nothing can be written down. Of
   * what is handed ahead half is used up before there is more: a question to the database for each that ends would cost
   * more than the rest of it.
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

  /** The longest due first, at most as many as may be asked for. */
  found(kind: "retries" | "others", ids: readonly string[]): void {
    this.#found[kind] = ids.filter((id) => !this.underWay.has(id)).toReversed();
    this.mayHaveMore[kind] = ids.length === MOST_FOUND;
  }

  /** Something was written that may have made another delivery due. */
  lookAgain(): void {
    this.mayHaveMore = { retries: true, others: true };
  }

  forget(): void {
    this.#found.retries = [];
    this.#found.others = [];
    this.lookAgain();
  }

  /** Whose turns come next, at most so many, each once; nothing that is under way. */
  take(most: number, isPaused: boolean): string[] {
    const taken = new Set<string>();
    while (taken.size < most) {
      const id = this.next(isPaused);
      if (id === null) break;
      // A retry is found among the others as well.
      if (!this.underWay.has(id)) taken.add(id);
    }
    return [...taken];
  }

  /**
   * Retries have a time to keep; every other turn is left to the rest, so that neither keeps the other from going out.
   */
  next(isPaused: boolean): string | null {
    const { retries, others } = this.#found;
    const isRetrysTurn = retries.length > 0 && (!this.#tookRetry || isPaused || others.length === 0);
    this.#tookRetry = isRetrysTurn;
    if (isRetrysTurn) return retries.pop() ?? null;
    return isPaused ? null : (others.pop() ?? null);
  }
}
