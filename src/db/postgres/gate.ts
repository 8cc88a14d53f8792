// Who may begin: a command that another writer spoilt comes before those that have not begun, and one such at a time, so that none is
// spoilt again and again by its own neighbours.

export class Gate {
  #repeating = 0;
  #turn: Promise<void> = Promise.resolve();
  #opened: (() => void)[] = [];

  /** Resolves when a command may be tried for the first time. */
  async enter(): Promise<void> {
    while (this.#repeating > 0) await new Promise<void>((resolve) => this.#opened.push(resolve));
  }

  /** Runs while no other that is repeated does. */
  async repeat<T>(run: () => Promise<T>): Promise<T> {
    this.#repeating += 1;
    const turn = this.#turn;
    let done: () => void = () => {};
    this.#turn = new Promise((resolve) => (done = resolve));
    try {
      await turn;
      return await run();
    } finally {
      done();
      this.#repeating -= 1;
      if (this.#repeating === 0) for (const resume of this.#opened.splice(0)) resume();
    }
  }
}
