// API view of a trunk and its state, without the secret.
import { withoutNul } from "../core/clean-text.ts";
import { toIso, toIsoOrNull } from "../core/clock.ts";
import type { Codec } from "../audio/codec.ts";
import type { TrunkInput } from "./checked-trunk.ts";
import type { StoredTrunkState, Trunk, TrunkTransport } from "./records.ts";
import type { TrunkState } from "./trunk-settings.ts";

export interface TrunkView extends TrunkInput {
  trunk_id: string;
  /** `settings`: read-only here, because it is managed in the configuration. */
  source: "settings" | "dashboard";
  transport: TrunkTransport;
  codecs: readonly Codec[];
  has_secret: boolean;
  /** Calls that start before this time are captured packet by packet; null if capturing is off. */
  capture_until: string | null;
  /** Phone numbers on this trunk. */
  numbers: string[];
  created_at: string;
  updated_at: string;
}

export interface TrunkStateView {
  state: "up" | "down" | "unknown";
  /** Null if the trunk does not register. */
  is_registered: boolean | null;
  round_trip_ms: number | null;
  /** What is wrong and what to do; null if there is no error. */
  last_error: string | null;
  /** Set while the circuit breaker is open because half of the last calls failed. */
  resting_until: string | null;
  active_calls: number;
  lines: number;
  /** `192.0.2.1:5060`, once the name is resolved. */
  address: string | null;
  /** Time of this state. */
  at: string;
}

/** The state of a trunk that the appliance has not contacted yet. */
export const stateUnknown = (lines: number): Omit<TrunkStateView, "at"> & { at: null } => ({
  state: "unknown",
  is_registered: null,
  round_trip_ms: null,
  last_error: null,
  resting_until: null,
  active_calls: 0,
  lines,
  address: null,
  at: null,
});

export function trunkView(row: Trunk, numbers: readonly string[], now: number): TrunkView {
  return {
    trunk_id: row.id,
    ...trunkInputOf(row),
    source: row.source,
    transport: row.transport,
    codecs: row.codecs,
    has_secret: row.sealed_secret !== null,
    capture_until: row.capture_until !== null && row.capture_until > now ? toIso(row.capture_until) : null,
    numbers: [...numbers],
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

export function trunkInputOf(row: Trunk): TrunkInput {
  return {
    name: row.name,
    enabled: row.enabled,
    host: row.host,
    port: row.port,
    transport: row.transport,
    ca_pem: row.ca_pem,
    username: row.username,
    register: row.register,
    from_domain: row.from_domain,
    from_user: row.from_user,
    identity_header: row.identity_header,
    caller_id: row.caller_id,
    number_format: row.number_format,
    dial_prefix: row.dial_prefix,
    extensions: row.extensions,
    concurrent_calls: row.concurrent_calls,
    calls_per_second: row.calls_per_second,
    options_seconds: row.options_seconds,
    symmetric_rtp: row.symmetric_rtp,
    srtp: row.srtp,
    codecs: row.codecs,
    allowed_prefixes: row.allowed_prefixes,
  };
}

export function liveStateView(state: TrunkState, at: number): TrunkStateView {
  return {
    state: state.state,
    is_registered: state.isRegistered,
    round_trip_ms: state.roundTripMs,
    last_error: state.lastError,
    resting_until: toIsoOrNull(state.restingUntilMs),
    active_calls: state.activeCalls,
    lines: state.lines,
    address: state.address,
    at: toIso(at),
  };
}

/**
 * For roles that do not manage trunks: whether it works, without details that distinguish an open port from a closed
 * one.
 */
export function generalStateView<State extends Pick<TrunkStateView, "last_error">>(state: State) {
  const last_error = state.last_error === null ? null : "The trunk has a problem. Owners can see the reason.";
  return { ...state, last_error, round_trip_ms: null, address: null };
}

export function storedStateView(row: StoredTrunkState, lines: number): TrunkStateView {
  return {
    state: row.state,
    is_registered: row.is_registered,
    round_trip_ms: row.round_trip_ms,
    last_error: row.last_error,
    resting_until: toIsoOrNull(row.resting_until),
    active_calls: row.active_calls,
    lines,
    address: row.address,
    at: toIso(row.at),
  };
}

export function stateRow(state: TrunkState, at: number): StoredTrunkState {
  return {
    trunk_id: state.id,
    state: state.state,
    is_registered: state.isRegistered,
    round_trip_ms: state.roundTripMs,
    last_error: state.lastError === null ? null : withoutNul(state.lastError),
    resting_until: state.restingUntilMs,
    active_calls: state.activeCalls,
    address: state.address,
    at,
  };
}
