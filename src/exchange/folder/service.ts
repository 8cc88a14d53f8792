// Delivered files as people see them, and their decisions about lists that stopped and asked.
import type { Actor } from "../../core/actor.ts";
import { toIso, toIsoOrNull } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { decodeCursor, pageOf, pageSize } from "../../core/pages.ts";
import { listFault } from "../../lists/table.ts";
import type { Source } from "../sources/records.ts";
import { sourceOf } from "../sources/store.ts";
import { unknownSource } from "../sources/service.ts";
import { surroundingsOf } from "./appointments.ts";
import { checkedFolderSettings } from "./checked-settings.ts";
import { filesIn, openFolder, pathOf, readWhole } from "./disk.ts";
import type { IntakeDeps } from "./intake-deps.ts";
import type { ListSourceFilesInput, SourceFileList, SourceFileView } from "./model.ts";
import { sampleJob } from "./reading/read-jobs.ts";
import type { SourceFile } from "./records.ts";
import { fileById, listFiles, openFileOf, problemOf, updateFile } from "./store.ts";

const ACTIONS = { accepted: "source_file.accepted", rejected: "source_file.rejected" };

export type SourceFileDeps = IntakeDeps & {
  /** Called after a decision. */
  decided: (sourceId: string) => void;
};

/** Reading it began meanwhile. */
const isAcceptedAlready = ({ accepted, state }: SourceFile): boolean =>
  accepted !== null && (state === "reading" || state === "done");

export function createSourceFiles(deps: SourceFileDeps) {
  const { db, audit, root, decided, files, listCheck } = deps;

  async function mustFind(organisationId: string, sourceId: string): Promise<Source> {
    const source = await sourceOf(db.reader, organisationId, sourceId);
    if (!source) throw unknownSource();
    return source;
  }

  async function decide(
    organisationId: string,
    sourceId: string,
    fileId: string,
    actor: Actor,
    decision: "accepted" | "rejected",
  ): Promise<SourceFileView> {
    const view = await db.write(async (tx) => {
      const file = await fileById(tx, fileId);
      if (!file || file.organisation_id !== organisationId || file.source_id !== sourceId)
        throw new AppError("NOT_FOUND", "There is no file with this id.");
      if (file.state === decision || (decision === "accepted" && isAcceptedAlready(file))) return fileView(file);
      const mayDecide = file.state === "asking" || (file.state === "waiting" && decision === "rejected");
      if (!mayDecide || file.moved_to !== null)
        throw new AppError("CONFLICT", `The file is ${file.state}. Only a file that asks can be ${decision}.`);
      const change = { state: decision, reason: null, ...(decision === "accepted" && { accepted: file.absent }) };
      await updateFile(tx, fileId, change);
      const detail = { source_id: sourceId, absent: file.absent };
      await audit.record(tx, { organisationId, actor, action: ACTIONS[decision], subjectId: fileId, detail });
      return fileView({ ...file, ...change });
    });
    decided(sourceId);
    return view;
  }

  /** The file that waits, or the oldest in the folder. */
  async function waitingBytes({ id, organisation_id, settings }: Source): Promise<Uint8Array> {
    const paths = await openFolder(root, organisation_id, checkedFolderSettings(settings).folder).catch(() => null);
    if (!paths) throw listFault("The folder cannot be read. Choose a file instead.");
    const open = await openFileOf(db.reader, id);
    for (const folder of [paths.working, paths.incoming]) {
      const found = (await filesIn(folder)).files;
      const entry = found.find(({ name }) => name === open?.name) ?? found[0];
      const read = entry && (await readWhole(folder, entry.name, () => {}));
      if (read && typeof read !== "string") return read.bytes;
    }
    throw listFault("No file has arrived yet. Choose a file instead.");
  }

  return {
    /** Newest first. */
    async page(organisationId: string, sourceId: string, input: ListSourceFilesInput): Promise<SourceFileList> {
      const source = await mustFind(organisationId, sourceId);
      const limit = pageSize(input.limit);
      const before = input.cursor === undefined ? undefined : decodeCursor(input.cursor, input);
      const rows = await listFiles(db.reader, { organisationId, sourceId, before, limit: limit + 1 });
      const { folder } = source.settings as { folder?: string };
      const path = root === "" || folder === undefined ? null : pathOf(root, organisationId, folder);
      const dated = rows.map((row) => ({ ...row, created_at: row.received_at }));
      return {
        ...pageOf(dated, limit, input, fileView),
        folder: { path, problem: await problemOf(db.reader, sourceId) },
      };
    },

    accept: (organisationId: string, sourceId: string, fileId: string, actor: Actor) =>
      decide(organisationId, sourceId, fileId, actor, "accepted"),
    reject: (organisationId: string, sourceId: string, fileId: string, actor: Actor) =>
      decide(organisationId, sourceId, fileId, actor, "rejected"),

    /**
     * Columns of a file and what its rows would give, for the person who maps them. An uploaded form, or settings for
     * the file that waits; both may differ from what is stored. The result is a SampleView as JSON.
     */
    async sample(
      organisationId: string,
      sourceId: string,
      sent: { form: Uint8Array; contentType: string } | { asked: object },
      actor: Actor,
    ): Promise<Uint8Array> {
      const source = await mustFind(organisationId, sourceId);
      const isForm = "form" in sent;
      const settings = checkedFolderSettings(isForm ? source.settings : { ...source.settings, ...sent.asked });
      const bytes = isForm ? sent.form : await waitingBytes(source);
      const asked = { bytes, settings, contentType: isForm ? sent.contentType : null };
      const around = await surroundingsOf(deps, organisationId);
      const read = await listCheck.check(organisationId, actor, (world) =>
        files.read(organisationId, sampleJob, { ...asked, around }, world),
      );
      return read.bytes;
    },
  };
}

export type SourceFileService = ReturnType<typeof createSourceFiles>;

export function fileView(row: SourceFile): SourceFileView {
  return {
    file_id: row.id,
    name: row.name,
    state: row.state,
    reason: row.reason,
    size: row.size,
    received_at: toIso(row.received_at),
    finished_at: toIsoOrNull(row.finished_at),
    rows: row.row_count,
    last_row: row.last_row,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    faults: row.faults,
    cancelled: row.cancelled,
    absent: row.absent,
    known: row.known,
    campaign_id: row.campaign_id,
    moved_to: row.moved_to,
  };
}
