// The database file inside the data folder.
import { statSync } from "node:fs";

export const DATABASE_FILE = "ringward.db";

/** Checking a larger file takes a second or more; it is checked after the server has opened it. */
const CHECKED_AT_OPEN_BYTES = 32 * 2 ** 20;

export const isLarge = (file: string): boolean => statSync(file).size > CHECKED_AT_OPEN_BYTES;
