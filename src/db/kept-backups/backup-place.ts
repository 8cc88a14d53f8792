// Where backups are kept: a folder, or a bucket of an S3-compatible store.
import type { BackupName } from "./backup-names.ts";

export interface StoredBackup extends BackupName {
  bytes: number;
}

export interface NewBackup {
  name: string;
  /** The complete encrypted file, on this machine. Both places only read it. */
  file: string;
  bytes: number;
  /** Reads a whole backup and throws if any part of it is damaged. */
  check: (file: string) => void;
}

export interface BackupPlace {
  /** For messages; without secrets. */
  readonly where: string;
  /** Verified backups of every appliance, the newest first. */
  list(): Promise<StoredBackup[]>;
  /** Removes what an earlier run of this owner did not finish. */
  tidy(owner: string): Promise<void>;
  /** Resolves when the copy was read back and has its name. */
  put(backup: NewBackup): Promise<void>;
  /** Copies the file over the one of this name in one step. */
  replace(name: string, file: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** The path of a backup on this machine; a copy from elsewhere goes into `scratch`. */
  fetch(name: string, scratch: string): Promise<string>;
}

export const newestFirst = (found: readonly StoredBackup[]): StoredBackup[] =>
  found.toSorted((a, b) => b.madeAt - a.madeAt || (a.name < b.name ? -1 : 1));
