// The built-in carrier: it rings nobody, and lives through every call as if it did. The number decides what happens.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { BookingDesk, CallEnd, Carrier, CarrierFactory, CarrierListener, DialRequest, Room } from "../port.ts";
import { writeScript, type Visit } from "./conversation.ts";
import { courseFor, type Course } from "./outcomes.ts";
import { writeRecording } from "./recording.ts";
import { cutScript, toConversation, type Script } from "./script.ts";

export interface SimulatorOptions {
  clock: Clock;
  logger: Logger;
  /** How many simulated seconds pass in one second. */
  speed: number;
  lines: number;
}

interface LiveCall {
  request: DialRequest;
  /** Each call waits for one thing at a time. */
  cancelWait: () => void;
  /** Null until it is answered. */
  talk: { script: Script; answeredAtMs: number } | null;
}

const DIALLING_SECONDS = 1;
const OFFERED_SLOTS = 2;
/** Enough to notice a repeated dial, without keeping every id of a machine that runs for years. */
const REMEMBERED_IDS = 10_000;

const ALL_LINES_BUSY: Course = {
  kind: "fails",
  ringSeconds: null,
  code: "infrastructure_error",
  message: "Every line of the simulator is in use. Raise telephony.simulator.lines.",
};

export function createSimulator(options: SimulatorOptions): CarrierFactory {
  return (listener) => new Simulator(options, listener);
}

class Simulator implements Carrier {
  readonly name = "simulator";
  readonly lines: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #speed: number;
  readonly #listener: CarrierListener;
  readonly #calls = new Map<string, LiveCall>();
  readonly #dialledIds = new Set<string>();
  #stopped = false;

  constructor({ clock, logger, speed, lines }: SimulatorOptions, listener: CarrierListener) {
    this.lines = lines;
    this.#clock = clock;
    this.#logger = logger;
    this.#speed = speed;
    this.#listener = listener;
  }

  /** Every number will do, with a trunk or without. */
  room(): Room {
    return { kind: "open", lines: this.lines - this.#calls.size };
  }

  dial(request: DialRequest): void {
    const { callId } = request;
    if (this.#stopped || this.#calls.has(callId) || this.#dialledIds.has(callId)) {
      const reason = this.#stopped ? "stopped" : "dialled_before";
      this.#logger.error("The simulator refuses to dial.", { call_id: callId, reason });
      return;
    }
    this.#remember(callId);
    this.#logger.info("The simulator dials.", { call_id: callId });
    const course = this.#calls.size < this.lines ? courseFor(request.to) : ALL_LINES_BUSY;
    const call: LiveCall = { request, cancelWait: () => {}, talk: null };
    this.#calls.set(callId, call);
    this.#wait(call, DIALLING_SECONDS, () => this.#connect(call, course));
  }

  hangUp(callId: string): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    const spokenSeconds = this.#spokenSeconds(call);
    // Reported a moment later, as a real line would: whoever hangs up may be in the middle of something.
    this.#wait(call, 0, () => {
      if (call.talk) this.#complete(call, cutScript(call.talk.script, spokenSeconds));
      else this.#fail(call, "interrupted", "The call was hung up before it was answered.");
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const call of this.#calls.values()) {
      this.#fail(call, "interrupted", "The service was stopped during the call.");
    }
  }

  #connect(call: LiveCall, course: Course): void {
    if (course.ringSeconds === null) {
      this.#follow(call, course);
      return;
    }
    this.#wait(call, course.ringSeconds, () => this.#follow(call, course));
    this.#listener.ringing(call.request.callId);
  }

  #follow(call: LiveCall, course: Course): void {
    if (course.kind === "fails") {
      this.#fail(call, course.code, course.message);
      return;
    }
    const { desk } = call.request;
    this.#listener.answered(call.request.callId);
    if (course.ending === "session_ended" && desk?.canBook) void this.#talkWithCalendar(call, desk);
    else this.#talk(call, writeScript(call.request, course.ending), (script) => this.#complete(call, script));
  }

  /** Speaks a script to its end. A longer one that begins with the same words goes on where the shorter stopped. */
  #talk(call: LiveCall, script: Script, then: (script: Script) => void | Promise<void>): void {
    const spokenSeconds = call.talk?.script.durationSeconds ?? 0;
    call.talk = { script, answeredAtMs: call.talk?.answeredAtMs ?? this.#clock.now() };
    this.#wait(call, script.durationSeconds - spokenSeconds, () => void then(script));
  }

  /** Offers real places, and books the one that is chosen: two waits for the calendar in the middle of the talk. */
  async #talkWithCalendar(call: LiveCall, desk: BookingDesk): Promise<void> {
    const write = (visit: Visit) => writeScript(call.request, "session_ended", visit);
    const offers = await desk.offer(OFFERED_SLOTS).catch((error: unknown) => this.#withoutCalendar(call, error, []));
    if (!this.#isLive(call)) return;
    this.#talk(call, write({ offers, state: "offering" }), async (script) => {
      const [chosen] = offers;
      if (!chosen) {
        this.#complete(call, script);
        return;
      }
      const booked = await desk.book(chosen.label).catch((error: unknown) => this.#withoutCalendar(call, error, null));
      if (!this.#isLive(call)) return;
      this.#talk(call, write({ offers, state: booked ? "booked" : "taken" }), (whole) => this.#complete(call, whole));
    });
  }

  /** The talk goes on as if nothing were open; the fault is told to whoever looks after the appliance. */
  #withoutCalendar<T>(call: LiveCall, error: unknown, instead: T): T {
    const name = error instanceof Error ? error.name : typeof error;
    this.#logger.error("The calendar failed during a call.", { call_id: call.request.callId, error: name });
    return instead;
  }

  #isLive(call: LiveCall): boolean {
    return this.#calls.get(call.request.callId) === call;
  }

  #complete(call: LiveCall, script: Script): void {
    this.#end(call, toConversation(script, this.#record(call.request, script)));
  }

  #fail(call: LiveCall, code: Extract<CallEnd, { kind: "failed" }>["code"], message: string): void {
    const duration = call.talk && { durationSeconds: this.#spokenSeconds(call) };
    this.#end(call, { kind: "failed", code, message, ...duration });
  }

  #end(call: LiveCall, end: CallEnd): void {
    call.cancelWait();
    this.#calls.delete(call.request.callId);
    this.#listener.ended(call.request.callId, end);
  }

  #record({ callId, recordingFile }: DialRequest, script: Script): boolean {
    try {
      writeRecording(recordingFile, script);
      return true;
    } catch (error) {
      // The error's message names the file; its code, such as ENOSPC, says enough.
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      this.#logger.error("A recording could not be written; the call is kept without it.", { call_id: callId, code });
      return false;
    }
  }

  /** In simulated seconds. Bounded, because somebody may set the machine's clock during the call. */
  #spokenSeconds({ talk }: LiveCall): number {
    if (!talk) return 0;
    const milliseconds = Math.round((this.#clock.now() - talk.answeredAtMs) * this.#speed);
    return Math.min(Math.max(milliseconds / SECOND_MS, 0), talk.script.durationSeconds);
  }

  #wait(call: LiveCall, seconds: number, then: () => void): void {
    call.cancelWait();
    call.cancelWait = this.#clock.after((seconds * SECOND_MS) / this.#speed, then);
  }

  #remember(callId: string): void {
    this.#dialledIds.add(callId);
    if (this.#dialledIds.size <= REMEMBERED_IDS) return;
    const [oldest] = this.#dialledIds;
    if (oldest !== undefined) this.#dialledIds.delete(oldest);
  }
}
