// Loader for a certificate and its key from the files named in the settings. Checks that they belong together.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CertificatePair } from "../core/certificate.ts";

export interface CertificateFiles {
  /** The settings table that names the files: `server`, `telephony.sip`. */
  readonly table: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export interface ReadCertificate {
  pair: CertificatePair;
  expiresAt: number;
}

/** The certificate, or an error sentence that begins with the setting. */
export function readCertificate({ table, certFile, keyFile }: CertificateFiles): ReadCertificate | string {
  const certSetting = `${table}.tls_cert_file: ${certFile}`;
  const keySetting = `${table}.tls_key_file: ${keyFile}`;
  const certPem = textOf(certFile);
  if (certPem === null) return `${certSetting} cannot be read.`;
  const keyPem = textOf(keyFile);
  if (keyPem === null) return `${keySetting} cannot be read.`;
  const certificate = parsed(() => new X509Certificate(certPem));
  if (certificate === null) return `${certSetting} must be PEM, with BEGIN CERTIFICATE.`;
  const privateKey = parsed(() => createPrivateKey(keyPem));
  if (privateKey === null) return `${keySetting} must be a private key as PEM, without a passphrase.`;
  if (!certificate.checkPrivateKey(privateKey))
    return `${keySetting} is not the key of the certificate in ${certFile}.`;
  return { pair: { certPem, keyPem }, expiresAt: Date.parse(certificate.validTo) };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function parsed<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}
