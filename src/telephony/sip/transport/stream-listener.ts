// Accepts TCP connections from trunks, or TLS connections with our own certificate. Connections from other addresses
// are closed without a response. Most TLS trunks do not need it: they send their requests over the connection that we
// keep to them.
import { tlsListening, type CertificatePair } from "../../../core/certificate.ts";
import type { Endpoint, Flow, FlowListener } from "./flow.ts";
import { createStreamFraming, type StreamFraming } from "./stream-framing.ts";
import { receiveFrom } from "./stream-link.ts";
import { createStreamWriter, type StreamWriter } from "./stream-writer.ts";
import { plainAddress } from "./udp.ts";

export interface StreamListener {
  readonly port: number;
  /** New connections get this certificate; open ones are unaffected. */
  renew(certificate: CertificatePair): void;
  close(): void;
}

export interface StreamListenerOptions {
  bind: Endpoint;
  /** Null for plain TCP. */
  tls: CertificatePair | null;
  isKnown: (address: string) => boolean;
  dropped: () => void;
  localAddressFor: (remoteAddress: string) => string;
  listener: FlowListener;
}

/** For trunks that open their own TLS connections to us. */
export interface TlsListening extends CertificatePair {
  port: number;
}

/** Trunks need a handful; more is a malfunction or an attack from a trusted address. */
const MOST_CONNECTIONS = 64;

interface Accepted {
  flow: Flow;
  framing: StreamFraming;
  writer: StreamWriter;
}

export function listenForStreams(options: StreamListenerOptions): StreamListener {
  const { bind, tls, isKnown, dropped, localAddressFor, listener } = options;
  const accepted = new Map<Bun.Socket, Accepted>();

  const open = (port: number, certificate: CertificatePair | null) =>
    Bun.listen({ hostname: bind.address, port, ...tlsListening(certificate), socket: handlers });
  const handlers: Bun.SocketHandler<undefined> = {
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
        local: () => ({ address: localAddressFor(address), port }),
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
  };
  if (tls) throwWhereTaken(bind);
  const first = open(bind.port, tls);
  const { port } = first;
  const servers = [first];

  return {
    port,
    renew(certificate) {
      const renewed = open(port, certificate);
      servers.at(-1)?.stop(false);
      servers.push(renewed);
    },
    close: () => servers.forEach((server) => server.stop(true)),
  };
}

/**
 * Throws if the port is in use. A TLS listener shares its port with its successor at a renewal, and thereby with any
 * other program that allows sharing.
 */
function throwWhereTaken({ address, port }: Endpoint): void {
  Bun.listen({ hostname: address, port, socket: { data() {} } }).stop(true);
}
