// Byte stream of a connection, independent of how it was opened.
import type { SecureContext } from "node:tls";
import type { IpBytes } from "../addresses.ts";
import type { Deadline } from "../deadline.ts";
import type { NetFailure } from "../failure.ts";
import type { HttpUrl } from "../http-url.ts";

export interface WireListener {
  heard(bytes: Buffer): void;
  /** Closed by the peer, or failed with an error. May be called more than once. */
  ended(error: Error | null): void;
}

export interface Wire {
  /** Bytes that arrive without a listener close it. */
  listener: WireListener | null;
  readonly isGone: boolean;
  /** Some written bytes have not been sent yet. */
  readonly hasUnsent: boolean;
  write(bytes: Buffer): void;
  /**
   * Marks it idle: it does not keep the process alive, and may close itself after this time. Null: it stays open until
   * the peer closes it.
   */
  rest(longestMs: number | null): void;
  resume(): void;
  /**
   * Closes the sending half after the last written byte. The listener hears of the peer's end: without an error, if the
   * peer has read everything.
   */
  finish(): void;
  destroy(): void;
}

/** A connection to open, and its error messages. */
export interface WireRequest {
  target: HttpUrl;
  /** The checked address to connect to. */
  address: IpBytes;
  /** Null: without TLS. */
  trust: SecureContext | null;
  deadline: Deadline;
  late(): NetFailure;
  closed(): NetFailure;
  unverified(): NetFailure;
}
