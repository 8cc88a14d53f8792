// The built-in carrier: it dials no real phone and runs every call as if it did. The number selects the callee; the
// agent on our side is the real one.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { createDialledIds } from "../dialled-ids.ts";
import { createFencedAgent, type FencedAgent } from "../fenced-agent.ts";
import type {
  CallOrder,
  Carrier,
  CarrierFactory,
  CarrierListener,
  CreateCallAgent,
  Failure,
  LineEnd,
  TrunkLines,
} from "../port.ts";
import { startSimulatedCall, type SimulatedCall } from "./simulated-call.ts";
import { createSimulatedClock, type SimulatedClock } from "./simulated-clock.ts";
import type { Course } from "./test-numbers.ts";

export interface SimulatorOptions {
  clock: Clock;
  logger: Logger;
  /** Simulated seconds per real second. */
  speed: number;
  lines: number;
  createCallAgent: CreateCallAgent;
  /** Selects the course of a call by its number. */
  courseFor: (number: string, calleeLines?: readonly string[]) => Course;
}

interface PlayedCall {
  readonly order: CallOrder;
  readonly clock: SimulatedClock;
  readonly agent: FencedAgent;
  /** Null until the answer. */
  talk: SimulatedCall | null;
  /** Set by the first hang-up or failure. */
  end: LineEnd | null;
}

const DIALLING_SECONDS = 1;

type Reason = Pick<Failure, "code" | "message" | "putBack">;

const ALL_LINES_BUSY: Course = {
  kind: "fails",
  ringSeconds: null,
  code: "infrastructure_error",
  message: "Every line of the simulator is in use. Raise telephony.simulator.lines.",
  putBack: true,
};
const NOT_ANSWERED: Reason = { code: "interrupted", message: "The call was hung up before it was answered." };
const STOPPED: Reason = { code: "interrupted", message: "The service was stopped during the call." };
const AGENT_FAILED: Reason = {
  code: "infrastructure_error",
  message: "The agent failed, and the call was hung up.",
};

export function createSimulator(options: SimulatorOptions): CarrierFactory {
  return (listener) => new Simulator(options, listener);
}

class Simulator implements Carrier {
  readonly name = "simulator";
  readonly lines: number;
  readonly #options: SimulatorOptions;
  readonly #listener: CarrierListener;
  readonly #calls = new Map<string, PlayedCall>();
  readonly #dialledIds = createDialledIds();
  #stopped = false;

  constructor(options: SimulatorOptions, listener: CarrierListener) {
    this.lines = options.lines;
    this.#options = options;
    this.#listener = listener;
  }

  /** Every number works, with or without a trunk. */
  trunkLines(): TrunkLines {
    return { kind: "open", lines: this.lines - this.#calls.size };
  }

  dial(order: CallOrder): void {
    const { callId } = order;
    const { logger } = this.#options;
    if (this.#stopped || this.#calls.has(callId) || this.#dialledIds.has(callId)) {
      const reason = this.#stopped ? "stopped" : "dialled_before";
      logger.error("The simulator refuses to dial.", { call_id: callId, reason });
      return;
    }
    this.#dialledIds.add(callId);
    logger.info("The simulator dials.", { call_id: callId });
    const course =
      this.#calls.size < this.lines ? this.#options.courseFor(order.to, order.calleeLines) : ALL_LINES_BUSY;
    const call = this.#begin(order);
    call.clock.after(DIALLING_SECONDS * SECOND_MS, () => this.#connect(call, course));
  }

  hangUp(callId: string): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    // Deferred as on a real line: the caller of hangUp may be in the middle of something. Uses the real clock, because
    // the call's own clock may be paused.
    this.#options.clock.after(0, () => (call.talk ? this.#over(call, "us") : this.#fail(call, NOT_ANSWERED)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const call of this.#calls.values()) this.#fail(call, STOPPED);
  }

  /** Creates the agent while the phone rings, as on a real line. */
  #begin(order: CallOrder): PlayedCall {
    const { callId, brief } = order;
    const { logger, createCallAgent } = this.#options;
    const clock = createSimulatedClock(this.#options.clock, this.#options.speed);
    const ask = async (question: unknown) => {
      clock.pause();
      try {
        return await this.#listener.asked(callId, question);
      } finally {
        clock.resume();
      }
    };
    const agent = createFencedAgent({
      callId,
      clock,
      logger,
      brief,
      createCallAgent,
      ask,
      // A simulated call has no audio, so words stand in for recordings too.
      clip: () => null,
      failed: () => this.#fail(call, AGENT_FAILED),
    });
    const call: PlayedCall = { order, clock, agent, talk: null, end: null };
    this.#calls.set(callId, call);
    return call;
  }

  #connect(call: PlayedCall, course: Course): void {
    if (course.ringSeconds === null) {
      this.#follow(call, course);
      return;
    }
    call.clock.after(course.ringSeconds * SECOND_MS, () => this.#follow(call, course));
    this.#listener.ringing(call.order.callId);
  }

  #follow(call: PlayedCall, course: Course): void {
    if (course.kind === "fails") {
      this.#fail(call, course);
      return;
    }
    this.#listener.answered(call.order.callId);
    const { clock, agent } = call;
    call.talk = startSimulatedCall({ clock, agent, callee: course.callee, over: (by) => this.#over(call, by) });
  }

  #over(call: PlayedCall, by: "us" | "peer"): void {
    const durationSeconds = call.talk?.seconds() ?? 0;
    const recorded = call.order.recordingFile !== null && call.talk?.wasRecorded === true;
    call.talk?.close();
    const left = call.agent.ended(by);
    if (!left) this.#fail(call, AGENT_FAILED);
    else this.#end(call, { kind: "completed", ...left, durationSeconds, recorded });
  }

  #fail(call: PlayedCall, { code, message, putBack }: Reason): void {
    const durationSeconds = call.talk?.seconds();
    call.talk?.close();
    const left = call.agent.ended("us");
    if (putBack) this.#dialledIds.forget(call.order.callId);
    const talked = durationSeconds !== undefined && { durationSeconds, ...left };
    this.#end(call, { kind: "failed", code, message, ...(putBack && { putBack }), ...talked });
  }

  #end(call: PlayedCall, end: LineEnd): void {
    if (call.end) return;
    call.end = end;
    call.clock.stop();
    this.#calls.delete(call.order.callId);
    this.#listener.ended(call.order.callId, end);
  }
}
