// A flow to one peer: a UDP socket and an address, or one connection. Transactions use flows instead of sockets.
import type { TransportName } from "../../../trunks/trunk-settings.ts";

export interface Endpoint {
  address: string;
  port: number;
}

/** The lower, the easier it is to spoof the source address. */
const SAFETY: Readonly<Record<TransportName, number>> = { udp: 0, tcp: 1, tls: 2 };

export function isAsSafeAs(transport: TransportName, other: TransportName): boolean {
  return SAFETY[transport] >= SAFETY[other];
}

export interface Flow {
  readonly transport: TransportName;
  /** TCP and TLS are reliable: nothing is retransmitted over them. */
  readonly isReliable: boolean;
  /** Address for Via: where responses reach us, as far as we know. */
  local(): Endpoint;
  readonly remote: Endpoint;
  /** False if it was certainly not sent. True guarantees nothing. */
  send(bytes: Buffer): boolean;
}

/** A flow with its lifecycle, held by its owner. */
export interface OpenedFlow {
  flow: Flow;
  close: () => void;
  /** Missing if there is no connection. */
  reconnect?: () => void;
}

/** Events of a transport. */
export interface FlowListener {
  received(bytes: Buffer, flow: Flow): void;
  /** A persistent connection was established, for the first time or again. */
  connected?(flow: Flow): void;
  /** The connection was lost or could not be established: pending requests on it will get no response. */
  failed(flow: Flow, reason: string): void;
}
