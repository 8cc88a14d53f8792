// Kysely dialect for PostgreSQL on our own connections.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type LimitNode,
  type QueryResult,
} from "kysely";
import { bind, type LaterStatement, type TableStamps } from "../binding.ts";
import { emptyListWords, plainLimit } from "../compiling.ts";
import type { Executor, Tables } from "../tables.ts";
import type { Answer } from "./wire.ts";

/** A literal limit lets PostgreSQL plan by it. */
class Compiler extends PostgresQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const plain = plainLimit(node);
    if (plain === null) super.visitLimit(node);
    else this.append(plain);
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const words = emptyListWords(node);
    if (words === null) super.visitBinaryOperation(node);
    else this.append(words);
  }
}

/** Only commands.ts begins transactions. */
class NoDriver extends DummyDriver {
  override acquireConnection(): Promise<DatabaseConnection> {
    throw new Error("A command cannot begin a nested transaction.");
  }
}

const DRIVER = new NoDriver();

const DIALECT: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => DRIVER,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new Compiler(),
};

const BARE = new Kysely<Tables>({ dialect: DIALECT });

/** Runs one statement. */
export type Ask = (sql: string, values: readonly unknown[]) => Promise<Answer>;

/** An executor that uses `ask`; `settled` resolves when none of its statements is running. */
export function executorOn(
  ask: Ask,
  settled: () => Promise<void>,
  { changes, later }: { changes?: TableStamps | undefined; later?: LaterStatement } = {},
): Executor {
  const connection = new AskingConnection(ask);
  const executor = new Kysely<Tables>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver: DRIVER,
    executor: BARE.getExecutor().withConnectionProvider({ provideConnection: (consumer) => consumer(connection) }),
  });
  const run = <Row>(sql: string, values: readonly unknown[]) => connection.run<Row>(sql, values);
  bind(executor, { engine: "postgres", run: undefined, ask: run, changes, settled, ...(later && { later }) });
  return executor;
}

const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

class AskingConnection implements DatabaseConnection {
  constructor(private readonly ask: Ask) {}

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(sql, parameters);
  }

  async run<Row>(sql: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    const { rows, count, tag } = await this.ask(sql, values);
    return CHANGES.has(tag) ? { rows: rows as Row[], numAffectedRows: BigInt(count) } : { rows: rows as Row[] };
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Streaming is not supported; read long lists in pages.");
  }
}
