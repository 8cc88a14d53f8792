// State of the fuzzer: the server's document, two isolated organisations, and keys of every kind.
import type { Operation } from "./document.ts";

/** A secret that is part of a URL, with the other path values that belong to it. */
export interface Grant {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export interface Credential {
  label: string;
  headers: Readonly<Record<string, string>>;
}

/** An object that only other organisations request; its owner's view of it must never change. */
export interface Exhibit {
  kind: string;
  id: string;
  /** Where its owner reads it; null if there is no such route. */
  address: string | null;
}

export interface Organisation {
  name: string;
  /** Part of every name created here, and of no other. */
  marker: string;
  /** With every scope. */
  key: string;
  /** Begins the numbers that it adds. */
  areaCode: string;
  agentIds: readonly string[];
  branchIds: readonly string[];
  serviceIds: readonly string[];
  /** Keyed by operation, for those without a key. */
  grants: ReadonlyMap<string, readonly Grant[]>;
  /** Invalid, expired or foreign grants. */
  badGrants: ReadonlyMap<string, readonly (Grant & { label: string; also?: readonly number[] })[]>;
  /** Signs requests to the inbound webhook, if required. */
  sign: ((bytes: Uint8Array) => Record<string, string>) | null;
  /** An address that may be asked before each call. */
  askedUrl: string;
  exhibits: readonly Exhibit[];
  /** Initial ids of the lanes, by kind. */
  seeds: ReadonlyMap<string, readonly string[]>;
}

export interface World {
  url: string;
  operations: readonly Operation[];
  organisations: readonly [Organisation, Organisation];
  /** Keys with a single scope, and with all but one. */
  only: ReadonlyMap<string, string>;
  without: ReadonlyMap<string, string>;
  /** Invalid or revoked keys. */
  dead: readonly Credential[];
  /** An organisation with this rate limit and without quota or credits; null if there is none. */
  limited: { key: string; requestsPerMinute: number; hook: Grant; quota: number; agentId: string } | null;
  /** Timeout of a body in seconds; null if it is too long to wait for. */
  bodySeconds: number | null;
  /** Secret → its display name. */
  secrets: ReadonlyMap<string, string>;
  /** When the run began. */
  now: number;
}

export const withKey = (key: string): Record<string, string> => ({ "x-api-key": key });

export const otherThan = ({ organisations: [first, second] }: World, organisation: Organisation): Organisation =>
  organisation === first ? second : first;
