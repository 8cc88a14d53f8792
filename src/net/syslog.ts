// Syslog client: sends messages to one collector over TLS (RFC 5425) or TCP (RFC 6587). Syslog has no acknowledgement,
// so each delivery has a connection of its own, closed in order: a collector that ends it without an error has read
// everything. Nothing is kept in memory between deliveries.
import type { SecureContext } from "node:tls";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import type { IpBytes } from "./addresses.ts";
import { beforeDeadline, startDeadline, type Deadline } from "./deadline.ts";
import { lookUp, systemResolve, type Resolve } from "./dns.ts";
import { connectFailure, NetFailure, type FailureKind } from "./failure.ts";
import { readHttpUrl, type HttpUrl } from "./http-url.ts";
import { openWire } from "./http/open-connection.ts";
import type { Wire } from "./http/wire.ts";
import { framedSyslog, syslogMessage, type SyslogMessage, type SyslogOrigin } from "./syslog-message.ts";

export interface SyslogSettings {
  /** `tls://HOST:PORT` or `tcp://HOST:PORT`. */
  address: string;
  /** Authorities of the collector, with our certificate; read again for each connection. Not called without TLS. */
  trust: () => SecureContext;
  origin: SyslogOrigin;
  maxMessageBytes: number;
  /** For a whole delivery. */
  timeoutMs?: number;
  clock?: Pick<Clock, "after" | "elapsedMs">;
  resolve?: Resolve;
}

export interface SyslogClient {
  /** Resolves when the collector has read the message. Throws a NetFailure. */
  send(message: SyslogMessage): Promise<void>;
  /** Resolves when the collector has read all of them. After a failure it may have read some: send all again. */
  sendAll(messages: readonly SyslogMessage[]): Promise<void>;
}

const DELIVERY_MS = 30 * SECOND_MS;
const EXAMPLE = "tls://HOST:PORT or tcp://HOST:PORT";

/** Throws an Error that says what the address must be. */
export function readSyslogAddress(text: string): HttpUrl {
  const [, scheme, rest] = /^(tls|tcp):\/\/([^/]+:\d+)\/?$/.exec(text) ?? [];
  if (rest === undefined) throw new Error(`must be ${EXAMPLE}`);
  return readHttpUrl(`${scheme === "tls" ? "https" : "http"}://${rest}`, EXAMPLE);
}

export function createSyslogClient(settings: SyslogSettings): SyslogClient {
  const { trust, origin, maxMessageBytes, timeoutMs = DELIVERY_MS, clock, resolve = systemResolve } = settings;
  const target = readSyslogAddress(settings.address);

  async function sendAll(messages: readonly SyslogMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const bytes = Buffer.concat(messages.map((each) => framedSyslog(syslogMessage(each, origin, maxMessageBytes))));
    const deadline = startDeadline(timeoutMs, clock ? { clock } : {});
    const addresses: IpBytes[] = target.literal ? [target.literal] : await lookUp(target.host, resolve, deadline);
    const { wire } = await openWire(target, addresses, target.isTls ? trust() : null, null, deadline);
    try {
      await readByPeer(wire, target, bytes, deadline);
    } finally {
      wire.destroy();
    }
  }

  return { send: (message) => sendAll([message]), sendAll };
}

function readByPeer(wire: Wire, { host, port }: HttpUrl, bytes: Buffer, deadline: Deadline): Promise<void> {
  const where = `${host} port ${port}`;
  const failed = (kind: FailureKind, what: string) => new NetFailure(kind, `${where}: ${what}.`);
  const read = Promise.withResolvers<void>();
  wire.listener = {
    // Collectors answer nothing.
    heard: () => {},
    ended(error) {
      if (error) read.reject(connectFailure(error, where));
      else if (wire.hasUnsent) read.reject(failed("unreachable", "closed before everything was sent"));
      else read.resolve();
    },
  };
  if (wire.isGone) throw failed("unreachable", "closed at once");
  wire.write(bytes);
  wire.finish();
  return beforeDeadline(deadline, read.promise, () =>
    failed("timeout", "the collector has not read everything in time"),
  );
}
