// Whether a certificate and its key can be read and belong together, told before anything listens with them.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

interface NamedFile {
  /** The setting that names it. */
  key: string;
  file: string;
}

export function certificateFaults(cert: NamedFile, key: NamedFile): string[] {
  const certificate = parsed(cert, (pem) => new X509Certificate(pem));
  const privateKey = parsed(key, (pem) => createPrivateKey(pem));
  if (certificate === null) return [`${cert.key}: ${cert.file} cannot be read.`];
  if (privateKey === null) return [`${key.key}: ${key.file} cannot be read.`];
  if (certificate === undefined) return [`${cert.key}: ${cert.file} must be PEM, with BEGIN CERTIFICATE.`];
  if (privateKey === undefined) return [`${key.key}: ${key.file} must be a private key as PEM, without a passphrase.`];
  if (certificate.checkPrivateKey(privateKey)) return [];
  return [`${key.key}: ${key.file} is not the key of the certificate in ${cert.file}.`];
}

/** Null where the file cannot be read, undefined where it is something else. */
function parsed<T>({ file }: NamedFile, parse: (pem: Buffer) => T): T | null | undefined {
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch {
    return null;
  }
  try {
    return parse(pem);
  } catch {
    return undefined;
  }
}
