// Criteria of a Subscription: a search of Appointments, with the parameters of that search.
import { invalidField } from "../../../core/errors.ts";
import type { Kind, Search } from "../kind.ts";
import { parseSearch } from "../search.ts";

const LONGEST = 1_000;

export interface CriteriaContext {
  /** Of Appointments. */
  kind: Kind;
  /** Of the organisation. */
  zone: string;
  base: string;
}

/** `Appointment`, or `Appointment?status=booked&location=…`. Throws on the field criteria. */
export function parseCriteria(criteria: string, { kind, zone, base }: CriteriaContext): Search {
  const [type, query = "", ...rest] = criteria.split("?");
  if (type !== kind.type || rest.length > 0 || criteria.length > LONGEST)
    throw invalidField("criteria", `criteria must be a search of ${kind.type}, such as ${kind.type}?status=booked.`);
  const params = [...new URLSearchParams(query)];
  const other = params.find(([name]) => name.startsWith("_") && name !== "_id");
  if (other) throw invalidField("criteria", "criteria takes the search parameters of Appointment, and _id.");
  return parseSearch(kind, params, { zone, base, isLenient: false }, null);
}
