// Splits a TCP or TLS stream into SIP messages by Content-Length (RFC 3261, section 18.3) and handles keep-alives.
import { LARGEST_MESSAGE_BYTES } from "../message/message.ts";
import { SipParseError } from "../message/parse-error.ts";

export interface StreamFraming {
  /** Returns the complete messages so far. Throws SipParseError if framing is lost: the connection must be closed. */
  push(chunk: Buffer): { messages: Buffer[]; pings: number };
}

const CR = 13;
const LF = 10;

export function createStreamFraming(): StreamFraming {
  let held: Buffer = Buffer.alloc(0);

  /** Removes CRLFs before a message. CRLFCRLF is a ping that expects a CRLF (RFC 5626, section 4.4.1). */
  function skipKeepAlives(): number {
    let at = 0;
    while (at < held.length && (held[at] === CR || held[at] === LF)) at += 1;
    held = held.subarray(at);
    return Math.floor(at / 4);
  }

  return {
    push(chunk) {
      held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      const messages: Buffer[] = [];
      let pings = 0;
      while (true) {
        pings += skipKeepAlives();
        const length = frameLength(held);
        if (length === null || length > held.length) break;
        messages.push(Buffer.from(held.subarray(0, length)));
        held = held.subarray(length);
      }
      // The rest is copied, so that a long stream does not retain every chunk.
      held = Buffer.from(held);
      return { messages, pings };
    },
  };
}

/** Null while the headers are incomplete. */
function frameLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) {
    if (bytes.length > LARGEST_MESSAGE_BYTES) throw new SipParseError("no end of headers within 65,535 bytes");
    return null;
  }
  const head = bytes.toString("latin1", 0, headEnd);
  const [, digits] = /(?:^|\r\n)(?:content-length|l)[ \t]*:\s*(\d{1,6})[ \t]*(?:\r\n|$)/i.exec(head) ?? [];
  if (digits === undefined) throw new SipParseError("a message over a stream has no Content-Length");
  const length = headEnd + 4 + Number(digits);
  if (length > LARGEST_MESSAGE_BYTES) throw new SipParseError("a message is longer than 65,535 bytes");
  return length;
}
