// Lowest layer of the user agent: combines sockets, parsing and transactions. Counts dropped messages.
import type { CertificatePair } from "../../../core/certificate.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import { faultFields } from "../../../core/fault-fields.ts";
import { isWildcard, localAddressTowards } from "../transport/addresses.ts";
import { parseMessage, serialise, type SipMessage, type SipRequest } from "../message/message.ts";
import { SipParseError } from "../message/parse-error.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import type { SipTimers } from "./timers.ts";
import { createTransactions, type Transactions } from "./transactions.ts";
import type { Endpoint, Flow, FlowListener, OpenedFlow } from "../transport/flow.ts";
import { openStreamLink } from "../transport/stream-link.ts";
import {
  listenForStreams,
  type StreamListener,
  type StreamListenerOptions,
  type TlsListening,
} from "../transport/stream-listener.ts";
import { openUdp } from "../transport/udp.ts";
import type { TransportName, TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface WireOptions {
  clock: Clock;
  logger: Logger;
  timers: SipTimers;
  randomText: () => string;
  bind: Endpoint;
  tls: TlsListening | null;
  isKnown: (address: string) => boolean;
  trace: (message: SipMessage, flow: Flow, direction: "sent" | "received") => void;
  onRequest: (transaction: ServerTransaction) => void;
  isSamePeer: (sent: Flow, came: Flow) => boolean;
  onAck: (ack: SipRequest, flow: Flow) => void;
  onFlowConnected: (flow: Flow) => void;
  onFlowFailed: (flow: Flow, reason: string) => void;
}

export interface Wire {
  readonly port: number;
  readonly transactions: Transactions;
  send(message: SipMessage, flow: Flow): boolean;
  openFlow(settings: TrunkSettings, remote: Endpoint): Promise<OpenedFlow>;
  sideFlow(remote: Endpoint, like: Flow): Flow | null;
  /** Listening port of this transport; null if there is none. */
  listensOn(transport: TransportName): number | null;
  /** For TLS connections that trunks open from now on. */
  renewCertificate(certificate: CertificatePair): void;
  counters(): { droppedStrangers: number; droppedMalformed: number };
  close(): void;
}

export async function openWire(options: WireOptions): Promise<Wire> {
  const { clock, logger, bind, isKnown } = options;
  let droppedStrangers = 0;
  let droppedMalformed = 0;
  let tcpListener: StreamListener | null = null;
  /** Local address towards each trunk, if bound to every interface. */
  const localAddresses = new Map<string, string>();
  const localAddressFor = (remote: string) => localAddresses.get(remote) ?? bind.address;
  const dropped = () => void (droppedStrangers += 1);

  const listener: FlowListener = {
    received(bytes, flow) {
      try {
        const message = parseMessage(bytes);
        options.trace(message, flow, "received");
        transactions.receive(message, flow);
      } catch (error) {
        if (error instanceof SipParseError) {
          droppedMalformed += 1;
          logger.debug("a SIP message could not be read", { reason: error.message });
          return;
        }
        // An error in one call must not end the others in this thread.
        logger.error("a SIP message could not be handled", faultFields(error));
      }
    },
    failed(flow, reason) {
      logger.info("a SIP connection was lost", { transport: flow.transport, reason });
      // The trunk first: it then already knows the cause of the failures that follow.
      options.onFlowFailed(flow, reason);
      transactions.flowFailed(flow, reason);
    },
    connected: (flow) => options.onFlowConnected(flow),
  };

  const udp = await openUdp({ bind, isKnown, dropped, listener, localAddressFor });
  const accepting = { isKnown, dropped, localAddressFor, listener };
  const tlsListener = options.tls && listenForTls({ ...accepting, bind, tls: options.tls }, udp);
  const transactions = createTransactions({ ...options, send, replyFlow });

  function send(message: SipMessage, flow: Flow): boolean {
    options.trace(message, flow, "sent");
    return flow.send(serialise(message));
  }

  /** RFC 3581: to the source address if the request has rport, otherwise to the port in its Via. */
  function replyFlow(request: SipRequest, flow: Flow): Flow {
    if (flow.transport !== "udp" || request.via.parameters["rport"] !== undefined) return flow;
    return udp.flowTo({ address: flow.remote.address, port: request.via.port ?? 5060 }, flow.local().address);
  }

  /** Optional: without it outbound calls still work, but a trunk that opens its own connections cannot call us. */
  function listenOnce(): void {
    try {
      tcpListener ??= listenForStreams({ ...accepting, tls: null, bind: { ...bind, port: udp.port } });
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown";
      logger.warn("TCP trunks cannot call us: the SIP port is taken by another program", { port: udp.port, reason });
    }
  }

  return {
    port: udp.port,
    transactions,
    send,
    async openFlow(settings, remote) {
      if (isWildcard(bind.address)) localAddresses.set(remote.address, await localAddressTowards(remote));
      const local = { address: localAddressFor(remote.address), port: udp.port };
      if (settings.transport === "udp") return { flow: udp.flowTo(remote, local.address), close() {} };
      if (settings.transport === "tcp") listenOnce();
      const tls = settings.transport === "tls" ? { serverName: settings.host, caPem: settings.caPem } : null;
      const link = openStreamLink({ clock, remote, tls, local, listener });
      return { flow: link, close: () => link.close(), reconnect: () => link.reconnect() };
    },
    sideFlow: (remote, like) => (like.transport === "udp" ? udp.flowTo(remote, like.local().address) : null),
    listensOn: (transport) =>
      transport === "udp" ? udp.port : ((transport === "tcp" ? tcpListener : tlsListener)?.port ?? null),
    renewCertificate: (certificate) => renewOf(tlsListener, certificate, logger),
    counters: () => ({ droppedStrangers, droppedMalformed }),
    close() {
      transactions.dispose();
      tcpListener?.close();
      tlsListener?.close();
      udp.close();
    },
  };
}

/** On failure the old certificate stays in use. */
function renewOf(listening: StreamListener | null, certificate: CertificatePair, logger: Logger): void {
  try {
    listening?.renew(certificate);
  } catch (error) {
    logger.error("The renewed certificate is not in use: its listener cannot be opened.", faultFields(error));
  }
}

/** Closes everything if the port is in use. */
function listenForTls(
  { tls, ...options }: StreamListenerOptions & { tls: TlsListening },
  udp: { close(): void },
): StreamListener {
  try {
    return listenForStreams({ ...options, tls, bind: { ...options.bind, port: tls.port } });
  } catch (error) {
    udp.close();
    const reason = error instanceof Error ? error.message : "unknown";
    throw new Error(`TLS on port ${tls.port}: ${reason}`, { cause: error });
  }
}
