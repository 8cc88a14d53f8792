// Queue of slow reads: searches, long lists, counts, exports. They run off the serving thread (see
// sqlite/reader-threads.ts and postgres/reader.ts), a few at a time. Scheduling is round-robin by person: a search
// waits for one statement of each other person, not for all statements of one.
import { currentAsking, type Asking } from "../core/asking.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { UnderWay } from "./under-way.ts";

export interface HeavyStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface HeavyReadsOptions<Answer> {
  /** Maximum concurrent statements. */
  lanes: number;
  /**
   * A request is refused if its statement waits longer than this. Without it, a statement waits as long as its client.
   */
  turn?: { withinMs: number; clock: Clock };
  /** `left`: aborted when the client disconnects. A running statement may then cancel itself; its result is ignored. */
  run(statement: HeavyStatement, left: AbortSignal | null): Promise<Answer>;
}

/** A dashboard page sends three or four requests at once, and one person has a few pages open. */
export const MOST_REQUESTS_PER_ASKER = 16;
/** Total backlog. Beyond it, the queue is longer than any client waits. */
const MOST_WAITING = 1_000;

interface Waiting {
  readonly asking: Asking | undefined;
  start(): Promise<void>;
}

/** The key for work without a request. */
const NOBODY = "";

export class HeavyReads<Answer> {
  readonly #options: HeavyReadsOptions<Answer>;
  /** By requester, in round-robin order. */
  readonly #queues = new Map<string, Waiting[]>();
  /** Requests with a waiting or running statement, by requester, each with its number of statements. */
  readonly #requests = new Map<string, Map<Asking, number>>();
  readonly #underWay = new UnderWay();
  #waiting = 0;
  #running = 0;
  #pauses = 0;
  #idle: (() => void)[] = [];

  constructor(options: HeavyReadsOptions<Answer>) {
    this.#options = options;
  }

  get stats(): { waiting: number; running: number } {
    return { waiting: this.#waiting, running: this.#running };
  }

  /**
   * Rejects with RATE_LIMITED if the requester has too many active requests, and with REQUEST_TIMEOUT when the client
   * disconnects.
   */
  async ask(sql: string, parameters: readonly unknown[]): Promise<Answer> {
    const asking = currentAsking();
    const left = asking?.left?.() ?? null;
    if (left?.aborted) throw clientLeft();
    if (this.#waiting >= MOST_WAITING) throw tooMany("UNAVAILABLE", "Too many searches are waiting. Try again.");
    return this.#underWay.during(() => this.#counted(asking, () => this.#inTurn({ sql, parameters }, asking, left)));
  }

  /** Resolves when no requested work remains. */
  settled(): Promise<void> {
    return this.#underWay.none();
  }

  /** Runs while no statement does; new statements wait meanwhile. */
  async whileIdle<T>(run: () => T | Promise<T>): Promise<T> {
    this.#pauses += 1;
    try {
      while (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
      return await run();
    } finally {
      this.#pauses -= 1;
      this.#next();
    }
  }

  async #counted<T>(asking: Asking | undefined, run: () => Promise<T>): Promise<T> {
    if (asking?.who === undefined) return run();
    const { who } = asking;
    const requests = this.#requests.get(who) ?? new Map<Asking, number>();
    if (!requests.has(asking) && requests.size >= MOST_REQUESTS_PER_ASKER)
      throw tooMany("RATE_LIMITED", "Too many of your searches are running. Wait for one to finish and try again.");
    requests.set(asking, (requests.get(asking) ?? 0) + 1);
    this.#requests.set(who, requests);
    try {
      return await run();
    } finally {
      const left = (requests.get(asking) ?? 1) - 1;
      if (left > 0) requests.set(asking, left);
      else requests.delete(asking);
      if (requests.size === 0) this.#requests.delete(who);
    }
  }

  #inTurn(statement: HeavyStatement, asking: Asking | undefined, left: AbortSignal | null): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting: Waiting = {
      asking,
      start: () => this.#options.run(statement, left).then(resolve, reject),
    };
    const leave = () => {
      this.#remove(waiting);
      // A running statement is abandoned; its lane is free when it has ended.
      reject(clientLeft());
    };
    left?.addEventListener("abort", leave, { once: true });
    this.#add(waiting);
    const cancel = asking?.who === undefined ? () => {} : this.#refuseLate(waiting, reject);
    this.#next();
    return promise.finally(() => {
      cancel();
      left?.removeEventListener("abort", leave);
    });
  }

  #refuseLate(waiting: Waiting, reject: (error: AppError) => void): () => void {
    const { turn } = this.#options;
    if (!turn) return () => {};
    return turn.clock.after(turn.withinMs, () => {
      // A running statement has its own timeout.
      if (this.#remove(waiting)) reject(tooMany("UNAVAILABLE", "Other searches are taking too long. Try again."));
    });
  }

  #add(waiting: Waiting): void {
    const who = waiting.asking?.who ?? NOBODY;
    const queue = this.#queues.get(who);
    if (queue) queue.push(waiting);
    else this.#queues.set(who, [waiting]);
    this.#waiting += 1;
  }

  /** False if it is no longer waiting. */
  #remove(waiting: Waiting): boolean {
    const who = waiting.asking?.who ?? NOBODY;
    const queue = this.#queues.get(who);
    const at = queue?.indexOf(waiting) ?? -1;
    if (!queue || at === -1) return false;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(who);
    this.#waiting -= 1;
    return true;
  }

  #next(): void {
    while (this.#running < this.#options.lanes && this.#pauses === 0) {
      const waiting = this.#take();
      if (!waiting) return;
      this.#running += 1;
      void waiting.start().finally(() => {
        this.#running -= 1;
        if (this.#running === 0) for (const resume of this.#idle.splice(0)) resume();
        this.#next();
      });
    }
  }

  #take(): Waiting | undefined {
    for (const [who, queue] of this.#queues) {
      const waiting = queue.shift();
      // Moves the requester to the end of the round.
      this.#queues.delete(who);
      if (queue.length > 0) this.#queues.set(who, queue);
      if (waiting) this.#waiting -= 1;
      return waiting;
    }
    return undefined;
  }
}

const tooMany = (code: "RATE_LIMITED" | "UNAVAILABLE", message: string) =>
  new AppError(code, message, { retryAfterSeconds: 1 });

/** Only logged, because the client is gone. */
const clientLeft = () => new AppError("REQUEST_TIMEOUT", "The client disconnected before the answer.");
