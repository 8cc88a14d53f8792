// The main thread's side of SIP, with a scripted worker and clock.
import { createLogger } from "../../../../src/core/logger.ts";
import type { Arrival, CallOrder, CarrierListener } from "../../../../src/telephony/port.ts";
import {
  createSipCarrier,
  type SipCarrier,
  type SipCarrierOptions,
} from "../../../../src/telephony/sip/carrier/carrier.ts";
import { createManualClock, settle, type ManualClock } from "../../../support/manual-clock.ts";
import { callOrder, createCarrierLog, type CarrierLog } from "../../carrier-log.ts";
import { trunkAt } from "../call/agent-under-test.ts";
import { carrierOptions } from "./bench.ts";
import { beat, createFakeWorkers, type FakeWorkers } from "./fake-worker.ts";

export class MainSide {
  readonly clock: ManualClock = createManualClock();
  readonly workers: FakeWorkers = createFakeWorkers();
  readonly log: CarrierLog = createCarrierLog();
  readonly logLines: string[] = [];
  readonly arrivals: Arrival[] = [];
  wokenTimes = 0;
  /** What agents are told. */
  answer: CarrierListener["asked"] = () => Promise.reject(new Error("Nobody answers here."));
  carrier!: SipCarrier;

  /** With one trunk, `main`, of three lines. */
  start(given: Partial<SipCarrierOptions> = {}): void {
    const { clock, workers } = this;
    const logger = createLogger(clock, "debug", (line) => void this.logLines.push(line));
    const woken = () => void this.wokenTimes++;
    const listener = {
      ...this.log,
      arrived: (arrival: Arrival) => void this.arrivals.push(arrival),
      asked: (...question: Parameters<CarrierListener["asked"]>) => this.answer(...question),
    };
    const options = carrierOptions({ clock, logger, startWorker: workers.start, woken, ...given });
    this.carrier = createSipCarrier(options)(listener);
    this.carrier.setTrunks([trunkAt(5060, { lines: 3 })]);
  }

  /** The newest worker is ready and sees the trunk. */
  run(): void {
    this.workers.last().say({ type: "ready", port: 5060 });
    this.workers.last().say(beat());
  }

  async dial(given: Partial<CallOrder> = {}): Promise<void> {
    this.carrier.dial(callOrder({ trunkId: "main", recordingFile: "/nowhere/a.wav", ...given }));
    await settle();
  }
}

export const clips = (...keys: string[]): CallOrder["clips"] =>
  keys.map((key, i) => ({ name: i === 0 ? "greeting" : "menu", key }));
