// Validates values against the document with Ajv; each schema is compiled once.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "./document.ts";

const FORMATS: Readonly<Record<string, RegExp | true>> = {
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  binary: true,
};

export class Schemas {
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #compiled = new Map<JsonSchema, ValidateFunction>();

  constructor() {
    for (const [name, format] of Object.entries(FORMATS)) this.#ajv.addFormat(name, format);
  }

  /** The fault of a response; null if there is none. An undocumented field is a fault. */
  faultOfAnswer(schema: JsonSchema, value: unknown): string | null {
    return this.#fault(schema, value, closed);
  }

  /** The same for a request: undocumented fields are ignored. */
  faultOfRequest(schema: JsonSchema, value: unknown): string | null {
    return this.#fault(schema, value, (same) => same);
  }

  #fault(schema: JsonSchema, value: unknown, form: (schema: JsonSchema) => JsonSchema): string | null {
    let validate = this.#compiled.get(schema);
    if (!validate) this.#compiled.set(schema, (validate = this.#ajv.compile(form(schema))));
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    const more = (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
    return `${error?.instancePath ?? ""} ${error?.message ?? "is wrong"}${more === undefined ? "" : ` (${more})`}`.trim();
  }
}

/** The document leaves objects open for later versions; this version must not return undocumented fields. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, patternProperties, additionalProperties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each)])) }),
    ...(properties === undefined || patternProperties !== undefined || additionalProperties !== undefined
      ? {}
      : { additionalProperties: false }),
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closed) }),
  };
}
