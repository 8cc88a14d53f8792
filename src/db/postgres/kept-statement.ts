// Statements that are prepared once on their connection and run many times: their columns are told at the first run
// alone. Several go in one message.
import type pg from "pg";

export interface Answer {
  rows: unknown[];
  /** Rows that were changed or found. */
  count: number;
  /** What was done, in PostgreSQL's words: SELECT, COMMIT, ROLLBACK … */
  tag: string;
}

export interface Kept {
  readonly name: string;
  readonly text: string;
  /** Known to the server, and its columns to us. */
  isReady: boolean;
  columns: readonly Column[];
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** What the driver hands on, as far as it is read here. */
interface Described {
  fields: readonly { name: string; dataTypeID: number }[];
}

export interface Sent {
  kept: Kept;
  values: readonly unknown[];
}

export type ParserOf = (oid: number) => (text: string) => unknown;

/**
 * One after the other, in one message: where one fails, those after it do not run. Answers with what the server said of
 * each.
 */
export function runKept(client: pg.Client, all: readonly Sent[], parserOf: ParserOf): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    client.query(new Run(all, parserOf, resolve, reject));
  });
}

/**
 * The driver calls these by name, as it does for its own queries. Nothing of ours copies rows, or fetches them in
 * parts.
 */
class Run implements pg.Submittable {
  readonly #answers: Answer[] = [];
  /** Of the statement that is answered now. */
  #rows: unknown[] = [];
  #fault: unknown = null;

  constructor(
    private readonly all: readonly Sent[],
    private readonly parserOf: ParserOf,
    private readonly answered: (answers: Answer[]) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    stream.cork();
    try {
      for (const { kept, values } of this.all) send(connection, kept, values);
      connection.sync();
    } finally {
      stream.uncork();
    }
  }

  handleRowDescription({ fields }: Described): void {
    const current = this.all[this.#answers.length];
    if (current)
      current.kept.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#fault !== null) return;
    const row: Record<string, unknown> = {};
    try {
      for (const [i, { name, parse }] of (this.all[this.#answers.length]?.kept.columns ?? []).entries()) {
        const text = fields[i] ?? null;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      this.#fault = error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#answers.push({ rows: this.#rows, ...partsOf(text) });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    for (const { kept } of this.all) kept.isReady = true;
    if (this.#fault === null) this.answered(this.#answers);
    else this.failed(this.#fault);
  }

  handleError(error: unknown): void {
    this.failed(error);
  }
}

function send(connection: pg.Connection, { name, text, isReady }: Kept, values: readonly unknown[]): void {
  if (!isReady) {
    // It may be there from a run that failed; to close what is not there is no fault.
    connection.close({ type: "S", name }, true);
    connection.parse({ name, text, types: [] }, true);
  }
  connection.bind({ statement: name, values: values as string[] }, true);
  if (!isReady) connection.describe({ type: "P", name: "" }, true);
  connection.execute({}, true);
}

/** `INSERT 0 5`, `SELECT 3`, `COMMIT`. */
function partsOf(tag: string): { tag: string; count: number } {
  const space = tag.indexOf(" ");
  if (space < 0) return { tag, count: 0 };
  const count = Number(tag.slice(tag.lastIndexOf(" ") + 1));
  return { tag: tag.slice(0, space), count: Number.isNaN(count) ? 0 : count };
}
