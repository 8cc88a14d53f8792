// The OpenAPI 3.1 document: Elysia's routes and schemas, completed with what they cannot say by themselves.
import { toOpenAPISchema, unwrapSchema } from "@elysiajs/openapi/openapi";
import type { TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { ERROR_CODES, type ErrorCode } from "../../core/errors.ts";
import { VERSION } from "../../version.ts";
import { statusOf } from "../error-response.ts";
import { ERROR_BODY_SCHEMA, errorExample } from "./error-schema.ts";

/** The part of an OpenAPI operation that is read or completed here. */
interface Operation {
  tags?: string[];
  summary?: string;
  security?: object[];
  requestBody?: object;
  responses?: Record<string, object>;
  "x-scope"?: string;
  /** Codes this route can answer beyond those that its scope and body imply. */
  "x-errors"?: ErrorCode[];
  /** What the route answers when all is well, by status. */
  "x-responses"?: Record<string, object>;
  /** An example body, shown in Swagger UI. */
  "x-example"?: object;
  [key: string]: unknown;
}

export interface OpenApiDocument {
  openapi: string;
  info: object;
  servers: object[];
  tags: object[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, object>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

export interface DocumentParts {
  description: string;
  tags: readonly { name: string; description: string }[];
  webhooks: Record<string, object>;
}

const GUARDED: readonly ErrorCode[] = ["UNAUTHORIZED", "INSUFFICIENT_SCOPE", "RATE_LIMITED"];
const WITH_BODY: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

export function buildDocument(app: AnyElysia, { description, tags, webhooks }: DocumentParts): OpenApiDocument {
  const { paths } = toOpenAPISchema(
    app,
    { paths: [/^(?!\/v1\/|\/public\/|\/media\/)/], staticFile: false },
    undefined,
    undefined,
    "3.1.2",
  );
  const document: OpenApiDocument = {
    openapi: "3.1.0",
    info: {
      title: "Ringward",
      version: VERSION,
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This appliance" }],
    tags: [...tags],
    paths: {},
    webhooks,
    components: {
      schemas: { Error: ERROR_BODY_SCHEMA },
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key of the form rw_live_…" },
      },
    },
  };
  for (const [path, item] of Object.entries(paths)) {
    const methods = Object.entries(item as Record<string, Operation>);
    document.paths[path] = Object.fromEntries(
      methods.map(([method, operation]) => [method, complete(operation, path)]),
    );
  }
  // Symbols, functions and undefined values of the schemas do not survive this; what is served is plain JSON.
  return JSON.parse(JSON.stringify(document, withoutClosedObjects)) as OpenApiDocument;
}

/** Elysia closes a schema when it first uses it, so the document would change with the first request. Unknown fields are ignored. */
function withoutClosedObjects(key: string, value: unknown): unknown {
  return key === "additionalProperties" && value === false ? undefined : value;
}

function complete(operation: Operation, path: string): Operation {
  const { "x-errors": extra = [], "x-example": example, "x-responses": answers = {}, ...rest } = operation;
  if (example && rest.requestBody) putExample(rest.requestBody, example);
  const scope = operation["x-scope"];
  const codes = new Set<ErrorCode>([
    ...(scope === undefined ? [] : GUARDED),
    ...(operation.requestBody ? WITH_BODY : []),
    ...extra,
    "INTERNAL",
    "UNAVAILABLE",
  ]);
  return {
    ...rest,
    ...(scope === undefined ? {} : { security: [{ apiKey: [] }], description: describeScope(operation, scope) }),
    responses: { ...operation.responses, ...successResponses(answers), ...errorResponses([...codes], path) },
  };
}

/** Elysia documents the body once per media type it could parse; ours is JSON alone. */
function putExample(requestBody: object, example: object): void {
  const { content } = requestBody as { content: Record<string, { example?: object }> };
  for (const media of Object.values(content)) media.example = example;
}

function describeScope(operation: Operation, scope: string): string {
  const text = typeof operation["description"] === "string" ? `${operation["description"]}\n\n` : "";
  return `${text}Scope: ${scope === "any" ? "any valid key" : `\`${scope}\``}.`;
}

const SUCCESS_WORDS: Readonly<Record<string, string>> = { "200": "Done.", "201": "Created." };

function successResponses(answers: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: SUCCESS_WORDS[status] ?? "Answered.",
        content: { "application/json": { schema: unwrapSchema(schema as TSchema) ?? schema } },
      },
    ]),
  );
}

function errorResponses(codes: ErrorCode[], path: string): Record<string, object> {
  const ordered = ERROR_CODES.filter((code) => codes.includes(code));
  const statuses = [...new Set(ordered.map((code) => statusOf(code, path)))];
  return Object.fromEntries(
    statuses.map((status) => {
      const here = ordered.filter((code) => statusOf(code, path) === status);
      return [
        String(status),
        {
          description: here.join(" or "),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Error" },
              examples: Object.fromEntries(here.map((code) => [code, { value: errorExample(code) }])),
            },
          },
        },
      ];
    }),
  );
}
