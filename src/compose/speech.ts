// What calls are heard and spoken with: the voice, the ears and their threads. It knows no carrier; a line's thread
// gets its ways to them through `serveLine`.
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
  /** Calls are simulated, or a test brings its own carrier: text takes the place of sound. */
  isSilent: boolean;
  /** Voice or ears are there: calls that waited for them may go out. */
  released: () => void;
}

export interface Speaking {
  /** Loads voice and ears, which takes seconds. Called when the server answers already, before any call is due. */
  start(): void;
  /** Gives a new line worker its ways to the voice and the ears; the one before it loses them. */
  serveLine(worker: Pick<WorkerPort<ToLineWorker, never>, "post">): void;
  /** Whether one more call beside so many could be listened to (always where calls go by keypad), and heard. */
  hasEarsBeside(calls: number): boolean;
  /**
   * `speech`: why nobody listens to calls, or why they wait. `alarms`: why alarm phrases are looked for in recognised
   * words alone. Null where all is as it should be.
   */
  notes(): { speech: string | null; alarms: string | null };
  /** Whether agents can be heard in this language without recorded words. Simulated words need no voice. */
  speaks(language: string): boolean;
  /** The built-in voice for the main thread itself, started when it is first asked: 16-bit samples at 8 kHz. */
  speak(text: string): Promise<Int16Array | null>;
  stop(): Promise<void>;
}

export function createSpeaking(deps: SpeakingDeps): Speaking {
  // Also beside real calls: calls that were simulated once may still be listened to.
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

/** Looked for whenever a worker starts. */
const moreWeights = ({ data }: Config) => ({ added: addedRecogniser(data.dir), packs: availablePacks(data.dir) });

/** For whom no agent and no organisation's pronunciations are known. */
const PLAIN: Manner = { language: "en", voice: DEFAULT_VOICE, mark: createMark([]) };

function createOwnVoice({ config, clock, logger }: SpeakingDeps) {
  // The voice has to be loaded first, and nobody is on the telephone: a recording with a hole in it would be kept for
  // good.
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

/** Keys were asked for where there are to be no recognisers: nothing is wrong. */
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

/** How many recognisers there are to be, and why none where there are none. */
function earsOf({ speech, data }: Config) {
  const files = nativeFiles();
  const isOff = speech.recognisers === 0 ? "speech.recognisers is 0." : null;
  const reason = isOff ?? ("reason" in files ? files.reason : null);
  const cores = availableParallelism();
  const recognisers = recogniserCount(speech.recognisers, cores);
  return { recognisers, cores, reason, spotters: spottersOf({ speech, data }, recognisers) };
}

/** How many there are to be, or why none. */
function spottersOf({ speech, data }: Pick<Config, "speech" | "data">, recognisers: number): number | string {
  const spotters = spotterCount(speech.spotters, recognisers);
  if (spotters === 0) return "speech.spotters is 0.";
  return availablePacks(data.dir)["phrase-spotter"] ? spotters : "This build comes without the phrase spotter.";
}
