// Reasons why an attempt failed, and who is at fault.
import { messageOf } from "../core/errors.ts";
import { formatIp, type IpBytes } from "./addresses.ts";

export type FailureKind = "timeout" | "unreachable" | "blocked" | "our_fault";

export class NetFailure extends Error {
  override name = "NetFailure";
  constructor(
    readonly kind: FailureKind,
    detail: string,
  ) {
    super(detail);
  }
}

/** Error codes for which this machine, not the receiver, is at fault. */
const LOCAL_FAULTS = new Set([
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EACCES",
  "EPERM",
]);

const UNKNOWN_ISSUER =
  "the certificate's issuer is not trusted here; a private authority belongs in the configured CA file";
const TLS_REASONS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for other names than the URL's host",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  ERR_SSL_WRONG_VERSION_NUMBER: "the port does not speak TLS",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
};

export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/**
 * The runtime's sockets report TLS errors as EPROTO, with the reason only in the message; `node:tls` derives a code
 * from it.
 */
function connectCode(error: unknown): string {
  const reason = /OPENSSL_internal:([A-Z0-9_]+)/.exec(messageOf(error))?.[1];
  return codeOf(error) === "EPROTO" && reason !== undefined ? `ERR_SSL_${reason}` : codeOf(error);
}

export function connectFailure(error: unknown, where: string): NetFailure {
  const code = connectCode(error);
  const reason = TLS_REASONS[code] ?? "no connection";
  return new NetFailure(
    LOCAL_FAULTS.has(code) ? "our_fault" : "unreachable",
    `${where}: ${reason}${code && ` (${code})`}.`,
  );
}

/**
 * Bun 1.4.4 reports a missing route and a full descriptor table as ECONNREFUSED. A connected UDP socket meets the same
 * limits and routes, gets the true code, and sends no packet.
 */
export async function localFaultTowards(address: IpBytes, port: number): Promise<string | null> {
  try {
    const socket = await Bun.udpSocket({
      hostname: address.length === 4 ? "0.0.0.0" : "::",
      connect: { hostname: formatIp(address), port },
    });
    socket.close();
    return null;
  } catch (error) {
    const code = codeOf(error);
    return LOCAL_FAULTS.has(code) ? code : null;
  }
}
