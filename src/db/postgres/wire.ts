// One connection to PostgreSQL: runs one statement at a time, in call order.
import pg from "pg";
import { SECOND_MS, systemClock } from "../../core/clock.ts";
import { isSocket, type Address } from "./address.ts";
import { DatabaseFault, faultOf, SILENT } from "./faults.ts";
import { runKept, type Answer, type Kept, type Sent } from "./kept-statement.ts";

export type { Answer };

export interface Statement {
  text: string;
  values: readonly unknown[];
}

export interface Wire {
  /** Throws if a value cannot be sent; so does `ask`. */
  query(text: string, values?: readonly unknown[]): Promise<Answer>;
  /** Runs one statement that is prepared once per connection. */
  ask(text: string, values?: readonly unknown[]): Promise<Answer>;
  /** The same for several in one message, with values already `sendable`. After a failure the rest is not run. */
  askAll(all: readonly Statement[]): Promise<Answer[]>;
  readonly isLost: boolean;
  /** Resolves with the error that ended the connection. */
  readonly lost: Promise<DatabaseFault>;
  /** Resolves when no statement is running, with whether one was. */
  settled(): Promise<boolean>;
  end(): void;
}

export interface WireOptions {
  /** Distinguishes our connections from others. */
  name: string;
  /** `key=value` settings of the session. */
  settings?: readonly string[];
  /** For work without a time limit. */
  isPatient?: boolean;
  /** The connection is closed if an answer takes longer. */
  answerWithinMs?: number;
  /** Called on NOTIFY, if this session uses LISTEN. */
  notified?: () => void;
  /** Called with every failed statement. */
  failed?: (fault: DatabaseFault) => void;
}

const ignore = () => {};

const CONNECT_WITHIN_MS = 2 * SECOND_MS;

/** Lock timeout of a statement. */
export const LOCK_WITHIN_MS = 7 * SECOND_MS;
const STATEMENT_WITHIN_MS = 8 * SECOND_MS;
/** PostgreSQL's own timeouts are shorter. If this one expires, the server has stopped or the connection is broken. */
const ANSWER_WITHIN_MS = 9 * SECOND_MS;

/** PostgreSQL ends the session of a vanished client within 15 s, and releases its locks. */
const KEEPALIVES = [
  "tcp_keepalives_idle=5",
  "tcp_keepalives_interval=3",
  "tcp_keepalives_count=3",
  "tcp_user_timeout=15s",
];

const SETTINGS = [
  ...KEEPALIVES,
  "synchronous_commit=on",
  `statement_timeout=${STATEMENT_WITHIN_MS}`,
  `lock_timeout=${LOCK_WITHIN_MS}`,
  "idle_in_transaction_session_timeout=60s",
  "random_page_cost=1.1",
  "jit=off",
  "client_min_messages=warning",
];

export async function openWire(address: Address, options: WireOptions): Promise<Wire> {
  const { name, settings = [], isPatient = false, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const { notified = ignore, failed = ignore } = options;
  const patience = isPatient ? ["statement_timeout=0", "lock_timeout=0"] : [];
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    // A function, so the driver does not read the environment or files of other programs.
    password: () => address.password,
    ssl: sslOf(address),
    application_name: name,
    options: [...SETTINGS, ...patience, ...settings].map((setting) => `-c ${setting}`).join(" "),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * SECOND_MS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    types: { getTypeParser: parserOf },
  });
  client.on("notification", notified);
  const wire = new PgWire(client, isPatient ? null : answerWithinMs, failed);
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
  // `rejectUnauthorized` also verifies the host name.
  return { rejectUnauthorized: true, ...(tls.ca === null ? {} : { ca: tls.ca }) };
}

/** By PostgreSQL's type OIDs. All other types are text. */
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

/** A bug of ours, not a connection error. */
class Mistake extends Error {}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    // Rounding would change the number.
    throw new Mistake("A number is too large to be read exactly.");
  return number;
}

/** Prepared statements per connection; others are prepared at each run. */
const MOST_KEPT = 1_000;

const NO_ANSWER: Answer = { rows: [], count: 0, tag: "" };

class PgWire implements Wire {
  readonly lost: Promise<DatabaseFault>;
  #loss: DatabaseFault | null = null;
  #tellLost: (fault: DatabaseFault) => void = ignore;
  #underWay = 0;
  #last: Promise<unknown> = Promise.resolve();
  readonly #kept = new Map<string, Kept>();
  readonly #watch: AnswerWatch | null;

  constructor(
    private readonly client: pg.Client,
    answerWithinMs: number | null,
    private readonly failed: (fault: DatabaseFault) => void,
  ) {
    this.lost = new Promise((resolve) => (this.#tellLost = resolve));
    this.#watch = answerWithinMs === null ? null : new AnswerWatch(answerWithinMs, () => this.#giveUp());
    client.on("error", (error) => this.#lose(faultOf(error)));
    client.on("end", () => this.#lose(new DatabaseFault("The connection was closed.", null, true)));
  }

  get isLost(): boolean {
    return this.#loss !== null;
  }

  query(text: string, values: readonly unknown[] = []): Promise<Answer> {
    const sent = values.map(sendable);
    return this.#inTurn(() => this.#plain(text, sent));
  }

  async ask(text: string, values: readonly unknown[] = []): Promise<Answer> {
    const [answer] = await this.askAll([{ text, values: values.map(sendable) }]);
    return answer ?? NO_ANSWER;
  }

  askAll(all: readonly Statement[]): Promise<Answer[]> {
    return this.#inTurn(() => this.#prepared(all));
  }

  async settled(): Promise<boolean> {
    const wasUnderWay = this.#underWay > 0;
    for (let last = this.#last; ; last = this.#last) {
      await last;
      if (last === this.#last) return wasUnderWay;
    }
  }

  end(): void {
    this.#lose(new DatabaseFault("The connection was closed.", null, true));
    this.client.end().catch(ignore);
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const answer = this.#underWay === 0 ? this.#watched(run) : this.#last.then(() => this.#watched(run));
    this.#underWay += 1;
    const over = () => void (this.#underWay -= 1);
    this.#last = answer.then(over, over);
    return answer;
  }

  async #watched<T>(run: () => Promise<T>): Promise<T> {
    if (this.#loss) throw new DatabaseFault("The connection was lost.", null, true);
    this.#watch?.begin();
    try {
      return await run();
    } catch (error) {
      if (error instanceof Mistake) throw error;
      const fault = this.#reasonOf(error);
      this.failed(fault);
      if (fault.isLost) this.end();
      throw fault;
    } finally {
      this.#watch?.end();
    }
  }

  /** Our reason for closing the connection is more specific than the driver's error. */
  #reasonOf(error: unknown): DatabaseFault {
    return this.#loss ?? faultOf(error);
  }

  async #plain(text: string, values: readonly unknown[]): Promise<Answer> {
    const result = await this.client.query({ text, values: [...values] });
    // Several statements in one text have one answer each; the last one is returned.
    const { rows, rowCount, command } = Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result;
    return { rows: rows as unknown[], count: rowCount ?? 0, tag: command };
  }

  async #prepared(all: readonly Statement[]): Promise<Answer[]> {
    const sent: Sent[] = [];
    for (const { text, values } of all) {
      const kept = values.some(isList) ? null : this.#keptOf(text);
      if (kept === null) return this.#oneByOne(all);
      sent.push({ kept, values });
    }
    return runKept(this.client, sent, parserOf);
  }

  async #oneByOne(all: readonly Statement[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const { text, values } of all) answers.push(await this.#plain(text, values));
    return answers;
  }

  /** Null if there are too many. */
  #keptOf(text: string): Kept | null {
    const known = this.#kept.get(text);
    if (known) return known;
    if (this.#kept.size >= MOST_KEPT) return null;
    const kept = { name: `r${this.#kept.size}`, text, isReady: false, columns: [] };
    this.#kept.set(text, kept);
    return kept;
  }

  #giveUp(): void {
    this.#lose(new DatabaseFault("The database did not answer in time.", null, true, SILENT));
    this.client.connection.stream.destroy();
  }

  #lose(fault: DatabaseFault): void {
    if (this.#loss) return;
    this.#loss = fault;
    this.#watch?.stop();
    this.#tellLost(fault);
  }
}

/** Detects a missing answer. One timer serves many statements: it periodically checks the running one. */
class AnswerWatch {
  #sinceMs: number | null = null;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly withinMs: number,
    private readonly late: () => void,
  ) {}

  begin(): void {
    this.#sinceMs = systemClock.elapsedMs();
    if (!this.#cancel) this.#lookIn(this.withinMs);
  }

  end(): void {
    this.#sinceMs = null;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#sinceMs = null;
  }

  #lookIn(ms: number): void {
    this.#cancel = systemClock.after(ms, () => {
      this.#cancel = null;
      if (this.#sinceMs === null) return;
      const leftMs = this.#sinceMs + this.withinMs - systemClock.elapsedMs();
      if (leftMs > 0) this.#lookIn(leftMs);
      else this.late();
    });
  }
}

export const isList = (value: unknown): boolean => Array.isArray(value);

/** The value as sent. Values that the driver would silently convert are bugs of ours. */
export function sendable(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  // PostgreSQL cannot store U+0000. Input from people is rejected earlier (http/body.ts). For text from machines it is
  // replaced, because the end of a call must not fail.
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
  if (value === null || value instanceof Buffer || isList(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value === undefined) throw new Mistake("A value of a query is undefined.");
  throw new Mistake("Booleans are stored as 0 and 1, other types as text.");
}
