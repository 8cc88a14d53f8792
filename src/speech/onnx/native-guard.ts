// A thread must never be ended while it is inside ONNX Runtime: the addon then throws where nobody can catch it, and the
// whole process aborts, with every call. So both sides share one number: a thread enters only where nobody wants to end
// it, and whoever wants to end it waits until it has come out.

const OUTSIDE = 0;
const INSIDE = 1;
/** It is to be ended, and is still inside. */
const AWAITED = 2;
/** It is to be ended, or has ended, and enters no more. */
const ENDED = 3;

export type GuardState = SharedArrayBuffer;

export function createGuardState(): GuardState {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
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
