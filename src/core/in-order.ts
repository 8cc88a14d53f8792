// Serial queue: runs tasks one after the other in call order, so two states of one thing are never stored in the wrong
// order.

/** A failure rejects only its own promise; the next task runs anyway. */
export function inOrder<Input>(run: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (input) => {
    const done = last.then(() => run(input));
    last = done.catch(() => {});
    return done;
  };
}
