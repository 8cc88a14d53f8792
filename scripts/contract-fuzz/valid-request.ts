// A request that the document allows and the server can serve: live ids and consistent fields.
import { encoded, type FuzzRequest } from "./request.ts";
import { oneOf, rarely } from "./draw.ts";
import type { JsonSchema, Operation, Parameter } from "./document.ts";
import { knownFields, type Place } from "./known-fields.ts";
import { mended } from "./mend.ts";
import { LEFT_OUT, validValue, type KnownField } from "./values.ts";
import { withKey, type Grant } from "./world.ts";

const NO_GRANT: Grant = { path: {}, query: {} };
/** Placeholder while no id of the kind is known. */
const NOBODY = "unknown";

export function validRequest(place: Place): FuzzRequest {
  const { draw, organisation, operation } = place;
  const known = knownFields(place);
  const grants = organisation.grants.get(operation.id) ?? [];
  const grant = grants.length === 0 ? NO_GRANT : oneOf(draw, grants);
  const drawn = valuesIn(place, known, "query").filter(([name]) => !(name in grant.query));
  const query = drawn.some(([name]) => name === "cursor")
    ? drawn.filter(([name]) => name === "cursor" || name === "limit")
    : drawn;
  return {
    operation,
    credential: operation.scope === null ? {} : withKey(organisation.key),
    path: pathOf(place, known, grant),
    query: [...Object.entries(grant.query), ...query].map(([name, value]) => [encoded(name), encoded(value)]),
    headers: Object.fromEntries(valuesIn(place, known, "header")),
    body: operation.body === null ? null : { kind: "json", value: bodyOf(place, known, operation.body) },
    ...(operation.id === "inboundHook" && organisation.sign ? { sign: organisation.sign } : {}),
  };
}

function pathOf({ operation, draw }: Place, known: KnownField, grant: Grant): Record<string, string> {
  const names = operation.parameters.filter((parameter) => parameter.in === "path");
  return Object.fromEntries(
    names.map(({ name, schema }) => {
      const value = grant.path[name] ?? validValue(draw, schema, name, known);
      return [name, encoded(isSegment(value) ? value : NOBODY)];
    }),
  );
}

/** Empty segments and dots would change the path. */
const isSegment = (value: unknown): value is string => typeof value === "string" && !/^\.{0,2}$/.test(value);

function valuesIn(place: Place, known: KnownField, where: Parameter["in"]): [name: string, value: string][] {
  const { draw, operation } = place;
  const chosen = operation.parameters.filter(
    (parameter) => parameter.in === where && (parameter.required === true || rarely(draw, 3)),
  );
  return chosen.flatMap(({ name, schema }): [string, string][] => {
    const value = validValue(draw, schema, name, known);
    if (value === LEFT_OUT || typeof value !== "string") return [];
    // A version drawn at random is stale; odd-headers.ts sends such.
    if (name.toLowerCase() === "if-match") return [];
    if (where === "header" && !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return [];
    return [[name, value]];
  });
}

function bodyOf(place: Place, known: KnownField, schema: JsonSchema): unknown {
  const { draw, operation } = place;
  if (operation.id === "inboundHook") return mended(draw, operation, hookBody(place, known, schema));
  return mended(draw, operation, validValue(draw, schema, "", known));
}

/** Its data is that of the operation named by the action. */
function hookBody(place: Place, known: KnownField, schema: JsonSchema): unknown {
  const actions = (schema.anyOf ?? []).flatMap(({ properties }) => wordsOf(properties?.["action"] ?? {}));
  const action = oneOf(place.draw, actions);
  const create = place.createCall?.body;
  const data =
    action === "call.create" && create ? validValue(place.draw, create, "", known) : { call_id: known("call_id", {}) };
  return { action, data };
}

const wordsOf = (schema: JsonSchema): unknown[] => schema.enum ?? (schema.const === undefined ? [] : [schema.const]);

export const operationNamed = (operations: readonly Operation[], id: string): Operation | null =>
  operations.find((operation) => operation.id === id) ?? null;
