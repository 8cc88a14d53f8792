// One HTTP/1.1 request over an open connection, with its streamed response.
import type { Socket } from "node:net";
import type { Clock } from "../../../core/clock.ts";
import { ServerFault } from "../port.ts";
import { createAnswerReader } from "./answer-reader.ts";

export interface Limits {
  /** Limit until the first byte of the body, and between two chunks. */
  firstMs: number;
  totalMs: number;
  /** Size limit of the body. */
  mostBytes: number;
}

export interface Answer {
  status: number;
  /** Lower case, without parameters; empty if missing. */
  contentType: string;
  /** The next bytes; null at the end. Throws a ServerFault, immediately if the request was cancelled. */
  next(): Promise<Buffer | null>;
  /** Size of the response so far. */
  bytesIn(): number;
  /** Ignores the rest. Bytes in transit are drained briefly, so that the connection can be reused. */
  finish(): void;
}

export interface Over {
  bytesIn: number;
  fault: ServerFault | null;
  isReusable: boolean;
}

/** After a stream's end marker, the last chunk is one packet away. */
const FINISHING_MS = 250;

/** Null: the connection ended before the first byte of the response. Throws a ServerFault. */
export function exchange(
  clock: Clock,
  socket: Socket,
  request: Buffer,
  limits: Limits,
  signal: AbortSignal,
  onOver: (over: Over) => void,
): Promise<Answer | null> {
  const opened = Promise.withResolvers<Answer | null>();
  const pieces = createPieces();
  let bytesIn = 0;
  let bodyBytes = 0;
  let isFinishing = false;
  let isOver = false;

  const end = (fault: ServerFault | null, isReusable = false) => {
    if (isOver) return;
    isOver = true;
    for (const cancel of [cancelTotal, cancelQuiet]) cancel();
    signal.removeEventListener("abort", onAbort);
    socket.off("data", onData).off("error", onClose).off("end", onClose).off("close", onClose);
    // A server that responds before reading the whole request leaves the connection in an undefined state.
    const isKept = fault === null && isReusable && socket.writableLength === 0;
    if (!isKept) socket.destroy();
    onOver({ bytesIn, fault: isFinishing ? null : fault, isReusable: isKept });
    if (fault && bytesIn === 0 && fault.kind === "refused") opened.resolve(null);
    else if (fault) opened.reject(fault);
    pieces.end(fault);
  };
  const quietAfter = (ms: number) => clock.after(ms, () => end(new ServerFault("timeout")));

  const reader = createAnswerReader({
    head(status, contentType) {
      opened.resolve({
        status,
        contentType,
        next: () => pieces.next(),
        bytesIn: () => bytesIn,
        finish() {
          if (isOver) return;
          isFinishing = true;
          cancelQuiet();
          cancelQuiet = quietAfter(FINISHING_MS);
        },
      });
    },
    data(bytes) {
      bodyBytes += bytes.length;
      if (bodyBytes > limits.mostBytes) end(new ServerFault("tooLong"));
      if (isFinishing || isOver) return;
      cancelQuiet();
      cancelQuiet = quietAfter(limits.firstMs);
      pieces.push(bytes);
    },
    end: (isReusable) => end(null, isReusable),
  });
  const onData = (bytes: Buffer) => {
    bytesIn += bytes.length;
    try {
      reader.push(bytes);
    } catch {
      end(new ServerFault("garbage"));
    }
  };
  const onClose = () => {
    if (!isOver && !reader.close()) end(new ServerFault("refused"));
  };
  const onAbort = () => end(new ServerFault("aborted"));
  const cancelTotal = quietAfter(limits.totalMs);
  let cancelQuiet = quietAfter(limits.firstMs);
  signal.addEventListener("abort", onAbort, { once: true });
  socket.on("data", onData).on("error", onClose).on("end", onClose).on("close", onClose);
  if (signal.aborted) onAbort();
  else socket.write(request);
  return opened.promise;
}

interface Pieces {
  push(bytes: Buffer): void;
  end(fault: ServerFault | null): void;
  next(): Promise<Buffer | null>;
}

/** Buffer of received chunks with a single consumer. */
function createPieces(): Pieces {
  const waiting: Buffer[] = [];
  let over: { fault: ServerFault | null } | null = null;
  let taker: PromiseWithResolvers<Buffer | null> | null = null;

  return {
    push(bytes) {
      if (taker === null) waiting.push(bytes);
      else taker.resolve(bytes);
      taker = null;
    },
    end(fault) {
      over = { fault };
      // A partial response is useless: a fault is reported before the buffered rest.
      if (fault) waiting.length = 0;
      if (fault) taker?.reject(fault);
      else taker?.resolve(null);
      taker = null;
    },
    next() {
      const bytes = waiting.shift();
      if (bytes) return Promise.resolve(bytes);
      if (over) return over.fault ? Promise.reject(over.fault) : Promise.resolve(null);
      taker = Promise.withResolvers();
      return taker.promise;
    },
  };
}
