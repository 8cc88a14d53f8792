// Serial job queue with a bounded backlog.
import { AppError } from "./errors.ts";

/** Each waiting job holds up to 10 MB. */
const MOST_WAITING = 8;
/** Includes the running job. Keeps one organisation from filling the queue. */
const MOST_OF_ONE = 3;

export type OneAtATime = <T>(organisationId: string, work: () => Promise<T>) => Promise<T>;

/** Throws RATE_LIMITED if the queue is full. */
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
    // Runs after the previous job, whether it succeeded or failed.
    const turn = last.then(work, work);
    last = turn;
    try {
      return await turn;
    } finally {
      waiting.splice(waiting.indexOf(organisationId), 1);
    }
  };
}
