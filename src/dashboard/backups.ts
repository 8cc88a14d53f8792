// Backup now, from the dashboard: done by this same binary in a process of its own, so that nobody waits for the copy.
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "../accounts/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { toIso, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../db/database.ts";

export interface BackupStatus {
  state: "none" | "running" | "done" | "failed";
  at: string | null;
  bytes: number;
  message: string;
}

export interface BackupDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  dataDir: string;
  /** Copies and verifies; resolves when the file is whole. */
  copy: (target: string) => Promise<void>;
}

const FILE = "dashboard-backup.db";

export function createBackups({ db, clock, audit, dataDir, copy }: BackupDeps) {
  const target = join(dataDir, FILE);
  let status: BackupStatus = { state: existsSync(target) ? "done" : "none", at: null, bytes: 0, message: "" };

  async function run(): Promise<void> {
    try {
      rmSync(target, { force: true });
      await copy(target);
      status = { state: "done", at: toIso(clock.now()), bytes: statSync(target).size, message: "" };
    } catch (error) {
      status = { state: "failed", at: toIso(clock.now()), bytes: 0, message: error instanceof Error ? error.message : "" };
    }
  }

  return {
    status: (): BackupStatus => status,
    async begin(organisationId: string, actor: Actor): Promise<BackupStatus> {
      if (status.state === "running") return status;
      status = { state: "running", at: toIso(clock.now()), bytes: 0, message: "" };
      await db.write((tx) => audit.record(tx, { organisationId, actor, action: "backup.started" }));
      void run();
      return status;
    },
    file(): Response {
      if (status.state !== "done" || !existsSync(target)) throw new AppError("NOT_FOUND", "There is no backup yet. Make one first.");
      return new Response(Bun.file(target), {
        headers: {
          "content-type": "application/vnd.sqlite3",
          "content-disposition": 'attachment; filename="ringward-backup.db"',
          "cache-control": "no-store",
        },
      });
    },
  };
}

export type Backups = ReturnType<typeof createBackups>;
