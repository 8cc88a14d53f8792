// The speech worker as the main thread knows it: kept alive, and brought together with whoever wants to hear words.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { WorkerPort } from "../../core/worker-port.ts";
import { createSupervisor, type WorkerStatus } from "../../core/worker-supervisor.ts";
import type { FromSpeechWorker, ToSpeechWorker } from "./protocol.ts";

export interface Speech {
  /** Begins to load. Where it did so by itself, it changes nothing. */
  start(): void;
  /** Gives this client its way to the worker: now, and again to every worker that follows. Ends with the answer. */
  serve(give: (port: MessagePort) => void): () => void;
  /** Lost where there is no worker. */
  post(message: ToSpeechWorker, transfer: readonly Transferable[]): void;
  status(): WorkerStatus;
  /** The first worker is still loading: whoever was called now might hear nothing. */
  isLoading(): boolean;
  /** It never spoke, and cannot be loaded. It is tried again, but nobody may be rung to hear silence. */
  isMute(): boolean;
  stop(): Promise<void>;
}

/** Calls wait no longer for it: recorded words and keys serve without a voice. */
const LONGEST_LOADING_MS = 30 * SECOND_MS;

export function createSpeech(options: {
  clock: Clock;
  logger: Logger;
  /** As a sentence begins. */
  name?: string;
  startWorker: () => WorkerPort<ToSpeechWorker, FromSpeechWorker>;
  /** Everything that it says of itself. */
  heard?: (message: FromSpeechWorker) => void;
  died?: () => void;
  /** It loads once it is told to. */
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
        options.logger.warn("The neural voice cannot be loaded; the simple one speaks. `ringward doctor` says more.", {
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
