// Opens a TLS connection to one checked address. The certificate is judged by the URL's host name, never by the address.
import type { Socket } from "node:net";
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { formatIp, type IpBytes } from "../../core/addresses.ts";
import { shareOf, type Deadline } from "./deadline.ts";
import { Connection } from "./exchange.ts";
import { connectFailure, localFaultTowards, PostFailure } from "./failure.ts";
import type { OpenTunnel } from "./proxy.ts";
import type { Target } from "./url-check.ts";

/** After so long without a byte an idle connection is closed; Node's servers do it after 5 s, others later. */
const IDLE_MS = 4_000;
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
  target: Target,
  addresses: readonly IpBytes[],
  trust: SecureContext,
  openTunnel: OpenTunnel | null,
  deadline: Deadline,
): Promise<Connection> {
  const tried = addresses.slice(0, MOST_ADDRESSES_TRIED);
  let failure: PostFailure | null = null;
  for (const [i, address] of tried.entries()) {
    const share = shareOf(deadline, tried.length - i);
    try {
      const tunnel = openTunnel ? await openTunnel(address, target.port, share) : null;
      return new Connection(await handshake(target, address, trust, tunnel, share), formatIp(address));
    } catch (error) {
      const latest = error instanceof PostFailure ? error : await judged(error, target, address);
      // The receiver is at fault where any of its addresses is.
      if (!failure || latest.kind !== "our_fault") failure = latest;
    }
  }
  throw failure ?? new PostFailure("unreachable", `${target.host}: the host name has no address.`);
}

async function judged(error: unknown, target: Target, address: IpBytes): Promise<PostFailure> {
  const where = placeOf(target, address);
  const failure = connectFailure(error, where);
  const localFault = failure.kind === "unreachable" ? await localFaultTowards(address, target.port) : null;
  return localFault === null
    ? failure
    : new PostFailure("our_fault", `${where}: this machine cannot connect (${localFault}).`);
}

function handshake(
  target: Target,
  address: IpBytes,
  trust: SecureContext,
  tunnel: Socket | null,
  deadline: Deadline,
): Promise<TLSSocket> {
  const socket = connect({
    ...(tunnel ? { socket: tunnel } : {}),
    host: formatIp(address),
    port: target.port,
    // RFC 6066, section 3: an address is never sent as server name.
    ...(target.literal ? {} : { servername: target.host }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(target.host, certificate),
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED in the environment turns the default off.
    rejectUnauthorized: true,
    secureContext: trust,
    timeout: IDLE_MS,
  });
  return new Promise((resolve, reject) => {
    const end = (error: Error | null) => {
      cancelDeadline();
      socket.off("secureConnect", onSecure).off("error", onError).off("close", onClose);
      // Whoever holds the socket next listens for itself; an error in between must not end the process.
      socket.on("error", () => {});
      if (!error) {
        resolve(socket);
        return;
      }
      socket.destroy();
      tunnel?.destroy();
      reject(error);
    };
    const onSecure = () =>
      end(
        socket.authorized
          ? null
          : new PostFailure("unreachable", `${placeOf(target, address)}: the certificate was not verified.`),
      );
    const onError = (error: Error) => end(error);
    const onClose = () =>
      end(new PostFailure("unreachable", `${placeOf(target, address)}: closed during the TLS handshake.`));
    const cancelDeadline = deadline.onPassed(() =>
      end(new PostFailure("timeout", `${placeOf(target, address)}: no TLS connection in time.`)),
    );
    socket.on("secureConnect", onSecure).on("error", onError).on("close", onClose);
  });
}

function placeOf(target: Target, address: IpBytes): string {
  const text = formatIp(address);
  return target.host === text ? `${text} port ${target.port}` : `${target.host} at ${text} port ${target.port}`;
}
