// One backup by the settings: made and read back in the data folder, encrypted, copied to its place, verified there,
// and then the oldest removed. Interrupted at any moment, every earlier backup stays, and the next run removes the
// rest.
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BackupSettings } from "../../config/backup-settings.ts";
import { toIso } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { assertDiskSpace } from "../archive/archive-file.ts";
import { checkArchive } from "../archive/archive-reader.ts";
import { BackupError } from "../archive/fault.ts";
import { sealArchive, sealedArchiveBytes } from "../archive/sealed-archive.ts";
import { noteBackup } from "../backup/last-backup.ts";
import { makeBackup, type BackupFacts } from "../backup/make-backup.ts";
import { personKeysFile } from "../backup/person-keys-file.ts";
import { rootKeyOf, whereKeyIs } from "../key-source.ts";
import type { SecuritySettings } from "../port.ts";
import { tryLock } from "../sqlite/lock.ts";
import { backupName, outdatedBackups } from "./backup-names.ts";
import { changeBackupState, readBackupState } from "./backup-state.ts";
import type { BackupPlace } from "./backup-place.ts";

/** In the data folder; replaced by each run. */
const WORK_FOLDER = "backup.partial";
export const BACKUP_LOCK_FILE = "backup.lock";

export interface KeptBackupOrder {
  dataDir: string;
  settings: BackupSettings;
  place: BackupPlace;
  security: SecuritySettings;
  madeBy: string;
  now: number;
  /** False while the clock is not trusted: ages are unknown, and nothing is removed. */
  mayRemove: boolean;
  progress?: (step: string, doneBytes: number, totalBytes: number) => void;
}

export type PersonKeysOrder = Pick<KeptBackupOrder, "dataDir" | "place" | "security" | "now">;

export interface KeptBackup {
  name: string;
  bytes: number;
  facts: BackupFacts;
  removed: string[];
  /** The backup is good, but an old one could not be removed, or the time could not be stored. */
  fault: string | null;
}

/** One at a time for each data folder, over all processes. */
export async function withBackupLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = tryLock(dataDir, BACKUP_LOCK_FILE);
  if (!lock) throw new BackupError("Another backup or drill of this data folder is under way.");
  try {
    return await work();
  } finally {
    lock.release();
  }
}

export const makeKeptBackup = (order: KeptBackupOrder): Promise<KeptBackup> =>
  withBackupLock(order.dataDir, async () => {
    const { dataDir, now } = order;
    try {
      return await make(order);
    } catch (error) {
      const failures = (readBackupState(dataDir)?.failures ?? 0) + 1;
      noteFailure(dataDir, now, failures);
      throw error instanceof BackupError ? error : new BackupError(`The backup failed: ${messageOf(error)}`);
    }
  });

/** On a full disk the failure itself cannot be stored; the failed backup is reported anyway. */
function noteFailure(dataDir: string, now: number, failures: number): void {
  try {
    changeBackupState(dataDir, now, { failures, failedAt: now });
  } catch {
    // The server counts it, too.
  }
}

async function make(order: KeptBackupOrder): Promise<KeptBackup> {
  const { dataDir, settings, security, place, now, progress = () => {} } = order;
  const rootKey = rootKeyOf(dataDir, security);
  if (!rootKey) throw new BackupError(`${whereKeyIs(dataDir, security)} is missing; it encrypts backups.`);
  const { owner } = readBackupState(dataDir) ?? changeBackupState(dataDir, now, {});
  const work = join(dataDir, WORK_FOLDER);
  const name = backupName(owner, now);
  try {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { mode: 0o700 });
    await place.tidy(owner);
    const archive = join(work, "archive");
    const { madeBy } = order;
    const facts = makeBackup({
      dataDir,
      security,
      target: archive,
      withRecordings: settings.recordings,
      madeBy,
      madeAt: toIso(now),
      progress,
    });
    assertDiskSpace(work, sealedArchiveBytes(facts.bytes), "The encrypted backup");
    const file = join(work, "sealed");
    sealArchive(archive, file, rootKey, (done) => progress("Encrypting", done, facts.bytes));
    rmSync(archive);
    const { size: bytes } = statSync(file);
    progress("Storing and verifying", 0, bytes);
    // Before the backup: without it the backup would open on this machine only.
    await putKeys(order, work);
    await place.put({ name, file, bytes, check: (path) => void checkArchive(path, { rootKeys: () => [rootKey] }) });
    const good = { name, where: place.where, madeAt: now, bytes };
    changeBackupState(dataDir, now, { lastGood: good, failures: 0, failedAt: null });
    const faults = [noteBackup(dataDir, settings.to.startsWith("/") ? join(settings.to, name) : "/", toIso(now))];
    const { removed, fault } = order.mayRemove ? await removeOld(order, owner, name) : { removed: [], fault: null };
    return { name, bytes, facts, removed, fault: [...faults, fault].find((one) => one !== null) ?? null };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** After an erasure: the key file of people beside the backups, without the keys of the erased. */
export const renewPersonKeys = (order: PersonKeysOrder): Promise<void> =>
  withBackupLock(order.dataDir, async () => {
    const work = join(order.dataDir, WORK_FOLDER);
    try {
      rmSync(work, { recursive: true, force: true });
      mkdirSync(work, { mode: 0o700 });
      await putKeys(order, work);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });

async function putKeys({ dataDir, security, place, now }: PersonKeysOrder, work: string): Promise<void> {
  const keys = personKeysFile({ dataDir, security }, true);
  if (!keys) return;
  const file = join(work, "person-keys");
  writeFileSync(file, keys.text, { mode: 0o600 });
  await place.replace(keys.name, file);
  rmSync(file);
  changeBackupState(dataDir, now, { keysRevision: keys.revision });
}

/** After the new one was verified. A failure here is tried again with the next backup. */
async function removeOld(
  { place, settings: { keep }, now }: KeptBackupOrder,
  owner: string,
  justMade: string,
): Promise<Pick<KeptBackup, "removed" | "fault">> {
  const removed: string[] = [];
  try {
    const found = await place.list();
    if (!found.some(({ name }) => name === justMade)) throw new BackupError(`${justMade} is not listed in its place.`);
    for (const { name } of outdatedBackups(found, { owner, justMade, keep, now })) {
      await place.remove(name);
      removed.push(name);
    }
    return { removed, fault: null };
  } catch (error) {
    return { removed, fault: `An old backup could not be removed: ${messageOf(error)}` };
  }
}
