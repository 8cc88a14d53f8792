// Kinds of requests, their frequency, and the expectations of each response beyond the document.
import { brokenBody, largeBody } from "./broken-bodies.ts";
import { brokenField } from "./broken-fields.ts";
import type { Operation } from "./document.ts";
import { oneOf, rarely } from "./draw.ts";
import type { Place } from "./known-fields.ts";
import { oddQuery, oddSegment } from "./odd-addresses.ts";
import { oddHeaders } from "./odd-headers.ts";
import { encoded, isPing, type FuzzRequest } from "./request.ts";
import type { Schemas } from "./schemas.ts";
import { validRequest } from "./valid-request.ts";
import { validValue } from "./values.ts";
import { otherThan, type Exhibit, type World } from "./world.ts";

export interface Case {
  kind: string;
  request: FuzzRequest;
  /** The only allowed statuses, and why. */
  only?: { statuses: readonly number[]; why: string };
  /** Forbidden statuses, and why. */
  never?: { statuses: readonly number[]; why: string };
  /** What the document forbids in the request: it must be rejected. */
  forbidden?: string;
  /** The same with unknown ids: the response must be the same. */
  twin?: FuzzRequest;
}

export interface CaseDeps {
  world: World;
  schemas: Schemas;
}

type MakeCase = (place: Place, deps: CaseDeps) => Case | null;

/** The URL is checked before authentication. */
const URI_TOO_LONG = 414;

const schemaAlone: MakeCase = (place) => {
  const { draw, operation } = place;
  if (operation.body === null) return null;
  const value = validValue(draw, operation.body, "", () => undefined);
  return { kind: "by schema alone", request: { ...validRequest(place), body: { kind: "json", value } } };
};

/** Partial rejection: the valid rows of a list are accepted and the invalid ones are reported. */
const REFUSED_IN_PARTS: Readonly<Record<string, RegExp>> = { createCampaign: /^\/rows\/\d+/ };

/** The document's objection to a whole body. */
export function faultOfBody({ id, body: schema }: Operation, value: unknown, schemas: Schemas): string | null {
  // As received: symbols and holes are gone.
  const fault =
    schema === null || isPing(value) ? null : schemas.faultOfRequest(schema, JSON.parse(JSON.stringify(value)));
  return fault === null || REFUSED_IN_PARTS[id]?.test(fault) ? null : `the body ${fault}`;
}

const oneFieldBroken: MakeCase = (place, { schemas }) => {
  const { draw, operation } = place;
  const request = validRequest(place);
  if (operation.body === null || request.body?.kind !== "json") return null;
  const value = brokenField(draw, operation.body, request.body.value);
  const forbidden = faultOfBody(operation, value, schemas);
  return {
    kind: "a field broken",
    request: { ...request, body: { kind: "json", value } },
    ...(forbidden === null ? {} : { forbidden }),
  };
};

const bodyBroken: MakeCase = (place, { schemas }) => {
  const { draw, operation } = place;
  const request = validRequest(place);
  if (request.body?.kind !== "json") return null;
  const json = JSON.stringify(request.body.value);
  if (rarely(draw, 20)) {
    return { kind: "a large body", request: { ...request, body: { kind: "bytes", bytes: largeBody(json) } } };
  }
  const { label, bytes, headers, isRefused } = brokenBody(draw, json);
  const isForbidden =
    isRefused === "by schema"
      ? faultOfBody(operation, JSON.parse(new TextDecoder().decode(bytes)) as unknown, schemas) !== null
      : isRefused;
  return {
    kind: "a body broken",
    request: { ...request, headers: { ...request.headers, ...headers }, body: { kind: "bytes", bytes } },
    ...(isForbidden ? { forbidden: `the body is ${label}` } : {}),
  };
};

/** The server replaces NUL and half characters in addresses by U+FFFD; see http/handler.ts. */
const asReadFromAddress = (value: string): string => value.toWellFormed().replaceAll("\0", "\u{fffd}");

const queryOdd: MakeCase = (place, { schemas }) => {
  const request = validRequest(place);
  // The URL itself is the secret there.
  if (place.organisation.grants.has(place.operation.id) && rarely(place.draw, 2)) return null;
  const { query, forbidden } = oddQuery(place.draw, place.operation, request.query, (schema, value) =>
    schemas.faultOfRequest(schema, asReadFromAddress(value)),
  );
  return { kind: "an odd query", request: { ...request, query }, ...(forbidden === null ? {} : { forbidden }) };
};

const pathOdd: MakeCase = (place) => {
  const request = validRequest(place);
  const names = Object.keys(request.path);
  if (names.length === 0) return null;
  const path = { ...request.path, [oneOf(place.draw, names)]: oddSegment(place.draw) };
  return { kind: "an odd path", request: { ...request, path } };
};

const headersOdd: MakeCase = (place) => {
  const request = validRequest(place);
  return { kind: "odd headers", request: { ...request, headers: { ...request.headers, ...oddHeaders(place.draw) } } };
};

const nobodyAllowed: MakeCase = (place, deps) => {
  const { draw, operation, organisation } = place;
  // A client without permission learns nothing about other errors.
  const broken = rarely(draw, 3) ? bodyBroken(place, deps) : null;
  const request = broken?.request ?? validRequest(place);
  if (operation.scope !== null) return withCredential(request, oneOf(draw, deps.world.dead));
  const bad = organisation.badGrants.get(operation.id) ?? [];
  return bad.length === 0 ? null : withBadGrant(request, oneOf(draw, bad));
};

export function withCredential(request: FuzzRequest, { label, headers }: World["dead"][number]): Case {
  return {
    kind: "without a right",
    request: { ...request, credential: headers },
    only: { statuses: [401, URI_TOO_LONG], why: `who asks has ${label}` },
  };
}

interface BadGrant {
  label: string;
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Statuses that may come first. */
  also?: readonly number[];
}

export function withBadGrant(request: FuzzRequest, { label, path, query, also = [] }: BadGrant): Case {
  const { sign: _, ...unsigned } = request;
  const others = request.query.filter(([name]) => !(name in query));
  return {
    kind: "without a right",
    request: {
      ...unsigned,
      path: { ...request.path, ...encodedValues(path) },
      query: [...others, ...Object.entries(encodedValues(query))],
    },
    only: { statuses: [401, URI_TOO_LONG, ...also], why: `who asks has ${label}` },
  };
}

const encodedValues = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encoded(value)]));

const scopeMissing: MakeCase = (place, { world }) => {
  const { operation, organisation } = place;
  const key = world.without.get(operation.scope ?? "");
  if (key === undefined || organisation !== world.organisations[0]) return null;
  return withoutScope(validRequest(place), key);
};

export function withoutScope(request: FuzzRequest, key: string): Case {
  const scope = request.operation.scope ?? "";
  return {
    kind: "without the scope",
    request: { ...request, credential: { "x-api-key": key } },
    only: { statuses: [403, URI_TOO_LONG], why: `the key lacks ${scope}` },
  };
}

/** Requests objects of another organisation, by path, query or body; and again with unknown ids. */
const foreign: MakeCase = (place, { world }) => {
  const request = validRequest(place);
  const sites = foreignSites(request, otherThan(world, place.organisation).exhibits);
  if (sites.length === 0) return null;
  const [exhibit, put] = oneOf(place.draw, sites);
  return { kind: "another's id", request: put(exhibit.id), twin: put(nobodysId(exhibit.id)) };
};

type Put = (id: string) => FuzzRequest;

export function foreignSites(sent: FuzzRequest, exhibits: readonly Exhibit[]): [Exhibit, Put][] {
  // The twin differs from the request, so both would be refused for one Idempotency-Key.
  const { "Idempotency-Key": _, ...headers } = sent.headers;
  const request = { ...sent, headers };
  return exhibits.flatMap((exhibit): [Exhibit, Put][] => {
    const sites: [Exhibit, Put][] = [];
    const { kind } = exhibit;
    if (kind in request.path)
      sites.push([exhibit, (id) => ({ ...request, path: { ...request.path, [kind]: encoded(id) } })]);
    if (request.operation.parameters.some(({ name, in: where }) => name === kind && where === "query")) {
      const others = request.query.filter(([name]) => name !== kind);
      sites.push([exhibit, (id) => ({ ...request, query: [...others, [kind, encoded(id)]] })]);
    }
    const { body } = request;
    if (body?.kind === "json" && hasProperty(request.operation, kind)) {
      sites.push([
        exhibit,
        (id) => ({ ...request, body: { kind: "json", value: { ...(body.value as object), [kind]: id } } }),
      ]);
    }
    return sites;
  });
}

const hasProperty = ({ body }: Operation, name: string): boolean =>
  body?.properties !== undefined && name in body.properties;

/** An unknown id of the same format. */
export const nobodysId = (id: string): string =>
  id.replace(/[0-9a-z]{4}(?=$|\|)/, (end) => (end === "zzzz" || end === "0000" ? "1111" : "0000"));

/** Frequency of each kind, in percent. */
const KINDS: readonly (readonly [share: number, make: MakeCase])[] = [
  [48, (place) => ({ kind: "valid", request: validRequest(place) })],
  [8, schemaAlone],
  [14, oneFieldBroken],
  [6, bodyBroken],
  [7, queryOdd],
  [4, pathOdd],
  [4, headersOdd],
  [4, nobodyAllowed],
  [2, scopeMissing],
  [3, foreign],
];
const DECK = KINDS.flatMap(([share, make]) => Array.from({ length: share }, () => make));

export function nextCase(place: Place, deps: CaseDeps): Case {
  const make = oneOf(place.draw, DECK);
  return make(place, deps) ?? { kind: "valid", request: validRequest(place) };
}
