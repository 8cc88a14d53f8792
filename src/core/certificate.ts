// A certificate with its key, as PEM, and how the ports of this process serve TLS with it.

export interface CertificatePair {
  /** The certificate, followed by those between it and its authority. */
  certPem: string;
  keyPem: string;
}

/** TLS 1.2 with forward secrecy and authenticated encryption alone: no CBC, no static RSA. TLS 1.3 has nothing else. */
const TLS_12_CIPHERS = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/**
 * `reusePort` lets a second listener with a renewed certificate open the port before the first one closes it: Bun
 * cannot change the certificate of a listener.
 */
export function tlsListening(pair: CertificatePair | null) {
  if (pair === null) return {};
  return { reusePort: true, tls: { cert: pair.certPem, key: pair.keyPem, ciphers: TLS_12_CIPHERS } };
}
