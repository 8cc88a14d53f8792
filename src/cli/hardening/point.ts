// A point of the list of `ringward doctor --security`, and the facts that points are decided by.
import type { AccountFacts } from "../../accounts/hardening-store.ts";
import type { Config } from "../../config/schema.ts";
import type { TrunkProtection } from "../../trunks/trunk-facts-store.ts";
import type { Finding } from "../doctor-checks.ts";

export interface Point {
  state: "ok" | "open" | "n/a";
  message: string;
}

export interface FileFacts {
  /** Permission bits. */
  mode: number;
  uid: number;
}

/** What is stored. */
export interface StoredFacts extends AccountFacts {
  /** Ids of enabled endpoints that receive events over http. */
  plainEndpoints: string[];
  /** Enabled endpoints that get `appliance.alarm`. */
  alarmEndpoints: number;
  trunks: TrunkProtection[];
}

export interface Grounds {
  config: Config;
  /** The file of `--config`; null without one. */
  configFile: string | null;
  now: number;
  /** Of the server that runs on the data folder; null without one. */
  serverPid: number | null;
  /** Null before the first start, and if the database cannot be read. */
  stored: StoredFacts | null;
  /** Null if there is no such file, or it may not be looked at. */
  statOf: (path: string) => FileFacts | null;
  /** Text of a small file, such as those in /proc. */
  textOf: (path: string) => string | null;
}

export const ok = (message: string): Point => ({ state: "ok", message });
export const open = (message: string): Point => ({ state: "open", message });
export const notApplicable = (message: string): Point => ({ state: "n/a", message });

/** A check that the plain doctor has, too. */
export const pointOf = ({ state, message }: Finding): Point => ({ state: state === "ok" ? "ok" : "open", message });

/** Faults, or the message for none. */
export const openIfAny = (faults: readonly string[], good: string): Point =>
  faults.length > 0 ? open(faults.join(" ")) : ok(good);

export const NO_DATABASE = notApplicable("There is no readable database of this version yet: start Ringward once.");

const IDS_NAMED = 5;

/** Ids, the first few. They are in the lists of the commands and in the audit trail. */
export const named = (ids: readonly string[]): string =>
  ids.slice(0, IDS_NAMED).join(", ") + (ids.length > IDS_NAMED ? ", …" : "");

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
