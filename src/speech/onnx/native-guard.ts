// Guard against terminating a thread inside ONNX Runtime: the addon would throw an exception that cannot be caught, and
// the process would abort with every call. A shared integer coordinates both sides: the thread enters only while no
// termination is requested, and the terminator waits until the thread has left.
import { MINUTE_MS, SECOND_MS, type Clock } from "../../core/clock.ts";

const OUTSIDE = 0;
const INSIDE = 1;
/** Termination was requested while the thread is inside. */
const AWAITED = 2;
/** Termination was requested or done; the thread must not enter. */
const ENDED = 3;

/** Index of the visit counter, next to the state. */
const VISITS = 1;

/** A network of 29 MB loads in one second; this covers an overloaded machine. */
const LONGEST_VISIT_MS = 2 * MINUTE_MS;
const LOOK_EVERY_MS = 2 * SECOND_MS;

export type GuardState = SharedArrayBuffer;

export function createGuardState(): GuardState {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** Runs work inside native code. */
export type NativeGuard = <Result>(work: () => Result) => Result;

/** For threads that are never terminated, such as a script's own. */
export const unguarded: NativeGuard = (work) => work();

/** The thread's side. `cameOut` reports that the thread may be terminated now. */
export function createGuard(state: GuardState, cameOut: () => void): NativeGuard {
  const shared = new Int32Array(state);
  return (work) => {
    if (Atomics.compareExchange(shared, 0, OUTSIDE, INSIDE) !== OUTSIDE)
      throw new Error("This thread is being terminated.");
    Atomics.add(shared, VISITS, 1);
    try {
      return work();
    } finally {
      if (Atomics.compareExchange(shared, 0, INSIDE, OUTSIDE) === AWAITED) {
        Atomics.store(shared, 0, ENDED);
        cameOut();
      }
    }
  };
}

/** The terminator's side: whether the thread may be terminated at once. If not, it reports when it has left. */
export function mayEndNow(state: GuardState): boolean {
  const shared = new Int32Array(state);
  if (Atomics.compareExchange(shared, 0, OUTSIDE, ENDED) === OUTSIDE) return true;
  const before = Atomics.compareExchange(shared, 0, INSIDE, AWAITED);
  // The thread left between the two checks.
  return before === OUTSIDE ? mayEndNow(state) : before === ENDED;
}

/**
 * A thread in native code cannot send heartbeats, and its supervisor would take it for dead. Sends them in its place,
 * for at most two minutes per visit. Returns a stop function.
 */
export function beatWhileInside(state: GuardState, clock: Clock, beat: () => void): () => void {
  const shared = new Int32Array(state);
  let visit = -1;
  let seenAt = 0;
  let cancel = (): void => {};
  function look(): void {
    const now = Atomics.load(shared, VISITS);
    if (now !== visit) [visit, seenAt] = [now, clock.elapsedMs()];
    const isInside = [INSIDE, AWAITED].includes(Atomics.load(shared, 0));
    if (isInside && clock.elapsedMs() - seenAt < LONGEST_VISIT_MS) beat();
    cancel = clock.after(LOOK_EVERY_MS, look);
  }
  look();
  return () => cancel();
}
