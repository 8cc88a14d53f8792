// What a client needs to know of each operation of the API document.
import type { OpenApiDocument } from "../document.ts";

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  description?: string;
}

export interface ClientOperation {
  id: string;
  method: string;
  path: string;
  inPath: string[];
  inQuery: { name: string; schema: Schema }[];
  /** Null if the operation takes none. */
  body: Schema | null;
  /** A `page` is followed to the end of its list. */
  answer: { kind: "page" | "data" | "whole"; schema: Schema };
  /** Media types of the answer, the default first. More than one only where the caller can choose. */
  kinds: string[];
  takesIdempotencyKey: boolean;
  /** One sentence or more: what it does, and its scope. */
  about: string;
}

interface Described {
  operationId: string;
  summary: string;
  security?: object[];
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  "x-scope"?: string;
}

const JSON_TYPE = "application/json";
const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** Those of keys: hooks, media and shared calls have addresses with their own secrets. */
export function clientOperations({ paths }: OpenApiDocument): ClientOperation[] {
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    METHODS.flatMap((method) => {
      const described = byMethod[method] as Described | undefined;
      if (!described?.security?.some((each) => "apiKey" in each)) return [];
      return [operationOf(path, method.toUpperCase(), described)];
    }),
  );
}

function operationOf(path: string, method: string, described: Described): ClientOperation {
  const { operationId, summary, parameters = [], requestBody, responses } = described;
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const kinds = [...new Set(successes.flatMap(([, { content = {} }]) => Object.keys(content)))];
  const answer = answerOf(successes.flatMap(([, { content }]) => content?.[JSON_TYPE]?.schema ?? []));
  const isPage = answer.kind === "page";
  const scope = described["x-scope"];
  const more = isPage || kinds.length < 2 ? "" : ` Also as ${kinds.slice(1).join(", ")}.`;
  return {
    id: operationId,
    method,
    path,
    inPath: parameters.filter((each) => each.in === "path").map(({ name }) => name),
    inQuery: parameters.filter((each) => each.in === "query" && !(isPage && each.name === "cursor")),
    body: requestBody?.content[JSON_TYPE]?.schema ?? null,
    answer,
    kinds: isPage ? kinds.slice(0, 1) : kinds,
    takesIdempotencyKey: parameters.some(({ name }) => name === "Idempotency-Key"),
    about: `${summary}.${scope === undefined ? "" : ` Scope: ${scope}.`}${more}`,
  };
}

/** Several where an operation may create nothing: a dry run. */
function answerOf(schemas: readonly Schema[]): ClientOperation["answer"] {
  const [first = {}] = schemas;
  const { data, next_cursor } = first.properties ?? {};
  if (data?.items && next_cursor) return { kind: "page", schema: data.items };
  const datas = schemas.map(({ properties }) => properties?.["data"]);
  const isEnveloped = schemas.every(({ properties = {} }) => Object.keys(properties).join() === "data");
  const isWhole = schemas.length === 0 || !isEnveloped;
  return { kind: isWhole ? "whole" : "data", schema: oneOf(isWhole ? schemas : datas.flatMap((each) => each ?? [])) };
}

const oneOf = (schemas: readonly Schema[]): Schema =>
  schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: [...schemas] };
