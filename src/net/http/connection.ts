// A connection to a receiver: HTTP/1.1 requests and their answers one after the other, and the waiting in between.
import { monotonicMs } from "../../core/clock.ts";
import type { Bytes } from "../../core/hmac.ts";
import type { Deadline } from "../deadline.ts";
import { codeOf, NetFailure } from "../failure.ts";
import { createResponseReader, type Answer, type ResponseReader } from "./response-reader.ts";
import type { HttpUrl } from "../http-url.ts";
import { IDLE_MS, type Wire, type WireListener } from "./wire.ts";

/**
 * The connection ended before a single byte of the answer. On one that had been waiting, the receiver had likely left.
 */
export class NoAnswer extends NetFailure {
  override name = "NoAnswer";
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Ours alone: with any of these the caller could change where the request ends or whom it is for. */
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

/** Names that were found good: always the same few. */
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

interface UnderWay {
  reader: ResponseReader;
  hasAnswered: boolean;
  end(outcome: Answer | NetFailure): void;
}

export class Connection implements WireListener {
  #underWay: UnderWay | null = null;
  #onGone: (() => void) | null = null;
  #restsSinceMs = 0;

  constructor(
    private readonly wire: Wire,
    readonly address: string,
  ) {
    wire.listener = this;
  }

  get isGone(): boolean {
    return this.wire.isGone;
  }

  /** Of one that rests: the receiver may have left, or be about to. */
  get hasRestedTooLong(): boolean {
    return monotonicMs() - this.#restsSinceMs > IDLE_MS;
  }

  /** The connection is destroyed unless the answer is reusable. */
  exchange(request: Buffer, deadline: Deadline): Promise<Answer> {
    if (this.isGone) return Promise.reject(new NoAnswer("unreachable", "The connection was closed before an answer."));
    return new Promise((resolve, reject) => {
      const end = (outcome: Answer | NetFailure) => {
        cancelDeadline();
        this.#underWay = null;
        if (outcome instanceof NetFailure) {
          this.destroy();
          reject(outcome);
          return;
        }
        // A receiver that answers before it has read the request leaves the connection in the middle of it.
        if (this.wire.hasUnsent) outcome.isReusable = false;
        if (!outcome.isReusable) this.destroy();
        resolve(outcome);
      };
      const underWay: UnderWay = { reader: createResponseReader(), hasAnswered: false, end };
      this.#underWay = underWay;
      const cancelDeadline = deadline.onPassed(() =>
        end(
          new NetFailure(
            "timeout",
            underWay.hasAnswered ? "The answer did not end in time." : "No answer came in time.",
          ),
        ),
      );
      this.wire.write(request);
    });
  }

  /**
   * Until the next request. Whatever happens meanwhile means that it is of no more use: bytes nobody asked for above
   * all.
   */
  rest(onGone: () => void): void {
    this.#onGone = onGone;
    this.#restsSinceMs = monotonicMs();
    this.wire.rest();
  }

  resume(): void {
    this.#onGone = null;
    this.wire.resume();
  }

  destroy(): void {
    this.wire.destroy();
  }

  heard(bytes: Buffer): void {
    const underWay = this.#underWay;
    if (!underWay) {
      this.#leave();
      return;
    }
    underWay.hasAnswered = true;
    try {
      const answer = underWay.reader.push(bytes);
      if (answer) underWay.end(answer);
    } catch (error) {
      underWay.end(error instanceof NetFailure ? error : new NetFailure("our_fault", String(error)));
    }
  }

  ended(error: Error | null): void {
    const underWay = this.#underWay;
    if (!underWay) {
      this.#leave();
      return;
    }
    const how = error ? `failed (${codeOf(error)})` : "was closed";
    const answer = error ? null : underWay.reader.close();
    if (answer) underWay.end(answer);
    else if (underWay.hasAnswered)
      underWay.end(new NetFailure("unreachable", `The connection ${how} in the middle of the answer.`));
    else underWay.end(new NoAnswer("unreachable", `The connection ${how} before an answer.`));
  }

  #leave(): void {
    const onGone = this.#onGone;
    this.#onGone = null;
    onGone?.();
    this.destroy();
  }
}
