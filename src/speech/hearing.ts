// Ear, recognisers and phrase spotters as the main thread knows them: kept alive, brought together with the line's worker, and measured,
// so that no call is dialled that nobody could listen to in time. No sound and no words pass here.
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { WorkerPort } from "../core/worker-port.ts";
import { createSpotterThreads } from "./spotter/spotter-threads.ts";
import { createTalkLoad, type TalkLoad } from "./talk-load.ts";
import type { FromSpeechWorker, SpeechRole, ToSpeechWorker } from "./tts/protocol.ts";
import { createSpeech } from "./tts/speech.ts";

/** Loading takes one to two seconds. Calls wait for it this long after the start, and then go out by keypad. */
const LONGEST_START_MS = 20 * SECOND_MS;
/** An answer that takes longer to hear than this comes too late for any conversation. */
const TOO_SLOW_MS = 2_500;

/** More gains nothing: the ear hears no more calls than eight can serve. */
const MOST_RECOGNISERS = 8;

/** All cores but one, for the line, the voice and requests. */
export function recogniserCount(setting: number | "auto", cores: number): number {
  return setting === "auto" ? Math.min(MOST_RECOGNISERS, Math.max(1, cores - 1)) : setting;
}

export const isTooSlow = (utteranceMs: number) => utteranceMs > TOO_SLOW_MS;

/** The line worker's way to one of them; transfer the port. */
export type HearingPort =
  | { type: "ear"; port: MessagePort }
  | { type: "recogniser"; index: number; port: MessagePort }
  | { type: "spotter"; index: number; port: MessagePort };

export interface HearingStatus {
  /** `keypad`: nobody listens, and calls are led by keys alone. */
  state: "starting" | "listening" | "keypad";
  /** Why it is the keypad, as a sentence; null where somebody listens. */
  reason: string | null;
  recognisers: number;
  /** What an ordinary answer takes them, and a second of speech the voice. */
  utteranceMs: number | null;
  voiceMs: number | null;
  talkingCalls: number;
  mostTalkingCalls: number | null;
  spotters: number;
  /** Why alarm phrases are looked for in recognised words alone, as a sentence; null where they are heard as sound too. */
  alarmsByTextAlone: string | null;
}

export interface Hearing {
  status(): HearingStatus;
  /** Whether one more call could be listened to beside so many. Where calls go by keypad, always. */
  hasRoomBeside(calls: number): boolean;
  /** Begins to load; before that it is starting. */
  start(): void;
  /** What the voice says of itself: it takes its share of every call. */
  heardVoice(message: FromSpeechWorker): void;
  /** Gives a line worker its ways: now, and again to every worker of ours that follows. Ends with the answer. */
  serve(give: (way: HearingPort) => void): () => void;
  stop(): Promise<void>;
}

export interface HearingOptions {
  clock: Clock;
  logger: Logger;
  startWorker: (role: SpeechRole) => WorkerPort<ToSpeechWorker, FromSpeechWorker>;
  recognisers: number;
  /** Of this machine. */
  cores: number;
  /** Why there is no use in trying, as a sentence; null where there is. */
  reason: string | null;
  /** How many phrase spotters, or why none. */
  spotters: number | string;
  /** Somebody listens from now on: what waited for that may go out. */
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
  // Spotters that are down now will be back, and take their share of the cores again.
  const mostCalls = () => load.mostCalls(running(), spotters.count);
  const utteranceMs = () => load.measuredMs.recogniser;
  const isSlow = () => isTooSlow(utteranceMs() ?? 0);
  const isListening = () => ear.status().worker === "running" && running() > 0 && !isSlow();

  function ready(): void {
    if (hasListened || !isListening()) return;
    hasListened = true;
    logger.info("Calls are listened to.", {
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

  /** What a supervisor says of the first worker that failed. */
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
  logger.warn("The recogniser that was added cannot be used; the built-in one listens.", { reason });
}

function note(load: TalkLoad, message: FromSpeechWorker): void {
  if (message.type === "measured") load.measured(message.whose, message.tookMs);
  else if (message.type === "worked") load.worked(message.whose, message.tookMs);
  else if (message.type === "listening") load.listening(message.calls);
}

function deaf({ logger, recognisers }: HearingOptions, reason: string): Hearing {
  // Whoever wants none needs no warning.
  logger[recognisers === 0 ? "info" : "warn"]("Nobody listens: calls are led by keys alone.", { reason });
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
