// Repeats erasures after a restore: people and calls that were erased since the backup come back as blank rows, without
// a word of theirs. Every room removes what an erasure removes.
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Eraser } from "../../db/eraser.ts";
import { erasureRepeated, erasuresToRepeat } from "../../db/person-key-store.ts";
import type { Tx } from "../../db/tables.ts";
import type { FileRemovals } from "../../media/file-removals.ts";
import type { FileRemoval } from "../../media/records.ts";
import type { Call } from "../call/records.ts";
import { callById } from "../call/store.ts";
import type { createErasedRows } from "./erased-rows.ts";
import { allCallsOfContact } from "./erasure-store.ts";

interface RepeatedErasuresDeps {
  db: Database;
  clock: Clock;
  erasers: readonly Eraser[];
  fileRemovals: FileRemovals;
  eraseWithin: ReturnType<typeof createErasedRows>["eraseWithin"];
}

const AT_ONCE = 100;

type Repeated = Awaited<ReturnType<typeof erasuresToRepeat>>[number];

/** Returns how many. May be interrupted and called again. */
export async function repeatErasures(deps: RepeatedErasuresDeps): Promise<number> {
  const { db, fileRemovals } = deps;
  let repeated = 0;
  for (;;) {
    const rows = await erasuresToRepeat(db.reader, AT_ONCE);
    if (rows.length === 0) return repeated;
    for (const row of rows) {
      let step = { files: [] as FileRemoval[], isDone: false };
      while (!step.isDone) {
        step = await db.write((tx) => (row.kind === "call" ? repeatCall(deps, tx, row) : repeatPerson(deps, tx, row)));
        await fileRemovals.remove(step.files);
      }
      repeated++;
    }
  }
}

async function repeatCall(deps: RepeatedErasuresDeps, tx: Tx, row: Repeated) {
  const call = await callById(tx, row.subject_key);
  const files = call ? await eraseAll(deps, tx, [call]) : [];
  await erasureRepeated(tx, row);
  return { files, isDone: true };
}

/** A slice of the calls; the rest of the person after the last. */
async function repeatPerson(deps: RepeatedErasuresDeps, tx: Tx, row: Repeated) {
  const { organisation_id: organisationId, subject_key: number } = row;
  const calls = await allCallsOfContact(tx, organisationId, number, AT_ONCE);
  const files = await eraseAll(deps, tx, calls);
  const isDone = calls.length < AT_ONCE;
  if (isDone) {
    for (const { eraseContact } of deps.erasers) await eraseContact?.(tx, organisationId, number, deps.clock.now());
    await erasureRepeated(tx, row);
  }
  return { files, isDone };
}

async function eraseAll({ eraseWithin }: RepeatedErasuresDeps, tx: Tx, calls: readonly Call[]): Promise<FileRemoval[]> {
  const files: FileRemoval[] = [];
  for (const call of calls) files.push(...(await eraseWithin(tx, call, SYSTEM_ACTOR)));
  return files;
}
