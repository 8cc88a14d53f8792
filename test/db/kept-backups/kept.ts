// A data folder and a place for its backups.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../../src/config/load.ts";
import type { BackupSettings } from "../../../src/config/backup-settings.ts";
import {
  makeKeptBackup,
  type KeptBackup,
  type KeptBackupOrder,
} from "../../../src/db/kept-backups/make-kept-backup.ts";
import { openBackupPlace } from "../../../src/db/kept-backups/open-backup-place.ts";
import { isPersonKeysName } from "../../../src/db/backup/person-keys.ts";
import { tempFolder } from "../../support/temp.ts";
import { addCalls, folderWith } from "../backup/backups.ts";

export const ROOT_KEY = Buffer.alloc(32, 7);
export const SECURITY = {
  root_key: ROOT_KEY.toString("base64"),
  key_file: "",
  key_command: [],
  encrypt: "auto" as const,
};
export const NOON = Date.UTC(2026, 2, 1, 12);
export const DAY = 24 * 60 * 60 * 1000;

export interface Kept {
  dataDir: string;
  to: string;
  settings: BackupSettings;
  make(day: number, more?: Partial<KeptBackupOrder>): Promise<KeptBackup>;
}

export function settingsOf(more: Partial<BackupSettings>): BackupSettings {
  const { backup } = loadConfig({ environment: {} });
  return { ...backup, every: "24h", keep: 3, ...more };
}

export async function keptWith(more: Partial<BackupSettings> = {}): Promise<Kept> {
  const dataDir = await folderWith("a", "b");
  addCalls(dataDir, ["one", "two"]);
  const to = more.to ?? join(tempFolder(), "backups");
  if (to.startsWith("/")) mkdirSync(to, { recursive: true });
  const settings = settingsOf({ ...more, to });
  return {
    dataDir,
    to,
    settings,
    make: (day, order = {}) =>
      makeKeptBackup({
        dataDir,
        settings,
        place: openBackupPlace(settings),
        security: SECURITY,
        madeBy: "0.1.0",
        now: NOON + day * DAY,
        mayRemove: true,
        ...order,
      }),
  };
}

/** Without the key file of people, which has one name. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !isPersonKeysName(name))
    .toSorted();
