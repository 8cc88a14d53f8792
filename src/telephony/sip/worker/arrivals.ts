// Calls that ring at us until the main thread has decided, with the messages that brought them.
import type { LineMessage } from "../../line-report.ts";
import type { FromWorker } from "../carrier/protocol.ts";
import type { CallEnding, InboundNews } from "../call/user-agent-port.ts";

export interface Arrivals {
  /** Sends a message's trace on, behind the news of the call that it belongs to. */
  traced(callId: string, message: LineMessage): void;
  arrived(callId: string, call: InboundNews): void;
  /** The main thread takes the call: what was said so far. Null where it rings no more. */
  take(callId: string): readonly LineMessage[] | null;
  /** It gave up before anybody took it, or nobody did. A call that was taken speaks for itself. */
  ended(callId: string, ending: CallEnding): void;
  ids(): string[];
}

interface Ringing {
  /** Null while its INVITE is being read: it is traced before it is understood. */
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
