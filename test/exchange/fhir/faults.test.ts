// Every fault below /fhir is an OperationOutcome with its status.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Bundle, OperationOutcome } from "fhir/r4";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { createFhirClient, issueOf, matchesIn, type FhirOptions, type SendFhir } from "../../support/fhir-client.ts";
import { createTestApp, type TestApp } from "../../support/test-app.ts";
import { BASE } from "./world.ts";

let app: TestApp;
let fhir: SendFhir;
const REQUESTS_A_MINUTE = 500;
beforeAll(async () => {
  app = await createTestApp({
    settings: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: String(REQUESTS_A_MINUTE) },
  });
  fhir = createFhirClient((request) => app.app.handle(request), app.key, BASE);
  await app.app.services.directory.setBranch(app.organisationId, crypto.randomUUID(), { name: "A" }, CLI_ACTOR);
});
afterAll(() => app.close());

const fault = async (method: string, path: string, options: FhirOptions = {}) =>
  issueOf(await fhir<OperationOutcome>(method, path, options));
const form = (text: string) => ({ body: text, headers: { "content-type": "application/x-www-form-urlencoded" } });

describe("a request at fault", () => {
  test.each<[string, string, string, FhirOptions]>([
    ["404 not-found NOT_FOUND", "GET", "/Appointment/apt-00000000000000000000000000", {}],
    ["404 not-found NOT_FOUND", "GET", "/Appointment/apt_1", {}],
    ["404 not-found NOT_FOUND", "GET", `/Location/${"x".repeat(400)}`, {}],
    ["404 not-found NOT_FOUND", "GET", "/Location/%zz", {}],
    ["404 not-found NOT_FOUND", "GET", "/Location/%00", {}],
    ["404 not-found NOT_FOUND", "GET", "/Slot/0190a1b2-0000-7000-8000-00000000000b-2026-02-30", {}],
    ["404 not-found NOT_FOUND", "GET", "/Practitioner", {}],
    ["404 not-found NOT_FOUND", "GET", "/Appointment/x/_history", {}],
    ["404 not-found NOT_FOUND", "GET", "/", {}],
    ["404 not-found NOT_FOUND", "POST", "", { body: { resourceType: "Bundle", type: "batch" } }],
    ["405 not-supported METHOD_NOT_ALLOWED", "DELETE", "/Location/x", {}],
    ["404 not-found NOT_FOUND", "GET", "/Location/x/y", {}],
    ["405 not-supported METHOD_NOT_ALLOWED", "POST", "/Location", { body: {} }],
    ["405 not-supported METHOD_NOT_ALLOWED", "PUT", "/metadata", { body: {} }],
    ["401 login UNAUTHORIZED", "GET", "/Location", { key: null }],
    ["401 login UNAUTHORIZED", "GET", "/Location", { key: "rw_live_nothing" }],
    ["401 login UNAUTHORIZED", "GET", "/Location", { key: null, headers: { authorization: "Basic eDp5" } }],
    ["401 login UNAUTHORIZED", "GET", "/Location?_count=x", { key: null }],
    ["401 login UNAUTHORIZED", "POST", "/Location/_search", { key: null, body: "{" }],
    ["406 not-supported NOT_ACCEPTABLE", "GET", "/Location", { headers: { accept: "application/fhir+xml" } }],
    ["406 not-supported NOT_ACCEPTABLE", "GET", "/metadata?_format=xml", { key: null }],
    [
      "406 not-supported NOT_ACCEPTABLE",
      "GET",
      "/Location",
      { headers: { accept: "application/fhir+json; fhirVersion=5.0" } },
    ],
    ["415 not-supported UNSUPPORTED_MEDIA_TYPE", "POST", "/Location/_search", { body: {} }],
    [
      "415 not-supported UNSUPPORTED_MEDIA_TYPE",
      "POST",
      "/Location/_search",
      { body: "", headers: { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" } },
    ],
    ["413 too-long PAYLOAD_TOO_LARGE", "POST", "/Location/_search", form("x".repeat(300_000))],
    ["414 too-long URI_TOO_LONG", "GET", `/Location?name=${"x".repeat(3_000)}`, {}],
    ["414 too-long URI_TOO_LONG", "GET", `/Location?${"name=x&".repeat(60)}`, {}],
    ["400 invalid VALIDATION_ERROR", "GET", "/Location?_lastUpdated=x", {}],
    ["400 invalid VALIDATION_ERROR", "POST", "/Location/_search", form("name=%FF%FE&x=y")],
  ])("%s: %s %.60s", async (expected, method, path, options) => {
    expect(await fault(method, path, options)).toBe(expected);
  });

  test("names the parameter and the request", async () => {
    const { body, headers } = await fhir<OperationOutcome>("GET", "/Location?colour=red&_count=2");
    expect(body.issue).toMatchObject([{ expression: ["colour"], details: { text: expect.any(String) as string } }]);
    expect(body.issue[0]!.diagnostics).toBe(`request ${headers.get("x-request-id")}`);
  });

  test("says how to sign in", async () => {
    const { headers } = await fhir("GET", "/Location", { key: null });
    expect(headers.get("www-authenticate")).toBe('Bearer realm="fhir"');
  });
});

describe("an answer", () => {
  test.each([
    ["application/fhir+json", {}],
    ["application/fhir+json", { accept: "*/*" }],
    ["application/fhir+json", { accept: "application/fhir+json;fhirVersion=4.0, application/json;q=0.9" }],
    ["application/fhir+json", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }],
    ["application/json", { accept: "application/json" }],
    ["application/json", { accept: "application/fhir+xml, application/json;q=0.5" }],
  ] as [string, Record<string, string>][])("is %s for %p", async (type, headers) => {
    const answer = await fhir("GET", "/Location", { headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, `${type}; charset=utf-8`]);
  });

  test.each([
    ["json", "application/fhir+json"],
    ["application/json", "application/json"],
    // An unencoded plus.
    ["application/fhir+json", "application/fhir+json"],
    ["application%2Ffhir%2Bjson", "application/fhir+json"],
  ])("follows _format=%s", async (format, type) => {
    const { headers } = await fhir("GET", `/Location?_format=${format}`, { headers: { accept: "text/html" } });
    expect(headers.get("content-type")).toBe(`${type}; charset=utf-8`);
  });

  test("to HEAD is the answer to GET without its body", async () => {
    const [{ id } = { id: "" }] = matchesIn((await fhir<Bundle>("GET", "/Location")).body);
    const request = new Request(`${BASE}/Location/${id}`, {
      method: "HEAD",
      headers: { authorization: `bearer ${app.key}` },
    });
    const { status, headers } = await app.app.handle(request);
    expect([status, headers.get("etag")]).toEqual([200, expect.stringMatching(/^W\/"[0-9a-f]{16}"$/)]);
  });

  test("has the headers of the rate limit", async () => {
    const { headers } = await fhir("GET", "/Location");
    expect(headers.get("ratelimit-policy")).toBe(`"requests";q=${REQUESTS_A_MINUTE};w=60`);
    expect(headers.get("ratelimit")).toMatch(/^"requests";r=\d+;t=60$/);
  });
});

test("a key has one rate limit for /v1 and /fhir", async () => {
  const { key } = await app.app.services.keys.create(
    app.organisationId,
    { name: "busy", scopes: ["directory:read"] },
    CLI_ACTOR,
  );
  for (let i = 0; i < REQUESTS_A_MINUTE; i++) await app.request("GET", "/v1/branches", { key });
  const limited = await fhir<OperationOutcome>("GET", "/Location", { key });
  expect(issueOf(limited)).toBe("429 throttled RATE_LIMITED");
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
});
