// Backups that the server makes by itself, each in a process of its own.
import { backUpInOwnProcess } from "../db/kept-backups/backup-process.ts";
import { createKeptBackups, type KeptBackups, type KeptBackupsDeps } from "../db/kept-backups/kept-backups.ts";
import { keysRevision } from "../db/person-key-store.ts";
import type { ServiceDeps } from "./ground.ts";

type Deps = Pick<ServiceDeps, "config" | "db"> & Omit<KeptBackupsDeps, "settings" | "dataDir" | "make" | "personKeys">;

export function keptBackupsOf({ config, ...ground }: Deps): KeptBackups {
  const { backup: settings, data, security } = config;
  const order = { kind: "kept" as const, dataDir: data.dir, settings, security };
  return createKeptBackups({
    clock: ground.clock,
    logger: ground.logger,
    metrics: ground.metrics,
    trustedNow: ground.trustedNow,
    settings,
    dataDir: data.dir,
    make: (when, signal) => backUpInOwnProcess({ ...order, ...when }, signal),
    personKeys: {
      revision: () => keysRevision(ground.db.reader),
      renew: (when, signal) => backUpInOwnProcess({ ...order, kind: "keys", ...when }, signal),
    },
  });
}
