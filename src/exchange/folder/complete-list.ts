// Complete lists: what a list lacks within its dates was cancelled there. A list that lacks too much stops and asks,
// because an export that was cut off looks the same.
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import { createTurns, othersFirst } from "../../core/clock.ts";
import { addDays, wallTime } from "../../core/zones.ts";
import { knownWithin, type Span } from "./absent-store.ts";
import type { IntakeDeps } from "./intake-deps.ts";
import { linesIn } from "./lines.ts";
import type { ReadRow } from "./reading/appointment-rows.ts";
import type { SourceFile } from "./records.ts";
import { DEFAULT_CANCEL_PERCENT, type FolderSource } from "./settings.ts";
import { fileById, updateFile } from "./store.ts";

/** As for rows; see appointments.ts. */
const CANCELS_PER_COMMAND = 8;

export interface Listed {
  ids: ReadonlySet<string>;
  /** Upcoming dates that the list covers; null if there are none. */
  span: Span | null;
  /** Rows without an id: the list is not known to be complete. */
  unnamed: number;
}

export async function listedIn(
  lines: Uint8Array,
  now: number,
  zone: string,
  coversDays: number | undefined,
): Promise<Listed> {
  const ids = new Set<string>();
  let unnamed = 0;
  let [from, to] = ["", ""];
  const turn = createTurns();
  for (const { id, date } of linesIn<ReadRow>(lines)) {
    await turn();
    if (id === null) unnamed += 1;
    else ids.add(id);
    if (date === null) continue;
    if (from === "" || date < from) from = date;
    if (date > to) to = date;
  }
  const today = wallTime(now, zone).date;
  if (coversDays !== undefined) return { ids, span: { from: today, to: addDays(today, coversDays) }, unnamed };
  const span = { from: from > today ? from : today, to };
  return { ids, span: from === "" || span.from > span.to ? null : span, unnamed };
}

export interface Absent {
  absent: number;
  known: number;
}

/** Includes those that this file has cancelled already. */
export async function countAbsent(deps: Pick<IntakeDeps, "db">, file: SourceFile, listed: Listed): Promise<Absent> {
  let [absent, known] = [file.cancelled, file.cancelled];
  if (listed.span)
    for await (const rows of knownWithin(deps.db.reader, file.source_id, listed.span)) {
      known += rows.length;
      absent += rows.filter(({ external_id: id }) => isAbsent(id, listed)).length;
    }
  return { absent, known };
}

/** Whether a person has to agree first. */
export function mustAsk(
  { absent, known }: Absent,
  file: Pick<SourceFile, "accepted">,
  listed: Pick<Listed, "unnamed">,
  { settings }: FolderSource,
): boolean {
  if (absent === 0 || absent <= (file.accepted ?? 0)) return false;
  const percent = settings.max_cancel_percent ?? DEFAULT_CANCEL_PERCENT;
  return listed.unnamed > 0 || absent * 100 > known * percent;
}

const isAbsent = (id: string | null, { ids }: Listed): id is string => id !== null && !ids.has(id);

/** Cancels what the list lacks. A killed process continues with what is left. */
export async function cancelAbsent(
  deps: IntakeDeps,
  source: FolderSource,
  file: SourceFile,
  listed: Listed,
  check: () => void,
): Promise<void> {
  if (!listed.span) return;
  for await (const rows of knownWithin(deps.db.reader, source.id, listed.span)) {
    const absent = rows.flatMap(({ external_id: id }) => (isAbsent(id, listed) ? [id] : []));
    for (let from = 0; from < absent.length; from += CANCELS_PER_COMMAND) {
      check();
      await cancelSome(deps, source, file.id, absent.slice(from, from + CANCELS_PER_COMMAND));
      await othersFirst();
    }
  }
}

async function cancelSome(
  { db, mirror, wake }: IntakeDeps,
  { id: sourceId, organisationId }: FolderSource,
  fileId: string,
  externalIds: readonly string[],
): Promise<void> {
  await db.write(async (tx) => {
    const file = await fileById(tx, fileId);
    if (!file) return;
    let { cancelled } = file;
    for (const externalId of externalIds) {
      const told = { externalId, changedAt: null, status: "cancelled" as const };
      const { kind } = await mirror.putWithin(tx, organisationId, sourceId, told, SYSTEM_ACTOR);
      if (kind === "updated") cancelled += 1;
    }
    await updateFile(tx, fileId, { cancelled });
  });
  wake();
}
