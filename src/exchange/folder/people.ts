// A list of people to call becomes a campaign, once: the campaign's id commits with the campaign.
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import { createTurns } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { meaningOf, type IntakeDeps } from "./intake-deps.ts";
import { linesIn } from "./lines.ts";
import { peopleJob, type PersonRow } from "./reading/read-jobs.ts";
import type { SourceFile } from "./records.ts";
import type { FolderSource } from "./settings.ts";
import { fileById, putFault, updateFile } from "./store.ts";

const FAULTS_PER_COMMAND = 250;
const LONGEST_CAMPAIGN_NAME = 100;

export async function takePeople(
  deps: IntakeDeps,
  { settings, organisationId }: FolderSource,
  file: SourceFile,
  bytes: Uint8Array,
  check: () => void,
): Promise<void> {
  if (file.campaign_id !== null) return;
  const { db, files, listCheck, campaigns } = deps;
  const { bytes: lines, rows: count } = await listCheck.check(organisationId, SYSTEM_ACTOR, (world) =>
    files.read(organisationId, peopleJob, { bytes, settings }, world),
  );
  const { rows, faults } = await dividedRows(lines);
  check();
  await db.write((tx) => updateFile(tx, file.id, { state: "reading", reason: null, row_count: count, last_row: 0 }));
  await noteFaults(deps, file.id, faults);
  if (rows.length === 0) {
    await db.write((tx) => updateFile(tx, file.id, { faults: faults.length, last_row: count }));
    return;
  }
  const input = {
    name: file.name.replace(/\.\w+$/, "").slice(0, LONGEST_CAMPAIGN_NAME),
    agent_id: settings.agent_id ?? "",
    rows,
    ...(settings.calls_per_minute === undefined ? {} : { calls_per_minute: settings.calls_per_minute }),
  };
  try {
    await campaigns.create(organisationId, input, SYSTEM_ACTOR, async (tx, { campaign_id, accepted, refused }) => {
      const open = await fileById(tx, file.id);
      // Two intakes of one file would call its people twice.
      if (!open || open.campaign_id !== null) throw new AppError("CONFLICT", "This file has its campaign already.");
      for (const { row, message } of refused) await putFault(tx, file.id, row, message);
      const counts = { created: accepted, faults: faults.length + refused.length };
      await updateFile(tx, file.id, { campaign_id, ...counts, last_row: count });
    });
  } catch (error) {
    throw meaningOf(error);
  }
}

async function dividedRows(lines: Uint8Array) {
  const rows: NonNullable<PersonRow["row"]>[] = [];
  const faults: [row: number, message: string][] = [];
  const turn = createTurns();
  for (const { at, row, fault } of linesIn<PersonRow>(lines)) {
    await turn();
    if (row === null) faults.push([at, fault ?? ""]);
    else rows.push(row);
  }
  return { rows, faults };
}

async function noteFaults({ db }: IntakeDeps, fileId: string, faults: readonly [number, string][]): Promise<void> {
  for (let from = 0; from < faults.length; from += FAULTS_PER_COMMAND)
    await db.write(async (tx) => {
      for (const [row, message] of faults.slice(from, from + FAULTS_PER_COMMAND))
        await putFault(tx, fileId, row, message);
    });
}
