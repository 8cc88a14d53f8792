// Opens the place that the settings name.
import { placeOfBackups, type BackupSettings } from "../../config/backup-settings.ts";
import { BackupError } from "../archive/fault.ts";
import type { BackupPlace } from "./backup-place.ts";
import { createFolderPlace } from "./folder-place.ts";
import { createS3Place } from "./s3-place.ts";

export function openBackupPlace(settings: BackupSettings): BackupPlace {
  const place = placeOfBackups(settings);
  if (!place) throw new BackupError("backup.to is empty: say in the settings where backups go.");
  return place.kind === "folder" ? createFolderPlace(place.folder) : createS3Place(place, settings.s3);
}
