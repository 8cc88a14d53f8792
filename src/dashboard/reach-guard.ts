// Decides by the access table whether a role may use a route, and whether the ids of a request are within reach.
import type { Session } from "../accounts/session-service.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { ACCESS, type Access, type Named } from "./access-table.ts";
import type { ReachSubjects } from "./reach-subject-store.ts";

const API = "/dashboard/api/";

/** What a request names. */
export interface NamedIn {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export function accessOf(method: string, route: string | undefined): Access | undefined {
  return ACCESS[`${method} ${route?.slice(API.length) ?? ""}`];
}

/** For a session with a reach. Routes without an entry stay closed to it. */
export function assertMayReach({ role }: Pick<Session, "role">, access: Access | undefined): void {
  if (access?.over === "own") return;
  const also: readonly string[] = access?.also ?? [];
  const isSpecial = role === "doctor" || role === "auditor";
  if (isSpecial && !also.includes(role)) throw new AppError("INSUFFICIENT_SCOPE", `A ${role} has no access to this.`);
  if (isSpecial || access?.over === "open" || access?.over === "within") return;
  throw new AppError("INSUFFICIENT_SCOPE", "This concerns the whole organisation; you act for your branches.");
}

/** For a session with a reach. Ids beyond it are answered as unknown ones. */
export async function assertNamesWithin(
  subjects: ReachSubjects,
  { organisationId, reach }: Session,
  { names }: Access,
  sent: NamedIn,
): Promise<void> {
  // An auditor uses no route with patients.
  if (reach === undefined || reach.kind === "no_patients") return;
  for (const [field, kindOf] of Object.entries(names)) {
    const isRequired = kindOf.endsWith("!");
    const kind = kindOf.replace("!", "") as Named;
    const given = valuesOf(field, sent);
    if (isRequired && given.length === 0) throw invalidField(field, `${field} is required: you act for your branches.`);
    if (kind === "branch" && given.includes(null)) throw invalidField(field, `${field} must be one of your branches.`);
    const ids = given.filter((id) => typeof id === "string");
    if (ids.length > 0 && !(await subjects.areWithin(organisationId, reach, kind, ids)))
      throw new AppError("NOT_FOUND", `There is no ${kind} with this id.`);
  }
}

/** In the address, or anywhere in query and body: values of calls and rows of lists name ids too. */
function valuesOf(field: string, { params, query, body }: NamedIn): unknown[] {
  const inAddress = (params as Record<string, unknown> | undefined)?.[field];
  if (inAddress !== undefined) return [inAddress];
  const found: unknown[] = [];
  collect(field, query, found);
  collect(field, body, found);
  return found;
}

function collect(field: string, value: unknown, found: unknown[]): void {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  if (Array.isArray(value)) {
    for (const each of value) collect(field, each, found);
    return;
  }
  for (const [name, each] of Object.entries(value as Record<string, unknown>)) {
    if (name !== field) collect(field, each, found);
    else if (Array.isArray(each)) found.push(...(each as unknown[]));
    else found.push(each);
  }
}
