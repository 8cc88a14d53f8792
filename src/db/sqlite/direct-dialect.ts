// Kysely dialect on one synchronous connection, without its driver's mutex: a statement ends before another can start,
// and the writer handles transactions. With the mutex, 4,096 concurrent creates ran five times slower than 64.
import Sqlite from "better-sqlite3";
import {
  OperatorNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
} from "kysely";
import { AppError } from "../../core/errors.ts";
import { emptyListWords, plainLimit } from "../compiling.ts";

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** A locked file is not an error of ours. */
export function told(error: unknown): unknown {
  if (!isBusy(error)) return error;
  const cause = { retryAfterSeconds: 1, cause: error };
  return new AppError("UNAVAILABLE", "Another program holds the database. Try again.", cause);
}

export function directDialect(connection: DatabaseConnection, close: () => void): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DirectDriver(connection, close),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteWords(),
  };
}

class SqliteWords extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const plain = plainLimit(node);
    if (plain === null) super.visitLimit(node);
    else this.append(plain);
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const words = emptyListWords(node);
    if (words !== null) this.append(words);
    else if (isCaseless(node)) this.#like(node);
    else super.visitBinaryOperation(node);
  }

  /** SQLite's LIKE is case-insensitive for ASCII only. */
  #like({ leftOperand, rightOperand }: BinaryOperationNode): void {
    this.visitNode(leftOperand);
    this.append(" like ");
    this.visitNode(rightOperand);
    this.append(String.raw` escape '\'`);
  }
}

const isCaseless = ({ operator }: BinaryOperationNode) => OperatorNode.is(operator) && operator.operator === "ilike";

export interface PreparedStatement {
  statement: Sqlite.Statement;
  answersRows: boolean;
  changesNothing: boolean;
}

export class DirectConnection implements DatabaseConnection {
  constructor(
    private readonly prepare: (sql: string) => PreparedStatement,
    private readonly wrote: (sql: string, parameters: readonly unknown[]) => void,
    private readonly failed: (error: unknown) => void = () => {},
  ) {}

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(sql, parameters);
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    try {
      const { statement, answersRows, changesNothing } = this.prepare(sql);
      if (!changesNothing) this.wrote(sql, parameters);
      if (answersRows) return { rows: statement.all(parameters) as Row[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      this.failed(error);
      throw told(error);
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Streaming is not supported; read long lists in pages.");
  }
}

class DirectDriver implements Driver {
  constructor(
    private readonly connection: DatabaseConnection,
    private readonly close: () => void,
  ) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection;
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction = refuse;
  commitTransaction = refuse;
  rollbackTransaction = refuse;

  async destroy(): Promise<void> {
    this.close();
  }
}

async function refuse(): Promise<void> {
  throw new Error("Only the writer begins transactions; see writer.ts.");
}
