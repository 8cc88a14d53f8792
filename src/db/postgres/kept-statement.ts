// Prepared statements, prepared once per connection and run many times: their columns are described only at the first
// run. Several are sent in one message.
import type pg from "pg";

export interface Answer {
  rows: unknown[];
  /** Number of changed or found rows. */
  count: number;
  /** PostgreSQL's command tag: SELECT, COMMIT, ROLLBACK … */
  tag: string;
}

export interface Kept {
  readonly name: string;
  readonly text: string;
  /** Prepared on the server, with known columns. */
  isReady: boolean;
  columns: readonly Column[];
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** The part of the driver's message that is used here. */
interface Described {
  fields: readonly { name: string; dataTypeID: number }[];
}

export interface Sent {
  kept: Kept;
  values: readonly unknown[];
}

export type ParserOf = (oid: number) => (text: string) => unknown;

/**
 * Runs the statements in order, in one message: after a failure the remaining ones do not run. Returns the answer to
 * each.
 */
export function runKept(client: pg.Client, all: readonly Sent[], parserOf: ParserOf): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    client.query(new Run(all, parserOf, resolve, reject));
  });
}

/** The driver calls these methods by name, as for its own queries. COPY and portals are not supported. */
class Run implements pg.Submittable {
  readonly #answers: Answer[] = [];
  /** Rows of the statement that is being answered. */
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
    // It may exist from a failed run; closing a missing statement is not an error.
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
