import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { createIds } from "../../src/core/ids.ts";
import { createLogger, silentLogger } from "../../src/core/logger.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { createHandler, pathOf } from "../../src/http/handler.ts";
import { infoOf, principalOf } from "../../src/http/request-info.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createSmallApp, type ErrorAnswer, type SmallApp } from "../support/small-app.ts";

let app: SmallApp;
beforeAll(async () => {
  app = await createSmallApp(
    (guard) =>
      new Elysia()
        .use(guard)
        .get("/v1/calls/:call_id", ({ params }) => ({ data: params.call_id }), { scope: "calls:read" })
        .post("/v1/hooks/:token", () => "ok")
        .get("/healthz", () => ({ status: "ok" }))
        .delete("/dashboard/api/do-not-disturb/:number", () => "ok")
        .patch("/dashboard/api/people/:email", () => "ok")
        .get("/moved", () => Response.redirect("http://localhost/healthz", 302)),
    { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" },
  );
});
afterAll(() => app.close());
beforeEach(() => void (app.logLines.length = 0));

const accessLine = () =>
  JSON.parse(app.logLines.find((line) => line.includes("Request answered."))!) as Record<string, unknown>;

describe("every response", () => {
  test.each([
    ["GET", "/healthz", 200],
    ["GET", "/v1/calls/call_1", 200],
    ["GET", "/none", 404],
    ["PUT", "/healthz", 405],
    ["GET", "/moved", 302],
  ])("to %s %s carries its request's id and nosniff", async (method, path, status) => {
    const response = await app.send(method, path);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(accessLine()["request_id"]).toBe(response.headers.get("x-request-id"));
  });

  test("has its own id; one sent by the client is not used", async () => {
    const answers = await Promise.all(
      [1, 2].map(() => app.send("GET", "/healthz", { headers: { "x-request-id": "req_mine" } })),
    );
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain("req_mine");
  });
});

describe("the access log", () => {
  test("contains method, route, status, time and key", async () => {
    await app.send("GET", "/v1/calls/call_1");
    expect(accessLine()).toMatchObject({
      level: "info",
      method: "GET",
      path: "/v1/calls/:call_id",
      status: 200,
      organisation_id: app.organisationId,
      key_id: expect.stringMatching(/^key_/),
      duration_ms: expect.any(Number),
    });
  });

  test("contains the route of a rejected request, too", async () => {
    await app.send("GET", "/v1/calls/call_1", { key: null });
    expect(accessLine()).toMatchObject({ path: "/v1/calls/:call_id", status: 401 });
    expect(accessLine()).not.toHaveProperty("key_id");
  });

  test("contains no key, token, query or body", async () => {
    await app.send("GET", "/v1/calls/call_1?contact_number=%2B919876543210");
    await app.send("POST", "/v1/hooks/very-secret-token?x=1", {
      body: "Kamala",
      headers: { "content-type": "text/plain" },
    });
    await app.send("PUT", "/v1/hooks/very-secret-token");
    await app.send("GET", "/v1/hooks/very-secret-token/more");
    await app.send("GET", "/public/call/x?token=very-secret-token");
    const log = app.logLines.join("\n");
    expect(app.logLines).toHaveLength(5);
    for (const secret of ["very-secret-token", "9876543210", "Kamala", app.key, app.key.slice(-43)])
      expect(log).not.toContain(secret);
    expect(log).toContain('"path":"/v1/hooks/***"');
  });

  test("contains the pattern of a path, not the number or e-mail address in it", async () => {
    await app.send("DELETE", "/dashboard/api/do-not-disturb/+919876543210");
    await app.send("PATCH", "/dashboard/api/people/kamala%40hospital.example");
    await app.send("PUT", "/dashboard/api/people/kamala@hospital.example");
    await app.send("GET", "/dashboard/api/people/kamala@hospital.example/%");
    const log = app.logLines.join("\n");
    for (const personal of ["9876543210", "kamala"]) expect(log).not.toContain(personal);
    expect(log).toContain('"path":"/dashboard/api/do-not-disturb/:number"');
    expect(log).toContain('"path":"/dashboard/api/people/:email"');
  });

  test("contains no path that matched no route: it could contain anything", async () => {
    await app.send("GET", "/whatever/Kamala");
    expect(accessLine()).toMatchObject({ path: "(none)", status: 404 });
  });
});

describe("the metrics", () => {
  test("count by route pattern, so ids do not multiply series", async () => {
    await app.send("GET", "/v1/calls/call_1");
    await app.send("GET", "/v1/calls/call_2");
    const text = app.metrics.render();
    expect(text).toMatch(/ringward_http_requests_total\{route="\/v1\/calls\/:call_id",method="GET",status="200"\} \d+/);
    expect(text).not.toContain("call_2");
    expect(text).toContain('ringward_http_request_duration_seconds_bucket{route="/v1/calls/:call_id",le="+Inf"}');
  });
});

describe("answered requests are logged", () => {
  async function logged(loggedShare: number | undefined, statuses: readonly number[]): Promise<number[]> {
    const lines: string[] = [];
    const clock = createManualClock();
    const handle = createHandler({
      inner: ({ url }) => new Response("x", { status: Number(url.slice(-3)) }),
      keys: { authenticate: () => null },
      ids: createIds(clock),
      logger: createLogger(clock, "debug", (line) => void lines.push(line)),
      metrics: createMetrics(),
      ...(loggedShare !== undefined && { loggedShare }),
    });
    for (const status of statuses) await handle(new Request(`http://localhost/${status}`));
    return lines.map((line) => (JSON.parse(line) as { status: number }).status);
  }
  const hundred = Array.from({ length: 100 }, () => 200);

  test("all of them by default", async () => {
    expect(await logged(undefined, hundred)).toEqual(hundred);
  });

  test("or every tenth", async () => {
    expect(await logged(0.1, hundred)).toHaveLength(10);
    expect(
      await logged(
        0.007,
        Array.from({ length: 1_000 }, () => 200),
      ),
    ).toHaveLength(7);
  });

  test("or only those that failed with 5xx", async () => {
    expect(await logged(0, [...hundred, 404, 500, 429, 503])).toEqual([500, 503]);
  });
});

const NO_KEYS = { authenticate: () => null };

test("an error outside every route is still answered, with the error body and an id", async () => {
  const lines: string[] = [];
  const clock = createManualClock();
  const handle = createHandler({
    inner: () => Promise.reject(new Error("patient Kamala")),
    keys: NO_KEYS,
    ids: createIds(clock),
    logger: createLogger(clock, "debug", (line) => void lines.push(line)),
    metrics: createMetrics(),
  });
  const response = await handle(new Request("http://localhost/v1/calls"));
  expect(response.status).toBe(500);
  const { error } = (await response.json()) as ErrorAnswer;
  expect(error).toMatchObject({ code: "INTERNAL", request_id: response.headers.get("x-request-id")! });
  expect(lines.join() + JSON.stringify(error)).not.toContain("Kamala");
});

test("a request that bypassed the handler or the guard is a programming error", async () => {
  expect(() => infoOf(new Request("http://localhost/"))).toThrow("did not come through the handler");
  let seen: Request | undefined;
  const inner = (request: Request) => {
    seen = request;
    return new Response("x");
  };
  await createHandler({
    inner,
    keys: NO_KEYS,
    ids: createIds(createManualClock()),
    logger: silentLogger,
    metrics: createMetrics(),
  })(new Request("http://localhost/"));
  expect(() => principalOf(seen!)).toThrow("does not declare a scope");
});

test.each([
  ["http://localhost/", "/"],
  ["http://localhost:8080/v1/calls?a=/b", "/v1/calls"],
  ["https://h.example/a%2Fb/c", "/a%2Fb/c"],
])("the path of %s is %s", (url, path) => {
  expect(pathOf(new Request(url))).toBe(path);
});
