// Detector, recognisers and spotters as seen from the main thread: supervised, connected to the line worker, and
// measured, so that no call is dialled that could not be recognised in time. No audio or words pass through here.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { WorkerPort } from "../core/worker-port.ts";
import { createSpotterThreads } from "./spotter/spotter-threads.ts";
import { createTalkLoad, type TalkLoad } from "./talk-load.ts";
import type { FromSpeechWorker, SpeechRole, ToSpeechWorker } from "./tts/protocol.ts";
import { createSpeech } from "./tts/speech.ts";

/** Loading takes one to two seconds. Calls wait this long after the start, then go out by keypad. */
const LONGEST_START_MS = 20 * SECOND_MS;
/** Recognition slower than this is too late for a conversation. */
const TOO_SLOW_MS = 2_500;

/** More have no effect: the detector supports no more calls than eight recognisers can serve. */
const MOST_RECOGNISERS = 8;

/** All cores but one, which is left for the line, the voice and requests. */
export function recogniserCount(setting: number | "auto", cores: number): number {
  return setting === "auto" ? Math.min(MOST_RECOGNISERS, Math.max(1, cores - 1)) : setting;
}

export const isTooSlow = (utteranceMs: number) => utteranceMs > TOO_SLOW_MS;

/** A port between the line worker and one of the threads; transfer it. */
export type HearingPort =
  | { type: "ear"; port: MessagePort }
  | { type: "recogniser"; index: number; port: MessagePort }
  | { type: "spotter"; index: number; port: MessagePort };

export interface HearingStatus {
  /** `keypad`: no recognition; calls work by keys. */
  state: "starting" | "listening" | "keypad";
  /** Why calls work by keypad, as a sentence; null while recognition works. */
  reason: string | null;
  recognisers: number;
  /** Time for an ordinary answer, and for one second of synthesised speech. */
  utteranceMs: number | null;
  voiceMs: number | null;
  talkingCalls: number;
  mostTalkingCalls: number | null;
  spotters: number;
  /** Why alarm phrases are searched in recognised words only, as a sentence; null if the spotter runs. */
  alarmsByTextAlone: string | null;
}

export interface Hearing {
  status(): HearingStatus;
  /** Whether one more call could be recognised beside these. Always true on keypad. */
  hasRoomBeside(calls: number): boolean;
  /** Starts loading; the state is `starting` until then. */
  start(): void;
  /** Reports of the voice worker, which takes its share of every call. */
  heardVoice(message: FromSpeechWorker): void;
  /** Gives a line worker its ports, now and after each restart of a thread. Returns a function that stops this. */
  serve(give: (way: HearingPort) => void): () => void;
  stop(): Promise<void>;
}

export interface HearingOptions {
  clock: Clock;
  logger: Logger;
  startWorker: (role: SpeechRole) => WorkerPort<ToSpeechWorker, FromSpeechWorker>;
  recognisers: number;
  /** Cores of this machine. */
  cores: number;
  /** Why recognition cannot work here, as a sentence; otherwise null. */
  reason: string | null;
  /** Number of spotters, or why there are none. */
  spotters: number | string;
  /** Recognition is ready: waiting calls may be dialled. */
  listens?: () => void;
}

export function createHearing(options: HearingOptions): Hearing {
  if (options.reason !== null) return deaf(options, options.reason);
  const { clock, logger, startWorker } = options;
  const load = createTalkLoad({ clock, cores: options.cores });
  let startedAt: number | null = null;
  let hasListened = false;

  function heard(message: FromSpeechWorker): void {
    note(load, message);
    if (message.type === "ready") ready();
    if (message.type === "builtInRecogniser") warnOfBuiltIn(logger, message.reason);
  }

  const workerOf = (role: SpeechRole, name: string, died = () => {}) =>
    createSpeech({ clock, logger, name, startWorker: () => startWorker(role), heard, died, startsLater: true });
  const ear = workerOf("ear", "The voice detector", () => load.listening(0));
  const recognisers = Array.from({ length: options.recognisers }, (_, index) =>
    workerOf("recogniser", `The recogniser ${index + 1}`),
  );
  const threadOf = (index: number) => workerOf("spotter", `The phrase spotter ${index + 1}`);
  const spotters = createSpotterThreads({ clock, spotters: options.spotters, threadOf });

  const running = () => recognisers.filter((worker) => worker.status().worker === "running").length;
  // Spotters that are down will restart, so they keep their share of the cores.
  const mostCalls = () => load.mostCalls(running(), spotters.count);
  const utteranceMs = () => load.measuredMs.recogniser;
  const isSlow = () => isTooSlow(utteranceMs() ?? 0);
  const isListening = () => ear.status().worker === "running" && running() > 0 && !isSlow();

  function ready(): void {
    if (hasListened || !isListening()) return;
    hasListened = true;
    logger.info("speech recognition started", {
      recognisers: recognisers.length,
      utterance_ms: Math.round(utteranceMs() ?? 0),
      most_talking_calls: mostCalls(),
      spotters: options.spotters,
    });
    options.listens?.();
  }

  function state(): HearingStatus["state"] {
    if (isListening()) return "listening";
    const waitedMs = startedAt === null ? 0 : clock.elapsedMs() - startedAt;
    const isStarting = !hasListened && !isSlow() && trouble() === null && waitedMs < LONGEST_START_MS;
    return isStarting ? "starting" : "keypad";
  }

  /** Message of the first failed worker. */
  const trouble = () =>
    [ear, ...recognisers].map((worker) => worker.status().message).find((message) => message !== null) ?? null;

  const reason = () => (isSlow() ? tooSlow(utteranceMs() ?? 0) : (trouble() ?? TAKE_LONG));

  return {
    status() {
      const now = state();
      return {
        state: now,
        reason: now === "keypad" ? reason() : null,
        recognisers: running(),
        utteranceMs: utteranceMs(),
        voiceMs: load.measuredMs.voice,
        talkingCalls: load.calls,
        mostTalkingCalls: now === "listening" ? mostCalls() : null,
        spotters: spotters.running(),
        alarmsByTextAlone: spotters.absence(),
      };
    },
    start() {
      startedAt ??= clock.elapsedMs();
      for (const worker of [ear, ...recognisers, spotters]) worker.start();
    },
    heardVoice: (message) => note(load, message),
    hasRoomBeside(calls) {
      if (state() !== "listening") return state() === "keypad";
      return calls < (mostCalls() ?? Infinity);
    },
    serve(give) {
      const ends = [
        ear.serve((port) => give({ type: "ear", port })),
        ...recognisers.map((worker, index) => worker.serve((port) => give({ type: "recogniser", index, port }))),
        spotters.serve((index, port) => give({ type: "spotter", index, port })),
      ];
      return () => void ends.map((end) => end());
    },
    stop: async () => void (await Promise.all([ear, ...recognisers, spotters].map((worker) => worker.stop()))),
  };
}

const TAKE_LONG = "The voice detector and the recognisers take long to start.";
const tooSlow = (utteranceMs: number) =>
  `This machine takes ${Math.round(utteranceMs)} ms to hear an answer: too slow to talk.`;

function warnOfBuiltIn(logger: Logger, reason: string): void {
  logger.warn("added recogniser rejected; the built-in one is used", { reason });
}

function note(load: TalkLoad, message: FromSpeechWorker): void {
  if (message.type === "measured") load.measured(message.whose, message.tookMs);
  else if (message.type === "worked") load.worked(message.whose, message.tookMs);
  else if (message.type === "listening") load.listening(message.calls);
}

function deaf({ logger, recognisers }: HearingOptions, reason: string): Hearing {
  // Zero recognisers is a choice of the operator and needs no warning.
  logger[recognisers === 0 ? "info" : "warn"]("speech recognition unavailable; calls use the keypad only", { reason });
  const status: HearingStatus = {
    state: "keypad",
    reason,
    recognisers: 0,
    utteranceMs: null,
    voiceMs: null,
    talkingCalls: 0,
    mostTalkingCalls: null,
    spotters: 0,
    alarmsByTextAlone: null,
  };
  return {
    status: () => status,
    start() {},
    heardVoice() {},
    hasRoomBeside: () => true,
    serve: () => () => {},
    async stop() {},
  };
}
