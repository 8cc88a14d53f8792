// Names of backups that the server makes: ringward-OWNER-TIME.backup. The owner is a random id of the data folder, so
// several appliances can share a place and each removes only its own. The time has milliseconds, so two backups in one
// second have two names.
const NAME = /^ringward-([0-9a-z]{12})-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.backup$/;

export interface BackupName {
  name: string;
  owner: string;
  madeAt: number;
}

export const backupName = (owner: string, madeAt: number): string =>
  `ringward-${owner}-${new Date(madeAt).toISOString().replaceAll(/[-:.]/g, "")}.backup`;

/** Null for every name that is not ours. */
export function parseBackupName(name: string): BackupName | null {
  const [, owner, ...digits] = NAME.exec(name) ?? [];
  if (owner === undefined) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, milli = 0] = digits.map(Number);
  const madeAt = Date.UTC(year, month - 1, day, hour, minute, second, milli);
  return backupName(owner, madeAt) === name ? { name, owner, madeAt } : null;
}

/**
 * The oldest of this owner beyond `keep`. The backup that was just verified always stays. A backup from the future was
 * made with a wrong clock, and counts as the oldest.
 */
export function outdatedBackups<T extends BackupName>(
  found: readonly T[],
  { owner, justMade, keep, now }: { owner: string; justMade: string; keep: number; now: number },
): T[] {
  const age = ({ madeAt }: BackupName) => (madeAt > now ? Infinity : now - madeAt);
  return found
    .filter((backup) => backup.owner === owner && backup.name !== justMade)
    .toSorted((a, b) => age(a) - age(b) || (a.name < b.name ? 1 : -1))
    .slice(Math.max(0, keep - 1));
}
