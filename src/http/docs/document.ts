// The OpenAPI 3.1 document: Elysia's routes and schemas, completed with information they lack.
import { toOpenAPISchema, unwrapSchema } from "@elysiajs/openapi/openapi";
import type { TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { ERROR_CODES, type ErrorCode } from "../../core/errors.ts";
import { VERSION } from "../../core/version.ts";
import { bodySchemas } from "../body-schemas.ts";
import { formAt, statusOf, type FaultForm } from "../error-response.ts";
import { ERROR_BODY_SCHEMA, errorExample } from "./error-schema.ts";
import { nameSchemas } from "./named-schemas.ts";
import { described } from "./parameters.ts";

/** The part of an OpenAPI operation that is read or completed here. */
interface Operation {
  tags?: string[];
  summary?: string;
  security?: object[];
  requestBody?: object;
  parameters?: object[];
  responses?: Record<string, object>;
  "x-scope"?: string;
  /** Whether the route creates a record, and so supports Idempotency-Key. */
  "x-creates"?: boolean;
  /** Whether the answer carries an ETag, and a change obeys If-Match. */
  "x-tagged"?: boolean;
  /** Error codes of this route beyond those that its scope and body imply. */
  "x-errors"?: ErrorCode[];
  /** Successful responses, by status. */
  "x-responses"?: Record<string, object>;
  /** Alternative media types on request, by status. */
  "x-media"?: Record<string, object>;
  /** Request headers beyond the API key. */
  "x-headers"?: { name: string; description: string }[];
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
  /** Base path of the API: "/", or another path behind a proxy. */
  serverPath: string;
  faultForms: readonly FaultForm[];
}

/** 404 if the record of the key was erased. */
const REPEATABLE: readonly ErrorCode[] = ["NOT_FOUND", "IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"];
const KEY_PARAMETER = {
  name: "Idempotency-Key",
  description:
    "1 to 255 printable characters. The same key and request within 24 hours is answered with the first response, " +
    "and nothing is created twice. Where the record was erased meanwhile, the answer is 404 and nothing is created.",
};
const MATCH_PARAMETER = {
  name: "If-Match",
  description: "The ETag of the version that the change is based on. If the record changed since, the answer is 412.",
};
/** 400 also covers an unsupported Idempotency-Key. */
const GUARDED: readonly ErrorCode[] = ["VALIDATION_ERROR", "UNAUTHORIZED", "RATE_LIMITED"];
const WITH_BODY: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

export function buildDocument(
  app: AnyElysia,
  { description, tags, webhooks, serverPath, faultForms }: DocumentParts,
): OpenApiDocument {
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
      contact: { name: "Administrator of this appliance" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverPath, description: "This appliance" }],
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
  // Our own code reads bodies (see guard.ts), so the plugin does not know their schemas; they are taken from the
  // routes.
  const bodies = bodySchemas(app.routes);
  for (const [path, item] of Object.entries(paths)) {
    const methods = Object.entries(item as Record<string, Operation>);
    document.paths[path] = Object.fromEntries(
      methods.map(([method, operation]) => [
        method,
        complete(
          operation,
          formAt(faultForms, path),
          bodies.get(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
        ),
      ]),
    );
  }
  // Removes symbols, functions and undefined values of the schemas; the served document is plain JSON.
  const plain = JSON.parse(JSON.stringify(document, published)) as OpenApiDocument;
  nameSchemas(plain);
  return plain;
}

/**
 * Elysia closes a schema on first use, so the document would change with the first request. Unknown fields are ignored.
 */
function published(key: string, value: unknown): unknown {
  if (key === "additionalProperties" && value === false) return undefined;
  if (isNullableEnum(value)) return { ...value, enum: [...value.enum, null] };
  return hasAllowedWords(value) ? withoutAllowedWords(value) : value;
}

/** `allowed` is not a keyword of JSON Schema: it holds words for our own error messages. */
const hasAllowedWords = (value: unknown): value is { allowed: string; description?: string } =>
  typeof value === "object" && value !== null && "allowed" in value && typeof value.allowed === "string";

function withoutAllowedWords({ allowed, ...schema }: { allowed: string; description?: string }): object {
  return { ...schema, description: schema.description ?? `${allowed.charAt(0).toUpperCase()}${allowed.slice(1)}.` };
}

/** The plugin converts "one of these words, or null" into an enum without null. */
function isNullableEnum(value: unknown): value is { type: string[]; enum: unknown[] } {
  const { type, enum: choices } = (typeof value === "object" && value !== null ? value : {}) as {
    type?: unknown;
    enum?: unknown;
  };
  return Array.isArray(type) && type.includes("null") && Array.isArray(choices) && !choices.includes(null);
}

function complete(operation: Operation, form: FaultForm | null, body: TSchema | undefined): Operation {
  const {
    "x-errors": extra = [],
    "x-example": example,
    "x-responses": answers = {},
    "x-media": media = {},
    "x-headers": headers = [],
    "x-creates": creates,
    "x-tagged": isTagged = false,
    ...rest
  } = operation;
  if (body) rest.requestBody = jsonBody(body, example);
  const scope = operation["x-scope"];
  const isCompared = isTagged && rest.requestBody !== undefined;
  const codes = new Set<ErrorCode>([
    ...(scope === undefined ? [] : GUARDED),
    // "any" accepts every key.
    ...(scope === undefined || scope === "any" ? [] : (["INSUFFICIENT_SCOPE"] as const)),
    ...(rest.requestBody ? WITH_BODY : []),
    ...(creates ? REPEATABLE : []),
    ...(isCompared ? (["PRECONDITION_FAILED"] as const) : []),
    ...extra,
    "URI_TOO_LONG",
    "INTERNAL",
    "UNAVAILABLE",
  ]);
  const named = [...headers, ...(creates ? [KEY_PARAMETER] : []), ...(isCompared ? [MATCH_PARAMETER] : [])].map(
    headerParameter,
  );
  const parameters = [...described(rest.parameters ?? []), ...named];
  return {
    ...rest,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(scope === undefined ? {} : { security: [{ apiKey: [] }], description: describeScope(operation, scope) }),
    responses: {
      ...operation.responses,
      ...successResponses(answers, media, {
        ...ANSWER_HEADERS,
        ...(rest.requestBody !== undefined && IGNORED_HEADER),
        ...(isTagged && TAG_HEADER),
      }),
      ...errorResponses([...codes], form),
    },
  };
}

function jsonBody(schema: TSchema, example: object | undefined): object {
  const media = { schema: unwrapSchema(schema) ?? schema, ...(example ? { example } : {}) };
  return { required: true, content: { "application/json": media } };
}

function headerParameter({ name, description }: { name: string; description: string }): object {
  return { name, in: "header", required: false, description, schema: { type: "string" } };
}

function describeScope(operation: Operation, scope: string): string {
  const text = typeof operation["description"] === "string" ? `${operation["description"]}\n\n` : "";
  return `${text}Scope: ${scope === "any" ? "any valid key" : `\`${scope}\``}.`;
}

const textHeader = (description: string) => ({ description, schema: { type: "string" } });

/** On every authenticated response. */
const ANSWER_HEADERS = {
  "X-Request-Id": textHeader("Names this request in the logs."),
  RateLimit: textHeader('What is left, e.g. `"requests";r=119;t=60`. Absent without a limit.'),
  "RateLimit-Policy": textHeader('The limit, e.g. `"requests";q=120;w=60`.'),
  "Idempotent-Replayed": textHeader("`true` where this is the first response again."),
};

/** On responses to requests with a body. */
export const IGNORED_HEADER = {
  "Ringward-Ignored-Fields": textHeader(
    "Fields of the body that are not known here and were ignored, separated by commas and percent-encoded; at most 20 are named. " +
      "Absent if there were none.",
  ),
};

const TAG_HEADER = { ETag: textHeader("The version of the record, for If-Match.") };

/** Statuses with Retry-After. */
const RETRIED = new Set([409, 429, 503]);
const RETRY_HEADERS = { "Retry-After": textHeader("Whole seconds to wait.") };

const SUCCESS_WORDS: Readonly<Record<string, string>> = { "200": "Done.", "201": "Created." };

function successResponses(
  answers: Record<string, object>,
  media: Record<string, object>,
  headers: object,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: SUCCESS_WORDS[status] ?? "Answered.",
        headers,
        content: { "application/json": { schema: unwrapSchema(schema as TSchema) ?? schema }, ...media[status] },
      },
    ]),
  );
}

function errorResponses(codes: ErrorCode[], form: FaultForm | null): Record<string, object> {
  const ordered = ERROR_CODES.filter((code) => codes.includes(code));
  const statuses = [...new Set(ordered.map((code) => statusOf(code, form)))];
  return Object.fromEntries(
    statuses.map((status) => {
      const here = ordered.filter((code) => statusOf(code, form) === status);
      return [
        String(status),
        {
          description: here.join(" or "),
          ...(RETRIED.has(status) ? { headers: RETRY_HEADERS } : {}),
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
