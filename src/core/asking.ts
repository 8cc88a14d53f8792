// The requester of the current work, propagated through async calls. Work without a request has none.
import { AsyncLocalStorage } from "node:async_hooks";

export interface Asking {
  /** The id of the person or key; undefined until authenticated. */
  who?: string;
  /**
   * Aborted when the client disconnects. A function, because the signal is created on first use and few requests need
   * it.
   */
  readonly left?: () => AbortSignal;
}

const storage = new AsyncLocalStorage<Asking>();

/** Runs `work`, and everything it starts, on behalf of `asking`. */
export function askedBy<T>(asking: Asking, work: () => T): T {
  return storage.run(asking, work);
}

export function currentAsking(): Asking | undefined {
  return storage.getStore();
}
