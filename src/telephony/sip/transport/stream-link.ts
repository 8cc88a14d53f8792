// A connection to one trunk over TCP or TLS that is kept open: the trunk's own requests come by it too (RFC 5626's spirit), so
// it is kept warm with pings and opened again by itself after it was lost.
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
/** RFC 5626, section 4.4.1, says up to 120 s; firewalls and some NATs forget a connection that is silent for a minute. */
const PING_EVERY_MS = 25_000;
const PING = Buffer.from("\r\n\r\n");

type Socket = Bun.Socket;

export function openStreamLink(options: StreamLinkOptions): StreamLink {
  const { clock, remote, tls, listener } = options;
  const writer = createStreamWriter();
  let socket: Socket | null = null;
  let isOpen = false;
  let isClosed = false;
  let reopenMs = FIRST_REOPEN_MS;
  let cancelTimeout = () => {};
  let cancelReopen = () => {};
  let cancelPing = () => {};

  function lost(connection: Socket | null, reason: string): void {
    if (connection !== socket) return;
    cancelTimeout();
    cancelPing();
    const wasUsed = socket !== null;
    socket = null;
    isOpen = false;
    writer.clear();
    if (!wasUsed || isClosed) return;
    cancelReopen();
    cancelReopen = clock.after(reopenMs, connect);
    reopenMs = Math.min(reopenMs * 2, LONGEST_REOPEN_MS);
    listener.failed(link, reason);
  }

  function opened(connection: Socket): void {
    cancelTimeout();
    socket = connection;
    isOpen = true;
    reopenMs = FIRST_REOPEN_MS;
    flush();
    ping();
    listener.connected?.(link);
  }

  function flush(): void {
    if (socket && isOpen) writer.flush(socket);
  }

  /** No answer is waited for: not every server gives one, and OPTIONS asks those that are to be watched. */
  function ping(): void {
    cancelPing = clock.after(PING_EVERY_MS, () => {
      if (writer.add(PING)) flush();
      ping();
    });
  }

  function connect(): void {
    cancelReopen();
    if (socket !== null || isClosed) return;
    const framing = createStreamFraming();
    let connection: Socket | null = null;
    /** Stands for the connection until there is one, so that a late failure of an older one is not taken for this. */
    const connecting = {} as Socket;
    socket = connecting;
    cancelTimeout = clock.after(CONNECT_TIMEOUT_MS, () => {
      const late = socket;
      lost(late, "no connection within 5 s");
      connection?.terminate();
    });
    const isCurrent = () => socket === connection || socket === connecting;
    void Bun.connect({
      hostname: remote.address,
      port: remote.port,
      ...(tls && { tls: { serverName: tls.serverName, ...(tls.caPem !== null && { ca: tls.caPem }) } }),
      socket: {
        open(opening) {
          connection = opening;
          if (isClosed || !isCurrent()) {
            opening.terminate();
            return;
          }
          opening.setNoDelay(true);
          socket = opening;
          if (!tls) opened(opening);
        },
        handshake(opening, isTrusted, error) {
          if (isTrusted && !error) {
            opened(opening);
            return;
          }
          lost(opening, `${CERTIFICATE_REFUSED}: ${error?.message ?? "not trusted"}`);
          opening.terminate();
        },
        data: (from, bytes) => receiveFrom(from, framing, bytes, link, listener),
        drain: flush,
        close: (closing) => lost(closing, "the connection was closed"),
        error: (failing, error) => lost(failing, error.message),
        connectError: (_, error) => {
          if (socket === connecting) lost(connecting, `no connection: ${error.message}`);
        },
      },
    }).catch((error: unknown) => {
      if (socket === connecting) lost(connecting, error instanceof Error ? error.message : "no connection");
    });
  }

  const link: StreamLink = {
    transport: tls ? "tls" : "tcp",
    isReliable: true,
    remote,
    local() {
      if (!socket || !isOpen) return options.local;
      return { address: plainAddress(socket.localAddress), port: socket.localPort };
    },
    send(bytes) {
      if (isClosed || !writer.add(bytes)) return false;
      if (socket === null) connect();
      else flush();
      return true;
    },
    reconnect() {
      if (!isOpen) return;
      const silent = socket;
      lost(silent, "nobody answers over the connection");
      silent?.terminate();
    },
    close() {
      isClosed = true;
      cancelTimeout();
      cancelReopen();
      cancelPing();
      if (isOpen) socket?.end();
    },
  };
  connect();
  return link;
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
