// SQLite engine, embedded: nothing to install, one file in the data folder.
import type { Engine } from "../port.ts";
import { lookAtFile } from "./inspect.ts";
import { isFolderServed, openSqlite } from "./open.ts";

export const sqlite: Engine = { open: openSqlite, look: lookAtFile, isServed: isFolderServed };
