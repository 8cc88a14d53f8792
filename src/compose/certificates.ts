// Certificates of our own ports: loaded at the start, and reloaded when their files change.
import { readCertificate, type CertificateFiles, type ReadCertificate } from "../config/certificate-files.ts";
import type { Config } from "../config/schema.ts";
import type { CertificatePair } from "../core/certificate.ts";
import { DAY_MS, type Clock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";

export interface Certificate {
  /** Null if its port has no TLS. */
  current(): CertificatePair | null;
  /** `take` is called with each certificate that replaces the current one. */
  renewed(take: (pair: CertificatePair) => void): void;
}

export interface CertificatesDeps {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** Long enough to renew the certificate by hand. */
const NOTED_BEFORE_EXPIRY_MS = 14 * DAY_MS;

export function createCertificates({ config, clock, logger, metrics }: CertificatesDeps) {
  const { server, telephony } = config;
  const https = createCertificate("server", server, logger);
  const sip = createCertificate("telephony.sip", telephony.carrier === "sip" ? telephony.sip : null, logger);
  const hl7 = createCertificate("hl7", config.hl7, logger);
  const all = [https, sip, hl7];
  metrics.gauges(
    "ringward_certificate_expires_at_seconds",
    "When the certificate of a port of ours expires, as Unix time.",
    () =>
      all.flatMap((certificate) => {
        const expiresAt = certificate.expiresAt();
        return expiresAt === null ? [] : [{ labels: { of: certificate.table }, value: expiresAt / 1000 }];
      }),
  );
  const look = () => all.forEach((certificate) => certificate.look());
  return {
    https,
    sip,
    hl7,
    /** Loads changed files. Files that do not match are rejected; the old certificate stays in use. */
    look,
    /** Of our ports that have a certificate, by their settings. */
    expiries: () =>
      all.flatMap(({ table, expiresAt }) => {
        const at = expiresAt();
        return at === null ? [] : [{ name: `${table}.tls_cert_file`, expiresAt: at }];
      }),
    note: () => all.map((certificate) => certificate.note(clock.now())).find((note) => note !== null) ?? null,
    job: { name: "look for renewed certificates", pattern: "*/30 * * * * *", run: async () => look() },
  };
}

type TlsSettings = Pick<Config["server"], "tls_cert_file" | "tls_key_file">;

function createCertificate(table: string, settings: TlsSettings | null, logger: Logger) {
  const files: CertificateFiles = {
    table,
    certFile: settings?.tls_cert_file ?? "",
    keyFile: settings?.tls_key_file ?? "",
  };
  const isUsed = files.certFile !== "";
  let current: ReadCertificate | null = isUsed ? readOrThrow(files) : null;
  let fault: string | null = null;
  const takers: ((pair: CertificatePair) => void)[] = [];

  function look(): void {
    if (!isUsed) return;
    const read = readCertificate(files);
    if (typeof read === "string") {
      if (read !== fault)
        logger.error("A changed certificate is not taken; the old one stays in use.", { fault: read });
      fault = read;
      return;
    }
    if (current && isSamePair(read.pair, current.pair)) {
      fault = null;
      return;
    }
    const refusal = refusalOf(takers, read.pair);
    if (refusal !== null && refusal !== fault) {
      logger.error("A renewed certificate cannot be served; the old one stays in use.", { fault: refusal });
    }
    fault = refusal;
    // Retried at the next check.
    if (refusal !== null) return;
    current = read;
    logger.info("A renewed certificate is in use.", { of: table, expires_at: new Date(read.expiresAt).toISOString() });
  }

  return {
    table,
    current: () => current?.pair ?? null,
    renewed: (take: (pair: CertificatePair) => void) => void takers.push(take),
    expiresAt: () => current?.expiresAt ?? null,
    look,
    note(now: number): string | null {
      // Without the error itself, because this note is public and the error names files.
      if (fault !== null) return `The changed files of ${table}.tls_cert_file are not taken; the log says why.`;
      if (!current || current.expiresAt - now > NOTED_BEFORE_EXPIRY_MS) return null;
      const day = new Date(current.expiresAt).toISOString().slice(0, 10);
      return `The certificate in ${table}.tls_cert_file ${current.expiresAt <= now ? "expired" : "expires"} on ${day}.`;
    },
  };
}

function readOrThrow(files: CertificateFiles): ReadCertificate {
  const read = readCertificate(files);
  if (typeof read === "string") throw new AppError("UNAVAILABLE", read);
  return read;
}

/** Why a port cannot use the certificate; null if all can. */
function refusalOf(takers: readonly ((pair: CertificatePair) => void)[], pair: CertificatePair): string | null {
  try {
    for (const take of takers) take(pair);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

const isSamePair = (a: CertificatePair, b: CertificatePair) => a.certPem === b.certPem && a.keyPem === b.keyPem;
