// Which certificate authorities are trusted.
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

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

/** Creating a context reads every system authority, which takes milliseconds. */
const KEPT = new Map<string | null, SecureContext>();
const MOST_KEPT = 64;

/** The same, for callers that are asked for many servers in the middle of a call. */
export function keptTrust(caPem: string | null): SecureContext {
  const known = KEPT.get(caPem);
  if (known) return known;
  if (KEPT.size >= MOST_KEPT) KEPT.clear();
  const trust = trustedBy(caPem);
  KEPT.set(caPem, trust);
  return trust;
}
