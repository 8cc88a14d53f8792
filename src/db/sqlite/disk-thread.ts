// Disk thread: waits for fsyncs and checkpoints, so the serving thread does not. It is a dedicated thread because the
// runtime's thread pool also hashes passwords and writes recordings, and a commit must not queue behind those.
import type { FileHandle } from "node:fs/promises";
import type { Logger } from "../../core/logger.ts";
import type { FileKey } from "./cipher.ts";
import type { DiskStep, DiskWorker, FromDiskWorker } from "../disk-protocol.ts";

/** See free-space/wal-mover.ts. */
export const moverOn = ({ run }: DiskThread) => ({
  move: () => run("move"),
  // If it fails, the next commit does it, and waits once for the disk on the serving thread.
  begin: () => run("begin").catch(() => {}),
  sync: (file: FileHandle) => file.datasync(),
});

export interface DiskThread {
  /** Rejects with DiskFault if the disk or SQLite failed, and with another error if the thread has ended. */
  run(step: DiskStep): Promise<void>;
  close(): Promise<void>;
}

/** The step failed. `code` is the system's or SQLite's error code. */
export class DiskFault extends Error {
  constructor(
    message: string,
    readonly code: string | null,
  ) {
    super(message);
  }
}

/** Throws if no thread can be started. The next step restarts a thread that ended. */
export function startDiskThread(
  { file, key = null }: { file: string; key?: FileKey },
  start: () => DiskWorker,
  logger: Logger,
): DiskThread {
  /** In the order of the answers. */
  const asked: PromiseWithResolvers<void>[] = [];
  let worker: DiskWorker | null = started();
  let isClosed = false;

  function started(): DiskWorker {
    const thread = start();
    thread.onMessage(answered);
    thread.onEnd((reason) => {
      if (worker === thread) worker = null;
      if (!isClosed) logger.error("The thread that waits for the disk ended.", { reason });
      for (const { reject } of asked.splice(0))
        reject(new Error(`The thread that waits for the disk ended: ${reason}.`));
    });
    thread.post({ type: "open", file, key });
    return thread;
  }

  function answered(message: FromDiskWorker): void {
    const first = asked.shift();
    if (message.type === "done") first?.resolve();
    else first?.reject(new DiskFault(message.message, message.code));
  }

  async function run(step: DiskStep): Promise<void> {
    worker ??= started();
    const answer = Promise.withResolvers<void>();
    asked.push(answer);
    worker.post({ type: step });
    return answer.promise;
  }

  return {
    run,
    async close() {
      isClosed = true;
      const ending = worker;
      if (!ending) return;
      // If it fails, the connection is closed with the process.
      await run("close").catch(() => {});
      ending.terminate();
    },
  };
}
