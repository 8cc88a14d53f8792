// The operations of an OpenAPI document, in the form the fuzzer uses.

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
  $ref?: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  schema: JsonSchema;
}

export interface DocumentedAnswer {
  /** Keyed by media type. */
  types: ReadonlyMap<string, JsonSchema>;
  /** Possible error codes of this status; empty for a success. */
  codes: readonly string[];
}

export interface Operation {
  id: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  /** Null if no key is needed, "any" if every key is accepted. */
  scope: string | null;
  parameters: readonly Parameter[];
  body: JsonSchema | null;
  answers: ReadonlyMap<number, DocumentedAnswer>;
}

interface RawMedia {
  schema?: JsonSchema;
  examples?: Record<string, unknown>;
}

interface RawOperation {
  operationId: string;
  "x-scope"?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, RawMedia> };
  responses: Record<string, { content?: Record<string, RawMedia> }>;
}

export interface RawDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

export function operationsOf(document: RawDocument): Operation[] {
  const named = document.components?.schemas ?? {};
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      scope: raw["x-scope"] ?? null,
      parameters: raw.parameters ?? [],
      body: raw.requestBody?.content["application/json"]?.schema ?? null,
      answers: new Map(
        Object.entries(raw.responses).map(([status, answer]) => [Number(status), answerOf(answer, named)]),
      ),
    })),
  );
}

function answerOf(
  { content = {} }: { content?: Record<string, RawMedia> },
  named: Record<string, JsonSchema>,
): DocumentedAnswer {
  const media = Object.entries(content);
  return {
    types: new Map(media.map(([type, { schema = {} }]) => [type, resolved(schema, named)])),
    codes: media.flatMap(([, { examples = {} }]) => Object.keys(examples)),
  };
}

/** The document references one named schema, and named schemas contain no references. */
function resolved(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  return schema.$ref === undefined ? schema : (named[schema.$ref.replace("#/components/schemas/", "")] ?? {});
}
