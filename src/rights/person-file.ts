// A person's file: everything that is stored about them as one ZIP, with JSON, a readable page and their recordings. It
// is read in slices and streamed, so a person with thousands of calls needs no more memory than one with a few.
import { CONTACT_READ } from "../accounts/audit-subject-store.ts";
import type { AuditBatches } from "../accounts/audit-batches.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import type { ContactIds } from "../calls/people/contact-ids.ts";
import type { Actor } from "../core/actor.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { isE164 } from "../core/phone.ts";
import { openStored, type StoredFile, type StoredPath } from "../core/stored-file.ts";
import { zipArchive, type ZipEntry } from "../core/zip-writer.ts";
import type { Database } from "../db/database.ts";
import type { PrivateFolder } from "../media/private-folder.ts";
import { htmlOf, jsonOf, type FileRow, type FileSection } from "./person-file-text.ts";
import {
  LEFT_OUT,
  LEFT_OUT_FILES,
  partsOf,
  readsOf,
  recordedCalls,
  SECTIONS,
  slicesOf,
  type PersonKeys,
  type Section,
  type StoredRow,
} from "./person-file-store.ts";

/** Calls with their transcripts and events. The serving thread receives a slice at once. */
const ROWS_PER_SLICE = 20;

export interface PersonFileDeps {
  db: Database;
  clock: Clock;
  contactIds: ContactIds;
  readNotes: ReadNotes;
  auditBatches: Pick<AuditBatches, "inPlace">;
  recordings: Pick<PrivateFolder, "exists" | "fileOf">;
}

export function createPersonFile({ db, clock, contactIds, readNotes, auditBatches, recordings }: PersonFileDeps) {
  async function* rowsOf(section: Section, keys: PersonKeys): AsyncGenerator<FileRow, void> {
    for await (const rows of slicesOf(db.heavy, section, keys, ROWS_PER_SLICE)) {
      const ids = rows.map((row) => String(row[section.id]));
      const found: Record<string, Map<string, StoredRow[]>> = {};
      for (const part of section.parts)
        found[part.name] = Map.groupBy(await partsOf(db.heavy, part, ids), (row) => String(row[part.by]));
      if (section.isAudited)
        found["seen_by"] = Map.groupBy(await readsOf(db.heavy, keys.organisationId, ids), (row) => row.subject_id);
      for (const [i, row] of rows.entries())
        yield {
          row,
          parts: Object.fromEntries(Object.entries(found).map(([name, all]) => [name, all.get(ids[i] ?? "") ?? []])),
        };
    }
  }

  async function* pageReads(keys: PersonKeys): AsyncGenerator<FileRow, void> {
    for (const row of await readsOf(db.heavy, keys.organisationId, [keys.contactId])) yield { row, parts: {} };
  }

  async function* sectionsOf(keys: PersonKeys): AsyncGenerator<FileSection, void> {
    for (const section of SECTIONS) yield { name: section.name, rows: rowsOf(section, keys) };
    yield { name: "page_seen_by", rows: pageReads(keys) };
    yield { name: "left_out", rows: leftOut() };
  }

  async function* recordingsOf(keys: PersonKeys): AsyncGenerator<ZipEntry, void> {
    for await (const calls of recordedCalls(db.heavy, keys, ROWS_PER_SLICE))
      for (const { id, recording_file: file } of calls) {
        // Opened first: a recording that is erased meanwhile is left out and does not end the archive.
        const opened = file !== null && recordings.exists(file) ? await openIfThere(recordings.fileOf(file)) : null;
        if (opened === null) continue;
        try {
          yield { name: `recordings/${id}.wav`, content: opened.read(0, opened.bytes), isStored: true };
        } finally {
          await opened.close();
        }
      }
  }

  async function* entriesOf(keys: PersonKeys): AsyncGenerator<ZipEntry, void> {
    const about = { number: keys.number, made_at: toIso(clock.now()) };
    yield { name: "person.json", content: jsonOf(about, sectionsOf(keys)) };
    yield { name: "person.html", content: htmlOf(about, sectionsOf(keys)) };
    yield* recordingsOf(keys);
  }

  async function isKnown(keys: PersonKeys): Promise<boolean> {
    for (const section of SECTIONS)
      for await (const rows of slicesOf(db.heavy, section, keys, 1)) if (rows.length > 0) return true;
    return false;
  }

  return {
    /**
     * The bytes of the archive. The audit entry is on disk before this resolves, and so before the first byte. Unknown
     * people are not found: an empty file would look like an answer.
     */
    async open(organisationId: string, number: string, actor: Actor): Promise<AsyncGenerator<Uint8Array, void>> {
      const contactId = contactIds.idOf(organisationId, number);
      if (!isE164(number) || contactId === null)
        throw invalidField("contact_number", "contact_number must be in E.164 format, for example +919876543210.");
      const keys = { organisationId, number, contactId };
      if (!(await isKnown(keys))) throw new AppError("NOT_FOUND", "Nothing is stored about this person.");
      const detail = { file: true };
      await readNotes.note({ organisationId, actor, action: CONTACT_READ, subjectId: contactId, detail });
      await auditBatches.inPlace();
      return zipArchive(entriesOf(keys));
    },
  };
}

export type PersonFile = ReturnType<typeof createPersonFile>;

async function* leftOut(): AsyncGenerator<FileRow, void> {
  for (const [data, reason] of Object.entries({ ...LEFT_OUT_FILES, ...LEFT_OUT }))
    yield { row: { data, reason }, parts: {} };
}

async function openIfThere({ path, keys }: StoredPath): Promise<StoredFile | null> {
  try {
    return await openStored(path, keys);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
