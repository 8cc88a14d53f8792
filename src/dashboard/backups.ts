// On-demand backup from the dashboard. A child process of the same binary makes the copy, so that no request waits for
// it.
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
  /** `elsewhere`: the data is in PostgreSQL, which is backed up by its own tools. */
  state: "none" | "running" | "done" | "failed" | "elsewhere";
  at: string | null;
  /** Size of the finished file, or bytes copied so far. */
  bytes: number;
  /** Estimated total while the backup runs. */
  total_bytes: number;
  message: string;
}

export interface BackupDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  dataDir: string;
  /** Copies and verifies; resolves when the file is complete. It uses a working folder (`partialOf`). */
  copy: (target: string, signal: AbortSignal) => Promise<void>;
}

/**
 * The copy still contains people who are erased later. It is kept long enough for a download, and is deleted at a
 * restart.
 */
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
  // Full copies left by an interrupted restore or by earlier versions. No restore runs beside a server.
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

  /** The file contains all data, so with several organisations none of them may download it. */
  async function assertAlone(): Promise<void> {
    if ((await allOrganisations(db.reader)).length <= 1) return;
    const message =
      'This appliance holds more than one organisation. Run "ringward backup FILE" on the machine itself.';
    throw new AppError("INSUFFICIENT_SCOPE", message);
  }

  return {
    /** Aborts a running copy, and removes a finished one before its hour is over. */
    async stop(): Promise<void> {
      stopping.abort();
      // Nothing more is written once the copying process has exited.
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
        // Each byte is copied once, and written into the archive once.
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
    // Not started yet, or just finished.
    return 0;
  }
}
