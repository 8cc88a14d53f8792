// A thread must never be ended while it is inside ONNX Runtime: the addon then throws where nobody can catch it, and the
// whole process aborts, with every call. So both sides share one number: a thread enters only where nobody wants to end
// it, and whoever wants to end it waits until it has come out.
import { MINUTE_MS, SECOND_MS, type Clock } from "../../core/clock.ts";

const OUTSIDE = 0;
const INSIDE = 1;
/** It is to be ended, and is still inside. */
const AWAITED = 2;
/** It is to be ended, or has ended, and enters no more. */
const ENDED = 3;

/** Where the count of visits lies, beside the state. */
const VISITS = 1;

/** A network of 29 MB loads in a second; this is for a machine that has hardly a moment for us. */
const LONGEST_VISIT_MS = 2 * MINUTE_MS;
const LOOK_EVERY_MS = 2 * SECOND_MS;

export type GuardState = SharedArrayBuffer;

export function createGuardState(): GuardState {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** Runs work that is inside native code. */
export type NativeGuard = <Result>(work: () => Result) => Result;

/** For threads that nobody ends, such as a script's own. */
export const unguarded: NativeGuard = (work) => work();

/** The thread's side. `cameOut` tells the other that the thread may be ended now. */
export function createGuard(state: GuardState, cameOut: () => void): NativeGuard {
  const shared = new Int32Array(state);
  return (work) => {
    if (Atomics.compareExchange(shared, 0, OUTSIDE, INSIDE) !== OUTSIDE) throw new Error("This thread is being ended.");
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

/** The other side: whether the thread may be ended at once. Where it may not, it says when it has come out. */
export function mayEndNow(state: GuardState): boolean {
  const shared = new Int32Array(state);
  if (Atomics.compareExchange(shared, 0, OUTSIDE, ENDED) === OUTSIDE) return true;
  const before = Atomics.compareExchange(shared, 0, INSIDE, AWAITED);
  // It came out between the two questions.
  return before === OUTSIDE ? mayEndNow(state) : before === ENDED;
}

/**
 * A thread that is inside cannot beat, and whoever listens for its beat would take it for dead: beats in its place while
 * it is inside, but for no visit longer than two minutes. Ends with the answer.
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
