// A way to one peer: a UDP socket and an address, or one connection. Transactions speak to flows and know no sockets.
import type { TransportName } from "../../../trunks/trunk-settings.ts";

export interface Endpoint {
  address: string;
  port: number;
}

/** The less, the easier it is to write somebody else's address on a message. */
const SAFETY: Readonly<Record<TransportName, number>> = { udp: 0, tcp: 1, tls: 2 };

export function isAsSafeAs(transport: TransportName, other: TransportName): boolean {
  return SAFETY[transport] >= SAFETY[other];
}

export interface Flow {
  readonly transport: TransportName;
  /** TCP and TLS deliver by themselves: nothing is sent twice over them. */
  readonly isReliable: boolean;
  /** What Via names: where answers reach us as far as we can see it ourselves. */
  local(): Endpoint;
  readonly remote: Endpoint;
  /** False where it certainly did not leave. True promises nothing. */
  send(bytes: Buffer): boolean;
}

/** A flow that somebody keeps. */
export interface OpenedFlow {
  flow: Flow;
  close: () => void;
  /** Missing where there is no connection. */
  reconnect?: () => void;
}

/** What a transport reports. */
export interface FlowListener {
  received(bytes: Buffer, flow: Flow): void;
  /** A connection that we keep was made, for the first time or again. */
  connected?(flow: Flow): void;
  /** The connection was lost or never made: whatever waits for an answer on it waits in vain. */
  failed(flow: Flow, reason: string): void;
}
