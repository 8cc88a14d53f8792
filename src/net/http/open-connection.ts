// Opens a TLS connection to one checked address. The certificate is judged by the URL's host name, never by the
// address.
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { formatIp, type IpBytes } from "../addresses.ts";
import { shareOf, type Deadline } from "../deadline.ts";
import { Connection } from "./connection.ts";
import { connectFailure, localFaultTowards, NetFailure, type FailureKind } from "../failure.ts";
import { openNativeWire } from "./native-wire.ts";
import type { OpenTunnel } from "../proxy.ts";
import { openTunnelWire } from "./tunnel-wire.ts";
import type { HttpUrl } from "../http-url.ts";
import type { WireRequest } from "./wire.ts";

/** With more, each one's share of the time would be too short for a slow handshake. */
const MOST_ADDRESSES_TRIED = 4;

/**
 * The machine's own authorities, or those built into the runtime where the machine has none; and the configured ones.
 * Throws an Error with a clear message where those are no certificates.
 */
export function trustedBy(caPem: string | null): SecureContext {
  const system = getCACertificates("system");
  const authorities = system.length > 0 ? system : getCACertificates("bundled");
  const trusting = (ca: readonly string[]) => createSecureContext({ ca: [...ca], minVersion: "TLSv1.2" });
  if (caPem === null) return trusting(authorities);
  try {
    if (caPem.includes("-----BEGIN CERTIFICATE-----")) return trusting([...authorities, caPem]);
  } catch {
    // The runtime says no more than "Invalid CA".
  }
  throw new Error(
    "The configured CA file holds no valid certificates. It must be PEM: one or more BEGIN CERTIFICATE blocks.",
  );
}

/** Nothing has been sent when a connection fails, so the next address may be tried. */
export async function openConnection(
  target: HttpUrl,
  addresses: readonly IpBytes[],
  trust: SecureContext,
  openTunnel: OpenTunnel | null,
  deadline: Deadline,
): Promise<Connection> {
  const tried = addresses.slice(0, MOST_ADDRESSES_TRIED);
  let failure: NetFailure | null = null;
  for (const [i, address] of tried.entries()) {
    const share = shareOf(deadline, tried.length - i);
    try {
      const wire = wireRequest(target, address, trust, share);
      const tunnel = openTunnel ? await openTunnel(address, target.port, share) : null;
      return new Connection(await (tunnel ? openTunnelWire(wire, tunnel) : openNativeWire(wire)), formatIp(address));
    } catch (error) {
      const latest = error instanceof NetFailure ? error : await judged(error, target, address);
      // The receiver is at fault where any of its addresses is.
      if (!failure || latest.kind !== "our_fault") failure = latest;
    }
  }
  throw failure ?? new NetFailure("unreachable", `${target.host}: the host name has no address.`);
}

async function judged(error: unknown, target: HttpUrl, address: IpBytes): Promise<NetFailure> {
  const where = placeOf(target, address);
  const failure = connectFailure(error, where);
  const localFault = failure.kind === "unreachable" ? await localFaultTowards(address, target.port) : null;
  return localFault === null
    ? failure
    : new NetFailure("our_fault", `${where}: this machine cannot connect (${localFault}).`);
}

function wireRequest(target: HttpUrl, address: IpBytes, trust: SecureContext, deadline: Deadline): WireRequest {
  const failure = (kind: FailureKind, what: string) => new NetFailure(kind, `${placeOf(target, address)}: ${what}.`);
  return {
    target,
    address,
    trust,
    deadline,
    late: () => failure("timeout", "no TLS connection in time"),
    closed: () => failure("unreachable", "closed during the TLS handshake"),
    unverified: () => failure("unreachable", "the certificate was not verified"),
  };
}

function placeOf(target: HttpUrl, address: IpBytes): string {
  const text = formatIp(address);
  return target.host === text ? `${text} port ${target.port}` : `${target.host} at ${text} port ${target.port}`;
}
