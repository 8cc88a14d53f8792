// A connection to a server: HTTP/1.1 requests and responses one after the other, and idle periods in between.
//
// This is our own HTTP/1.1 implementation for these reasons: `node:https` with a pinning `lookup` and `fetch` to the
// pinned address (Bun 1.4.4) both reuse a connection after extra bytes behind the response, and read endless interim
// responses or an endless chunk line until the timeout. `node:https` also reuses an idle connection whose address is no
// longer among those checked; `fetch` reads endless headers, and mistakes a proxy's refusal for the receiver's.
import { monotonicMs } from "../../core/clock.ts";
import type { Bytes } from "../../core/hmac.ts";
import { codeOf, NetFailure } from "../failure.ts";
import { createResponseReader, type AnswerListener, type ResponseReader } from "./response-reader.ts";
import type { HttpUrl } from "../http-url.ts";
import type { Wire, WireListener } from "./wire.ts";

/**
 * The connection ended before the first byte of the response. On a reused connection, the receiver had probably closed
 * it.
 */
export class NoAnswer extends NetFailure {
  override name = "NoAnswer";
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Reserved: with any of these the caller could change where the request ends or whom it is for. */
const OUR_HEADERS = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "accept-encoding",
  "expect",
  "upgrade",
  "te",
  "trailer",
]);

/** Cache of valid names, which are always the same few. */
const goodNames = new Set<string>();
const MOST_GOOD_NAMES = 100;

function isGoodName(name: string): boolean {
  if (goodNames.has(name)) return true;
  if (!HEADER_NAME.test(name) || OUR_HEADERS.has(name.toLowerCase())) return false;
  if (goodNames.size < MOST_GOOD_NAMES) goodNames.add(name);
  return true;
}

export function requestBytes(target: HttpUrl, headers: Readonly<Record<string, string>>, body: Bytes): Buffer {
  let head = `POST ${target.path} HTTP/1.1\r\nHost: ${target.authority}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (!isGoodName(name)) throw new NetFailure("our_fault", `The header "${name}" cannot be set.`);
    if (!HEADER_VALUE.test(value))
      throw new NetFailure("our_fault", `The value of the header "${name}" cannot be sent.`);
    head += `${name}: ${value}\r\n`;
  }
  const bodyLength = Buffer.byteLength(body);
  head += `Accept-Encoding: identity\r\nContent-Length: ${bodyLength}\r\n\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + bodyLength);
  bytes.write(head, 0, "latin1");
  if (typeof body === "string") bytes.write(body, head.length, "utf8");
  else bytes.set(body, head.length);
  return bytes;
}

export interface ExchangeListener extends AnswerListener {
  /** Called after each part that did not end the response, with the number of body bytes received. */
  read?(bodyByteCount: number): void;
  /** Called instead of `end`. The connection is destroyed. */
  failed(failure: NetFailure): void;
}

interface UnderWay {
  reader: ResponseReader;
  listener: ExchangeListener;
}

export class Connection implements WireListener {
  #underWay: UnderWay | null = null;
  #onGone: (() => void) | null = null;
  #restsSinceMs = 0;
  #longestRestMs: number | null = null;
  #byteCount = 0;

  constructor(
    private readonly wire: Wire,
    readonly address: string,
  ) {
    wire.listener = this;
  }

  get isGone(): boolean {
    return this.wire.isGone;
  }

  /** For an idle connection: the receiver may have closed it, or be about to. */
  get hasRestedTooLong(): boolean {
    return monotonicMs() - this.#restsSinceMs > (this.#longestRestMs ?? Infinity);
  }

  /** The first byte of the latest response has arrived. */
  get hasAnswered(): boolean {
    return this.#byteCount > 0;
  }

  /** Bytes of the latest response. */
  get bytesIn(): number {
    return this.#byteCount;
  }

  /** One request at a time. Destroys the connection unless it is reusable. */
  begin(request: Buffer, listener: ExchangeListener): void {
    this.#byteCount = 0;
    if (this.isGone) {
      listener.failed(new NoAnswer("unreachable", "The connection was closed before an answer."));
      return;
    }
    const reader = createResponseReader({
      head: (head) => listener.head(head),
      data: (bytes) => listener.data(bytes),
      end: (isReusable) => {
        this.#underWay = null;
        // If the receiver answers before it has read the whole request, the connection is not reusable.
        const isKept = isReusable && !this.wire.hasUnsent && !this.isGone;
        if (!isKept) this.destroy();
        listener.end(isKept);
      },
    });
    this.#underWay = { reader, listener };
    this.wire.write(request);
  }

  /**
   * Idle until the next request. Any event meanwhile, in particular unsolicited bytes, makes the connection unusable.
   */
  rest(longestMs: number | null, onGone: () => void): void {
    this.#onGone = onGone;
    this.#longestRestMs = longestMs;
    this.#restsSinceMs = monotonicMs();
    this.wire.rest(longestMs);
  }

  resume(): void {
    this.#onGone = null;
    this.wire.resume();
  }

  /** The listener of a running exchange is not called. */
  destroy(): void {
    this.#underWay = null;
    this.wire.destroy();
  }

  heard(bytes: Buffer): void {
    const underWay = this.#underWay;
    if (!underWay) {
      this.#leave();
      return;
    }
    const { reader, listener } = underWay;
    this.#byteCount += bytes.length;
    try {
      reader.push(bytes);
      if (this.#underWay === underWay) listener.read?.(reader.bodyByteCount);
    } catch (error) {
      this.#fail(listener, error instanceof NetFailure ? error : new NetFailure("our_fault", String(error)));
    }
  }

  ended(error: Error | null): void {
    const underWay = this.#underWay;
    if (!underWay) {
      this.#leave();
      return;
    }
    if (!error && underWay.reader.close()) return;
    const how = error ? `failed (${codeOf(error)})` : "was closed";
    const failure = this.hasAnswered
      ? new NetFailure("unreachable", `The connection ${how} in the middle of the answer.`)
      : new NoAnswer("unreachable", `The connection ${how} before an answer.`);
    this.#fail(underWay.listener, failure);
  }

  #fail(listener: ExchangeListener, failure: NetFailure): void {
    this.destroy();
    listener.failed(failure);
  }

  #leave(): void {
    const onGone = this.#onGone;
    this.#onGone = null;
    onGone?.();
    this.destroy();
  }
}
