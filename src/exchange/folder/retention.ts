// Deletes read files from `done` and `faulty` after some days: they hold personal data. Only files that were read,
// also of sources that were removed.
import { dirname, join } from "node:path";
import { realpath } from "node:fs/promises";
import { DAY_MS } from "../../core/clock.ts";
import { sourcesOfKind } from "../sources/store.ts";
import { checkedFolderSettings } from "./checked-settings.ts";
import { exists, faultsBeside, pathOf, remove } from "./disk.ts";
import type { IntakeDeps } from "./intake-deps.ts";
import { DEFAULT_KEEP_DAYS } from "./settings.ts";
import { deleteFile, finishedBefore, keptBefore, updateFile } from "./store.ts";

const FILES_PER_RUN = 200;
/** What was read is remembered this long, so that the same file is not read twice. */
const LEAST_REMEMBERED_DAYS = 400;

export async function removeOld({ db, root }: Pick<IntakeDeps, "db" | "root">, now: number): Promise<void> {
  const real = root === "" ? null : await realpath(root).catch(() => null);
  if (real === null) return;
  for (const source of await sourcesOfKind(db.reader, "folder")) {
    const { folder, keep_days = DEFAULT_KEEP_DAYS } = checkedFolderSettings(source.settings);
    const incoming = pathOf(real, source.organisation_id, folder);
    if (keep_days > 0)
      for (const { id, moved_to } of await keptBefore(db.reader, source.id, now - keep_days * DAY_MS, FILES_PER_RUN))
        if (await isRemoved(join(incoming, moved_to))) await db.write((tx) => updateFile(tx, id, { moved_to: null }));
    const forgotten = now - LEAST_REMEMBERED_DAYS * DAY_MS;
    for (const { id } of await finishedBefore(db.reader, source.id, forgotten, FILES_PER_RUN))
      await db.write((tx) => deleteFile(tx, id));
  }
}

async function isRemoved(path: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => null);
  // The folder is gone, or leads elsewhere.
  if (folder !== dirname(path)) return folder === null;
  await remove(faultsBeside(path));
  await remove(path);
  return !(await exists(path));
}
