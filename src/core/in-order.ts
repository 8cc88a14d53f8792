// One after the other, in the order in which they were asked for, however long each takes: two states of
// one thing are not stored the wrong way round.

/** One that fails is told to whoever asked for it; the next one begins all the same. */
export function inOrder<Input>(run: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (input) => {
    const done = last.then(() => run(input));
    last = done.catch(() => {});
    return done;
  };
}
