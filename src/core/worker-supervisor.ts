// Supervisor for one worker: starts it, monitors its heartbeat, terminates it when it is silent, and starts the next
// one.
import { MINUTE_MS, SECOND_MS, type Clock } from "./clock.ts";
import { messageOf } from "./errors.ts";
import type { Logger } from "./logger.ts";
import type { WorkerPort } from "./worker-port.ts";

export interface WorkerStatus {
  worker: "starting" | "running" | "failed";
  /** What is wrong and what to do; null while the worker is healthy. */
  message: string | null;
  restarts: number;
}

/** Messages that every worker sends in addition to its own. Any message counts as a heartbeat. */
export type SignOfLife =
  | { type: "ready" }
  | { type: "beat" }
  /** It cannot start with these settings. */
  | { type: "cannotStart"; message: string }
  | { type: "stopped" };

export interface SupervisorOptions<To, From> {
  clock: Clock;
  logger: Logger;
  /** As the subject of a sentence: "The line's worker". */
  name: string;
  startWorker: () => WorkerPort<To, From>;
  /** The first message to every new worker. */
  firstMessage: () => To;
  heard: (message: From) => void;
  /** The worker's state is lost. */
  died: () => void;
  /** `start` starts the first worker, not the constructor. */
  startsLater?: boolean;
}

export interface Supervisor<To> {
  status(): WorkerStatus;
  /** Has no effect if already started. */
  start(): void;
  /** Dropped if there is no worker. */
  post(message: To, transfer?: readonly Transferable[]): void;
  /** Sends `goodbye`. Resolves when the worker has stopped, died or exceeded its time limit. */
  stop(goodbye: To, drainMs?: number): Promise<void>;
}

/**
 * A worker without a message for ten to twelve seconds is considered dead. Checks are counted instead of time, so a
 * blocked main thread first handles the heartbeats that queued up meanwhile.
 */
const CHECK_EVERY_MS = 2 * SECOND_MS;
const MOST_SILENT_CHECKS = 6;
const FIRST_RESTART_MS = SECOND_MS;
const LONGEST_RESTART_MS = 30 * SECOND_MS;
/** A resource held by another program may be released later; retrying every second is pointless. */
const RETRY_START_MS = 30 * SECOND_MS;
/** After a healthy minute the restart backoff is reset. */
const SETTLED_MS = MINUTE_MS;
/** In addition to the drain: goodbyes take two seconds, recordings a moment. */
const LONGEST_STOP_MS = 5 * SECOND_MS;

const isCannotStart = (message: { type: string }): message is Extract<SignOfLife, { type: "cannotStart" }> =>
  message.type === "cannotStart";

export function createSupervisor<To, From extends { type: string }>(
  options: SupervisorOptions<To, From>,
): Supervisor<To> {
  return new KeptWorker(options);
}

class KeptWorker<To, From extends { type: string }> implements Supervisor<To> {
  readonly #options: SupervisorOptions<To, From>;
  readonly #status: WorkerStatus = { worker: "starting", message: null, restarts: 0 };
  #worker: WorkerPort<To, From> | null = null;
  #silentChecks = 0;
  #restartMs = FIRST_RESTART_MS;
  #isStarted = false;
  #isStopping = false;
  #cancelCheck = () => {};
  #cancelSettled = () => {};
  #cancelRestart = () => {};
  #whenGone = () => {};

  constructor(options: SupervisorOptions<To, From>) {
    this.#options = options;
    if (options.startsLater !== true) this.start();
  }

  start(): void {
    if (this.#isStarted || this.#isStopping) return;
    this.#isStarted = true;
    this.#launch();
  }

  status(): WorkerStatus {
    return { ...this.#status };
  }

  post(message: To, transfer?: readonly Transferable[]): void {
    this.#worker?.post(message, transfer);
  }

  async stop(goodbye: To, drainMs = 0): Promise<void> {
    this.#isStopping = true;
    this.#cancelRestart();
    const stopping = this.#worker;
    if (!stopping) return;
    await new Promise<void>((resolve) => {
      const cancelLimit = this.#options.clock.after(drainMs + LONGEST_STOP_MS, resolve);
      this.#whenGone = () => {
        cancelLimit();
        resolve();
      };
      stopping.post(goodbye);
    });
    this.#part();
  }

  #launch(): void {
    const launched = this.#started();
    if (!launched) return;
    this.#worker = launched;
    this.#status.worker = "starting";
    launched.onMessage((message) => {
      if (this.#worker === launched) this.#heard(message);
    });
    launched.onEnd((reason) => {
      if (this.#worker === launched) this.#failed(reason);
    });
    launched.post(this.#options.firstMessage());
    this.#silentChecks = 0;
    this.#check();
  }

  #started(): WorkerPort<To, From> | null {
    try {
      return this.#options.startWorker();
    } catch (error) {
      // The worker never ran, so `died` is not called.
      this.#tellCannotStart(messageOf(error));
      this.#launchLater(messageOf(error), RETRY_START_MS);
      return null;
    }
  }

  #check(): void {
    this.#cancelCheck = this.#options.clock.after(CHECK_EVERY_MS, () => {
      this.#silentChecks += 1;
      if (this.#silentChecks >= MOST_SILENT_CHECKS) this.#failed("it is silent");
      else this.#check();
    });
  }

  #heard(message: From): void {
    const { clock, heard } = this.#options;
    this.#silentChecks = 0;
    if (isCannotStart(message)) {
      this.#cannotStart(message.message);
      return;
    }
    if (message.type === "ready") {
      Object.assign(this.#status, { worker: "running", message: null });
      this.#cancelSettled = clock.after(SETTLED_MS, () => (this.#restartMs = FIRST_RESTART_MS));
    }
    heard(message);
    if (message.type === "stopped") this.#whenGone();
  }

  #failed(reason: string): void {
    const { logger, name } = this.#options;
    const restartMs = this.#restartMs;
    logger.error(`${name} failed; a new one is started.`, { reason, restart_in_ms: restartMs });
    this.#bury(`${name} failed and is being started again. Its log says why.`, restartMs);
    this.#restartMs = Math.min(restartMs * 2, LONGEST_RESTART_MS);
  }

  #cannotStart(message: string): void {
    this.#tellCannotStart(message);
    this.#bury(message, RETRY_START_MS);
  }

  #tellCannotStart(reason: string): void {
    const { logger, name } = this.#options;
    logger.error(`${name} cannot start; it is tried again.`, { reason, retry_in_ms: RETRY_START_MS });
  }

  #bury(message: string, nextInMs: number): void {
    this.#part();
    this.#options.died();
    this.#whenGone();
    this.#launchLater(message, nextInMs);
  }

  #launchLater(message: string, nextInMs: number): void {
    Object.assign(this.#status, { worker: "failed", message });
    if (this.#isStopping) return;
    this.#cancelRestart = this.#options.clock.after(nextInMs, () => {
      this.#status.restarts += 1;
      this.#launch();
    });
  }

  #part(): void {
    const parted = this.#worker;
    this.#worker = null;
    this.#cancelCheck();
    this.#cancelSettled();
    parted?.terminate();
  }
}
