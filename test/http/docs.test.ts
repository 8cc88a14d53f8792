import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_CODES } from "../../src/core/errors.ts";
import { EVENT_TYPES } from "../../src/events/catalogue.ts";
import { withoutRefs } from "../../scripts/contract-fuzz/document.ts";
import type { OpenApiDocument } from "../../src/http/docs/document.ts";
import { VERSION } from "../../src/core/version.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const COMMITTED = join(import.meta.dir, "../contract/openapi.json");

let testApp: TestApp;
let document: OpenApiDocument;
beforeAll(async () => {
  testApp = await createTestApp();
  document = testApp.app.document();
});
afterAll(() => testApp.close());

interface Bodied {
  properties?: object;
  anyOf?: Bodied[];
}

interface Documented {
  name: string;
  operationId?: string;
  tags?: string[];
  summary?: string;
  requestBody?: object;
  "x-scope"?: string;
  responses: Record<string, { description?: string; content?: Record<string, { schema?: object; examples?: object }> }>;
}

const WITH_NAMES = ["properties", "patternProperties"];
const KEYWORDS = new Set([
  ...WITH_NAMES,
  ..."$ref type const enum anyOf allOf oneOf items required additionalProperties description examples default".split(
    " ",
  ),
  ..."format pattern minLength maxLength minimum maximum minItems maxItems uniqueItems".split(" "),
  ..."minProperties maxProperties contentMediaType contentEncoding title".split(" "),
]);

const operations = (): Documented[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as unknown as Documented),
      name: `${method} ${path}`,
    })),
  );

test("the document is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone(document) as unknown as Record<string, unknown>,
  );
  expect(errors ?? []).toEqual([]);
  expect(valid).toBeTrue();
  expect(document.openapi).toStartWith("3.1");
  expect(document.info).toMatchObject({ title: "Ringward", version: VERSION });
}, 180_000);

test("the committed copy is up to date", () => {
  const advice = "Run: bun src/main.ts openapi > test/contract/openapi.json, and look at what changed for callers.";
  const committed = existsSync(COMMITTED) ? (JSON.parse(readFileSync(COMMITTED, "utf8")) as unknown) : null;
  if (!Bun.deepEquals(committed, document)) console.error(advice);
  expect(committed).toEqual(document as unknown);
});

test("using routes does not change the document, and no object is closed: unknown fields are ignored", async () => {
  await testApp.request("GET", "/v1/me");
  expect(testApp.app.document()).toEqual(document);
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

describe("every operation", () => {
  test("exists for every /v1 route, and for nothing else", () => {
    const written = (route: { method: string; path: string }) =>
      `${route.method.toLowerCase()} ${route.path.replaceAll(/:(\w+)/g, "{$1}")}`;
    const documented = operations().map(({ name }) => name);
    const routes = testApp.app.routes().map(written);
    expect(routes.filter((name) => / \/v1\//.test(name) && !documented.includes(name))).toEqual([]);
    expect(documented.filter((name) => !routes.includes(name))).toEqual([]);
  });

  test("has a unique id", () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has a summary and a documented tag", () => {
    const explained = document.tags.map((tag) => (tag as { name: string }).name);
    for (const { name, summary, tags } of operations()) {
      expect(`${name}: ${summary}`).toMatch(/: .{5,}/);
      expect(summary).not.toBe(undefined);
      expect(tags?.length).toBeGreaterThan(0);
      for (const tag of tags ?? []) expect(explained).toContain(tag);
    }
  });

  test("has a 2xx response with a schema", () => {
    for (const { name, responses } of operations()) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      expect(`${name}: ${successes.length > 0}`).toBe(`${name}: true`);
      for (const [, { description, content }] of successes) {
        expect(description).toBeString();
        for (const { schema } of Object.values(content ?? {})) expect(schema).toBeObject();
        expect(`${name}: ${Object.keys(content ?? {}).length > 0}`).toBe(`${name}: true`);
      }
    }
  });

  test("has every possible error response, each in the form of Error with an example", () => {
    for (const { name, responses, requestBody, "x-scope": scope } of operations()) {
      const wanted = [
        ...(scope === undefined ? [] : [401, 429]),
        ...(scope === undefined || scope === "any" ? [] : [403]),
        ...(requestBody ? [400, 408, 413, 415] : []),
        500,
        503,
      ].map(String);
      expect(`${name}: ${wanted.filter((status) => !(status in responses)).join()}`).toBe(`${name}: `);
      for (const [status, { description, content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        expect(content?.["application/json"]?.schema).toEqual({ $ref: "#/components/schemas/Error" });
        for (const code of description!.split(" or ")) {
          expect(ERROR_CODES as readonly string[]).toContain(code);
          expect(content?.["application/json"]?.examples).toHaveProperty(code);
        }
      }
    }
  });

  test("that needs a key names its scope", () => {
    for (const operation of operations().filter((each) => each["x-scope"] !== undefined)) {
      expect(operation).toMatchObject({ security: [{ apiKey: [] }], description: expect.stringContaining("Scope: ") });
    }
  });
});

test("schemas have keywords of JSON Schema only, because strict readers refuse others", () => {
  const odd: string[] = [];
  (function walk(schema: unknown, path: string): void {
    if (typeof schema !== "object" || schema === null) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (!KEYWORDS.has(keyword) && !keyword.startsWith("x-")) odd.push(`${path}/${keyword}`);
      if (WITH_NAMES.includes(keyword))
        for (const [name, each] of Object.entries(value as object)) walk(each, `${path}/${keyword}/${name}`);
      else if (["items", "additionalProperties"].includes(keyword)) walk(value, `${path}/${keyword}`);
      else if (["anyOf", "allOf", "oneOf"].includes(keyword))
        for (const each of value as unknown[]) walk(each, `${path}/${keyword}`);
    }
  })({ properties: document.components.schemas }, "");
  expect(odd).toEqual([]);
});

test("no schema of a JSON body accepts a number as text", () => {
  const suspicious: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { anyOf } = value as { anyOf?: { type?: string; format?: string }[] };
    if (anyOf?.some(({ type, format }) => type === "string" && (format === "numeric" || format === "integer")))
      suspicious.push(path);
    for (const [key, child] of Object.entries(value)) walk(child, `${path}/${key}`);
  };
  for (const { name, requestBody } of operations()) walk(requestBody, name);
  expect(suspicious).toEqual([]);
});

test("the webhooks section lists the events, each with its envelope", () => {
  expect(Object.keys(document.webhooks)).toEqual([
    "call.initiated",
    "call.completed",
    "call.failed",
    "call.disallowed",
    "appointment.created",
    "appointment.updated",
    "appointment.cancelled",
    "appointment.completed",
    "slot.updated",
    "consent.granted",
    "consent.withdrawn",
    "appliance.alarm",
    "appliance.alarm_over",
    "proof.head",
    "account.break_glass_used",
  ]);
  for (const type of EVENT_TYPES) {
    expect(withoutRefs(document).webhooks[type]).toMatchObject({
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                required: ["event_id", "event_type", "created_at", "data"],
                properties: { event_type: { const: type }, data: { type: "object" } },
              },
            },
          },
        },
        responses: { "2XX": { description: expect.any(String) } },
      },
    });
  }
});

describe("the pages", () => {
  test("serve the document at two addresses, byte for byte the same", async () => {
    const [a, b] = await Promise.all(
      ["/openapi.json", "/swagger/json"].map((path) => testApp.request("GET", path, { key: null })),
    );
    expect(JSON.parse(a!.text)).toEqual(document as unknown);
    expect(b!.text).toBe(a!.text);
    expect(a!.headers.get("content-type")).toStartWith("application/json");
  });

  test("load nothing from another host, in their text and by their policy", async () => {
    const page = await testApp.request("GET", "/swagger", { key: null });
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.headers.get("content-security-policy")).toStartWith("default-src 'self'");
    // Relative, so the page works behind a proxy that serves it under a path.
    const assets = [...page.text.matchAll(/(?:src|href)="(swagger\/[^"]+)"/g)].map((match) => `/${match[1]}`);
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) expect((await testApp.request("GET", asset, { key: null })).status).toBe(200);
  });

  test("compress the bundle for clients that accept it, with the same content", async () => {
    const path = "/swagger/swagger-ui.css";
    const plain = await testApp.request("GET", path, { key: null });
    const packed = await testApp.app.handle(
      new Request(`http://localhost${path}`, { headers: { "accept-encoding": "gzip, br" } }),
    );
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toBe("accept-encoding");
    expect(Buffer.from(Bun.gunzipSync(await packed.bytes())).toString()).toBe(plain.text);
    expect(plain.headers.get("content-encoding")).toBeNull();
  });
});

describe("what a generated client relies on", () => {
  test("every body, record and event has a name, and what several operations answer with is not named after one", () => {
    const nameIn = (text: string | undefined) => /"#\/components\/schemas\/(\w+)"/.exec(text ?? "")?.[1];
    const bodies = operations().map(({ name, requestBody }) => [name, requestBody] as const);
    expect(bodies.filter(([, body]) => body && nameIn(JSON.stringify(body)) === undefined)).toEqual([]);
    const answered = operations().flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const name = nameIn(JSON.stringify(content?.["application/json"]?.schema));
        return status.startsWith("2") && name !== undefined ? [name] : [];
      }),
    );
    const shared = answered.filter((name, i) => answered.indexOf(name) !== i);
    expect(shared.length).toBeGreaterThan(50);
    expect(shared.filter((name) => /(?:Answer|Checked)$/.test(name))).toEqual([]);
    expect(document.components.schemas).toContainKeys([
      "Agent",
      "Appointment",
      "Call",
      "CallCompletedEvent",
      "Campaign",
    ]);
  });

  test("every request body is described with its fields", () => {
    for (const [path, methods] of Object.entries(withoutRefs(testApp.app.document()).paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        if (!requestBody) continue;
        const { content } = requestBody as { content: Record<string, { schema?: Bodied }> };
        const { properties, anyOf = [] } = content["application/json"]?.schema ?? {};
        const fields = Object.keys(properties ?? anyOf[0]?.properties ?? {});
        expect(`${method} ${path}: ${fields.length > 0}`).toBe(`${method} ${path}: true`);
      }
    }
  });

  test("a nullable enum includes null", () => {
    const text = JSON.stringify(testApp.app.document());
    for (const [, words] of text.matchAll(/"type":\["string","null"\],"enum":(\[[^\]]*\])/g)) {
      expect(JSON.parse(words!)).toContain(null);
    }
    expect(text).toContain('"Idempotency-Key"');
    expect(text).toContain('"Retry-After"');
  });
});

describe("responses and headers in the document:", () => {
  test("a part of a recording, with its range", () => {
    for (const path of ["/media/{call_id}/recording.wav", "/public/call/{call_id}/recording.wav"]) {
      const { responses, parameters = [] } = document.paths[path]!["get"]!;
      expect(responses?.["206"]).toMatchObject({ headers: { "Content-Range": {} }, content: { "audio/wav": {} } });
      expect(parameters).toContainEqual(expect.objectContaining({ name: "Range", in: "header" }));
    }
  });

  test("campaign results as CSV, if the client accepts it", () => {
    const { responses } = document.paths["/v1/campaigns/{campaign_id}/results"]!["get"]!;
    expect(responses?.["200"]).toMatchObject({ content: { "application/json": {}, "text/csv": {} } });
  });

  test("nothing impossible: no missing scope on routes for any key, no range on responses without one", () => {
    expect(document.paths["/v1/me"]!["get"]!.responses).not.toHaveProperty("403");
    for (const path of ["/media/{call_id}/transcript.json", "/public/call/{call_id}/transcript.json"])
      expect(document.paths[path]!["get"]!.responses).not.toHaveProperty("416");
  });

  test("the mark of a test event", () => {
    const { webhooks } = withoutRefs(document);
    for (const [type, { post }] of Object.entries(webhooks as Record<string, { post: object }>)) {
      expect([type, post]).toEqual([
        type,
        expect.objectContaining({
          requestBody: expect.objectContaining({
            content: {
              "application/json": {
                example: expect.objectContaining({ event_type: type }),
                schema: expect.objectContaining({
                  properties: expect.objectContaining({
                    data: expect.objectContaining({
                      properties: expect.objectContaining({ test: expect.objectContaining({ const: true }) }),
                      required: expect.not.arrayContaining(["test"]),
                    }),
                  }),
                }),
              },
            },
          }),
        }),
      ]);
    }
  });

  test("ignored fields, for every route with a body", () => {
    const taking = operations().filter(({ requestBody }) => requestBody !== undefined);
    expect(taking.length).toBeGreaterThan(5);
    for (const { name, responses } of taking) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      for (const [, response] of successes)
        expect([name, response]).toEqual([
          name,
          expect.objectContaining({
            headers: expect.objectContaining({ "Ringward-Ignored-Fields": expect.anything() }),
          }),
        ]);
    }
  });

  test("the path of base_url, if the API is not at the root of the host", async () => {
    expect(document.servers).toEqual([{ url: "/", description: "This appliance" }]);
    const behindProxy = await createTestApp({
      settings: { RINGWARD_BASE_URL: "https://intranet.hospital.example/ringward/" },
    });
    expect(behindProxy.app.document().servers).toEqual([{ url: "/ringward", description: "This appliance" }]);
    await behindProxy.close();
  });
});
