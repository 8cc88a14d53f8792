// Keeps one worker alive: starts it, listens to its beat, buries it when it is silent or gone, and starts the next.
import { MINUTE_MS, SECOND_MS, type Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { WorkerPort } from "./worker-port.ts";

export interface WorkerStatus {
  worker: "starting" | "running" | "failed";
  /** What is wrong and what to do; null while all is well. */
  message: string | null;
  restarts: number;
}

/** What every worker has to tell of itself, beside what it is there for. Anything it says counts as a beat. */
export type SignOfLife =
  | { type: "ready" }
  | { type: "beat" }
  /** It could not begin, and never will with these settings. */
  | { type: "cannotStart"; message: string }
  | { type: "stopped" };

export interface SupervisorOptions<To, From> {
  clock: Clock;
  logger: Logger;
  /** As a sentence begins: "The line's worker". */
  name: string;
  startWorker: () => WorkerPort<To, From>;
  /** The first message to every new worker. */
  firstMessage: () => To;
  heard: (message: From) => void;
  /** Everything that it held is lost. */
  died: () => void;
}

export interface Supervisor<To> {
  status(): WorkerStatus;
  /** Lost where there is no worker. */
  post(message: To, transfer?: readonly Transferable[]): void;
  /** Sends this goodbye. Resolves when the worker is gone: it stopped, died, or took longer than it may. */
  stop(goodbye: To, drainMs?: number): Promise<void>;
}

/**
 * A worker that says nothing for ten to twelve seconds is dead. Checks are counted, not the time between beats, so that
 * a main thread that was held up itself hears the beats that waited for it before it judges.
 */
const CHECK_EVERY_MS = 2 * SECOND_MS;
const MOST_SILENT_CHECKS = 6;
const FIRST_RESTART_MS = SECOND_MS;
const LONGEST_RESTART_MS = 30 * SECOND_MS;
/** What another program holds may be free later; it is no use to ask every second. */
const RETRY_START_MS = 30 * SECOND_MS;
/** After a good minute the next death is a new story, and its restart comes quickly again. */
const SETTLED_MS = MINUTE_MS;
/** On top of the drain: goodbyes take two seconds, recordings a moment. */
const LONGEST_STOP_MS = 5 * SECOND_MS;

const isCannotStart = (message: { type: string }): message is Extract<SignOfLife, { type: "cannotStart" }> =>
  message.type === "cannotStart";

export function createSupervisor<To, From extends { type: string }>(
  options: SupervisorOptions<To, From>,
): Supervisor<To> {
  const { clock, logger, name } = options;
  const status: WorkerStatus = { worker: "starting", message: null, restarts: 0 };
  let worker: WorkerPort<To, From> | null = null;
  let silentChecks = 0;
  let restartMs = FIRST_RESTART_MS;
  let isStopping = false;
  let cancelCheck = () => {};
  let cancelSettled = () => {};
  let cancelRestart = () => {};
  let whenGone = () => {};

  function launch(): void {
    const launched = options.startWorker();
    worker = launched;
    status.worker = "starting";
    launched.onMessage((message) => {
      if (worker === launched) heard(message);
    });
    launched.onEnd((reason) => {
      if (worker === launched) failed(reason);
    });
    launched.post(options.firstMessage());
    silentChecks = 0;
    check();
  }

  function check(): void {
    cancelCheck = clock.after(CHECK_EVERY_MS, () => {
      silentChecks += 1;
      if (silentChecks >= MOST_SILENT_CHECKS) failed("it is silent");
      else check();
    });
  }

  function heard(message: From): void {
    silentChecks = 0;
    if (isCannotStart(message)) {
      cannotStart(message.message);
      return;
    }
    if (message.type === "ready") {
      Object.assign(status, { worker: "running", message: null });
      cancelSettled = clock.after(SETTLED_MS, () => (restartMs = FIRST_RESTART_MS));
    }
    options.heard(message);
    if (message.type === "stopped") whenGone();
  }

  function failed(reason: string): void {
    logger.error(`${name} failed; a new one is started.`, { reason, restart_in_ms: restartMs });
    bury(`${name} failed and is being started again. Its log says why.`, restartMs);
    restartMs = Math.min(restartMs * 2, LONGEST_RESTART_MS);
  }

  function cannotStart(message: string): void {
    logger.error(`${name} cannot start; it is tried again.`, { reason: message, retry_in_ms: RETRY_START_MS });
    bury(message, RETRY_START_MS);
  }

  function bury(message: string, nextInMs: number): void {
    part();
    Object.assign(status, { worker: "failed", message });
    options.died();
    whenGone();
    if (isStopping) return;
    cancelRestart = clock.after(nextInMs, () => {
      status.restarts += 1;
      launch();
    });
  }

  function part(): void {
    const parted = worker;
    worker = null;
    cancelCheck();
    cancelSettled();
    parted?.terminate();
  }

  launch();
  return {
    status: () => ({ ...status }),
    post: (message, transfer) => worker?.post(message, transfer),
    async stop(goodbye, drainMs = 0) {
      isStopping = true;
      cancelRestart();
      const stopping = worker;
      if (!stopping) return;
      await new Promise<void>((resolve) => {
        const cancelLimit = clock.after(drainMs + LONGEST_STOP_MS, resolve);
        whenGone = () => {
          cancelLimit();
          resolve();
        };
        stopping.post(goodbye);
      });
      part();
    },
  };
}
