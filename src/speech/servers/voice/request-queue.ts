// Priority queue for a voice server: speech that a caller waits for goes first, speech prepared in advance takes its
// turn.

/** Including urgent requests. */
const MOST_AT_ONCE = 2;

interface Waiting {
  text: string;
  start(): void;
}

export interface RequestQueue {
  /** `text`: the phrase the request belongs to. Null if cancelled before it started. */
  run<Value>(text: string, unwanted: AbortSignal, work: () => Promise<Value>): Promise<Value | null>;
  /** Makes requests of this text urgent. */
  hurry(text: string): void;
}

export function createRequestQueue(): RequestQueue {
  /** Per call: a few hundred phrases at most. */
  const hurried = new Set<string>();
  const waiting: Waiting[] = [];
  let running = 0;

  function startNext(): void {
    for (let at = nextOne(); at !== -1; at = nextOne()) waiting.splice(at, 1)[0]?.start();
  }

  function nextOne(): number {
    const live = waiting.findIndex(({ text }) => hurried.has(text));
    return live === -1 && running < MOST_AT_ONCE && waiting.length > 0 ? 0 : live;
  }

  return {
    async run(text, unwanted, work) {
      const turn = Promise.withResolvers<boolean>();
      const mine: Waiting = {
        text,
        start() {
          running++;
          turn.resolve(true);
        },
      };
      const letGo = (): void => {
        const at = waiting.indexOf(mine);
        if (at !== -1) waiting.splice(at, 1);
        turn.resolve(false);
      };
      unwanted.addEventListener("abort", letGo, { once: true });
      waiting.push(mine);
      startNext();
      if (!(await turn.promise)) return null;
      try {
        return await work();
      } finally {
        running--;
        startNext();
      }
    },
    hurry(text) {
      hurried.add(text);
      startNext();
    },
  };
}
