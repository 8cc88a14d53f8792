// Note that a move leaves in the data folder. It prevents two appliances from running on the same data and calling the
// same people.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError } from "../db/open-fault.ts";

const NOTE_FILE = "moved.json";

interface MovedNote {
  /** Old and new location of the data; see Maintenance.where. */
  from: string;
  to: string;
  at: string;
}

export function noteMoved(dataDir: string, note: MovedNote): void {
  writeFileSync(join(dataDir, NOTE_FILE), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
}

export function forgetMoved(dataDir: string): void {
  rmSync(join(dataDir, NOTE_FILE), { force: true });
}

/** `where` is the database about to be served. */
export function refuseMoved(dataDir: string, where: string): void {
  const file = join(dataDir, NOTE_FILE);
  if (!existsSync(file)) return;
  const note = JSON.parse(readFileSync(file, "utf8")) as Partial<MovedNote>;
  if (note.from !== where) return;
  throw new DatabaseError(
    `What is in ${where} was moved to ${note.to ?? "another database"} (${note.at ?? "once"}). Set database.url to that one; ` +
      `where the move is to be forgotten, delete ${file}.`,
  );
}
