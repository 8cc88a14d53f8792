// Lists are read one after the other: a large workbook takes a hundred megabytes while it is read.
import { AppError } from "../../core/errors.ts";

/** Each of them holds its own 10 MB meanwhile. */
const MOST_WAITING = 8;

export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  /** Throws RATE_LIMITED where too many wait already. */
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= MOST_WAITING)
      throw new AppError("RATE_LIMITED", "Too many lists are being read right now. Try again in a few seconds.", {
        retryAfterSeconds: 5,
      });
    waiting += 1;
    // How the one before ended is the business of whoever sent it.
    const turn = last.then(work, work);
    last = turn;
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  };
}
