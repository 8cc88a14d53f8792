// Maps a stored trunk to the carrier's settings, with its secret and its numbers.
import type { Trunk } from "./records.ts";
import type { TrunkSettings } from "./trunk-settings.ts";

export function carrierSettings(row: Trunk, secret: string | null, numbers: string[]): TrunkSettings {
  return {
    id: row.id,
    host: row.host,
    port: row.port,
    transport: row.transport,
    caPem: row.ca_pem,
    username: row.username,
    secret,
    register: row.register,
    fromDomain: row.from_domain,
    fromUser: row.from_user,
    identityHeader: row.identity_header,
    callerId: row.caller_id,
    numberFormat: row.number_format,
    dialPrefix: row.dial_prefix,
    dialledNames: row.extensions.map((entry) => entry.split("=")[0] ?? ""),
    lines: row.concurrent_calls,
    optionsEverySeconds: row.options_seconds,
    callsPerSecond: row.calls_per_second,
    allowedPrefixes: row.allowed_prefixes,
    symmetricRtp: row.symmetric_rtp,
    srtp: row.srtp,
    codecs: row.codecs,
    numbers,
  };
}
