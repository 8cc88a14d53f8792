// A parsed search: what is sought, how much of it, and what comes with it.
import { AppError, invalidField } from "../../core/errors.ts";
import type { Asker, Filter, IncludeAsked, Kind, Resource, Search } from "./kind.ts";
import { checkOf, soughtReference, soughtTime, soughtToken, splitAt } from "./search-values.ts";

export const DEFAULT_COUNT = 20;
export const MOST_COUNT = 100;
/** Values of one parameter, separated by commas. */
export const MOST_VALUES = 20;
const MOST_FILTERS = 20;
const MOST_INCLUDES = 10;
/** The address of the next page holds them all, sealed. */
const MOST_CHARACTERS = 1_000;

/** Parameters of every search that filter nothing. `_format` and `_pretty` are read with the request. */
export const RESULT_PARAMS = ["_count", "_include", "_include:iterate", "_page"] as const;
const ACCEPTED = ["_format", "_pretty"];

export interface SearchContext extends Pick<Asker, "zone"> {
  /** Address of this server, without a slash at its end. */
  base: string;
  /** Unknown parameters are ignored rather than rejected. */
  isLenient: boolean;
}

type Params = readonly (readonly [string, string])[];

export function parseSearch(kind: Kind, given: Params, context: SearchContext, after: string | null): Search {
  assertBounds(given);
  const filters: Filter[] = [];
  const includes: IncludeAsked[] = [];
  const ignored: string[] = [];
  const params: [string, string][] = [];
  let count: number | undefined;
  for (const [name, value] of given) {
    if (ACCEPTED.includes(name)) continue;
    if (name === "_count") count = countIn(value, count);
    else if (name === "_include" || name === "_include:iterate") {
      const asked = includeIn(kind, value, name === "_include:iterate");
      includes.push(asked);
    } else {
      const filter = filterIn(kind, name, value, context);
      if (!filter) {
        ignored.push(name);
        continue;
      }
      filters.push(filter);
    }
    params.push([name, value]);
  }
  if (ignored.length > 0 && !context.isLenient) throw unknownParams(kind, ignored);
  return { filters, includes, count: count ?? DEFAULT_COUNT, after, params, ignored };
}

/** Replaces the former ids of Patients in references, so that a search finds the person under any of them. */
export async function withPresentPatients(
  kind: Kind,
  params: Params,
  presentOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<Params> {
  assertBounds(params);
  const isPatient = ([name]: readonly [string, string]) =>
    kind.params.some((param) => param.name === name && param.type === "reference" && param.targets.includes("Patient"));
  const sought = params.filter(isPatient).slice(0, MOST_FILTERS);
  const ids = sought.flatMap(([, value]) => splitAt(value, ",").slice(0, MOST_VALUES).map(lastPart));
  if (ids.length === 0) return params;
  const present = await presentOf(ids);
  const renamed = (one: string) => {
    const id = present.get(lastPart(one));
    return id === undefined ? one : one.slice(0, one.length - lastPart(one).length) + id;
  };
  return params.map((param) =>
    isPatient(param) ? ([param[0], splitAt(param[1], ",").map(renamed).join(",")] as const) : param,
  );
}

const lastPart = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

function assertBounds(given: Params): void {
  const length = given.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length > MOST_CHARACTERS || given.length > MOST_FILTERS + MOST_INCLUDES)
    throw new AppError(
      "VALIDATION_ERROR",
      `A search has at most ${MOST_CHARACTERS} characters and ${MOST_FILTERS + MOST_INCLUDES} parameters.`,
    );
}

function countIn(text: string, before: number | undefined): number {
  if (before !== undefined) throw invalidField("_count", "_count was sent twice. Send it once.");
  if (!/^\d{1,6}$/.test(text) || Number(text) === 0)
    throw invalidField("_count", "_count must be a whole number from 1.");
  return Math.min(Number(text), MOST_COUNT);
}

function filterIn(kind: Kind, name: string, value: string, context: SearchContext): Filter | null {
  const [bare = "", modifier] = name.split(":", 2);
  const param = kind.params.find((each) => each.name === bare);
  if (!param) return null;
  if (modifier !== undefined) throw invalidField(bare, `${bare} takes no modifier here. Send it without :${modifier}.`);
  const values = splitAt(value, ",");
  if (values.length > MOST_VALUES) throw invalidField(bare, `${bare} takes at most ${MOST_VALUES} values.`);
  const checks = values.map((each) => checkOf(param, each, context));
  const targets = param.type === "reference" ? param.targets : [];
  return { name: bare, values, targets, matches: (resource) => checks.some((check) => check(resource)) };
}

function includeIn(kind: Kind, text: string, iterates: boolean): IncludeAsked {
  const [type = "", name = "", target] = text.split(":");
  const isOwn = type === kind.type && kind.includes.some((each) => each.name === name);
  if (!isOwn && !iterates) {
    const known = kind.includes.map((each) => `${kind.type}:${each.name}`).join(", ");
    throw invalidField("_include", `_include takes ${known === "" ? "nothing here" : known}.`);
  }
  return { type, name, target, iterates };
}

function unknownParams(kind: Kind, names: readonly string[]): AppError {
  const known = kind.params.map(({ name }) => name).join(", ");
  const details = [...new Set(names)].map((name) => {
    const shown = name.slice(0, 64).replaceAll(/[^\x21-\x7e]/g, "?");
    return {
      field: shown,
      message: `${shown} is not a search parameter of ${kind.type}. It takes ${known}. Prefer: handling=lenient ignores it.`,
    };
  });
  return new AppError("VALIDATION_ERROR", details[0]?.message ?? "", { details });
}

/** Whether a resource has a value of every parameter. */
export const isMatch = (search: Search, resource: Resource): boolean =>
  search.filters.every((filter) => filter.matches(resource));

/** The values of a parameter that every match has one of; undefined if it was not sent. For narrowing. */
export function valuesOf(search: Search, name: string): readonly string[] | undefined {
  return search.filters.find((filter) => filter.name === name)?.values;
}

/** The only value of a parameter. */
export function valueOf(search: Search, name: string): string | undefined {
  const values = valuesOf(search, name);
  return values?.length === 1 ? values[0] : undefined;
}

/** The code of the only token, without its system. */
export function codeOf(search: Search, name: string): string | undefined {
  const value = valueOf(search, name);
  const code = value === undefined ? "" : soughtToken(value).code;
  return code === "" ? undefined : code;
}

/** The id of the only value of a parameter that refers to this type alone, or names it. */
export function referenceOf(search: Search, name: string, type: string, base: string): string | undefined {
  const value = valueOf(search, name);
  const targets = search.filters.find((filter) => filter.name === name)?.targets ?? [];
  const [only, ...others] = value === undefined ? [] : soughtReference(value, targets, base);
  const [target, id] = only?.split("/") ?? [];
  return target === type && others.length === 0 ? id : undefined;
}

/** The narrowest period that all values of a date parameter leave. */
export function periodOf(search: Search, name: string, zone: string): { from?: number; before?: number } {
  let [from, before] = [-Infinity, Infinity];
  for (const filter of search.filters) {
    const [value, ...others] = filter.name === name ? filter.values : [];
    if (value === undefined || others.length > 0) continue;
    const { prefix, ...sought } = soughtTime(name, value, zone);
    if (prefix === "eq" || prefix === "ge") from = Math.max(from, sought.from);
    if (prefix === "gt" || prefix === "sa") from = Math.max(from, sought.to);
    if (prefix === "eq" || prefix === "le") before = Math.min(before, sought.to);
    if (prefix === "lt" || prefix === "eb") before = Math.min(before, sought.from);
  }
  return { ...(from !== -Infinity && { from }), ...(before !== Infinity && { before }) };
}
