// A trunk as the line needs to know it, and how the line says it is.
import type { Codec } from "../audio/codec.ts";
import type { IdentityHeader, NumberFormat } from "./records.ts";

export type TransportName = "udp" | "tcp" | "tls";

/**
 * `off` speaks in clear, `preferred` encrypts where the other side can, `required` ends a call that cannot be
 * encrypted.
 */
export type SrtpPolicy = "off" | "preferred" | "required";

export interface TrunkSettings {
  id: string;
  /** A name or an address. With TLS the certificate must carry it. */
  host: string;
  /** 0 asks DNS for SRV records and falls back to 5060, or 5061 with TLS. */
  port: number;
  transport: TransportName;
  /** PEM of the authority that signed the trunk's certificate; null trusts the public ones. */
  caPem: string | null;
  username: string | null;
  secret: string | null;
  register: boolean;
  /** The domain in From; null takes the host. */
  fromDomain: string | null;
  /**
   * The user in From; null takes the account's name where the trunk registers, else the number; `number` always that.
   */
  fromUser: string | null;
  /** `auto`: P-Asserted-Identity, and only where From does not carry the number. */
  identityHeader: IdentityHeader;
  /** The number or extension that we show; null shows the number that we call from. */
  callerId: string | null;
  numberFormat: NumberFormat;
  /** Dialled before every number; empty where there is none. */
  dialPrefix: string;
  /** Names and extensions that ring one of its numbers. They tell whose call it is at a shared exchange. */
  dialledNames: readonly string[];
  /** How many calls at once, both directions together. */
  lines: number;
  /** How often the trunk is asked by OPTIONS whether it is there. 0 never asks, for carriers that dislike it. */
  optionsEverySeconds: number;
  callsPerSecond: number;
  /** Numbers must begin with one of these, so that a stolen key cannot dial the world. Empty allows every number. */
  allowedPrefixes: readonly string[];
  /** E.164. They tell whose call it is that comes from an exchange which several trunks share. */
  numbers: readonly string[];
  /** Its audio comes through a NAT: the call follows it to where SDP does not say. Otherwise SDP's word holds. */
  symmetricRtp: boolean;
  /** Whether its audio is encrypted. Only over TLS; elsewhere the keys would be there to read, and it is as `off`. */
  srtp: SrtpPolicy;
  /** The preferred one first; empty where we choose (codec-order.ts). */
  codecs: readonly Codec[];
}

export interface TrunkState {
  id: string;
  /** `unknown`: it has not spoken to us yet; calls are tried. `down`: calls are refused at once. */
  state: "up" | "down" | "unknown";
  /** Null where the trunk takes no registration. */
  isRegistered: boolean | null;
  /** Of the last OPTIONS. */
  roundTripMs: number | null;
  /** What is wrong and what to do; null while all is well. */
  lastError: string | null;
  /** Set while the trunk rests because half of its last calls failed. Calls should wait until then. */
  restingUntilMs: number | null;
  activeCalls: number;
  lines: number;
  /** `192.0.2.1:5060`, once its name was looked up. */
  address: string | null;
}

/** Who we are to the exchange, at the registration and in Contact: some want another name for the password (3CX). */
export function accountUserOf({ fromUser, username }: Pick<TrunkSettings, "fromUser" | "username">): string | null {
  return fromUser === null || fromUser === "number" ? username : fromUser;
}
