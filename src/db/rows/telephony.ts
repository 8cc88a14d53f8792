// Rows of trunks, recorded words and what the line of a call was like.
import type { RecordedKind } from "../../payloads/recorded-words.ts";

export type TrunkTransport = "udp" | "tcp" | "tls";
export type TrunkSrtp = "off" | "preferred" | "required";

/** Which header tells the number; `auto`: P-Asserted-Identity where From does not carry it. */
export type IdentityHeader = "auto" | "p_asserted_identity" | "remote_party_id" | "none";
/** `+919876543210`, `919876543210`, or as one dials within the country: `09876543210`, in North America ten digits. */
export type NumberFormat = "e164" | "digits" | "national";

export interface TrunkRow {
  id: string;
  organisation_id: string;
  name: string;
  /** Where it is managed: the configuration file, or the dashboard and the command line. */
  source: "settings" | "dashboard";
  /** 0 or 1. */
  enabled: number;
  host: string;
  port: number;
  transport: TrunkTransport;
  ca_pem: string | null;
  username: string | null;
  sealed_secret: string | null;
  /** 0 or 1. */
  register: number;
  from_domain: string | null;
  /** Null: the account's name where it registers, the number otherwise. `number`: the number. */
  from_user: string | null;
  identity_header: IdentityHeader;
  number_format: NumberFormat;
  dial_prefix: string;
  /** Space-separated `name=+number`. */
  extensions: string;
  caller_id: string | null;
  concurrent_calls: number;
  calls_per_second: number;
  options_seconds: number;
  /** 0 or 1. */
  symmetric_rtp: number;
  srtp: TrunkSrtp;
  /** Space-separated, best first; empty chooses by the number that is called. */
  codecs: string;
  /** Space-separated; empty allows every number. */
  allowed_prefixes: string;
  capture_until: number | null;
  created_at: number;
  updated_at: number;
}

export interface TrunkStateRow {
  trunk_id: string;
  state: "up" | "down" | "unknown";
  /** 0 or 1; null where the trunk takes no registration. */
  is_registered: number | null;
  round_trip_ms: number | null;
  last_error: string | null;
  resting_until: number | null;
  active_calls: number;
  address: string | null;
  at: number;
}

/** The table is called agent_prompts, as it was when people first filled it. */
export interface RecordedWordsRow {
  agent_id: string;
  kind: RecordedKind;
  file_name: string;
  seconds: number;
  digest: string;
  samples: Uint8Array;
  created_at: number;
  /** 1: a menu that was recorded before key 9 meant "do not call me again". */
  is_outdated: number;
}

export interface CallLegRow {
  call_id: string;
  /** The carrier's own words; JSON. */
  leg: string;
  kept_at: number;
}

export interface CallLineRow {
  call_id: string;
  trunk_id: string | null;
  /** JSON of LineMessage[]. */
  trace: string;
  /** JSON of MediaStats. */
  media: string | null;
  capture_file: string | null;
}
