// Persistent TCP or TLS connection to one trunk. The trunk's requests use it too (in the spirit of RFC 5626), so it is
// kept alive with pings and reconnected automatically.
import type { Clock } from "../../../core/clock.ts";
import { SipParseError } from "../message/parse-error.ts";
import type { Endpoint, Flow, FlowListener } from "./flow.ts";
import { createStreamFraming, type StreamFraming } from "./stream-framing.ts";
import { createStreamWriter } from "./stream-writer.ts";
import { plainAddress } from "./udp.ts";

export interface TlsCheck {
  /** The name that the certificate must match. */
  serverName: string;
  /** CA of the hospital or carrier; null trusts the public CAs. Verification cannot be turned off. */
  caPem: string | null;
}

export interface StreamLink extends Flow {
  /** Closes an unresponsive connection and opens another. */
  reconnect(): void;
  close(): void;
}

export interface StreamLinkOptions {
  clock: Clock;
  remote: Endpoint;
  /** Null for plain TCP. */
  tls: TlsCheck | null;
  /** Address for Via while there is no connection, which has its own address and port. */
  local: Endpoint;
  listener: FlowListener;
}

/** Prefix of the failure reason for certificate errors. */
export const CERTIFICATE_REFUSED = "the certificate was refused";

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Backoff: a server that restarts drops all its connections at once, and not every client should reconnect at the same
 * time.
 */
const FIRST_REOPEN_MS = 1_000;
const LONGEST_REOPEN_MS = 30_000;
/**
 * RFC 5626, section 4.4.1, allows up to 120 s; firewalls and some NATs drop a connection that is idle for one minute.
 */
const PING_EVERY_MS = 25_000;
const PING = Buffer.from("\r\n\r\n");

type Socket = Bun.Socket;

export function openStreamLink(options: StreamLinkOptions): StreamLink {
  return new KeptLink(options);
}

/** One connection attempt. */
interface Attempt {
  /**
   * Stands for the connection until it is established, so that a late failure of an older attempt is not attributed to
   * it.
   */
  placeholder: Socket;
  connection: Socket | null;
}

class KeptLink implements StreamLink {
  readonly transport: "tls" | "tcp";
  readonly isReliable = true;
  readonly remote: Endpoint;
  readonly #options: StreamLinkOptions;
  readonly #writer = createStreamWriter();
  #socket: Socket | null = null;
  #isOpen = false;
  #isClosed = false;
  #reopenMs = FIRST_REOPEN_MS;
  #cancelTimeout = () => {};
  #cancelReopen = () => {};
  #cancelPing = () => {};

  constructor(options: StreamLinkOptions) {
    this.#options = options;
    this.transport = options.tls ? "tls" : "tcp";
    this.remote = options.remote;
    this.#connect();
  }

  local(): Endpoint {
    const socket = this.#socket;
    if (!socket || !this.#isOpen) return this.#options.local;
    return { address: plainAddress(socket.localAddress), port: socket.localPort };
  }

  send(bytes: Buffer): boolean {
    if (this.#isClosed || !this.#writer.add(bytes)) return false;
    if (this.#socket === null) this.#connect();
    else this.#flush();
    return true;
  }

  reconnect(): void {
    if (!this.#isOpen) return;
    const silent = this.#socket;
    this.#lost(silent, "no answer over the connection");
    silent?.terminate();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimeout();
    this.#cancelReopen();
    this.#cancelPing();
    if (this.#isOpen) this.#socket?.end();
  }

  #connect(): void {
    const { clock, remote, tls } = this.#options;
    this.#cancelReopen();
    if (this.#socket !== null || this.#isClosed) return;
    const attempt: Attempt = { placeholder: {} as Socket, connection: null };
    this.#socket = attempt.placeholder;
    this.#cancelTimeout = clock.after(CONNECT_TIMEOUT_MS, () => {
      this.#lost(this.#socket, "no connection within 5 s");
      attempt.connection?.terminate();
    });
    void Bun.connect({
      hostname: remote.address,
      port: remote.port,
      ...(tls && { tls: { serverName: tls.serverName, ...(tls.caPem !== null && { ca: tls.caPem }) } }),
      socket: this.#handlersOf(attempt),
    }).catch((error: unknown) => {
      this.#neverConnected(attempt, error instanceof Error ? error.message : "no connection");
    });
  }

  #handlersOf(attempt: Attempt): Bun.SocketHandler<undefined> {
    const framing = createStreamFraming();
    return {
      open: (opening) => this.#opening(attempt, opening),
      handshake: (opening, isTrusted, error) => {
        if (isTrusted && !error) {
          this.#opened(opening);
          return;
        }
        this.#lost(opening, `${CERTIFICATE_REFUSED}: ${error?.message ?? "not trusted"}`);
        opening.terminate();
      },
      data: (from, bytes) => receiveFrom(from, framing, bytes, this, this.#options.listener),
      drain: () => this.#flush(),
      close: (closing) => this.#lost(closing, "the connection was closed"),
      error: (failing, error) => this.#lost(failing, error.message),
      connectError: (_, error) => this.#neverConnected(attempt, `no connection: ${error.message}`),
    };
  }

  #opening(attempt: Attempt, opening: Socket): void {
    attempt.connection = opening;
    const isCurrent = this.#socket === opening || this.#socket === attempt.placeholder;
    if (this.#isClosed || !isCurrent) {
      opening.terminate();
      return;
    }
    opening.setNoDelay(true);
    this.#socket = opening;
    if (!this.#options.tls) this.#opened(opening);
  }

  #opened(connection: Socket): void {
    this.#cancelTimeout();
    this.#socket = connection;
    this.#isOpen = true;
    this.#reopenMs = FIRST_REOPEN_MS;
    this.#flush();
    this.#ping();
    this.#options.listener.connected?.(this);
  }

  #neverConnected({ placeholder }: Attempt, reason: string): void {
    if (this.#socket === placeholder) this.#lost(placeholder, reason);
  }

  #lost(connection: Socket | null, reason: string): void {
    const { clock, listener } = this.#options;
    if (connection !== this.#socket) return;
    this.#cancelTimeout();
    this.#cancelPing();
    const wasUsed = this.#socket !== null;
    this.#socket = null;
    this.#isOpen = false;
    this.#writer.clear();
    if (!wasUsed || this.#isClosed) return;
    this.#cancelReopen();
    this.#cancelReopen = clock.after(this.#reopenMs, () => this.#connect());
    this.#reopenMs = Math.min(this.#reopenMs * 2, LONGEST_REOPEN_MS);
    listener.failed(this, reason);
  }

  #flush(): void {
    if (this.#socket && this.#isOpen) this.#writer.flush(this.#socket);
  }

  /** Does not wait for a pong: not every server sends one, and OPTIONS monitors trunks that should be monitored. */
  #ping(): void {
    this.#cancelPing = this.#options.clock.after(PING_EVERY_MS, () => {
      if (this.#writer.add(PING)) this.#flush();
      this.#ping();
    });
  }
}

/** Shared with the listener: splits messages, passes them on, answers pings, and closes a malformed stream. */
export function receiveFrom(
  socket: Bun.Socket,
  framing: StreamFraming,
  bytes: Buffer,
  flow: Flow,
  listener: FlowListener,
): void {
  try {
    const { messages, pings } = framing.push(bytes);
    for (let i = 0; i < pings; i++) socket.write("\r\n");
    for (const message of messages) listener.received(message, flow);
  } catch (error) {
    if (!(error instanceof SipParseError)) throw error;
    socket.terminate();
  }
}
