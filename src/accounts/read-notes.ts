// Reads of personal data are noted in the audit trail too, but nobody waits for the note to reach the disk.
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Audit, AuditNote } from "./audit.ts";

export type NoteRead = (note: AuditNote) => void;

export function createReadNotes(deps: { db: Database; audit: Audit; logger: Logger }): NoteRead {
  const { db, audit, logger } = deps;
  return (note) => {
    db.write((tx) => audit.record(tx, note)).catch((error: unknown) => {
      logger.error("A read could not be noted in the audit trail.", { action: note.action, error: messageOf(error) });
    });
  };
}
