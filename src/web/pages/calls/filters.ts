// What the list of calls is narrowed to. It lives in the address, so that it can be kept, shared and gone back to.
import { addDays, zonedToIso } from "../../format.ts";

export interface CallFilters {
  search: string;
  status: string;
  agent_id: string;
  /** Days in the organisation's zone, YYYY-MM-DD, both included. */
  from: string;
  to: string;
}

export const NO_FILTERS: CallFilters = { search: "", status: "", agent_id: "", from: "", to: "" };
export const CALLS_PATH = "/dashboard/calls";

export function filtersOf(query: Record<string, string>): CallFilters {
  const { search = "", status = "", agent_id = "", from = "", to = "" } = query;
  return { search, status, agent_id, from: dayOrNone(from), to: dayOrNone(to) };
}

export function addressOf(filters: CallFilters): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  return query.size === 0 ? CALLS_PATH : `${CALLS_PATH}?${query}`;
}

export function isNarrowed(filters: CallFilters): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** As the API asks for it: without what is not set, days as instants. */
export function queryOf({ search, status, agent_id, from, to }: CallFilters, zone: string) {
  return {
    ...(search === "" ? {} : { search }),
    ...(status === "" ? {} : { status }),
    ...(agent_id === "" ? {} : { agent_id }),
    ...(from === "" ? {} : { created_from: zonedToIso(`${from}T00:00`, zone) }),
    ...(to === "" ? {} : { created_to: zonedToIso(`${addDays(to, 1)}T00:00`, zone) }),
  };
}

/** An address that somebody mistyped shows the list rather than a fault. */
function dayOrNone(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}

let lastAddress = CALLS_PATH;

/** Where "all calls" leads back to: the list as it was last narrowed. */
export function listAddress(): string {
  return lastAddress;
}

export function rememberList(filters: CallFilters): void {
  lastAddress = addressOf(filters);
}
