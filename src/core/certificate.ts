// A certificate with its key, as PEM, and the TLS options of this process's listeners.

export interface CertificatePair {
  /** The certificate, followed by its intermediates. */
  certPem: string;
  keyPem: string;
}

/** For TLS 1.2, only cipher suites with forward secrecy and AEAD: no CBC, no static RSA. TLS 1.3 has no others. */
const TLS_12_CIPHERS = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/**
 * `reusePort` lets a second listener with a renewed certificate open the port before the first one closes: Bun cannot
 * change the certificate of a listener.
 */
export function tlsListening(pair: CertificatePair | null) {
  if (pair === null) return {};
  return { reusePort: true, tls: { cert: pair.certPem, key: pair.keyPem, ciphers: TLS_12_CIPHERS } };
}
