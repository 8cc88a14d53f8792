// Rules for every route, including routes that are added later.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { routesWithoutCredential } from "../support/declared-credentials.ts";
import { createSmallApp } from "../support/small-app.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

let testApp: TestApp;
/** Otherwise most requests here would be answered with 429. */
const settings = { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" };
beforeAll(async () => void (testApp = await createTestApp({ settings })));
afterAll(() => testApp.close());

const detailOf = (route: object) => (route as { hooks?: { detail?: Record<string, unknown> } }).hooks?.detail ?? {};
const guarded = () => testApp.app.routes().filter((route) => detailOf(route)["x-scope"] !== undefined);
/** A URL of the route with a value for each parameter. */
const addressOf = (path: string) => path.replaceAll(/:\w+/g, "x");

describe("the scope of a /v1 route", () => {
  test("is declared on every one of them", () => {
    expect(testApp.app.routes().some(({ path }) => path.startsWith("/v1/"))).toBeTrue();
    expect(routesWithoutCredential(testApp.app.routes())).toEqual([]);
  });

  test("and a route that forgot it is found", async () => {
    const { app, close } = await createSmallApp((guard) =>
      new Elysia()
        .use(guard)
        .get("/v1/declared", () => "x", { scope: "calls:read" })
        .post("/v1/hooks/:token", () => "x", { detail: { "x-credential": "token" } as object })
        .get("/v1/forgotten", () => "x")
        .get("/elsewhere", () => "x"),
    );
    expect(routesWithoutCredential(app.routes)).toEqual(["GET /v1/forgotten"]);
    await close();
  });

  test("exists", () => {
    for (const route of guarded()) expect([...ALL_SCOPES, "any"]).toContain(detailOf(route)["x-scope"] as string);
  });

  test("is enforced: without a key every route answers 401, whatever is sent", async () => {
    for (const { method, path } of guarded()) {
      const { status, json } = await testApp.request(method, addressOf(path), {
        key: null,
        ...(method === "GET" ? {} : { body: "{" }),
      });
      expect(`${method} ${path}: ${status} ${json.error.code}`).toBe(`${method} ${path}: 401 UNAUTHORIZED`);
    }
  });

  test("is enforced: a key without the scope gets 403", async () => {
    const { keys } = testApp.app.services;
    const all = new Map(
      await Promise.all(
        (["calls:read", "slots:read"] as const).map(
          async (scope) =>
            [
              scope,
              (await keys.create(testApp.organisationId, { name: scope, scopes: [scope] }, { kind: "cli", id: null }))
                .key,
            ] as const,
        ),
      ),
    );
    for (const route of guarded().filter((each) => detailOf(each)["x-scope"] !== "any")) {
      const other = all.get(detailOf(route)["x-scope"] === "calls:read" ? "slots:read" : "calls:read")!;
      const { status } = await testApp.request(route.method, addressOf(route.path), { key: other });
      expect(`${route.method} ${route.path}: ${status}`).toBe(`${route.method} ${route.path}: 403`);
    }
  });
});

/**
 * POST routes without Idempotency-Key, by the reason. A route that makes something supports the key, and is tested in
 * creating-routes.test.ts.
 */
const MAKES_NOTHING = {
  "it only reads": [
    "searchAppointments",
    "searchPeople",
    "getPersonFile",
    "lookUpRegistryResults",
    "lookUpDoNotDisturb",
    "previewTemplate",
    "previewClosure",
    "previewReminderRule",
    "previewHl7Message",
  ],
  "it leads to the same state again, or is refused there": [
    "cancelCall",
    "pauseCampaign",
    "resumeCampaign",
    "stopCampaign",
    "regenerateTracking",
    "disableWindow",
    "releaseRetentionHold",
    "withdrawConsents",
    "withdrawConsent",
    "enableWebhookEndpoint",
    "disableWebhookEndpoint",
    "archiveAgent",
    "unarchiveAgent",
    "restoreAgentVersion",
    "reopenClosure",
    "answerWish",
    "acceptSourceFile",
    "rejectSourceFile",
    "resendHl7Message",
  ],
  "the number or the scrub is the key itself": ["addToDoNotDisturb", "removeFromDoNotDisturb", "importRegistryScrub"],
  "a second sending is marked as a test, or has the event_id of the first": [
    "tryCallQuestion",
    "testWebhookEndpoint",
    "replayFailedDeliveries",
    "replayWebhookDelivery",
  ],
  "the secret is in the answer alone, so a lost answer needs another": [
    "rotateCallQuestionSecret",
    "rotateWebhookEndpointSecret",
  ],
};

describe("Idempotency-Key", () => {
  const posts = () => guarded().filter(({ method }) => method === "POST");

  test("is declared on every POST route: it creates something, or it does not", () => {
    const undecided = posts().filter((route) => typeof detailOf(route)["x-creates"] !== "boolean");
    expect(undecided.map(({ path }) => path)).toEqual([]);
    expect(guarded().filter((route) => detailOf(route)["x-creates"] === true && route.method !== "POST")).toEqual([]);
  });

  test("is supported by every route that answers 201", () => {
    const answersCreated = posts().filter((route) => Object.hasOwn(detailOf(route)["x-responses"] ?? {}, "201"));
    expect(answersCreated.length).toBeGreaterThan(4);
    expect(answersCreated.filter((route) => detailOf(route)["x-creates"] !== true)).toEqual([]);
  });

  test("is missing only where sending a request again makes nothing new", () => {
    const without = posts().filter((route) => detailOf(route)["x-creates"] !== true);
    const ids = without.map((route) => String(detailOf(route)["operationId"]));
    expect(ids.toSorted()).toEqual(Object.values(MAKES_NOTHING).flat().toSorted());
  });

  test("is rejected by name on every other route, and documented where it is supported", async () => {
    const { paths } = (await testApp.request("GET", "/openapi.json", { key: null })).json as unknown as {
      paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
    };
    for (const route of guarded()) {
      const { method, path } = route;
      const creates = detailOf(route)["x-creates"] === true;
      const shown = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]?.parameters ?? [];
      const isShown = shown.some(({ name }) => name === "Idempotency-Key");
      expect(`${method} ${path} ${isShown}`).toBe(`${method} ${path} ${creates}`);
      if (creates) continue;
      const { status, json } = await testApp.request(method, addressOf(path), {
        headers: { "idempotency-key": "once" },
      });
      const fault = json.error.details?.[0]?.field;
      expect(`${method} ${path} ${status} ${fault}`).toBe(`${method} ${path} 400 Idempotency-Key`);
    }
  });
});

test("every route answers with X-Request-Id and nosniff, also when it rejects", async () => {
  for (const { method, path } of testApp.app.routes()) {
    const { headers } = await testApp.request(method, addressOf(path), { key: null });
    expect(`${method} ${path} ${headers.get("x-request-id")}`).toMatch(/ req_[0-9a-z]{26}$/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("no route answers invalid input with 500", async () => {
  for (const route of testApp.app.routes()) {
    const { method, path } = route;
    const headers: Record<string, string> = detailOf(route)["x-creates"] === true ? { "idempotency-key": "x" } : {};
    for (const body of method === "GET" ? [undefined] : ["{", "[]", "{}", "null", '"\\u0000"']) {
      const { status } = await testApp.request(method, addressOf(path), { body, headers });
      expect(`${method} ${path} ${body}: ${status < 500 || status === 503}`).toBe(`${method} ${path} ${body}: true`);
    }
  }
});

test("GET /v1/me describes the key and its permissions", async () => {
  const { status, json } = await testApp.request("GET", "/v1/me");
  expect(status).toBe(200);
  expect(json.data as object).toMatchObject({
    organisation_id: testApp.organisationId,
    organisation_name: "Test Hospital",
    plan: "base",
    time_zone: "Asia/Kolkata",
    scopes: ALL_SCOPES,
    limits: testApp.config.plans.base,
  });
});
