// Hardening points about the network: TLS, listening addresses, and what is sent elsewhere.
import { readCertificate } from "../../config/certificate-files.ts";
import type { Config } from "../../config/schema.ts";
import { DAY_MS, toIso } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { addressOf, isOnThisMachine } from "../../db/postgres/address.ts";
import { isLoopbackHost } from "../../net/host-name.ts";
import { counted, NO_DATABASE, named, notApplicable, ok, open, openIfAny, type Grounds, type Point } from "./point.ts";

/** Long enough to renew one by hand. */
const EXPIRES_SOON_MS = 14 * DAY_MS;
const EVERY_ADDRESS = ["0.0.0.0", "::"];

const isLocalUrl = (url: string) => isLoopbackHost(new URL(url).hostname);
const hasOwnTls = ({ server }: Config) => server.tls_cert_file !== "";

export function tls({ config }: Grounds): Point {
  const { base_url, server } = config;
  if (hasOwnTls(config)) return ok("With a certificate of its own; answers have Strict-Transport-Security (HSTS).");
  if (isLoopbackHost(server.host) && isLocalUrl(base_url)) return notApplicable("Only this machine reaches it.");
  if (!base_url.startsWith("https://"))
    return open("Passwords and patients' data travel in clear. Set server.tls_cert_file, or put TLS in front.");
  if (server.client_address_header === "")
    return open("A proxy has TLS, but is not trusted for the client's address. Set server.client_address_header.");
  return ok("A proxy in front has TLS. Let it also send Strict-Transport-Security, which is not seen from here.");
}

export function certificates({ config, now }: Grounds): Point {
  const { server, telephony, hl7 } = config;
  const used = [
    { table: "server", files: server },
    { table: "telephony.sip", files: telephony.sip },
    { table: "hl7", files: hl7 },
  ].filter(({ files }) => files.tls_cert_file !== "");
  if (used.length === 0) return notApplicable("No port has a certificate of its own.");
  const ends: number[] = [];
  const faults = used.flatMap(({ table, files }) => {
    const read = readCertificate({ table, certFile: files.tls_cert_file, keyFile: files.tls_key_file });
    if (typeof read === "string") return [read];
    ends.push(read.expiresAt);
    if (read.expiresAt - now > EXPIRES_SOON_MS) return [];
    const verb = read.expiresAt <= now ? "expired" : "expires";
    return [`The one of ${table}.tls_cert_file ${verb} at ${toIso(read.expiresAt)}: renew it.`];
  });
  return openIfAny(faults, `The first one expires at ${toIso(Math.min(...ends))}.`);
}

export function listening({ config, statOf }: Grounds): Point {
  const { server, hl7 } = config;
  const faults: string[] = [];
  const isContainer = statOf("/.dockerenv") !== null || statOf("/run/.containerenv") !== null;
  if (EVERY_ADDRESS.includes(server.host) && !hasOwnTls(config) && !isContainer)
    faults.push(`Every address gets plain HTTP (server.host = ${server.host}). Listen on 127.0.0.1 behind a proxy.`);
  if (hl7.port > 0 && hl7.tls_cert_file === "" && !isLoopbackHost(hl7.host))
    faults.push("HL7 messages arrive in clear. Set hl7.tls_cert_file and hl7.client_ca_file.");
  const where = isContainer
    ? "In a container, the published ports decide."
    : `The dashboard listens on ${server.host}.`;
  return openIfAny(faults, where);
}

export function databaseConnection({ config: { database } }: Grounds): Point {
  if (database.url === "") return notApplicable("The database is a file.");
  try {
    const { host, tls: trust } = addressOf(database);
    if (isOnThisMachine(host)) return ok("Over a socket, or on this machine.");
    if (trust === false) return open('Queries travel in clear. Set database.tls = "verify".');
    return ok("Over TLS, with the server's certificate and name verified.");
  } catch (error) {
    return open(messageOf(error));
  }
}

export function webhookEndpoints({ stored }: Grounds): Point {
  if (stored === null) return NO_DATABASE;
  const { plainEndpoints: plain } = stored;
  if (plain.length === 0) return ok("No enabled endpoint is reached over http.");
  return open(`${counted(plain.length, "endpoint")} over http, so events travel in clear: ${named(plain)}.`);
}

export function trunks({ stored, config }: Grounds): Point {
  if (stored === null) return NO_DATABASE;
  if (config.telephony.carrier === "simulator") return notApplicable("The simulator: no real calls are made.");
  if (stored.trunks.length === 0) return notApplicable("No trunk is in use.");
  const faults: string[] = [];
  const withoutTls = stored.trunks.filter(({ hasTls }) => !hasTls).map(({ id }) => id);
  const withoutSrtp = stored.trunks.filter(({ hasTls, needsSrtp }) => hasTls && !needsSrtp).map(({ id }) => id);
  if (withoutTls.length > 0)
    faults.push(
      `${counted(withoutTls.length, "trunk")} without TLS: signalling and audio in clear: ${named(withoutTls)}.`,
    );
  if (withoutSrtp.length > 0) {
    faults.push(
      `${counted(withoutSrtp.length, "trunk")} without srtp = "required": audio may go in clear: ${named(withoutSrtp)}.`,
    );
  }
  return openIfAny(faults, "Every trunk in use has TLS and needs SRTP.");
}

export function syslogStream({ config: { syslog, audit } }: Grounds): Point {
  if (syslog.address === "" || !audit.syslog)
    return open("The audit trail is on this machine alone. Set syslog.address to a collector with tls://.");
  const isClear = syslog.address.startsWith("tcp:");
  if (isClear && !isLoopbackHost(new URL(syslog.address.replace("tcp:", "http:")).hostname))
    return open("The audit trail travels in clear. Set syslog.address to an address with tls://.");
  return ok("The audit trail goes to a collector.");
}
