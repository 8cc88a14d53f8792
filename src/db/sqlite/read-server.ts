// Implementation of the reader threads for SQLite: a dedicated read-only connection that sees every commit.
import Sqlite from "better-sqlite3";
import { messageOf } from "../../core/errors.ts";
import type { FileKey } from "./cipher.ts";
import { openReader } from "./open-reader.ts";
import type { FromReadWorker, ToReadWorker } from "../read-protocol.ts";

/** The serving thread deserializes an answer in one go: 500 calls of 45 columns take it 3 ms. */
export const MOST_ROWS = 20_000;

/** Searches are built from user input, so there are many texts; few are repeated. */
const MOST_KEPT = 100;

export function serveReads(tell: (message: FromReadWorker) => void): (message: ToReadWorker) => void {
  let connection: Sqlite.Database | null = null;
  let file = "";
  let key: FileKey = null;
  const kept = new Map<string, Sqlite.Statement>();

  function prepared(sql: string): Sqlite.Statement {
    // Opened at the first statement, so the request gets the error.
    connection ??= openReader(file, key);
    const known = kept.get(sql);
    if (known) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const statement = connection.prepare(sql);
    kept.set(sql, statement);
    return statement;
  }

  function answer(sql: string, parameters: readonly unknown[]): FromReadWorker {
    try {
      const rows = prepared(sql).all(parameters);
      if (rows.length <= MOST_ROWS) return { type: "rows", rows };
      const message = `A heavy read found more than ${MOST_ROWS} rows.`;
      return { type: "fault", code: null, message, isOpening: false };
    } catch (error) {
      const code = error instanceof Sqlite.SqliteError ? error.code : null;
      return { type: "fault", code, message: messageOf(error), isOpening: connection === null };
    }
  }

  return (message) => {
    switch (message.type) {
      case "open":
        ({ file, key } = message);
        return;
      case "ask":
        tell(answer(message.sql, message.parameters));
        return;
      case "close":
        kept.clear();
        connection?.close();
        connection = null;
        tell({ type: "closed" });
    }
  };
}
