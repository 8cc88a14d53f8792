// Settings of a trunk for the telephone line, and the state that the line reports.
import type { Codec } from "../audio/codec.ts";
import type { IdentityHeader, NumberFormat } from "./records.ts";

export type TransportName = "udp" | "tcp" | "tls";

/**
 * `off` sends unencrypted audio, `preferred` encrypts if the peer can, `required` ends a call that cannot be encrypted.
 */
export type SrtpPolicy = "off" | "preferred" | "required";

export interface TrunkSettings {
  id: string;
  /** Host name or address. With TLS the certificate must match it. */
  host: string;
  /** 0 looks up SRV records and falls back to 5060, or 5061 with TLS. */
  port: number;
  transport: TransportName;
  /** PEM of the CA of the trunk's certificate; null trusts the public CAs. */
  caPem: string | null;
  username: string | null;
  secret: string | null;
  register: boolean;
  /** Domain in From; null uses the host. */
  fromDomain: string | null;
  /**
   * User in From. Null uses the account name if the trunk registers, otherwise the number; `number` always uses the
   * number.
   */
  fromUser: string | null;
  /** `auto`: P-Asserted-Identity, and only if From does not carry the number. */
  identityHeader: IdentityHeader;
  /** Number or extension to show; null shows the calling number. */
  callerId: string | null;
  numberFormat: NumberFormat;
  /** Dialled before every number; empty for none. */
  dialPrefix: string;
  /** Names and extensions mapped to its numbers. They identify the trunk of a call from a shared exchange. */
  dialledNames: readonly string[];
  /** Maximum concurrent calls, both directions together. */
  lines: number;
  /** Interval of OPTIONS requests. 0 sends none, for carriers that reject them. */
  optionsEverySeconds: number;
  callsPerSecond: number;
  /** Numbers must start with one of these, which limits the damage of a stolen API key. Empty allows every number. */
  allowedPrefixes: readonly string[];
  /** E.164. They identify the trunk of a call from a shared exchange. */
  numbers: readonly string[];
  /**
   * The peer is behind a NAT: the call follows its audio to an address that SDP does not name. Otherwise SDP decides.
   */
  symmetricRtp: boolean;
  /**
   * Encryption of audio. Only over TLS; over other transports the keys would be readable, so it is treated as `off`.
   */
  srtp: SrtpPolicy;
  /** In order of preference; empty: chosen by codec-order.ts. */
  codecs: readonly Codec[];
}

export interface TrunkState {
  id: string;
  /** `unknown`: no response yet; calls are tried. `down`: calls are refused at once. */
  state: "up" | "down" | "unknown";
  /** Null if the trunk does not register. */
  isRegistered: boolean | null;
  /** Of the last OPTIONS request. */
  roundTripMs: number | null;
  /** What is wrong and what to do; null if there is no error. */
  lastError: string | null;
  /** Set while the circuit breaker is open because half of the last calls failed. Calls wait until then. */
  restingUntilMs: number | null;
  activeCalls: number;
  lines: number;
  /** `192.0.2.1:5060`, once the name is resolved. */
  address: string | null;
}

/** Our user at the registration and in Contact: some exchanges use another name for digest authentication (3CX). */
export function accountUserOf({ fromUser, username }: Pick<TrunkSettings, "fromUser" | "username">): string | null {
  return fromUser === null || fromUser === "number" ? username : fromUser;
}
