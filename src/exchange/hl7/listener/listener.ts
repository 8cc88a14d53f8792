// The MLLP port: accepts connections of listed addresses, with TLS and client certificates if they are configured.
import { tlsListening, type CertificatePair } from "../../../core/certificate.ts";
import { canonicalAddress } from "../../../net/addresses.ts";
import { SenderConnection, type ConnectionDeps } from "./connection.ts";

export interface ListenerOptions extends ConnectionDeps {
  host: string;
  port: number;
  tls: CertificatePair | null;
  /** Certificates of clients must come from these authorities. Null: none is asked for. */
  clients: ClientTrust | null;
  /** Whether an address may connect. */
  isAllowed: (address: string) => boolean;
  mostConnections: number;
}

export interface ClientTrust {
  caPem: string;
  /** Revoked certificates: one list of every authority. */
  crlPem: string | null;
}

export interface Hl7Listener {
  readonly port: number;
  readonly connections: number;
  /** For new connections. If other clients are trusted than before, all must connect again. Throws for bad PEM. */
  renew(certificate: CertificatePair, clients: ClientTrust | null): void;
  stop(): Promise<void>;
}

export function listenForMllp(options: ListenerOptions): Hl7Listener {
  const { host, tls, isAllowed, mostConnections, logger, clock, limits } = options;
  let { clients } = options;
  const open = new Map<Bun.Socket, SenderConnection>();
  /** Connections whose handshake is not over, with what cancels its end. */
  const greeting = new Map<Bun.Socket, () => void>();

  const hasPlace = () => open.size + greeting.size < mostConnections || hasRetired(open.values(), limits.quietMs);
  const refuse = (socket: Bun.Socket, reason: string) => {
    const peer = canonicalAddress(socket.remoteAddress);
    logger.warn("An HL7 connection was refused.", { reason, peer });
    socket.terminate();
  };
  const begin = (socket: Bun.Socket) => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    open.set(socket, new SenderConnection(options, socket, canonicalAddress(socket.remoteAddress)));
  };
  const handlers: Bun.SocketHandler<undefined> = {
    open(socket) {
      if (!isAllowed(canonicalAddress(socket.remoteAddress))) refuse(socket, "The address is not in hl7.allow.");
      else if (!hasPlace()) refuse(socket, "All connections are in use.");
      else if (!tls) begin(socket);
      else
        greeting.set(
          socket,
          clock.after(limits.frameMs, () => refuse(socket, "The handshake did not end in time.")),
        );
    },
    handshake(socket, isSuccessful) {
      const endGreeting = greeting.get(socket);
      // Refused before.
      if (!endGreeting) return;
      endGreeting();
      greeting.delete(socket);
      // The runtime closes the connection where the certificate is not valid; checked again, because it must be.
      if (isSuccessful && (clients === null || socket.authorized)) begin(socket);
      else refuse(socket, "The client has no valid certificate of hl7.client_ca_file.");
    },
    data: (socket, bytes) => open.get(socket)?.heard(bytes),
    drain: (socket) => open.get(socket)?.drained(),
    close(socket) {
      greeting.get(socket)?.();
      greeting.delete(socket);
      const connection = open.get(socket);
      open.delete(socket);
      connection?.closed();
    },
    error() {},
  };
  const listen = (port: number, certificate: CertificatePair | null, trusted: ClientTrust | null) =>
    Bun.listen({ hostname: host, port, ...tlsOptions(certificate, trusted), socket: handlers });
  // With a shared port the runtime does not report that another program has it.
  if (tls && options.port !== 0) Bun.listen({ hostname: host, port: options.port, socket: { data() {} } }).stop(true);
  const first = listen(options.port, tls, clients);
  const { port } = first;
  const servers = [first];

  return {
    port,
    get connections() {
      return open.size;
    },
    renew(certificate, trusted) {
      const renewed = listen(port, certificate, trusted);
      servers.at(-1)?.stop(false);
      servers.push(renewed);
      const isSameTrust = Bun.deepEquals(clients, trusted);
      clients = trusted;
      if (isSameTrust) return;
      for (const socket of greeting.keys()) socket.terminate();
      for (const connection of open.values()) void connection.stop();
    },
    async stop() {
      for (const server of servers) server.stop(false);
      for (const socket of greeting.keys()) socket.terminate();
      await Promise.all([...open.values()].map((connection) => connection.stop()));
      for (const server of servers) server.stop(true);
    },
  };
}

/** A sender that lost its connections without our knowledge must not find all places taken by them. */
function hasRetired(connections: Iterable<SenderConnection>, quietMs: number): boolean {
  const [quietest] = [...connections].toSorted((a, b) => b.quietMs - a.quietMs);
  if (!quietest || quietest.quietMs < quietMs) return false;
  quietest.retire();
  return true;
}

/** Finds senders that are gone without a word. */
const KEEP_ALIVE_MS = 60_000;

function tlsOptions(certificate: CertificatePair | null, clients: ClientTrust | null) {
  const listening = tlsListening(certificate);
  if (!("tls" in listening) || clients === null) return listening;
  const { caPem: ca, crlPem: crl } = clients;
  return {
    ...listening,
    tls: { ...listening.tls, ca, ...(crl !== null && { crl }), requestCert: true, rejectUnauthorized: true },
  };
}
