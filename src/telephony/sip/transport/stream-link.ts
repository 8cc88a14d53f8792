// A connection to one trunk over TCP or TLS that is kept open: the trunk's own requests come by it too (RFC 5626's
// spirit), so it is kept warm with pings and opened again by itself after it was lost.
import type { Clock } from "../../../core/clock.ts";
import { SipParseError } from "../message/parse-error.ts";
import type { Endpoint, Flow, FlowListener } from "./flow.ts";
import { createStreamFraming, type StreamFraming } from "./stream-framing.ts";
import { createStreamWriter } from "./stream-writer.ts";
import { plainAddress } from "./udp.ts";

export interface TlsCheck {
  /** The name that the certificate must carry. */
  serverName: string;
  /** The hospital's or carrier's own authority; null trusts the public ones. There is no way to trust anybody else. */
  caPem: string | null;
}

export interface StreamLink extends Flow {
  /** Gives a connection up over which nobody answers, and opens another. */
  reconnect(): void;
  close(): void;
}

export interface StreamLinkOptions {
  clock: Clock;
  remote: Endpoint;
  /** Null for plain TCP. */
  tls: TlsCheck | null;
  /** What Via says while there is no connection, which has an address and a port of its own. */
  local: Endpoint;
  listener: FlowListener;
}

/** How the reason of a failure begins where it was the certificate's. */
export const CERTIFICATE_REFUSED = "the certificate was refused";

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that restarts drops all its connections at once; not every client should be back in the same instant. */
const FIRST_REOPEN_MS = 1_000;
const LONGEST_REOPEN_MS = 30_000;
/**
 * RFC 5626, section 4.4.1, says up to 120 s; firewalls and some NATs forget a connection that is silent for a minute.
 */
const PING_EVERY_MS = 25_000;
const PING = Buffer.from("\r\n\r\n");

type Socket = Bun.Socket;

export function openStreamLink(options: StreamLinkOptions): StreamLink {
  return new KeptLink(options);
}

/** One try to connect. */
interface Attempt {
  /** Stands for the connection until there is one, so that a late failure of an older one is not taken for this. */
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
    this.#lost(silent, "nobody answers over the connection");
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

  /** No answer is waited for: not every server gives one, and OPTIONS asks those that are to be watched. */
  #ping(): void {
    this.#cancelPing = this.#options.clock.after(PING_EVERY_MS, () => {
      if (this.#writer.add(PING)) this.#flush();
      this.#ping();
    });
  }
}

/** Shared with the listener: cuts, hands on, answers pings, and hangs up on a stream that makes no sense. */
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
