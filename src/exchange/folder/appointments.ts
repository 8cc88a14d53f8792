// Applies a list of appointments through the mirror, a few rows at a time. The number of the last row commits with its
// rows, so a killed process continues with the next one.
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import { othersFirst } from "../../core/clock.ts";
import { organisationById } from "../../accounts/organisation-store.ts";
import { appointmentTypesOf, branchesOf } from "../../calendar/directory-store.ts";
import { homeCountryOf } from "../../lists/complete-number.ts";
import { sourceOf } from "../sources/store.ts";
import { cancelAbsent, countAbsent, listedIn, mustAsk } from "./complete-list.ts";
import { Waits, type IntakeDeps } from "./intake-deps.ts";
import { linesIn } from "./lines.ts";
import type { ReadRow, Surroundings } from "./reading/appointment-rows.ts";
import { appointmentsJob } from "./reading/read-jobs.ts";
import type { SourceFile } from "./records.ts";
import type { FolderSource } from "./settings.ts";
import { fileById, putFault, updateFile } from "./store.ts";

/** A row takes about a millisecond, and a command holds the serving thread until it is stored. */
const ROWS_PER_COMMAND = 8;

/** False if it stopped and asks. `check` throws when the intake has to stop. */
export async function takeAppointments(
  deps: IntakeDeps,
  source: FolderSource,
  file: SourceFile,
  bytes: Uint8Array,
  check: () => void,
): Promise<boolean> {
  const { db, clock, files } = deps;
  const { settings, organisationId } = source;
  const around = await surroundingsOf(deps, organisationId);
  const { bytes: lines, rows } = await files.read(organisationId, appointmentsJob, { bytes, settings, around }, {});
  const isComplete = settings.list === "complete";
  const zone = settings.time_zone ?? around.zone;
  const listed = isComplete ? await listedIn(lines, clock.now(), zone, settings.covers_days) : null;
  const absent = listed && (await countAbsent(deps, file, listed));
  if (listed && absent && mustAsk(absent, file, listed, source)) {
    await db.write((tx) => updateFile(tx, file.id, { state: "asking", reason: null, row_count: rows, ...absent }));
    return false;
  }
  await db.write((tx) => updateFile(tx, file.id, { state: "reading", reason: null, row_count: rows, ...absent }));
  await applyAll(deps, source, file, lines, check);
  if (listed) await cancelAbsent(deps, source, file, listed, check);
  return true;
}

export async function surroundingsOf({ db }: Pick<IntakeDeps, "db">, organisationId: string): Promise<Surroundings> {
  const [organisation, branches, services] = await Promise.all([
    organisationById(db.reader, organisationId),
    branchesOf(db.reader, organisationId),
    appointmentTypesOf(db.reader, organisationId),
  ]);
  const zone = organisation?.time_zone ?? "UTC";
  const named = (places: readonly { id: string; name: string | null }[]) =>
    places.map(({ id, name }) => ({ id, name }));
  return { zone, home: homeCountryOf(zone), branches: named(branches), services: named(services) };
}

async function applyAll(
  deps: IntakeDeps,
  source: FolderSource,
  file: SourceFile,
  lines: Uint8Array,
  check: () => void,
): Promise<void> {
  let batch: ReadRow[] = [];
  const apply = async () => {
    check();
    if (batch.length > 0) await applySome(deps, source, file.id, batch);
    batch = [];
    await othersFirst();
  };
  for (const row of linesIn<ReadRow>(lines)) {
    if (row.at <= file.last_row) continue;
    batch.push(row);
    if (batch.length === ROWS_PER_COMMAND) await apply();
  }
  await apply();
}

async function applySome(
  { db, mirror, wake }: IntakeDeps,
  { id: sourceId, organisationId }: FolderSource,
  fileId: string,
  rows: readonly ReadRow[],
): Promise<void> {
  const changed = await db.write(async (tx) => {
    const [file, source] = [await fileById(tx, fileId), await sourceOf(tx, organisationId, sourceId)];
    // Otherwise the mirror would refuse every row.
    if (!file || !source?.enabled) return null;
    const counts = { created: file.created, updated: file.updated, unchanged: file.unchanged, faults: file.faults };
    const last_row = rows.at(-1)?.at ?? file.last_row;
    for (const { at, told, fault } of rows) {
      const outcome =
        told === null
          ? { kind: "refused" as const, reason: fault ?? "" }
          : await mirror.putWithin(tx, organisationId, sourceId, told, SYSTEM_ACTOR);
      if (outcome.kind === "refused") {
        counts.faults += 1;
        await putFault(tx, fileId, at, outcome.reason);
      } else counts[outcome.kind === "stale" ? "unchanged" : outcome.kind] += 1;
    }
    await updateFile(tx, fileId, { ...counts, last_row });
    return counts.created + counts.updated > file.created + file.updated;
  });
  if (changed === null) throw new Waits(null);
  if (changed) wake();
}
