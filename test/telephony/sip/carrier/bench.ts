// A SIP carrier with a real worker against SIPp on loopback, and a log of its reports.
import { afterAll } from "bun:test";
import { systemClock } from "../../../../src/core/clock.ts";
import { silentLogger } from "../../../../src/core/logger.ts";
import {
  createSipCarrier,
  type SipCarrier,
  type SipCarrierOptions,
} from "../../../../src/telephony/sip/carrier/carrier.ts";
import type { WorkerPort } from "../../../../src/core/worker-port.ts";
import { serveSpeech } from "../../../../src/speech/tts/server.ts";
import type { FromWorker, ToWorker, WorkerSettings } from "../../../../src/telephony/sip/carrier/protocol.ts";
import type { ToLineWorker } from "../../../../src/compose/threads/line-worker.ts";
import { portOf } from "../../../../src/compose/threads/start.ts";
import { audioPorts, freeSipPort } from "../../../support/free-ports.ts";
import { until } from "../../../support/until.ts";
import { createCarrierLog, type CarrierLog } from "../../carrier-log.ts";
import { trunkAt } from "../call/agent-under-test.ts";
import { startSipp, type Sipp } from "../sipp/sipp.ts";
import { afterwards } from "./clean-up.ts";

export const NUMBERS = { talks: "+919810012345", busy: "+919810010001", neverAnswers: "+919810010002" };
export const TALK_MS = 700;
export const RING_MS = 1_500;

/** A line worker that records every call, with a voice that says a quarter of a second of tone, whatever the text. */
export function startHummingWorker(): WorkerPort<ToWorker, FromWorker> {
  const worker = portOf<ToLineWorker, FromWorker>(new Worker(new URL("./recorded-line-worker.ts", import.meta.url)));
  const { port1, port2 } = new MessageChannel();
  serveSpeech(port1, async () => Int16Array.from({ length: 2_000 }, (_, i) => Math.round(8_000 * Math.sin(i / 3))));
  worker.onEnd(() => port1.close());
  worker.post({ type: "speech", port: port2 }, [port2]);
  return worker;
}

export function workerSettings(given: Partial<WorkerSettings> = {}): WorkerSettings {
  return {
    logLevel: "debug",
    address: "127.0.0.1",
    port: freeSipPort(),
    externalAddress: null,
    allowLocal: ["127.0.0.0/8"],
    rtpPorts: audioPorts(40),
    ringTimeoutMs: RING_MS,
    longestCallMs: 60_000,
    tls: null,
    lostAudioMs: 20_000,
    ...given,
  };
}

export function carrierOptions(given: Partial<SipCarrierOptions> = {}): SipCarrierOptions {
  return {
    clock: systemClock,
    logger: silentLogger,
    startWorker: startHummingWorker,
    settings: workerSettings(),
    drainMs: 0,
    loadClip: async () => new Int16Array(800),
    ...given,
  };
}

export interface RunningCarrier {
  carrier: SipCarrier;
  log: CarrierLog;
  /** Those that were started, in order. */
  workers: WorkerPort<ToWorker, FromWorker>[];
  isOpen(): boolean;
  opened(): Promise<void>;
  ended(callId: string): Promise<void>;
}

/** With one trunk, `main`, at the port given. */
export function startCarrier(port: number, given: Partial<SipCarrierOptions> = {}): RunningCarrier {
  const log = createCarrierLog();
  const workers: WorkerPort<ToWorker, FromWorker>[] = [];
  const startWorker = () => {
    const worker = startHummingWorker();
    workers.push(worker);
    return worker;
  };
  const carrier = createSipCarrier(carrierOptions({ startWorker, ...given }))(log);
  afterwards(() => carrier.stop());
  carrier.setTrunks([trunkAt(port, { lines: 20 })]);
  const isOpen = () => carrier.trunkLines("main").kind === "open";
  return {
    carrier,
    log,
    workers,
    isOpen,
    opened: () => until(isOpen, { what: () => JSON.stringify(carrier.status()) }),
    ended: (callId) => until(() => log.has(callId, "ended"), { what: () => `${callId}: ${log.of(callId).join(", ")}` }),
  };
}

/** One telephone exchange for all tests of a file; it treats each call by the number dialled. */
export function useSwitchboard(): () => Promise<Sipp> {
  let started: Promise<Sipp> | null = null;
  afterAll(async () => (await started)?.stop());
  const words = { talk_ms: String(TALK_MS) };
  return () => (started ??= startSipp("switchboard", { words, calls: 100_000, args: ["-timeout", "120s"] }));
}
