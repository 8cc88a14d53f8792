// Exit codes. The service manager restarts only after failures that a restart may fix: see config/ringward.service.
import { ConfigError } from "../config/load.ts";
import { DatabaseError } from "../db/open-fault.ts";
import { RootKeyError } from "../db/root-key.ts";

export const EXIT = {
  done: 0,
  failed: 1,
  /** Invalid command line. */
  usage: 2,
  /** Invalid settings. */
  configuration: 3,
  /** The database is damaged: restore a backup. */
  damaged: 4,
  /** Another process holds the lock of the data folder or the database. */
  held: 5,
  /** The secret key is missing or does not match this database. */
  key: 6,
  /** The database was written by a newer version. */
  newer: 7,
} as const;

export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.configuration;
  if (error instanceof RootKeyError) return EXIT.key;
  if (error instanceof DatabaseError && error.fault !== "unusable") return EXIT[error.fault];
  return EXIT.failed;
}
