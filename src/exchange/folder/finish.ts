// The end of a file: its faults are written beside it, it moves to `done` or `faulty`, and only then it is finished.
// The place is stored first, so a killed process ends up at the same one.
import { join } from "node:path";
import { toIso } from "../../core/clock.ts";
import { csvLine } from "../../core/csv-line.ts";
import { exists, faultsBeside, freePlace, move, writeWhole, type FolderPaths } from "./disk.ts";
import { FileFault, meaningOf, type IntakeDeps } from "./intake-deps.ts";
import { faultFile, faultsJob } from "./reading/read-jobs.ts";
import type { SourceFile } from "./records.ts";
import type { FolderSource } from "./settings.ts";
import { deleteFaults, faultsOf, updateFile } from "./store.ts";

export interface Ending {
  state: "done" | "faulty" | "rejected" | "repeated";
  reason: string | null;
}

export async function finish(
  deps: IntakeDeps,
  source: FolderSource,
  paths: FolderPaths,
  file: SourceFile,
  working: string,
  bytes: Uint8Array | null,
  ending: Ending,
): Promise<void> {
  const place = ending.state === "done" || ending.state === "repeated" ? "done" : "faulty";
  const moved_to = await freePlace(paths, place, working, stampOf(file.received_at));
  await deps.db.write((tx) => updateFile(tx, file.id, { ...ending, moved_to }));
  await settle(deps, source, paths, { ...file, ...ending, moved_to }, working, bytes);
}

/** `moved_to` is stored: writes the faults, moves the file, and ends. Safe to repeat. */
export async function settle(
  deps: IntakeDeps,
  source: FolderSource,
  { incoming, working }: FolderPaths,
  file: SourceFile,
  name: string | null,
  bytes: Uint8Array | null,
): Promise<void> {
  const { db, clock } = deps;
  const target = join(incoming, file.moved_to ?? "");
  if (bytes !== null || file.state !== "done") {
    const faults = await faultsFor(deps, source, file, bytes);
    if (faults) await writeWhole(faultsBeside(target), faults);
  }
  const isThere = (name !== null && (await move(join(working, name), target))) || (await exists(target));
  await db.write(async (tx) => {
    await deleteFaults(tx, file.id);
    await updateFile(tx, file.id, { finished_at: clock.now(), ...(isThere ? {} : { moved_to: null }) });
  });
}

/** Null if there is nothing to report. */
async function faultsFor(
  { db, files }: IntakeDeps,
  { organisationId, settings }: FolderSource,
  file: SourceFile,
  bytes: Uint8Array | null,
): Promise<Uint8Array | null> {
  const faults = await faultsOf(db.reader, file.id);
  if (faults.length > 0 && bytes !== null) {
    const read = files.read(organisationId, faultsJob, { bytes, settings, faults }, {});
    const written = await read.catch((error: unknown) => {
      if (meaningOf(error) instanceof FileFault) return null;
      throw error;
    });
    if (written) return written.bytes;
  }
  return file.reason === null ? null : faultFile([], [csvLine(["", file.reason])]);
}

/** 20261119T031500Z */
const stampOf = (at: number): string => toIso(at).replaceAll(/[-:]|\.\d+/g, "");
