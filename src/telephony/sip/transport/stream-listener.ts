// Connections that a trunk opens to us, over TCP or over TLS with a certificate of our own. Strangers are hung up on without
// a word. Most TLS trunks need none of it: they send us their requests over the connection that we keep to them.
import type { Endpoint, Flow, FlowListener } from "./flow.ts";
import { createStreamFraming, type StreamFraming } from "./stream-framing.ts";
import { receiveFrom } from "./stream-link.ts";
import { createStreamWriter, type StreamWriter } from "./stream-writer.ts";
import { plainAddress } from "./udp.ts";

export interface StreamListener {
  readonly port: number;
  close(): void;
}

export interface StreamListenerOptions {
  bind: Endpoint;
  /** Null for plain TCP. */
  tls: { certPem: string; keyPem: string } | null;
  isKnown: (address: string) => boolean;
  dropped: () => void;
  localAddressFor: (remoteAddress: string) => string;
  listener: FlowListener;
}

/** Trunks need a handful; more is an accident or an attack from an address that we trust. */
const MOST_CONNECTIONS = 64;

interface Accepted {
  flow: Flow;
  framing: StreamFraming;
  writer: StreamWriter;
}

export function listenForStreams(options: StreamListenerOptions): StreamListener {
  const { bind, tls, isKnown, dropped, localAddressFor, listener } = options;
  const accepted = new Map<Bun.Socket, Accepted>();

  const server = Bun.listen({
    hostname: bind.address,
    port: bind.port,
    ...(tls && { tls: { cert: tls.certPem, key: tls.keyPem } }),
    socket: {
      open(socket) {
        const address = plainAddress(socket.remoteAddress);
        if (!isKnown(address) || accepted.size >= MOST_CONNECTIONS) {
          dropped();
          socket.terminate();
          return;
        }
        const writer = createStreamWriter();
        const flow: Flow = {
          transport: tls ? "tls" : "tcp",
          isReliable: true,
          remote: { address, port: socket.remotePort },
          local: () => ({ address: localAddressFor(address), port: server.port }),
          send(bytes) {
            if (!accepted.has(socket) || !writer.add(bytes)) return false;
            writer.flush(socket);
            return true;
          },
        };
        accepted.set(socket, { flow, framing: createStreamFraming(), writer });
      },
      data(socket, bytes) {
        const connection = accepted.get(socket);
        if (connection) receiveFrom(socket, connection.framing, bytes, connection.flow, listener);
      },
      drain: (socket) => accepted.get(socket)?.writer.flush(socket),
      close(socket) {
        const connection = accepted.get(socket);
        accepted.delete(socket);
        if (connection) listener.failed(connection.flow, "the peer closed its connection");
      },
      error() {},
    },
  });

  return { port: server.port, close: () => server.stop(true) };
}
