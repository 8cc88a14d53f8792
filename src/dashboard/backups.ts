// Backup now, from the dashboard: done by this same binary in a process of its own, so that nobody waits for the copy.
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "../core/actor.ts";
import type { Audit } from "../accounts/audit.ts";
import { allOrganisations } from "../accounts/organisation-store.ts";
import { HOUR_MS, toIso, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { partialOf } from "../db/backup/make-backup.ts";
import { RESTORE_FOLDER } from "../db/archive/pending-restore.ts";
import type { Database } from "../db/database.ts";

export interface BackupStatus {
  /** `elsewhere`: the data is in PostgreSQL, whose own people back it up. */
  state: "none" | "running" | "done" | "failed" | "elsewhere";
  at: string | null;
  /** Of the finished file, or of what is copied so far. */
  bytes: number;
  /** About how many there will be, while it runs. */
  total_bytes: number;
  message: string;
}

export interface BackupDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  dataDir: string;
  /** Copies and verifies; resolves when the file is whole. While it works it has a folder of its own (`partialOf`). */
  copy: (target: string, signal: AbortSignal) => Promise<void>;
}

/** Whoever is erased meanwhile is still in the copy: it stays as long as a download needs, and not over a restart. */
const KEPT_MS = HOUR_MS;

const NONE: BackupStatus = { state: "none", at: null, bytes: 0, total_bytes: 0, message: "" };
const ELSEWHERE: BackupStatus = { ...NONE, state: "elsewhere" };

export function createBackups({ db, clock, audit, dataDir, copy }: BackupDeps) {
  const target = join(dataDir, "dashboard-backup.tar");
  let status = NONE;
  let running: Promise<void> = Promise.resolve();
  let cancelRemoval = () => {};
  const stopping = new AbortController();
  remove();
  // What a restore that was cut off left, and earlier versions: copies of everything. No restore runs beside a server.
  for (const name of [RESTORE_FOLDER, "dashboard-backup.db", "dashboard-backup.db.partial"])
    rmSync(join(dataDir, name), { recursive: true, force: true });

  function remove(): void {
    for (const path of [target, partialOf(target)]) rmSync(path, { recursive: true, force: true });
    status = NONE;
  }

  async function run(): Promise<void> {
    try {
      await copy(target, stopping.signal);
      const bytes = sizeOf(target);
      status = { state: "done", at: toIso(clock.now()), bytes, total_bytes: bytes, message: "" };
      cancelRemoval = clock.after(KEPT_MS, remove);
    } catch (error) {
      status = { state: "failed", at: toIso(clock.now()), bytes: 0, total_bytes: 0, message: messageOf(error) };
    }
  }

  /** The file holds everything: where several organisations live behind their walls, none may take it home. */
  async function assertAlone(): Promise<void> {
    if ((await allOrganisations(db.reader)).length <= 1) return;
    const message =
      'This appliance holds more than one organisation. Run "ringward backup FILE" on the machine itself.';
    throw new AppError("INSUFFICIENT_SCOPE", message);
  }

  return {
    /** A stop does not wait for a copy of many gigabytes, nor for the hour after it. */
    async stop(): Promise<void> {
      stopping.abort();
      // Only when the copying process is gone does it write nothing more.
      await running;
      cancelRemoval();
      remove();
    },

    status(): BackupStatus {
      if (db.maintenance.file === null) return ELSEWHERE;
      return status.state === "running" ? { ...status, bytes: bytesIn(partialOf(target)) } : status;
    },

    async begin(organisationId: string, actor: Actor): Promise<BackupStatus> {
      await assertAlone();
      const file = fileToCopy(db);
      if (status.state === "running") return status;
      cancelRemoval();
      remove();
      status = {
        state: "running",
        at: toIso(clock.now()),
        bytes: 0,
        // Copied once, and written into the archive once.
        total_bytes: 2 * (sizeOf(file) + sizeOf(`${file}-wal`)),
        message: "",
      };
      try {
        await db.write((tx) => audit.record(tx, { organisationId, actor, action: "backup.started" }));
      } catch (error) {
        status = NONE;
        throw error;
      }
      running = run();
      return status;
    },

    async file(organisationId: string, actor: Actor): Promise<Response> {
      await assertAlone();
      if (status.state !== "done" || status.at === null)
        throw new AppError("NOT_FOUND", "There is no backup yet. Make one first.");
      await db.write((tx) => audit.record(tx, { organisationId, actor, action: "backup.downloaded" }));
      const day = status.at.slice(0, 10);
      return new Response(Bun.file(target), {
        headers: {
          "content-type": "application/x-tar",
          "content-disposition": `attachment; filename="ringward-backup-${day}.tar"`,
          "cache-control": "no-store",
        },
      });
    },
  };
}

export type Backups = ReturnType<typeof createBackups>;

function fileToCopy({ maintenance: { file, where } }: Database): string {
  if (file !== null) return file;
  throw new AppError("CONFLICT", `The data of this appliance is in ${where}: back it up there, with pg_dump or PITR.`);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function bytesIn(folder: string): number {
  try {
    return readdirSync(folder).reduce((total, name) => total + sizeOf(join(folder, name)), 0);
  } catch {
    // Not begun yet, or just finished.
    return 0;
  }
}
