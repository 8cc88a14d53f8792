// Streaming reader of an HTTP/1.1 response.
import { createChunkDecoder, type ChunkDecoder } from "./chunked.ts";
import { notHttp, parseHead, type ResponseHead } from "./response-head.ts";

/**
 * Enough for all known servers; Node, nginx and Bun themselves stop between 8 and 16 KiB. Includes interim responses
 * (1xx).
 */
const MOST_HEAD_BYTES = 32 * 1024;
const NOTHING = Buffer.alloc(0);

export interface AnswerListener {
  head(head: ResponseHead): void;
  /** A part of the body; valid only during the call. */
  data(bytes: Buffer): void;
  /** The response ended as framed. `isReusable`: the connection can carry another request. */
  end(isReusable: boolean): void;
}

export interface ResponseReader {
  /** As received, including chunk sizes and trailers. */
  readonly bodyByteCount: number;
  /** Throws a NetFailure if the bytes are not HTTP. Bytes after the response are ignored. */
  push(bytes: Buffer): void;
  /** The connection has ended. False if that truncates the response. */
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

  /** The bytes after the head, or null while it is incomplete. */
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
    // 101 is not an interim response: another protocol would follow, which we never request.
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
