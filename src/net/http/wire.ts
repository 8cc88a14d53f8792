// A connection as bytes: what an exchange needs of it, whichever way it was opened.
import type { SecureContext } from "node:tls";
import type { IpBytes } from "../addresses.ts";
import type { Deadline } from "../deadline.ts";
import type { NetFailure } from "../failure.ts";
import type { HttpUrl } from "../http-url.ts";

export interface WireListener {
  heard(bytes: Buffer): void;
  /** Closed by the other side, or failed with an error that says how. May be called more than once. */
  ended(error: Error | null): void;
}

export interface Wire {
  /** Bytes that come while nobody listens end it. */
  listener: WireListener | null;
  readonly isGone: boolean;
  /** Some of what was written has not been sent yet. */
  readonly hasUnsent: boolean;
  write(bytes: Buffer): void;
  /**
   * It waits for its next use, does not keep the process from ending, and may go by itself when it has waited so long.
   * Null: it waits until the other side leaves.
   */
  rest(longestMs: number | null): void;
  resume(): void;
  destroy(): void;
}

/** What is to be opened, and the words for what goes wrong. */
export interface WireRequest {
  target: HttpUrl;
  /** Checked; what is connected to. */
  address: IpBytes;
  /** Null: without TLS. */
  trust: SecureContext | null;
  deadline: Deadline;
  late(): NetFailure;
  closed(): NetFailure;
  unverified(): NetFailure;
}
