// Streaming decoder for a chunked body (RFC 9112, section 7.1).
import { notHttp } from "./response-head.ts";

export interface ChunkDecoder {
  /** Null while the body continues; at its end, the number of bytes after it. */
  push(bytes: Buffer): number | null;
}

/** A chunk size with its extensions, or one trailer field. */
const LONGEST_LINE = 8 * 1024;

export function createChunkDecoder(onData: (bytes: Buffer) => void): ChunkDecoder {
  let reading: "size" | "data" | "data end" | "trailer" = "size";
  let line = "";
  let dataLeft = 0;

  /** True after the last line of the body. */
  const endLine = (): boolean => {
    const text = line;
    line = "";
    if (reading === "trailer") return text === "";
    if (reading === "data end") {
      if (text !== "") throw notHttp("a chunk is longer than its size says");
      reading = "size";
      return false;
    }
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(text)?.[1];
    if (size === undefined) throw notHttp("a chunk has no size");
    dataLeft = Number.parseInt(size, 16);
    reading = dataLeft === 0 ? "trailer" : "data";
    return false;
  };

  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length) {
        if (reading === "data") {
          const part = bytes.subarray(at, at + dataLeft);
          onData(part);
          at += part.length;
          dataLeft -= part.length;
          if (dataLeft === 0) reading = "data end";
          continue;
        }
        const lineEnd = bytes.indexOf(0x0a, at);
        const end = lineEnd === -1 ? bytes.length : lineEnd;
        line += bytes.toString("latin1", at, end);
        if (line.length > LONGEST_LINE) throw notHttp("a line of its chunked body is too long");
        at = end + 1;
        if (lineEnd === -1) return null;
        if (!line.endsWith("\r")) throw notHttp("a line of its chunked body ends without a carriage return");
        line = line.slice(0, -1);
        if (endLine()) return bytes.length - at;
      }
      return null;
    },
  };
}
