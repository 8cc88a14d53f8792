// Who asked for the work under way, carried along its promises. Work that no request asked for has no asker.
import { AsyncLocalStorage } from "node:async_hooks";

export interface Asking {
  /** The id of the person or the key; undefined until it is known. */
  who?: string;
  /** Aborted when the client leaves. A function, because the signal is made on first use and few requests use it. */
  readonly left?: () => AbortSignal;
}

const storage = new AsyncLocalStorage<Asking>();

/** Everything that `work` starts is asked for by `asking`. */
export function askedBy<T>(asking: Asking, work: () => T): T {
  return storage.run(asking, work);
}

export function currentAsking(): Asking | undefined {
  return storage.getStore();
}
