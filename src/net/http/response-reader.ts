// Reads an HTTP/1.1 answer as its bytes come in, and hands it on piece by piece.
import { createChunkDecoder, type ChunkDecoder } from "./chunked.ts";
import { notHttp, parseHead, type ResponseHead } from "./response-head.ts";

/**
 * Room for every server met; Node, nginx and Bun stop between 8 and 16 KiB themselves. Interim answers (1xx) count in.
 */
const MOST_HEAD_BYTES = 32 * 1024;
const NOTHING = Buffer.alloc(0);

export interface AnswerListener {
  head(head: ResponseHead): void;
  /** A piece of the body; valid during the call only. */
  data(bytes: Buffer): void;
  /** The answer ended where its framing says. `isReusable`: the connection can carry another request. */
  end(isReusable: boolean): void;
}

export interface ResponseReader {
  /** As received, chunk sizes and trailers included. */
  readonly bodyByteCount: number;
  /** Throws a NetFailure where the bytes are not HTTP. Bytes behind the answer are not looked at. */
  push(bytes: Buffer): void;
  /** The connection has ended. False where that cuts the answer. */
  close(): boolean;
}

export function createResponseReader(listener: AnswerListener): ResponseReader {
  let head: ResponseHead | null = null;
  let headBytes: Buffer = NOTHING;
  let headByteCount = 0;
  let bodyByteCount = 0;
  let chunks: ChunkDecoder | null = null;
  let hasEnded = false;

  const end = (isReusable: boolean) => {
    hasEnded = true;
    listener.end(isReusable);
  };

  /** The bytes behind the head, or null while it is incomplete. */
  const readHead = (bytes: Buffer): Buffer | null => {
    const searchFrom = Math.max(0, headBytes.length - 3);
    headBytes = headBytes.length === 0 ? bytes : Buffer.concat([headBytes, bytes]);
    const at = headBytes.indexOf("\r\n\r\n", searchFrom);
    if (headByteCount + (at === -1 ? headBytes.length : at) > MOST_HEAD_BYTES)
      throw notHttp("its headers are too long");
    if (at === -1) return null;
    const parsed = parseHead(headBytes.toString("latin1", 0, at));
    const rest = at + 4 === headBytes.length ? NOTHING : headBytes.subarray(at + 4);
    headByteCount += at + 4;
    headBytes = NOTHING;
    // 101 is no interim answer: what follows it would be another protocol, which no request of ours asks for.
    if (parsed.status < 200 && parsed.status !== 101) return readHead(rest);
    head = parsed;
    if (parsed.framing.by === "chunks") chunks = createChunkDecoder((data) => listener.data(data));
    listener.head(parsed);
    return rest;
  };

  const readBody = ({ framing, keepsAlive }: ResponseHead, bytes: Buffer): void => {
    const before = bodyByteCount;
    bodyByteCount += bytes.length;
    if (framing.by === "length") {
      const wanted = bodyByteCount <= framing.byteCount ? bytes : bytes.subarray(0, framing.byteCount - before);
      if (wanted.length > 0) listener.data(wanted);
      if (bodyByteCount >= framing.byteCount) end(keepsAlive && bodyByteCount === framing.byteCount);
    } else if (chunks) {
      const unread = chunks.push(bytes);
      if (unread !== null) end(keepsAlive && unread === 0);
    } else if (bytes.length > 0) {
      listener.data(bytes);
    }
  };

  return {
    get bodyByteCount() {
      return bodyByteCount;
    },
    push(bytes) {
      if (hasEnded) return;
      const body = head === null ? readHead(bytes) : bytes;
      if (body !== null && head !== null) readBody(head, body);
    },
    close() {
      if (hasEnded) return true;
      if (head?.framing.by !== "close") return false;
      end(false);
      return true;
    },
  };
}
