// Connections that a TCP trunk opens to us. Strangers are hung up on without a word.
// There is no TLS listener: a TLS trunk sends us its requests over the connection that we keep to it (RFC 5923).
import type { Endpoint, Flow, FlowListener } from "./flow.ts";
import { createStreamFraming, type StreamFraming } from "./stream-framing.ts";
import { receiveFrom } from "./stream-link.ts";
import { plainAddress } from "./udp.ts";

export interface TcpListener {
  close(): void;
}

export interface TcpListenerOptions {
  bind: Endpoint;
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
}

export function listenTcp(options: TcpListenerOptions): TcpListener {
  const { bind, isKnown, dropped, localAddressFor, listener } = options;
  const accepted = new Map<Bun.Socket, Accepted>();

  const server = Bun.listen({
    hostname: bind.address,
    port: bind.port,
    socket: {
      open(socket) {
        const address = plainAddress(socket.remoteAddress);
        if (!isKnown(address) || accepted.size >= MOST_CONNECTIONS) {
          dropped();
          socket.terminate();
          return;
        }
        const flow: Flow = {
          transport: "tcp",
          isReliable: true,
          remote: { address, port: socket.remotePort },
          local: () => ({ address: localAddressFor(address), port: bind.port }),
          send: (bytes) => accepted.has(socket) && socket.write(bytes) === bytes.length,
        };
        accepted.set(socket, { flow, framing: createStreamFraming() });
      },
      data(socket, bytes) {
        const connection = accepted.get(socket);
        if (connection) receiveFrom(socket, connection.framing, bytes, connection.flow, listener);
      },
      close(socket) {
        const connection = accepted.get(socket);
        accepted.delete(socket);
        if (connection) listener.failed(connection.flow, "the peer closed its connection");
      },
      error() {},
    },
  });

  return { close: () => server.stop(true) };
}
