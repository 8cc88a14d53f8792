// Scripted workers that log the messages they receive. The real one is src/compose/threads/line-worker.ts.
import type { FromWorker, ToWorker } from "../../../../src/telephony/sip/carrier/protocol.ts";
import type { WorkerPort } from "../../../../src/core/worker-port.ts";
import type { TrunkState } from "../../../../src/trunks/trunk-settings.ts";

export interface FakeWorker {
  told: ToWorker[];
  /** The types of what it was told, in order. */
  toldTypes(): string[];
  say(message: FromWorker): void;
  die(reason?: string): void;
  isTerminated: boolean;
}

export interface FakeWorkers {
  start: () => WorkerPort<ToWorker, FromWorker>;
  all: FakeWorker[];
  last(): FakeWorker;
}

export function createFakeWorkers(): FakeWorkers {
  const all: FakeWorker[] = [];
  return {
    all,
    last: () => all.at(-1)!,
    start() {
      let hear: (message: FromWorker) => void = () => {};
      let end: (reason: string) => void = () => {};
      const worker: FakeWorker = {
        told: [],
        toldTypes: () => worker.told.map(({ type }) => type),
        say: (message) => hear(message),
        die: (reason = "it threw") => end(reason),
        isTerminated: false,
      };
      all.push(worker);
      return {
        post: (message) => void worker.told.push(structuredClone(message)),
        onMessage: (listener) => void (hear = listener),
        onEnd: (listener) => void (end = listener),
        terminate: () => void (worker.isTerminated = true),
      };
    },
  };
}

export function trunkState(given: Partial<TrunkState> = {}): TrunkState {
  return {
    id: "main",
    state: "up",
    isRegistered: null,
    roundTripMs: 4,
    lastError: null,
    restingUntilMs: null,
    activeCalls: 0,
    lines: 3,
    address: "192.0.2.1:5060",
    ...given,
  };
}

export function beat(given: { lagP99Ms?: number; trunkStates?: TrunkState[] } = {}): FromWorker {
  const counters = { droppedStrangers: 7, droppedMalformed: 2, refusedBusy: 3, openCalls: 0, openTransactions: 0 };
  return { type: "beat", lagP99Ms: 1, calls: 0, counters, trunkStates: [trunkState()], ...given };
}

export function messageAt(atMs: number): Extract<FromWorker, { type: "trace" }>["message"] {
  return { atMs, direction: "sent", peer: "udp 192.0.2.1:5060", firstLine: "INVITE", text: "INVITE" };
}
