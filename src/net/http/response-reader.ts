// Reads an HTTP/1.1 answer as its bytes come in, and stops at the caps: no answer can take more memory than they allow.
import { createChunkDecoder, type ChunkDecoder } from "./chunked.ts";
import { notHttp, parseHead, type ResponseHead } from "./response-head.ts";

/**
 * Room for every server met; Node, nginx and Bun stop between 8 and 16 KiB themselves. Interim answers (1xx) count in.
 */
const MOST_HEAD_BYTES = 32 * 1024;
/** Counted as received, chunk sizes and trailers included. */
const MOST_BODY_BYTES = 64 * 1024;
/** Enough for an excerpt of 1,000 characters. */
const KEPT_BODY_BYTES = 8 * 1024;

export interface Answer {
  status: number;
  bodyStart: Buffer;
  isEncoded: boolean;
  /** The answer ended where its framing says, and the connection can carry another request. */
  isReusable: boolean;
  retryAfter: string | null;
}

export interface ResponseReader {
  /** The answer, once it has ended or its body has passed the cap. Throws a NetFailure where it is not HTTP. */
  push(bytes: Buffer): Answer | null;
  /** The connection has ended: the answer where that ends it, else null. */
  close(): Answer | null;
}

const NOTHING = Buffer.alloc(0);

export function createResponseReader(): ResponseReader {
  let head: ResponseHead | null = null;
  let headText: Buffer = NOTHING;
  let headByteCount = 0;
  let bodyByteCount = 0;
  let chunks: ChunkDecoder | null = null;
  const kept: Buffer[] = [];
  let keptByteCount = 0;

  const keep = (bytes: Buffer) => {
    if (bytes.length === 0) return;
    const part = bytes.subarray(0, KEPT_BODY_BYTES - keptByteCount);
    if (part.length === 0) return;
    kept.push(Buffer.from(part));
    keptByteCount += part.length;
  };
  const answer = ({ status, isEncoded, keepsAlive, retryAfter }: ResponseHead, endedCleanly: boolean): Answer => ({
    status,
    bodyStart: kept.length === 0 ? NOTHING : Buffer.concat(kept),
    isEncoded,
    retryAfter,
    isReusable: keepsAlive && endedCleanly,
  });

  /** The head and the bytes behind it, or null while it is incomplete. */
  const readHead = (bytes: Buffer): { parsed: ResponseHead; rest: Buffer } | null => {
    const searchFrom = Math.max(0, headText.length - 3);
    headText = headText.length === 0 ? bytes : Buffer.concat([headText, bytes]);
    const end = headText.indexOf("\r\n\r\n", searchFrom);
    if (headByteCount + (end === -1 ? headText.length : end) > MOST_HEAD_BYTES)
      throw notHttp("its headers are too long");
    if (end === -1) return null;
    const parsed = parseHead(headText.toString("latin1", 0, end));
    const rest = end + 4 === headText.length ? NOTHING : headText.subarray(end + 4);
    headByteCount += end + 4;
    headText = NOTHING;
    const isInterim = parsed.status < 200 && parsed.status !== 101;
    return isInterim ? readHead(rest) : { parsed, rest };
  };

  const readBody = (current: ResponseHead, bytes: Buffer): Answer | null => {
    bodyByteCount += bytes.length;
    const { framing } = current;
    if (framing.by === "length") {
      const missing = Math.max(0, framing.byteCount - (bodyByteCount - bytes.length));
      keep(bytes.length <= missing ? bytes : bytes.subarray(0, missing));
      if (bodyByteCount >= framing.byteCount) return answer(current, bodyByteCount === framing.byteCount);
    } else if (chunks) {
      const unread = chunks.push(bytes);
      if (unread !== null) return answer(current, unread === 0);
    } else {
      keep(bytes);
    }
    return bodyByteCount > MOST_BODY_BYTES ? answer(current, false) : null;
  };

  return {
    push(bytes) {
      if (head) return readBody(head, bytes);
      const found = readHead(bytes);
      if (!found) return null;
      head = found.parsed;
      if (head.framing.by === "chunks") chunks = createChunkDecoder(keep);
      return readBody(head, found.rest);
    },
    close: () => (head?.framing.by === "close" ? answer(head, false) : null),
  };
}
