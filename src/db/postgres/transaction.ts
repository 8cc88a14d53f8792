// One attempt of a command on its connection. Concurrent statements are pipelined in one message. BEGIN and statements
// without a result (inserts, and those passed to `later`) are sent with the next statement that has one, or with
// COMMIT. If one statement of a message fails, the whole message does.
import { othersFirst } from "../../core/clock.ts";
import type { Tx } from "../tables.ts";
import { executorOn } from "./dialect.ts";
import { DatabaseFault } from "./faults.ts";
import { SettledReads } from "./settled-reads.ts";
import { CHANNEL, watchedIn } from "./table-changes.ts";
import { isList, sendable, type Answer, type Statement, type Wire } from "./wire.ts";

const NOTIFY: Statement = { text: `NOTIFY ${CHANNEL}`, values: [] };

/** An insert of literal rows, whose only result is that they exist. */
const PLAIN_INSERT = /^insert into "\w+" \([^()]*\) values \([$\d, ]+\)(?:, \([$\d, ]+\))*$/;
const BACK_TO_SAVEPOINT = /^ROLLBACK TO /;
/** A long queue of statements is sent in between. */
const MOST_AHEAD = 100;

interface Waiter {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

interface Queued extends Statement {
  /** Missing if no caller waits for its answer. */
  waiter?: Waiter;
  /** Number of rows it must change. */
  expected?: number;
}

/** Treated as a serialization failure: the command is retried. */
const otherRows = () => new DatabaseFault("A statement changed an unexpected number of rows.", "40001", false);

export class Transaction {
  firstFault: DatabaseFault | null = null;
  readonly tx: Tx;
  /** Watched tables (table-changes.ts) that were written. */
  readonly watched = new Set<string>();
  #hasBegun = false;
  #isEnded = false;
  #queue: Queued[] = [];
  readonly #settled = new SettledReads();

  /** `begin`: its first statements. `isTold`: other processes are notified of writes to watched tables. */
  constructor(
    readonly wire: Wire,
    private readonly begin: readonly Statement[],
    private readonly isTold: boolean,
  ) {
    this.tx = executorOn(
      async (sql, values) => this.#ask(sql, values),
      () => this.#quiet(),
      { later: async (sql, values, expected) => this.#later(sql, values, expected) },
    ) as Tx;
  }

  /** A caller that received the last answer may ask again in its own turn. */
  async #quiet(): Promise<void> {
    do await othersFirst();
    while (await this.wire.settled());
  }

  /** From here on the command can no longer use the transaction. */
  async ended(): Promise<void> {
    this.#isEnded = true;
    await this.wire.settled();
  }

  /** Runs before the commit, because afterwards it is too late to detect a wrong number of changed rows. */
  async verified(): Promise<void> {
    if (this.#queue.some(({ expected }) => expected !== undefined)) await this.#flush();
  }

  /** Returns PostgreSQL's command tag. */
  async commit(): Promise<string> {
    if (!this.#hasBegun && this.#queue.length === 0) return "COMMIT";
    if (this.isTold && this.watched.size > 0) this.#queue.push(NOTIFY);
    return (await this.#send("COMMIT", [])).tag;
  }

  async rollBack(): Promise<void> {
    if (this.#hasBegun) await this.wire.ask("ROLLBACK").catch(() => this.wire.end());
  }

  #ask(sql: string, values: readonly unknown[]): Promise<Answer> | Answer {
    const sent = this.#noted(sql, values);
    if (this.#hasRoom() && PLAIN_INSERT.test(sql) && !sent.some(isList)) {
      this.#settled.wrote(sql);
      this.#queue.push({ text: sql, values: sent });
      return { rows: [], count: sql.split("(").length - 2, tag: "INSERT" };
    }
    // Statements queued since the savepoint are dropped unsent.
    if (BACK_TO_SAVEPOINT.test(sql)) this.#queue = this.#queue.filter(({ waiter }) => waiter);
    return this.#settled.of(sql, sent, () => this.#send(sql, sent));
  }

  async #later(sql: string, values: readonly unknown[], expected?: number): Promise<void> {
    const sent = this.#noted(sql, values);
    this.#settled.wrote(sql);
    this.#queue.push({ text: sql, values: sent, ...(expected !== undefined && { expected }) });
    if (!this.#hasRoom()) await this.#flush();
  }

  #hasRoom(): boolean {
    return this.#queue.length < MOST_AHEAD;
  }

  #noted(sql: string, values: readonly unknown[]): unknown[] {
    if (this.#isEnded) throw new Error("A transaction was used after its command had ended.");
    for (const table of watchedIn(sql)) this.watched.add(table);
    return values.map(sendable);
  }

  #send(sql: string, values: readonly unknown[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const isFirst = !this.#queue.some(({ waiter }) => waiter);
      this.#queue.push({ text: sql, values, waiter: { resolve, reject } });
      // Runs after concurrent statements are queued. An error is reported to each waiter.
      if (isFirst) queueMicrotask(() => void this.#flush().catch(() => {}));
    });
  }

  async #flush(): Promise<void> {
    const sent = this.#queue;
    if (sent.length === 0) return;
    this.#queue = [];
    const begin = this.#hasBegun ? [] : this.begin;
    this.#hasBegun = true;
    try {
      const answers = (await this.wire.askAll([...begin, ...sent])).slice(begin.length);
      for (const [i, { expected }] of sent.entries())
        if (expected !== undefined && answers[i]?.count !== expected) throw otherRows();
      for (const [i, { waiter }] of sent.entries()) {
        const answer = answers[i];
        if (answer) waiter?.resolve(answer);
      }
    } catch (error) {
      if (error instanceof DatabaseFault) this.firstFault ??= error;
      for (const { waiter } of sent) waiter?.reject(error);
      throw error;
    }
  }
}
