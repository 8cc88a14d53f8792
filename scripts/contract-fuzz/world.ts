// What the fuzz knows of the server it asks: its document, two organisations that must not know each other, and keys of
// every kind.
import type { Operation } from "./document.ts";

/** A secret that is part of an address, with what else of the address belongs to it. */
export interface Grant {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export interface Credential {
  label: string;
  headers: Readonly<Record<string, string>>;
}

/** Something of an organisation that only others ask for; the owner's own look at it must never change. */
export interface Exhibit {
  kind: string;
  id: string;
  /** Where its owner reads it; null where there is no such address. */
  address: string | null;
}

export interface Organisation {
  name: string;
  /** Stands in every name that is given here, and nowhere else. */
  marker: string;
  /** With every scope. */
  key: string;
  agentIds: readonly string[];
  branchIds: readonly string[];
  serviceIds: readonly string[];
  /** By operation, for those without a key. */
  grants: ReadonlyMap<string, readonly Grant[]>;
  /** Grants that are wrong, old, or somebody else's. */
  badGrants: ReadonlyMap<string, readonly (Grant & { label: string; also?: readonly number[] })[]>;
  /** Signs what is sent to the inbound webhook, where that is required. */
  sign: ((bytes: Uint8Array) => Record<string, string>) | null;
  exhibits: readonly Exhibit[];
  /** Ids for the lanes to begin with, by kind. */
  seeds: ReadonlyMap<string, readonly string[]>;
}

export interface World {
  url: string;
  operations: readonly Operation[];
  organisations: readonly [Organisation, Organisation];
  /** Keys with one scope alone, and with all but one. */
  only: ReadonlyMap<string, string>;
  without: ReadonlyMap<string, string>;
  /** What is no key, or no longer one. */
  dead: readonly Credential[];
  /**
   * Of an organisation that may ask this often a minute, and has neither quota nor credits left; null where there is
   * none.
   */
  limited: { key: string; requestsPerMinute: number; hook: Grant; quota: number; agentId: string } | null;
  /** Seconds that a body may take; null where nobody waits that long for it. */
  bodySeconds: number | null;
  /** Secret → the name under which it is shown. */
  secrets: ReadonlyMap<string, string>;
  /** When the run began. */
  now: number;
}

export const withKey = (key: string): Record<string, string> => ({ "x-api-key": key });

export const otherThan = ({ organisations: [first, second] }: World, organisation: Organisation): Organisation =>
  organisation === first ? second : first;
