// One HTTP/1.1 request over an open connection, with its streamed response.
import type { Clock } from "../../../core/clock.ts";
import type { NetFailure } from "../../../net/failure.ts";
import type { Connection } from "../../../net/http/connection.ts";
import { NotHttp } from "../../../net/http/response-head.ts";
import { ServerFault } from "../port.ts";

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
  connection: Connection,
  request: Buffer,
  limits: Limits,
  signal: AbortSignal,
  onOver: (over: Over) => void,
): Promise<Answer | null> {
  const opened = Promise.withResolvers<Answer | null>();
  const pieces = createPieces();
  let bodyBytes = 0;
  let isFinishing = false;
  let isOver = false;

  const end = (fault: ServerFault | null, isReusable = false) => {
    if (isOver) return;
    isOver = true;
    for (const cancel of [cancelTotal, cancelQuiet]) cancel();
    signal.removeEventListener("abort", onAbort);
    if (!isReusable) connection.destroy();
    const { bytesIn } = connection;
    onOver({ bytesIn, fault: isFinishing ? null : fault, isReusable });
    if (fault && bytesIn === 0 && fault.kind === "refused") opened.resolve(null);
    else if (fault) opened.reject(fault);
    pieces.end(fault);
  };
  const quietAfter = (ms: number) => clock.after(ms, () => end(new ServerFault("timeout")));

  const onAbort = () => end(new ServerFault("aborted"));
  const cancelTotal = quietAfter(limits.totalMs);
  let cancelQuiet = quietAfter(limits.firstMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) {
    onAbort();
    return opened.promise;
  }
  connection.begin(request, {
    head({ status, contentType, isEncoded }) {
      // Requested as identity: decompression is how a small response becomes a large one.
      if (isEncoded && status === 200) {
        end(new ServerFault("garbage"));
        return;
      }
      opened.resolve({
        status,
        contentType: /^[^;]*/.exec(contentType)?.[0].trim().toLowerCase() ?? "",
        next: () => pieces.next(),
        bytesIn: () => connection.bytesIn,
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
      // A copy: the runtime may write the next bytes into the same memory.
      pieces.push(Buffer.from(bytes));
    },
    end: (isReusable) => end(null, isReusable),
    failed: (failure) => end(faultOf(failure)),
  });
  return opened.promise;
}

export const faultOf = (failure: NetFailure): ServerFault =>
  new ServerFault(failure.kind === "timeout" ? "timeout" : failure instanceof NotHttp ? "garbage" : "refused");

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
