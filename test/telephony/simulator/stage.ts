// A simulator with the real agent, and a log of what becomes of its calls.
import { afterEach, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callEndOf, type Conversation } from "../../../src/calls/call/call-end.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { createLogger } from "../../../src/core/logger.ts";
import type { CallOrder, Carrier } from "../../../src/telephony/port.ts";
import { createSimulator, type SimulatorOptions } from "../../../src/telephony/simulator/simulator.ts";
import { courseFor } from "../../../src/telephony/simulator/test-numbers.ts";
import type { BookingDesk } from "../../../src/calendar/desk-port.ts";
import type { AgentBrief } from "../../../src/voice/port.ts";
import { simulatedVoice } from "../../../src/voice/simulated-speech.ts";
import { createCallAgents } from "../../../src/voice/call-agents.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { BRIEF, callOrder, createCarrierLog, recordedFromAnswer } from "../carrier-log.ts";
import { answeredBy } from "../agent-scripts.ts";

const createCallAgent = recordedFromAnswer(createCallAgents(simulatedVoice));

/** How many of its timers wait. */
function countingClock(clock: ManualClock): ManualClock & { waiting(): number } {
  let waiting = 0;
  const after: Clock["after"] = (delayMs, callback) => {
    let isOpen = true;
    const close = () => {
      if (isOpen) waiting--;
      isOpen = false;
    };
    waiting++;
    const cancel = clock.after(delayMs, () => {
      close();
      callback();
    });
    return () => {
      close();
      cancel();
    };
  };
  return { ...clock, after, waiting: () => waiting };
}

export const DESK: BookingDesk = {
  canBook: true,
  appointment: async () => null,
  confirm: async () => true,
  cancel: () => Promise.resolve(true),
  requestChange: async () => true,
  offer: async () => [{ label: "A", date: "2026-05-05", startTime: "10:30", endTime: "11:00" }],
  book: async () => ({ label: "A", date: "2026-05-05", startTime: "10:30", endTime: "11:00" }),
};

export const briefed = (given: Partial<AgentBrief>): AgentBrief => ({ ...BRIEF, ...given });

export const said = ({ transcript }: Conversation) => transcript.map(({ speaker, text }) => `${speaker}: ${text}`);

/** A new one for each test of the file. */
export function useSimulator(): SimulatorStage {
  const stage = new SimulatorStage();
  beforeEach(() => stage.open());
  afterEach(() => stage.close());
  return stage;
}

export class SimulatorStage {
  clock = countingClock(createManualClock());
  log = createCarrierLog();
  logLines: string[] = [];
  folder = "";
  desk = DESK;
  #carrier: Carrier | null = null;

  get carrier(): Carrier {
    if (!this.#carrier) throw new Error("The simulator has not been started.");
    return this.#carrier;
  }

  open(): void {
    this.clock = countingClock(createManualClock());
    this.log = createCarrierLog();
    this.logLines = [];
    this.desk = DESK;
    this.folder = mkdtempSync(join(tmpdir(), "ringward-simulator-"));
    this.start();
  }

  async close(): Promise<void> {
    await this.carrier.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  start(given: Partial<SimulatorOptions> = {}): void {
    const { clock, log } = this;
    const logger = createLogger(clock, "debug", (line) => void this.logLines.push(line));
    const listener = { ...log, asked: (_: string, question: unknown) => answeredBy(this.desk, question) };
    this.#carrier = createSimulator({ clock, logger, speed: 1, lines: 10, createCallAgent, courseFor, ...given })(
      listener,
    );
  }

  dial(given: Partial<CallOrder> = {}): void {
    this.carrier.dial(callOrder({ recordingFile: join(this.folder, "call.wav"), ...given }));
  }

  conversation(callId = "call-1"): Conversation {
    const end = callEndOf(this.log.endOf(callId));
    if (end.kind !== "completed") throw new Error(end.code);
    return end;
  }

  async talk(given: Partial<CallOrder> = {}): Promise<Conversation> {
    this.dial(given);
    await this.clock.advance(120_000);
    return this.conversation(given.callId);
  }
}
