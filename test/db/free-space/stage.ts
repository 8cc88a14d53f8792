// A database file with rows that are recognisable by their bytes, and the maintenance of its free space.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { silentLogger } from "../../../src/core/logger.ts";
import type { FileKey } from "../../../src/db/sqlite/cipher.ts";
import { openWriter, waitNowhere, type Connection } from "../../../src/db/sqlite/connection.ts";
import { openReader } from "../../../src/db/sqlite/open-reader.ts";
import {
  keepFreeSpaceClean,
  type Upkeep,
  type UpkeepDeps,
  type UpkeepLimits,
} from "../../../src/db/sqlite/free-space/upkeep.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { tempFolder } from "../../support/temp.ts";

export interface Run {
  writer: Connection;
  upkeep: Upkeep;
  /** Shuts down like a server. */
  close(): Promise<void>;
}

export class Stage {
  readonly file = join(tempFolder(), "stage.db");
  /** Stands still unless a test moves it. */
  readonly clock = createManualClock();

  constructor(readonly key: FileKey = null) {
    const first = openWriter(this.file, key);
    first.exec("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, words TEXT)");
    first.exec("CREATE INDEX people_by_name ON people (name, words)");
    first.close();
  }

  /** Starts like a server. */
  begin(limits?: UpkeepLimits, whileIdle?: UpkeepDeps["whileIdle"]): Run {
    const writer = openWriter(this.file, this.key);
    writer.pragma("wal_autocheckpoint = 0");
    // Power loss is not tested here, and without fsync the tests do not depend on the speed of the disk.
    writer.pragma("synchronous = OFF");
    waitNowhere(writer);
    const reader = openReader(this.file, this.key);
    waitNowhere(reader);
    const deps = { file: this.file, key: this.key, writer, reader, logger: silentLogger, clock: this.clock };
    const upkeep = keepFreeSpaceClean({ ...deps, ...(limits && { limits }), ...(whileIdle && { whileIdle }) });
    return {
      writer,
      upkeep,
      async close() {
        await upkeep.stop(true);
        reader.close();
        writer.close();
        await upkeep.close();
      },
    };
  }

  /** An external sqlite3, which checkpoints the WAL at any time. */
  shell<T>(use: (shell: Connection) => T): T {
    const shell = new Sqlite(this.file);
    shell.pragma("secure_delete = ON");
    shell.pragma("synchronous = OFF");
    try {
      return use(shell);
    } finally {
      shell.close();
    }
  }

  /** All people whose bytes are in the file, the WAL or its index. */
  peopleInBytes(): Set<number> {
    const files = ["", "-wal", "-shm"].map((suffix) => this.file + suffix).filter((file) => existsSync(file));
    const bytes = Buffer.concat(files.map((file) => readFileSync(file))).toString("latin1");
    return new Set([...bytes.matchAll(/<person (\d+)>/g)].map(([, id]) => Number(id)));
  }
}

export const nameOf = (id: number) => `<person ${id}>`;

export function put(connection: Connection, id: number, length: number): void {
  const words = `${nameOf(id)} ${"w".repeat(length)}`;
  connection
    .prepare(
      "INSERT INTO people (id, name, words) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET words = excluded.words",
    )
    .run(id, nameOf(id), words);
}

export function remove(connection: Connection, ids: readonly number[]): void {
  const statement = connection.prepare("DELETE FROM people WHERE id = ?");
  for (const id of ids) statement.run(id);
}
