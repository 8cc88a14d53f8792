// Ringing inbound calls until the main thread decides, with their messages so far.
import type { LineMessage } from "../../line-report.ts";
import type { FromWorker } from "../carrier/protocol.ts";
import type { CallEnding, InboundNews } from "../call/user-agent-port.ts";

export interface Arrivals {
  /** Forwards a traced message, after the `arrived` event of its call. */
  traced(callId: string, message: LineMessage): void;
  arrived(callId: string, call: InboundNews): void;
  /** The main thread accepts the call: returns its messages so far. Null if it no longer rings. */
  take(callId: string): readonly LineMessage[] | null;
  /** It ended before it was accepted. An accepted call reports its own end. */
  ended(callId: string, ending: CallEnding): void;
  ids(): string[];
}

interface Ringing {
  /** Null while its INVITE is being processed: it is traced before it is parsed. */
  trunkId: string | null;
  messages: LineMessage[];
}

export function createArrivals(send: (message: FromWorker) => void): Arrivals {
  const ringing = new Map<string, Ringing>();
  return {
    traced(callId, message) {
      const call = ringing.get(callId) ?? { trunkId: null, messages: [] };
      ringing.set(callId, call);
      call.messages.push(message);
      if (call.trunkId !== null) send({ type: "trace", callId, message });
    },
    arrived(callId, call) {
      const messages = ringing.get(callId)?.messages ?? [];
      ringing.set(callId, { trunkId: call.trunkId, messages });
      send({ type: "arrived", callId, ...call });
      for (const message of messages) send({ type: "trace", callId, message });
    },
    take(callId) {
      const call = ringing.get(callId);
      ringing.delete(callId);
      return call?.messages ?? null;
    },
    ended(callId, ending) {
      const trunkId = ringing.get(callId)?.trunkId ?? null;
      ringing.delete(callId);
      if (trunkId === null) return;
      const line = { trunkId, trace: [], media: null, captured: false };
      const code = ending.outcome ?? "no_answer";
      send({ type: "ended", callId, end: { kind: "failed", code, message: ending.message, line } });
    },
    ids: () => [...ringing.keys()],
  };
}
