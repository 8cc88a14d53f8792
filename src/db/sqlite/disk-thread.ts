// A thread that waits for the disk, so that the serving thread does not. It is one of its own because the runtime's
// threads also hash passwords and write recordings, and a commit must not queue behind those.
import type { FileHandle } from "node:fs/promises";
import type { Logger } from "../../core/logger.ts";
import type { DiskStep, DiskWorker, FromDiskWorker } from "../disk-protocol.ts";

/** See free-space/wal-mover.ts. */
export const moverOn = ({ run }: DiskThread) => ({
  move: () => run("move"),
  // Where it fails, the next commit does it, and waits for the disk on the serving thread once.
  begin: () => run("begin").catch(() => {}),
  sync: (file: FileHandle) => file.datasync(),
});

export interface DiskThread {
  /** Rejects with DiskFault where the disk or SQLite refused, and with another error where the thread is gone. */
  run(step: DiskStep): Promise<void>;
  close(): Promise<void>;
}

/** The step was tried and failed. `code` is that of the system or of SQLite. */
export class DiskFault extends Error {
  constructor(
    message: string,
    readonly code: string | null,
  ) {
    super(message);
  }
}

/** Throws where there is no room for a thread. One that ended is started again by the next step. */
export function startDiskThread(file: string, start: () => DiskWorker, logger: Logger): DiskThread {
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
    thread.post({ type: "open", file });
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
      // Its connection is closed with the process, where it cannot be now.
      await run("close").catch(() => {});
      ending.terminate();
    },
  };
}
