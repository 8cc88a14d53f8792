// Which carrier places the calls, and what keeps its trunks in step with the database.
import { availableParallelism } from "node:os";
import type { Certificate } from "./certificates.ts";
import type { RecordedWordsService } from "../agents/recorded-words-service.ts";
import type { Config } from "../config/schema.ts";
import type { CertificatePair } from "../core/certificate.ts";
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { inOrder } from "../core/in-order.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import type { LineMessage } from "../telephony/line-report.ts";
import type { Carrier, CarrierFactory, CarrierListener } from "../telephony/port.ts";
import { createSimulator } from "../telephony/simulator/simulator.ts";
import { courseFor } from "../telephony/simulator/test-numbers.ts";
import { createSipCarrier, type SipCarrier, type SipCarrierStatus } from "../telephony/sip/carrier/carrier.ts";
import { measureCarrier } from "../telephony/sip/carrier/carrier-metrics.ts";
import type { TrunkService } from "../trunks/trunk-service.ts";
import { createCallAgents } from "../voice/call-agents.ts";
import { simulatedEars } from "../voice/simulated-ears.ts";
import { simulatedVoice } from "../voice/simulated-speech.ts";
import { createHearing, recogniserCount } from "../speech/hearing.ts";
import { measureHearing } from "../speech/hearing-metrics.ts";
import { addedRecogniser } from "../speech/onnx/added-models.ts";
import { nativeFiles } from "../speech/onnx/native-files.ts";
import { spotterCount } from "../speech/spotter/spotter-threads.ts";
import { availablePacks } from "../speech/packs/packs.ts";
import { languageNamed } from "../speech/languages.ts";
import { createSpeechClient } from "../speech/tts/client.ts";
import type { Manner } from "../speech/tts/port.ts";
import type { SpeechRole } from "../speech/tts/protocol.ts";
import { createMark } from "../speech/tts/pronunciation.ts";
import { DEFAULT_VOICE } from "../speech/tts/voices.ts";
import { createSpeech, type Speech } from "../speech/tts/speech.ts";
import { startLineWorker, startSpeechWorker } from "./threads/start.ts";
import type { TrunkState } from "../trunks/trunk-settings.ts";

/** Takes every transfer, so that the test number for it works with any agent. */
const SIMULATED_OPERATOR = "the simulated operator";

export interface TelephonyDeps {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  trunks: TrunkService;
  recordedWords: RecordedWordsService;
  /** Of the listener for TLS trunks; none where calls are simulated. */
  certificate?: Certificate;
  listener: CarrierListener;
  /** A trunk is back: what waited for it may go out. */
  released: () => void;
  /** A test's own carrier. */
  given: CarrierFactory | undefined;
}

export interface Telephony {
  readonly carrier: Carrier;
  readonly mode: Config["telephony"]["carrier"];
  /** Calls are simulated here, and recorded only when somebody asks. */
  readonly isSimulated: boolean;
  start(): Promise<void>;
  /** Tells the carrier of trunks that changed, whoever changed them. */
  refreshTrunks(): Promise<void>;
  /** What must be done again and again while it runs. */
  readonly jobs: readonly RecurringJob[];
  trunkStates(): readonly TrunkState[];
  /** Null where calls are simulated. */
  status(): SipCarrierStatus | null;
  /** The ladder of a call under way. */
  traceOf(callId: string): readonly LineMessage[] | null;
  /** Ends what an earlier run of ours left standing at its carrier. */
  endLeft(legs: readonly string[]): void;
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

export function createTelephony(deps: TelephonyDeps): Telephony {
  const { config, clock, logger, listener, given } = deps;
  const followSettings = settingsFollower(deps);
  const { carrier: mode, simulator } = config.telephony;
  if (mode === "sip" && given === undefined) return overSip(deps, followSettings);
  const voice = createOwnVoice(deps);
  const createCallAgent = createCallAgents(simulatedVoice, () => simulatedEars, false);
  const carrier = (given ?? createSimulator({ clock, logger, ...simulator, createCallAgent, courseFor }))(listener);
  return {
    carrier,
    mode,
    isSimulated: given === undefined,
    start: followSettings,
    async refreshTrunks() {},
    jobs: [],
    trunkStates: () => [],
    status: () => null,
    traceOf: () => null,
    endLeft() {},
    hasEarsBeside: () => true,
    notes: () => ({ speech: null, alarms: null }),
    speaks: () => true,
    speak: voice.speak,
    async stop() {
      await carrier.stop();
      await voice.stop();
    },
  };
}

/** Looked for whenever a worker starts. */
const moreWeights = ({ data }: Config) => ({ added: addedRecogniser(data.dir), packs: availablePacks(data.dir) });

/** For whom no agent and no organisation's pronunciations are known. */
const PLAIN: Manner = { language: "en", voice: DEFAULT_VOICE, mark: createMark([]) };

function createOwnVoice({ config, clock, logger }: Pick<TelephonyDeps, "config" | "clock" | "logger">) {
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

/** How agents talk, and who takes callers where an agent names nobody. */
export function mannersOf({ telephony, speech }: Config, given: CarrierFactory | undefined) {
  const isSimulated = given === undefined && telephony.carrier !== "sip";
  return { spareOperator: isSimulated ? SIMULATED_OPERATOR : null, isUnhurried: speech.unhurried };
}

/** Trunks of the configuration wait for their organisation and numbers, so they are looked at again and again. */
function settingsFollower({ config, logger, trunks }: TelephonyDeps): () => Promise<void> {
  const told = new Set<string>();
  let hasRun = false;
  return async () => {
    // Once even where there are none: what an earlier configuration left behind goes.
    if (Object.keys(config.trunks).length === 0 && hasRun) return;
    hasRun = true;
    for (const { trunk, problem } of await trunks.applySettingsTrunks(config)) {
      if (told.has(`${trunk} ${problem}`)) continue;
      told.add(`${trunk} ${problem}`);
      logger.warn("A trunk of the configuration could not be applied as it stands.", { trunk, problem });
    }
  };
}

/** Keys were asked for where there are to be no recognisers: nothing is wrong. */
const withoutEars = ({ speech }: Config, reason: string | null) => (speech.recognisers === 0 ? null : reason);

const LOADING = "Voice and ears are being loaded; calls wait for them, half a minute at most.";

/** What calls are heard and spoken with. */
function createVoiceAndEars({ config, clock, logger, released }: TelephonyDeps) {
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
  return {
    speech,
    hearing,
    start() {
      speech.start();
      hearing.start();
    },
    speaks(language: string): boolean {
      const spoken = languageNamed(language);
      return !speech.isMute() && (spoken === "en" || (spoken === "hi" && hasHindi));
    },
    hasRoomBeside: (calls: number) => !speech.isLoading() && hearing.hasRoomBeside(calls),
    notes() {
      const { state, reason, alarmsByTextAlone } = hearing.status();
      const isLoading = speech.isLoading() || state === "starting";
      return {
        speech: speech.isMute() ? speech.status().message : isLoading ? LOADING : withoutEars(config, reason),
        alarms: config.speech.spotters === 0 ? null : alarmsByTextAlone,
      };
    },
    stop: async () => void (await Promise.all([speech.stop(), hearing.stop()])),
  };
}

function overSip(deps: TelephonyDeps, followSettings: () => Promise<void>): Telephony {
  const { config, clock, logger, trunks, recordedWords, listener, released } = deps;
  const { sip } = config.telephony;
  // Calls that were simulated once may still be listened to.
  const voice = createOwnVoice(deps);
  const talk = createVoiceAndEars(deps);
  let endServing: (() => void)[] = [];
  /** Each line worker gets its own ways to the voice and the ears. */
  function startWorker() {
    const worker = startLineWorker();
    for (const end of endServing) end();
    endServing = [
      talk.speech.serve((port) => worker.post({ type: "speech", port }, [port])),
      talk.hearing.serve((way) => worker.post(way, [way.port])),
    ];
    return worker;
  }
  const keepStates = inOrder(async (states: readonly TrunkState[]) => {
    await trunks.storeStates(states).catch((error: unknown) => {
      logger.error("How the trunks are could not be stored.", { error: messageOf(error) });
    });
  });
  const carrier: SipCarrier = createSipCarrier({
    clock,
    logger,
    startWorker,
    startsLater: true,
    settings: lineSettingsOf(config, deps.certificate?.current() ?? null),
    drainMs: sip.drain_seconds * SECOND_MS,
    loadClip: (key) => recordedWords.load(key),
    trunkStateChanged: (state) => void keepStates([state]),
    woken: released,
  })(listener);
  measureCarrier(deps.metrics, carrier);
  measureHearing(deps.metrics, talk.hearing);
  deps.certificate?.renewed((pair) => carrier.renewCertificate(pair));
  let sentRevision = "";

  async function refreshTrunks(): Promise<void> {
    await followSettings();
    const revision = await trunks.revision();
    if (revision === sentRevision) return;
    sentRevision = revision;
    carrier.setTrunks(await trunks.settings());
  }

  return {
    carrier,
    mode: "sip",
    isSimulated: false,
    // The server answers by now: what takes seconds to load no longer keeps it waiting, and begins before any call is
    // due.
    async start() {
      await refreshTrunks();
      carrier.start();
      talk.start();
    },
    refreshTrunks,
    jobs: [
      // Commands beside the server change trunks too, and read how they are.
      { name: "trunks", pattern: "*/15 * * * * *", run: refreshTrunks },
      { name: "how trunks are", pattern: "*/30 * * * * *", run: () => keepStates(carrier.trunkStates()) },
    ],
    trunkStates: () => carrier.trunkStates(),
    status: () => carrier.status(),
    traceOf: (callId) => carrier.traceOf(callId),
    endLeft: (legs) => carrier.endLeft(legs),
    hasEarsBeside: talk.hasRoomBeside,
    notes: talk.notes,
    speaks: talk.speaks,
    speak: voice.speak,
    async stop() {
      await carrier.stop();
      await Promise.all([talk.stop(), voice.stop()]);
    },
  };
}

/** What the line's worker goes by. */
function lineSettingsOf({ telephony: { sip }, log }: Config, certificate: CertificatePair | null) {
  return {
    logLevel: log.level,
    address: sip.address,
    port: sip.port,
    tls: certificate && { port: sip.tls_port, ...certificate },
    externalAddress: sip.external_address || null,
    allowLocal: sip.allow_local,
    rtpPorts: { from: sip.rtp_port_from, to: sip.rtp_port_to },
    ringTimeoutMs: sip.ring_timeout_seconds * SECOND_MS,
    longestCallMs: sip.longest_call_minutes * MINUTE_MS,
    lostAudioMs: sip.lost_audio_seconds * SECOND_MS,
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
