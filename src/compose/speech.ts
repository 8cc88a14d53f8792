// Speech of calls: the voice, voice activity detection, recognisers and their threads. Independent of the carrier; a
// line's thread gets its ports to them through `serveLine`.
import { availableParallelism } from "node:os";
import type { Config } from "../config/schema.ts";
import { MINUTE_MS, type Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { WorkerPort } from "../core/worker-port.ts";
import { measureHearing } from "../speech/hearing-metrics.ts";
import { createHearing, recogniserCount } from "../speech/hearing.ts";
import { languageNamed } from "../speech/languages.ts";
import { addedRecogniser } from "../speech/onnx/added-models.ts";
import { nativeFiles } from "../speech/onnx/native-files.ts";
import { availablePacks } from "../speech/packs/packs.ts";
import { spotterCount } from "../speech/spotter/spotter-threads.ts";
import { createSpeechClient } from "../speech/tts/client.ts";
import type { Manner } from "../speech/tts/port.ts";
import { createMark } from "../speech/tts/pronunciation.ts";
import type { SpeechRole } from "../speech/tts/protocol.ts";
import { createSpeech, type Speech } from "../speech/tts/speech.ts";
import { DEFAULT_VOICE } from "../speech/tts/voices.ts";
import type { ToLineWorker } from "./threads/line-worker.ts";
import { startSpeechWorker } from "./threads/start.ts";

export interface SpeakingDeps {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** Calls are simulated, or a test supplies its own carrier: text replaces audio. */
  isSilent: boolean;
  /** Voice or recognition is ready: calls that waited for it may be dialled. */
  released: () => void;
}

export interface Speaking {
  /** Loads voice and recognition, which takes seconds. Called when the server already answers and no call is due. */
  start(): void;
  /** Gives a new line worker its ports to voice and recognition; the previous worker loses them. */
  serveLine(worker: Pick<WorkerPort<ToLineWorker, never>, "post">): void;
  /**
   * Whether recognition and voice have capacity for one more call beside `calls`. Recognition always has it for keypad
   * calls.
   */
  hasEarsBeside(calls: number): boolean;
  /**
   * `speech`: why calls are not recognised, or why they wait. `alarms`: why alarm phrases are spotted only in
   * recognised words. Null if all is well.
   */
  notes(): { speech: string | null; alarms: string | null };
  /** Whether agents can speak this language without recorded phrases. Simulated calls need no voice. */
  speaks(language: string): boolean;
  /** The built-in voice for the main thread, started on first use: 16-bit samples at 8 kHz. */
  speak(text: string): Promise<Int16Array | null>;
  stop(): Promise<void>;
}

export function createSpeaking(deps: SpeakingDeps): Speaking {
  // Also with real calls, because earlier simulated calls may still be played.
  const own = createOwnVoice(deps);
  if (!deps.isSilent) return withVoiceAndEars(deps, own);
  return {
    start() {},
    serveLine() {},
    hasEarsBeside: () => true,
    notes: () => ({ speech: null, alarms: null }),
    speaks: () => true,
    speak: own.speak,
    stop: own.stop,
  };
}

/** Checked whenever a worker starts. */
const moreWeights = ({ data }: Config) => ({ added: addedRecogniser(data.dir), packs: availablePacks(data.dir) });

/** Used when no agent and no organisation's pronunciations are known. */
const PLAIN: Manner = { language: "en", voice: DEFAULT_VOICE, mark: createMark([]) };

function createOwnVoice({ config, clock, logger }: SpeakingDeps) {
  // The voice has to load first, and no caller waits: an incomplete recording would be stored permanently.
  const client = createSpeechClient({ clock, longestWaitMs: 10 * MINUTE_MS });
  let speech: Speech | null = null;
  return {
    async speak(text: string): Promise<Int16Array | null> {
      if (!speech) {
        speech = createSpeech({ clock, logger, startWorker: () => startSpeechWorker("voice", moreWeights(config)) });
        speech.serve(client.connect);
      }
      return (await client.speak(text, PLAIN))?.samples ?? null;
    },
    stop: async () => speech?.stop(),
  };
}

/** Without configured recognisers, keypad input is intended: no fault. */
const withoutEars = ({ speech }: Config, reason: string | null) => (speech.recognisers === 0 ? null : reason);

const LOADING = "Voice and ears are being loaded; calls wait for them, half a minute at most.";

function withVoiceAndEars(deps: SpeakingDeps, own: ReturnType<typeof createOwnVoice>): Speaking {
  const { config, clock, logger, released } = deps;
  const startWorker = (role: SpeechRole) => startSpeechWorker(role, moreWeights(config));
  const hearing = createHearing({ clock, logger, startWorker, listens: released, ...earsOf(config) });
  let hasHindi = !("reason" in nativeFiles());
  const speech = createSpeech({
    clock,
    logger,
    startWorker: () => startWorker("voice"),
    startsLater: true,
    heard(message) {
      hearing.heardVoice(message);
      if (message.type === "simpleVoice") hasHindi = false;
      if (message.type === "ready") released();
    },
  });
  measureHearing(deps.metrics, hearing);
  let endServing: (() => void)[] = [];
  return {
    start() {
      speech.start();
      hearing.start();
    },
    serveLine(worker) {
      for (const end of endServing) end();
      endServing = [
        speech.serve((port) => worker.post({ type: "speech", port }, [port])),
        hearing.serve((way) => worker.post(way, [way.port])),
      ];
    },
    speaks(language) {
      const spoken = languageNamed(language);
      return !speech.isMute() && (spoken === "en" || (spoken === "hi" && hasHindi));
    },
    hasEarsBeside: (calls) => !speech.isLoading() && hearing.hasRoomBeside(calls),
    notes() {
      const { state, reason, alarmsByTextAlone } = hearing.status();
      const isLoading = speech.isLoading() || state === "starting";
      return {
        speech: speech.isMute() ? speech.status().message : isLoading ? LOADING : withoutEars(config, reason),
        alarms: config.speech.spotters === 0 ? null : alarmsByTextAlone,
      };
    },
    speak: own.speak,
    stop: async () => void (await Promise.all([speech.stop(), hearing.stop(), own.stop()])),
  };
}

/** The number of recognisers, and the reason if there are none. */
function earsOf({ speech, data }: Config) {
  const files = nativeFiles();
  const isOff = speech.recognisers === 0 ? "speech.recognisers is 0." : null;
  const reason = isOff ?? ("reason" in files ? files.reason : null);
  const cores = availableParallelism();
  const recognisers = recogniserCount(speech.recognisers, cores);
  return { recognisers, cores, reason, spotters: spottersOf({ speech, data }, recognisers) };
}

/** The number of spotters, or the reason why there are none. */
function spottersOf({ speech, data }: Pick<Config, "speech" | "data">, recognisers: number): number | string {
  const spotters = spotterCount(speech.spotters, recognisers);
  if (spotters === 0) return "speech.spotters is 0.";
  return availablePacks(data.dir)["phrase-spotter"] ? spotters : "This build comes without the phrase spotter.";
}
