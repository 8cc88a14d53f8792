// Selects the carrier and keeps its trunks in sync with the database.
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
import type { Speaking } from "./speech.ts";
import { startLineWorker } from "./threads/start.ts";
import type { TrunkState } from "../trunks/trunk-settings.ts";

/** Accepts every transfer, so the test number for transfers works with any agent. */
const SIMULATED_OPERATOR = "the simulated operator";

export interface TelephonyDeps {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  trunks: TrunkService;
  recordedWords: RecordedWordsService;
  /** Certificate of the listener for TLS trunks; absent if calls are simulated. */
  certificate?: Certificate;
  listener: CarrierListener;
  /** A trunk is back: calls that waited for it may be dialled. */
  released: () => void;
  /** A test's own carrier. */
  given: CarrierFactory | undefined;
  /** Gives each new line worker its ports to voice and recognition. */
  serveLine: Speaking["serveLine"];
}

export interface Telephony {
  readonly carrier: Carrier;
  readonly mode: Config["telephony"]["carrier"];
  /** Calls are simulated and recorded only on request. */
  readonly isSimulated: boolean;
  start(): Promise<void>;
  /** Passes changed trunks to the carrier. */
  refreshTrunks(): Promise<void>;
  /** Recurring jobs of the carrier. */
  readonly jobs: readonly RecurringJob[];
  trunkStates(): readonly TrunkState[];
  /** Null if calls are simulated. */
  status(): SipCarrierStatus | null;
  /** The SIP ladder of a call in progress. */
  traceOf(callId: string): readonly LineMessage[] | null;
  /** Ends call legs that an earlier run left at the carrier. */
  endLeft(legs: readonly string[]): void;
  stop(): Promise<void>;
}

export function createTelephony(deps: TelephonyDeps): Telephony {
  const { config, clock, logger, listener, given } = deps;
  const followSettings = settingsFollower(deps);
  const { carrier: mode, simulator } = config.telephony;
  if (mode === "sip" && given === undefined) return overSip(deps, followSettings);
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
    stop: () => carrier.stop(),
  };
}

/** Conversation pace of agents, and the transfer target if an agent names none. */
export function mannersOf({ telephony, speech }: Config, given: CarrierFactory | undefined) {
  const isSimulated = given === undefined && telephony.carrier !== "sip";
  return { spareOperator: isSimulated ? SIMULATED_OPERATOR : null, isUnhurried: speech.unhurried };
}

/** Trunks of the configuration wait for their organisation and numbers, so they are checked repeatedly. */
function settingsFollower({ config, logger, trunks }: TelephonyDeps): () => Promise<void> {
  const told = new Set<string>();
  let hasRun = false;
  return async () => {
    // Runs once even without trunks, to remove those of an earlier configuration.
    if (Object.keys(config.trunks).length === 0 && hasRun) return;
    hasRun = true;
    for (const { trunk, problem } of await trunks.applySettingsTrunks(config)) {
      if (told.has(`${trunk} ${problem}`)) continue;
      told.add(`${trunk} ${problem}`);
      logger.warn("A trunk of the configuration could not be applied as it stands.", { trunk, problem });
    }
  };
}

function overSip(deps: TelephonyDeps, followSettings: () => Promise<void>): Telephony {
  const { config, clock, logger, trunks, recordedWords, listener, released, serveLine } = deps;
  const { sip } = config.telephony;
  function startWorker() {
    const worker = startLineWorker();
    serveLine(worker);
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
    async start() {
      await refreshTrunks();
      carrier.start();
    },
    refreshTrunks,
    jobs: [
      // Command-line tools change trunks too, and read their state.
      { name: "trunks", pattern: "*/15 * * * * *", run: refreshTrunks },
      { name: "how trunks are", pattern: "*/30 * * * * *", run: () => keepStates(carrier.trunkStates()) },
    ],
    trunkStates: () => carrier.trunkStates(),
    status: () => carrier.status(),
    traceOf: (callId) => carrier.traceOf(callId),
    endLeft: (legs) => carrier.endLeft(legs),
    stop: () => carrier.stop(),
  };
}

/** Settings of the line worker. */
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
