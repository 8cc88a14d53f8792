// A connection to one trunk over TCP or TLS that opens when first used and again after it was lost.
import type { Clock } from "../../../../core/clock.ts";
import { SipParseError } from "../parse-error.ts";
import type { Endpoint, Flow, FlowListener } from "./flow.ts";
import { createStreamFraming, type StreamFraming } from "./stream-framing.ts";

export interface TlsCheck {
  /** The name that the certificate must carry. */
  serverName: string;
  /** The hospital's or carrier's own authority; null trusts the public ones. There is no way to trust anybody else. */
  caPem: string | null;
}

export interface StreamLink extends Flow {
  close(): void;
}

export interface StreamLinkOptions {
  clock: Clock;
  remote: Endpoint;
  /** Null for plain TCP. */
  tls: TlsCheck | null;
  /** What Via and Contact say. Answers come back on the connection, whatever the port. */
  local: Endpoint;
  listener: FlowListener;
}

/** How the reason of a failure begins where it was the certificate's. */
export const CERTIFICATE_REFUSED = "the certificate was refused";

const CONNECT_TIMEOUT_MS = 5_000;
/** What waits while a connection is being made. More means that nobody is there. */
const MOST_WAITING_BYTES = 512 * 1024;

type Socket = Bun.Socket;

export function openStreamLink(options: StreamLinkOptions): StreamLink {
  const { clock, remote, tls, listener } = options;
  let socket: Socket | null = null;
  let isOpen = false;
  let isClosed = false;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let cancelTimeout = () => {};

  function lost(connection: Socket | null, reason: string): void {
    if (connection !== socket) return;
    cancelTimeout();
    const wasUsed = socket !== null;
    socket = null;
    isOpen = false;
    waiting = [];
    waitingBytes = 0;
    if (wasUsed && !isClosed) listener.failed(link, reason);
  }

  function opened(connection: Socket): void {
    cancelTimeout();
    socket = connection;
    isOpen = true;
    flush();
  }

  /** A socket takes what its buffer holds; the rest goes out on `drain`. */
  function flush(): void {
    while (socket && isOpen && waiting.length > 0) {
      const [next] = waiting;
      if (!next) return;
      const written = socket.write(next);
      if (written < 0) return;
      waitingBytes -= written;
      if (written < next.length) {
        waiting[0] = next.subarray(written);
        return;
      }
      waiting.shift();
    }
  }

  function connect(): void {
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
    local: () => options.local,
    send(bytes) {
      if (isClosed || waitingBytes + bytes.length > MOST_WAITING_BYTES) return false;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (socket === null) connect();
      else flush();
      return true;
    },
    close() {
      isClosed = true;
      cancelTimeout();
      if (isOpen) socket?.end();
    },
  };
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
