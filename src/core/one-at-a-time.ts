// One-at-a-time queue: one job after the other, and few may wait.
import { AppError } from "./errors.ts";

/** Each of them holds up to 10 MB meanwhile. */
const MOST_WAITING = 8;
/** The one under way counts. No organisation fills the queue for the others. */
const MOST_OF_ONE = 3;

export type OneAtATime = <T>(organisationId: string, work: () => Promise<T>) => Promise<T>;

/** Throws RATE_LIMITED where too many wait already. */
export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  const waiting: string[] = [];

  return async (organisationId, work) => {
    const own = waiting.filter((each) => each === organisationId).length;
    if (waiting.length >= MOST_WAITING || own >= MOST_OF_ONE)
      throw new AppError("RATE_LIMITED", "Too many files are being read right now. Try again in a few seconds.", {
        retryAfterSeconds: 5,
      });
    waiting.push(organisationId);
    // The result of the job before belongs to its sender alone.
    const turn = last.then(work, work);
    last = turn;
    try {
      return await turn;
    } finally {
      waiting.splice(waiting.indexOf(organisationId), 1);
    }
  };
}
