// Active calls as seen by the main thread: order, trunk, message ladder and listener.
import { SECOND_MS, type Clock } from "../../../core/clock.ts";
import { salvageRecording } from "../../../media/salvage.ts";
import type { LineMessage } from "../../line-report.ts";
import type { KeptDialog } from "../call/dialog.ts";
import type { CallOrder, CarrierListener, Failure, LineEnd } from "../../port.ts";

export interface CarriedCall {
  readonly callId: string;
  readonly trunkId: string;
  readonly direction: "outbound" | "inbound";
  /** Null while an inbound call rings and is not accepted. */
  order: CallOrder | null;
  /** From `ordered` on the worker has the call; before that nothing was dialled. `leaving` calls are never ordered. */
  stage: "preparing" | "ordered" | "leaving";
  answeredAtMs: number | null;
  /** Set once the call is established at the trunk: lets us end it there if the worker dies. */
  dialog: KeptDialog | null;
  readonly trace: LineMessage[];
}

export interface CarriedCalls {
  get(callId: string): CarriedCall | undefined;
  /** Without an order it is an inbound call. */
  add(callId: string, trunkId: string, order: CallOrder | null): CarriedCall;
  isLive(call: CarriedCall): boolean;
  countOn(trunkId: string): number;
  all(): CarriedCall[];
  traced(callId: string, message: LineMessage): void;
  ringing(callId: string): void;
  answered(callId: string): void;
  dialogKept(callId: string, kept: KeptDialog): void;
  /** Notifies the listener, with the ladder. Later reports on the call are dropped. */
  ended(callId: string, end: LineEnd): void;
  /** Ended for a reason outside the worker, which has not reported its line data. */
  brokeOff(call: CarriedCall, failure: Pick<Failure, "code" | "message" | "putBack">): void;
  /** Removes it without a report: a rejected call does not count as a call. */
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

  /** The recording was not closed: repairs the file on disk so that it is playable. */
  function talkOf({ recordingFile, fileKey }: CallOrder, answeredAtMs: number | null): Partial<Failure> {
    if (answeredAtMs === null) return {};
    const keyOf = (id: string) => (fileKey?.id === id ? fileKey.key : undefined);
    const recordedSeconds = recordingFile === null ? null : salvageRecording(recordingFile, keyOf);
    const elapsedSeconds = Math.max(0, clock.now() - answeredAtMs) / SECOND_MS;
    // The recording may have begun late; the wall clock may have been changed.
    const durationSeconds = Math.max(recordedSeconds ?? 0, elapsedSeconds);
    return { durationSeconds, recorded: recordedSeconds !== null };
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
