// A commit without changes. It does not use Kysely, to keep the disk thread small.
import type Sqlite from "better-sqlite3";

/**
 * The first commit of a WAL takes additional fsyncs: of the WAL header, regardless of `synchronous`, and of the folder
 * if the connection created the file.
 */
export function commitNothing(connection: Sqlite.Database): void {
  const version = Number(connection.pragma("user_version", { simple: true }));
  connection.pragma(`user_version = ${version}`);
}
