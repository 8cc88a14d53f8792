// The calls under way as the main thread knows them: who asked, on which trunk, the ladder so far, and whom to tell.
import { SECOND_MS, type Clock } from "../../../core/clock.ts";
import { salvageRecording } from "../../../audio/wav.ts";
import type { LineMessage } from "../../line-report.ts";
import type { KeptDialog } from "../call/dialog.ts";
import type { CallOrder, CarrierListener, Failure, LineEnd } from "../../port.ts";

export interface CarriedCall {
  readonly callId: string;
  readonly trunkId: string;
  readonly direction: "outbound" | "inbound";
  /** Null while it rings at us and nobody has taken it. */
  order: CallOrder | null;
  /** Once `ordered` the worker has it; before that nothing was dialled. `leaving` never gets there. */
  stage: "preparing" | "ordered" | "leaving";
  answeredAtMs: number | null;
  /** Set once it stands at the trunk: what ends it there, should the worker die. */
  dialog: KeptDialog | null;
  readonly trace: LineMessage[];
}

export interface CarriedCalls {
  get(callId: string): CarriedCall | undefined;
  /** Without an order it is one that arrives. */
  add(callId: string, trunkId: string, order: CallOrder | null): CarriedCall;
  isLive(call: CarriedCall): boolean;
  countOn(trunkId: string): number;
  all(): CarriedCall[];
  traced(callId: string, message: LineMessage): void;
  ringing(callId: string): void;
  answered(callId: string): void;
  dialogKept(callId: string, kept: KeptDialog): void;
  /** Tells the listener, with the ladder. Later reports on it are dropped. */
  ended(callId: string, end: LineEnd): void;
  /** Ended for a cause on our side of the worker, which has not said what it knew of the line. */
  brokeOff(call: CarriedCall, failure: Pick<Failure, "code" | "message" | "putBack">): void;
  /** Without a word: a call that was rejected is none. */
  forget(callId: string): void;
}

const MOST_MESSAGES = 300;

export function createCarriedCalls(clock: Clock, listener: CarrierListener): CarriedCalls {
  const calls = new Map<string, CarriedCall>();

  function ended(callId: string, end: LineEnd): void {
    const call = calls.get(callId);
    if (!call) return;
    calls.delete(callId);
    const { trunkId, trace } = call;
    listener.ended(callId, { ...end, line: { trunkId, media: null, captured: false, ...end.line, trace } });
  }

  /** Nobody closed the recording: what is on the disk is made playable. */
  function talkOf({ recordingFile }: CallOrder, answeredAtMs: number | null): Partial<Failure> {
    if (answeredAtMs === null) return {};
    const recordedSeconds = salvageRecording(recordingFile);
    const elapsedSeconds = Math.max(0, clock.now() - answeredAtMs) / SECOND_MS;
    return { durationSeconds: recordedSeconds ?? elapsedSeconds, recorded: recordedSeconds !== null };
  }

  return {
    get: (callId) => calls.get(callId),
    add(callId, trunkId, order) {
      const direction = order ? "outbound" : "inbound";
      const call: CarriedCall = {
        callId,
        trunkId,
        direction,
        order,
        stage: "preparing",
        answeredAtMs: null,
        dialog: null,
        trace: [],
      };
      calls.set(callId, call);
      return call;
    },
    isLive: (call) => calls.get(call.callId) === call,
    countOn: (trunkId) => calls.values().reduce((count, call) => count + (call.trunkId === trunkId ? 1 : 0), 0),
    all: () => [...calls.values()],
    traced(callId, message) {
      const trace = calls.get(callId)?.trace;
      if (trace && trace.length < MOST_MESSAGES) trace.push(message);
    },
    ringing(callId) {
      if (calls.has(callId)) listener.ringing(callId);
    },
    answered(callId) {
      const call = calls.get(callId);
      if (!call) return;
      call.answeredAtMs = clock.now();
      listener.answered(callId);
    },
    dialogKept(callId, kept) {
      const call = calls.get(callId);
      if (!call) return;
      call.dialog = kept;
      listener.legKept?.(callId, JSON.stringify(kept));
    },
    ended,
    brokeOff({ callId, answeredAtMs, order }, failure) {
      ended(callId, { kind: "failed", ...failure, ...(order && talkOf(order, answeredAtMs)) });
    },
    forget: (callId) => void calls.delete(callId),
  };
}
