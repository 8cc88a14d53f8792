// Trusted certificate authorities.
import type { CertificatePair } from "../core/certificate.ts";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/**
 * The system's authorities, or the runtime's built-in ones if the system has none, plus the configured ones. Throws an
 * Error with a clear message if those are not certificates. `own`: our certificate, for servers that ask for one.
 */
export function trustedBy(caPem: string | null, own: CertificatePair | null = null): SecureContext {
  const system = getCACertificates("system");
  const authorities = system.length > 0 ? system : getCACertificates("bundled");
  const identity = own === null ? {} : { cert: own.certPem, key: own.keyPem };
  const trusting = (ca: readonly string[]) => createSecureContext({ ca: [...ca], minVersion: "TLSv1.2", ...identity });
  if (caPem === null) return trusting(authorities);
  try {
    if (caPem.includes("-----BEGIN CERTIFICATE-----")) return trusting([...authorities, caPem]);
  } catch {
    // The runtime only reports "Invalid CA".
  }
  throw new Error(
    "The configured CA file holds no valid certificates. It must be PEM: one or more BEGIN CERTIFICATE blocks.",
  );
}

/** Creating a context reads every system authority, which takes milliseconds. */
const KEPT = new Map<string | null, SecureContext>();
const MOST_KEPT = 64;

/** Cached, for callers that connect to many servers during calls. */
export function keptTrust(caPem: string | null): SecureContext {
  const known = KEPT.get(caPem);
  if (known) return known;
  if (KEPT.size >= MOST_KEPT) KEPT.clear();
  const trust = trustedBy(caPem);
  KEPT.set(caPem, trust);
  return trust;
}
