// A commit that changes nothing. Without Kysely, so that the disk thread loads little.
import type Sqlite from "better-sqlite3";

/**
 * The first commit of a WAL takes more fsyncs than others: of the head of the WAL, whatever `synchronous` says, and of
 * the folder where the connection has made the file.
 */
export function commitNothing(connection: Sqlite.Database): void {
  const version = Number(connection.pragma("user_version", { simple: true }));
  connection.pragma(`user_version = ${version}`);
}
