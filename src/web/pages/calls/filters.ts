// Filters of the call list. They are kept in the URL, so that they can be bookmarked and shared, and the back button
// works.
import { addDays, todayIn, zonedToIso } from "../../format.ts";
import { pathOf } from "../../pages.ts";

export interface CallFilters {
  search: string;
  status: string;
  outcome: string;
  agent_id: string;
  campaign_id: string;
  /** today, tomorrow, week, or days; `days` uses the two fields below. */
  planned: string;
  planned_from: string;
  planned_to: string;
  /** Creation date. Days in the organisation's zone, YYYY-MM-DD, both ends inclusive, as above. */
  from: string;
  to: string;
}

export const NO_FILTERS: CallFilters = {
  search: "",
  status: "",
  outcome: "",
  agent_id: "",
  campaign_id: "",
  planned: "",
  planned_from: "",
  planned_to: "",
  from: "",
  to: "",
};
export const CALLS_PATH = pathOf("calls");

/** First and last day, relative to today. */
const PLANNED_DAYS: Record<string, readonly [number, number]> = { today: [0, 0], tomorrow: [1, 1], week: [0, 6] };
export const PLANNED = ["today", "tomorrow", "week", "days"] as const;

export function filtersOf(query: Record<string, string>): CallFilters {
  const { search = "", status = "", outcome = "", agent_id = "", campaign_id = "", planned = "" } = query;
  const day = (name: string) => dayOrNone(query[name] ?? "");
  const days = { from: day("from"), to: day("to"), planned_from: day("planned_from"), planned_to: day("planned_to") };
  const known = PLANNED.find((choice) => choice === planned) ?? "";
  return { search, status, outcome, agent_id, campaign_id, planned: known, ...days };
}

export function addressOf(filters: CallFilters): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  return query.size === 0 ? CALLS_PATH : `${CALLS_PATH}?${query}`;
}

export function isNarrowed(filters: CallFilters): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** The filters that can be saved: all but the search text, which may name a person. */
export function savableOf({ search: _, ...filters }: CallFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}

/** Query parameters of the API: without unset filters, and days as instants. */
export function queryOf(filters: CallFilters, zone: string) {
  const { search, status, outcome, agent_id, campaign_id, from, to } = filters;
  const [plannedFrom, plannedTo] = plannedDays(filters, zone);
  return {
    ...(search === "" ? {} : { search }),
    ...(status === "" ? {} : { status }),
    ...(outcome === "" ? {} : { outcome }),
    ...(agent_id === "" ? {} : { agent_id }),
    ...(campaign_id === "" ? {} : { campaign_id }),
    ...(from === "" ? {} : { created_from: startOf(from, zone) }),
    ...(to === "" ? {} : { created_to: startOf(addDays(to, 1), zone) }),
    ...(plannedFrom === "" ? {} : { planned_from: startOf(plannedFrom, zone) }),
    ...(plannedTo === "" ? {} : { planned_to: startOf(addDays(plannedTo, 1), zone) }),
  };
}

const startOf = (day: string, zone: string): string => zonedToIso(`${day}T00:00`, zone);

function plannedDays({ planned, planned_from, planned_to }: CallFilters, zone: string): [string, string] {
  if (planned === "days") return [planned_from, planned_to];
  const days = PLANNED_DAYS[planned];
  if (!days) return ["", ""];
  const today = todayIn(zone);
  return [addDays(today, days[0]), addDays(today, days[1])];
}

/** A mistyped URL shows the list without the filter, not an error. */
function dayOrNone(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}

let lastAddress = CALLS_PATH;

/** Target of "all calls": the list with its last filters. */
export function listAddress(): string {
  return lastAddress;
}

export function rememberList(filters: CallFilters): void {
  lastAddress = addressOf(filters);
}
