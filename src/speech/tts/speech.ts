// Speech worker as seen from the main thread: supervised, and connected with its clients.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { WorkerPort } from "../../core/worker-port.ts";
import { createSupervisor, type WorkerStatus } from "../../core/worker-supervisor.ts";
import type { FromSpeechWorker, ToSpeechWorker } from "./protocol.ts";

export interface Speech {
  /** Starts loading. Has no effect if loading starts automatically. */
  start(): void;
  /** Gives a client its port, now and after each restart of the worker. Returns a function that stops this. */
  serve(give: (port: MessagePort) => void): () => void;
  /** Dropped without a worker. */
  post(message: ToSpeechWorker, transfer: readonly Transferable[]): void;
  status(): WorkerStatus;
  /** The first worker is still loading: a call placed now could be silent. */
  isLoading(): boolean;
  /** The worker never became ready. It is retried, but no call may be placed that would be silent. */
  isMute(): boolean;
  stop(): Promise<void>;
}

/** Calls do not wait longer: recordings and keys work without a voice. */
const LONGEST_LOADING_MS = 30 * SECOND_MS;

export function createSpeech(options: {
  clock: Clock;
  logger: Logger;
  /** Start of a sentence in the log. */
  name?: string;
  startWorker: () => WorkerPort<ToSpeechWorker, FromSpeechWorker>;
  /** All status messages of the worker. */
  heard?: (message: FromSpeechWorker) => void;
  died?: () => void;
  /** Loads only when started explicitly. */
  startsLater?: boolean;
}): Speech {
  const clients = new Set<(port: MessagePort) => void>();
  const { clock } = options;
  let startedAt = options.startsLater === true ? null : clock.elapsedMs();
  let wasReady = false;
  const supervisor = createSupervisor<ToSpeechWorker, FromSpeechWorker>({
    ...options,
    name: options.name ?? "The built-in voice",
    firstMessage: () => ({ type: "start" }),
    heard(message) {
      options.heard?.(message);
      wasReady ||= message.type === "ready";
      if (message.type === "ready") for (const give of clients) introduce(give);
      if (message.type === "simpleVoice") {
        options.logger.warn("neural voice unavailable; the simple voice is used; run `ringward doctor` for details", {
          reason: message.reason,
        });
      }
    },
    died: () => options.died?.(),
  });

  function introduce(give: (port: MessagePort) => void): void {
    const { port1, port2 } = new MessageChannel();
    supervisor.post({ type: "client", port: port2 }, [port2]);
    give(port1);
  }

  return {
    start() {
      startedAt ??= clock.elapsedMs();
      supervisor.start();
    },
    serve(give) {
      clients.add(give);
      if (supervisor.status().worker === "running") introduce(give);
      return () => void clients.delete(give);
    },
    post: (message, transfer) => supervisor.post(message, transfer),
    status: () => supervisor.status(),
    isLoading: () =>
      !wasReady &&
      supervisor.status().message === null &&
      clock.elapsedMs() - (startedAt ?? clock.elapsedMs()) < LONGEST_LOADING_MS,
    isMute: () => !wasReady && supervisor.status().message !== null,
    stop: () => supervisor.stop({ type: "stop" }),
  };
}
