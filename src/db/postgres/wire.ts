// One connection to PostgreSQL: one statement at a time, in the order in which they were asked for.
import { createHash } from "node:crypto";
import pg from "pg";
import { SECOND_MS } from "../../core/clock.ts";
import { isSocket, type Address } from "./address.ts";
import { DatabaseFault, faultOf } from "./faults.ts";

export interface Answer {
  rows: unknown[];
  /** Rows that were changed or found. */
  count: number;
  /** What was done, in PostgreSQL's words: SELECT, COMMIT, ROLLBACK … */
  tag: string;
}

export interface Wire {
  /** With `isKept` it is prepared once on this connection, under a name of its own. */
  query(text: string, values?: readonly unknown[], isKept?: boolean): Promise<Answer>;
  readonly isLost: boolean;
  /** The fault that ended it. */
  readonly lost: Promise<DatabaseFault>;
  /** Resolves when nothing that was asked for is under way. */
  settled(): Promise<void>;
  end(): void;
}

export interface WireOptions {
  /** Tells our connections from those of others. */
  name: string;
  /** `key=value` of the session. */
  settings?: readonly string[];
  /** For work that takes as long as it takes. */
  isPatient?: boolean;
}

const CONNECT_WITHIN_MS = 2 * SECOND_MS;
/** PostgreSQL gives up after 30 s by itself; where it does not, the way there is broken. */
const ANSWER_WITHIN_MS = 40 * SECOND_MS;

const SETTINGS = [
  "synchronous_commit=on",
  "statement_timeout=30s",
  "lock_timeout=10s",
  "idle_in_transaction_session_timeout=60s",
  "random_page_cost=1.1",
  "jit=off",
  "client_min_messages=warning",
];

export async function openWire(
  address: Address,
  { name, settings = [], isPatient = false }: WireOptions,
): Promise<Wire> {
  const patience = isPatient ? ["statement_timeout=0", "lock_timeout=0"] : [];
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    // As a function, so that nothing is looked for in the environment and in files of other programs.
    password: () => address.password,
    ssl: sslOf(address),
    application_name: name,
    options: [...SETTINGS, ...patience, ...settings].map((setting) => `-c ${setting}`).join(" "),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * SECOND_MS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    ...(isPatient ? {} : { query_timeout: ANSWER_WITHIN_MS }),
    types: { getTypeParser: parserOf },
  });
  const wire = new PgWire(client);
  try {
    await client.connect();
  } catch (error) {
    wire.end();
    throw faultOf(error);
  }
  return wire;
}

function sslOf({ host, tls }: Address): pg.ClientConfig["ssl"] {
  if (tls === false || isSocket(host)) return false;
  // `rejectUnauthorized` checks the name, too.
  return { rejectUnauthorized: true, ...(tls.ca === null ? {} : { ca: tls.ca }) };
}

/** By the numbers that PostgreSQL gives its types. What is not among them is text. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex"),
  20: wholeNumber,
  21: Number,
  23: Number,
  26: Number,
  700: Number,
  701: Number,
  // Sums of whole numbers.
  1700: wholeNumber,
};

const parserOf = (oid: number) => PARSERS[oid] ?? String;

/** Rounded it would be another one. */
class TooLarge extends Error {}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    throw new TooLarge("A number is too large to be read exactly.");
  return number;
}

/** So many statements are kept prepared on one connection; others are prepared each time. */
const MOST_KEPT = 1_000;

class PgWire implements Wire {
  readonly lost: Promise<DatabaseFault>;
  #isLost = false;
  #tellLost: (fault: DatabaseFault) => void = () => {};
  #last: Promise<unknown> = Promise.resolve();
  readonly #names = new Map<string, string>();

  constructor(private readonly client: pg.Client) {
    this.lost = new Promise((resolve) => (this.#tellLost = resolve));
    client.on("error", (error) => this.#lose(faultOf(error)));
    client.on("end", () => this.#lose(new DatabaseFault("The connection was closed.", null, true)));
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  query(text: string, values: readonly unknown[] = [], isKept = false): Promise<Answer> {
    const answer = this.#last.then(() => this.#run(text, values, isKept));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async settled(): Promise<void> {
    for (let last = this.#last; ; last = this.#last) {
      await last;
      if (last === this.#last) return;
    }
  }

  end(): void {
    this.#lose(new DatabaseFault("The connection was closed.", null, true));
    this.client.end().catch(() => {});
  }

  async #run(text: string, values: readonly unknown[], isKept: boolean): Promise<Answer> {
    if (this.#isLost) throw new DatabaseFault("The connection was lost.", null, true);
    const name = isKept ? this.#nameOf(text) : undefined;
    try {
      const result = await this.client.query({
        text,
        values: values.map(sendable),
        ...(name === undefined ? {} : { name }),
      });
      // Several statements in one text have an answer each; the last one counts.
      const { rows, rowCount, command } = Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result;
      return { rows: rows as unknown[], count: rowCount ?? 0, tag: command };
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      const fault = faultOf(error);
      if (fault.isLost) this.end();
      throw fault;
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_KEPT) return known;
    const name = `r${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
    this.#names.set(text, name);
    return name;
  }

  #lose(fault: DatabaseFault): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#tellLost(fault);
  }
}

/** As it is sent. What the driver would silently turn into something else is a mistake of ours. */
function sendable(value: unknown): unknown {
  if (value === undefined) throw new Error("A value of a query is undefined.");
  if (typeof value === "boolean") throw new Error("Truth is kept as 0 and 1.");
  // PostgreSQL holds no U+0000. People's is refused before (http/body.ts); for what a machine said, the end of its call must not fail.
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
