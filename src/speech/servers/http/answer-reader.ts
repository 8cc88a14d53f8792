// Incremental HTTP/1.1 response parser that streams the body.
import { createChunkDecoder, type ChunkDecoder } from "../../../net/http/chunked.ts";
import { notHttp, parseHead, type ResponseHead } from "../../../net/http/response-head.ts";

/** Enough for every server met; interim responses (1xx) count. */
const MOST_HEAD_BYTES = 32 * 1024;

export interface AnswerListener {
  head(status: number, contentType: string): void;
  data(bytes: Buffer): void;
  /** The body is complete. `isReusable`: the connection can carry another request. */
  end(isReusable: boolean): void;
}

export interface AnswerReader {
  /** Throws if the bytes are not HTTP. */
  push(bytes: Buffer): void;
  /** The connection ended. False if the response is incomplete. */
  close(): boolean;
}

export function createAnswerReader(listener: AnswerListener): AnswerReader {
  let head: ResponseHead | null = null;
  let headBytes = Buffer.alloc(0);
  let interimByteCount = 0;
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
    headBytes = Buffer.concat([headBytes, bytes]);
    const at = headBytes.indexOf("\r\n\r\n", searchFrom);
    if (interimByteCount + (at === -1 ? headBytes.length : at) > MOST_HEAD_BYTES)
      throw notHttp("its headers are too long");
    if (at === -1) return null;
    const text = headBytes.toString("latin1", 0, at);
    const rest = headBytes.subarray(at + 4);
    headBytes = Buffer.alloc(0);
    const parsed = parseHead(text);
    if (parsed.status < 200) {
      interimByteCount += at + 4;
      return readHead(rest);
    }
    // Uncompressed content was requested; decompression would allow zip bombs.
    if (parsed.isEncoded) throw notHttp("it is compressed");
    head = parsed;
    if (parsed.framing.by === "chunks") chunks = createChunkDecoder((data) => listener.data(data));
    listener.head(parsed.status, /\r\ncontent-type:[ \t]*([^\r;]*)/i.exec(text)?.[1]?.trim().toLowerCase() ?? "");
    return rest;
  };

  const readBody = ({ framing, keepsAlive }: ResponseHead, bytes: Buffer) => {
    if (framing.by === "length") {
      const wanted = bytes.subarray(0, framing.byteCount - bodyByteCount);
      bodyByteCount += wanted.length;
      if (wanted.length > 0) listener.data(wanted);
      if (bodyByteCount === framing.byteCount && !hasEnded) end(keepsAlive && wanted.length === bytes.length);
      return;
    }
    if (bytes.length === 0) return;
    if (!chunks) listener.data(bytes);
    const unread = chunks?.push(bytes) ?? null;
    if (unread !== null) end(keepsAlive && unread === 0);
  };

  return {
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
