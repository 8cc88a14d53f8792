// The file of the database, inside the data folder.
import { statSync } from "node:fs";

export const DATABASE_FILE = "ringward.db";

/** Larger ones take a second and more; they are looked through beside the server that has opened them. */
const CHECKED_AT_OPEN_BYTES = 32 * 2 ** 20;

export const isLarge = (file: string): boolean => statSync(file).size > CHECKED_AT_OPEN_BYTES;
