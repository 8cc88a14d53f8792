// Index of active calls, by our id and by SIP Call-ID, with the message ladder of each.
import type { Call } from "./call-context.ts";
import type { SipMessage } from "../message/message.ts";
import type { LineMessage } from "../../line-report.ts";
import { createTrace, type Trace } from "../transport/trace.ts";
import type { Flow } from "../transport/flow.ts";

/** A queued call can only be hung up. */
type WaitingCall = Pick<Call, "hangUp"> & Partial<Call>;

/**
 * Whether messages on this flow may belong to the call: another trunk must not intervene, even if it knows the dialog.
 */
type Takes = (flow: Flow) => boolean;

interface Entry {
  /** Earlier dialogs of the same call, oldest first; each was replaced by another telephone. */
  former: string[];
  callId: string;
  takes: Takes;
  sipCallId: string;
  call: WaitingCall;
  trace: Trace;
  onRemoved: () => void;
}

export interface CallBook {
  readonly size: number;
  ids(): string[];
  has(callId: string): boolean;
  get(callId: string): WaitingCall | undefined;
  /** Called before the first message, so that the ladder is complete. */
  add(callId: string, sipCallId: string, takes: Takes, call: WaitingCall): void;
  /** The queued call starts. */
  begin(callId: string, call: Call): void;
  /** Another dialog replaces the call's dialog. Requests of the old one are still matched. */
  takenOver(callId: string, sipCallId: string, takes: Takes, call: Call): void;
  whenRemoved(callId: string, action: () => void): void;
  /** False if it was already removed. */
  remove(callId: string): boolean;
  /** Finds the call of a message. */
  ofMessage(sipCallId: string, flow: Flow): WaitingCall | undefined;
  idOf(sipCallId: string): string | undefined;
  trace(message: SipMessage, flow: Flow, direction: LineMessage["direction"], atMs: number): void;
  /** Resolves when no call is left. */
  emptied(): Promise<void>;
}

/** Limit of earlier dialogs per call; the oldest is forgotten first. */
const MOST_FORMER = 8;

export function createCallBook(traced: (callId: string, entry: LineMessage) => void): CallBook {
  const byId = new Map<string, Entry>();
  const bySipId = new Map<string, Entry>();
  let whenEmpty: (() => void)[] = [];

  return {
    get size() {
      return byId.size;
    },
    ids: () => [...byId.keys()],
    has: (callId) => byId.has(callId),
    get: (callId) => byId.get(callId)?.call,
    add(callId, sipCallId, takes, call) {
      const entry = { callId, sipCallId, takes, call, trace: createTrace(), onRemoved() {}, former: [] };
      byId.set(callId, entry);
      bySipId.set(sipCallId, entry);
    },
    begin(callId, call) {
      const entry = byId.get(callId);
      if (entry) entry.call = call;
    },
    takenOver(callId, sipCallId, takes, call) {
      const old = byId.get(callId);
      if (!old) return;
      const former = [...old.former, old.sipCallId];
      const entry = { ...old, sipCallId, takes, call, former: former.slice(-MOST_FORMER) };
      for (const forgotten of former.slice(0, -MOST_FORMER)) bySipId.delete(forgotten);
      byId.set(callId, entry);
      bySipId.set(sipCallId, entry);
    },
    whenRemoved(callId, action) {
      const entry = byId.get(callId);
      if (entry) entry.onRemoved = action;
    },
    remove(callId) {
      const entry = byId.get(callId);
      if (!entry) return false;
      byId.delete(callId);
      for (const sipCallId of [entry.sipCallId, ...entry.former]) bySipId.delete(sipCallId);
      entry.onRemoved();
      if (byId.size > 0) return true;
      for (const resolve of whenEmpty) resolve();
      whenEmpty = [];
      return true;
    },
    ofMessage(sipCallId, flow) {
      const entry = bySipId.get(sipCallId);
      return entry?.takes(flow) ? entry.call : undefined;
    },
    idOf: (sipCallId) => bySipId.get(sipCallId)?.callId,
    trace(message, flow, direction, atMs) {
      const owner = bySipId.get(message.callId);
      if (!owner?.takes(flow)) return;
      const entry = owner.trace.entry(message, flow, direction, atMs);
      if (entry) traced(owner.callId, entry);
    },
    emptied: () =>
      new Promise((resolve) => {
        if (byId.size === 0) resolve();
        else whenEmpty.push(resolve);
      }),
  };
}
