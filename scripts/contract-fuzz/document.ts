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
  required?: boolean;
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
  return Object.entries(withoutRefs(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      id: raw.operationId,
      method: method.toUpperCase(),
      path,
      scope: raw["x-scope"] ?? null,
      parameters: raw.parameters ?? [],
      body: raw.requestBody?.content["application/json"]?.schema ?? null,
      answers: new Map(Object.entries(raw.responses).map(([status, answer]) => [Number(status), answerOf(answer)])),
    })),
  );
}

function answerOf({ content = {} }: { content?: Record<string, RawMedia> }): DocumentedAnswer {
  const media = Object.entries(content);
  return {
    types: new Map(media.map(([type, { schema = {} }]) => [type, schema])),
    codes: media.flatMap(([, { examples = {} }]) => Object.keys(examples)),
  };
}

const REF = "#/components/schemas/";

/** A copy with each named schema in place of its references. Named schemas contain no references. */
export function withoutRefs<Document extends object>(document: Document): Document {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  const named = components?.schemas ?? {};
  const resolved = (_: string, value: unknown): unknown => {
    const ref = typeof value === "object" && value !== null && "$ref" in value ? value.$ref : undefined;
    if (typeof ref !== "string") return value;
    const schema = named[ref.slice(REF.length)];
    if (schema === undefined || !ref.startsWith(REF)) throw new Error(`The document has no schema ${ref}.`);
    return schema;
  };
  return JSON.parse(JSON.stringify(document, resolved)) as Document;
}
