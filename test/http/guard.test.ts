import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Guard } from "../../src/http/guard.ts";
import { infoOf } from "../../src/http/request-info.ts";
import { createSmallApp, errorOf, REQUEST_TIMEOUT_MS, type SmallApp } from "../support/small-app.ts";
import { settle } from "../support/manual-clock.ts";

const JSON_TYPE = { "content-type": "application/json" };
const Body = Type.Object({ name: Type.String() });

const routes = (guard: Guard) =>
  new Elysia()
    .use(guard)
    .get(
      "/v1/open",
      ({ principal, actor }) => ({ principal: { ...principal, scopes: [...principal.scopes] }, actor }),
      { scope: "any" },
    )
    .get("/v1/calls", () => "calls", { scope: "calls:read" })
    .post("/v1/calls", ({ body, request }) => ({ body, raw: Buffer.from(infoOf(request).rawBody ?? []).toString() }), {
      scope: "calls:create",
      json: true,
      body: Body,
    })
    // In the other order, the body would be read before the client is authenticated.
    .post("/v1/turned", ({ body }) => body, { body: Body, json: true, scope: "calls:create" })
    .post("/v1/bodiless", () => "done", { scope: "calls:cancel" });

let app: SmallApp;
beforeEach(async () => {
  app = await createSmallApp(routes, { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "3" });
});
afterEach(() => app.close());

const LARGE = JSON.stringify({ name: "x".repeat(256 * 1024) });

describe("a route behind the guard", () => {
  test("has the key's organisation and the actor", async () => {
    const response = await app.send("GET", "/v1/open");
    const { principal, actor } = (await response.json()) as {
      principal: { organisationId: string; keyId: string };
      actor: object;
    };
    expect(principal.organisationId).toBe(app.organisationId);
    expect(actor).toEqual({ kind: "key", id: principal.keyId, requestId: response.headers.get("x-request-id")! });
  });

  test("gets its parsed body and the raw bytes", async () => {
    const body = '{ "name" : "é" }';
    const response = await app.send("POST", "/v1/calls", { body, headers: JSON_TYPE });
    expect(await response.json()).toEqual({ body: { name: "é" }, raw: body });
  });

  test("that takes no body ignores one", async () => {
    expect((await app.send("POST", "/v1/bodiless")).status).toBe(200);
    expect((await app.send("POST", "/v1/bodiless", { body: "{", headers: JSON_TYPE })).status).toBe(200);
  });
});

describe("an unauthenticated client", () => {
  test.each([
    ["without a key", null],
    ["with an empty key", ""],
    ["with rubbish", "rubbish"],
    ["with a key of the right form", `rw_live_${"0".repeat(26)}_${"A".repeat(43)}`],
  ])("%s learns nothing but 401, whatever else is wrong", async (_, key) => {
    const bodies = [
      {},
      { body: "{", headers: JSON_TYPE },
      { body: LARGE, headers: JSON_TYPE },
      { body: "x", headers: { "content-type": "text/plain" } },
    ];
    for (const init of bodies) {
      const response = await app.send("POST", "/v1/calls", { ...init, key });
      expect(response.status).toBe(401);
      expect(await errorOf(response)).toMatchObject({
        code: "UNAUTHORIZED",
        message: "The x-api-key header is missing or holds no valid API key.",
      });
      expect(response.headers.get("ratelimit")).toBeNull();
    }
  });

  test("with a revoked key is unauthenticated", async () => {
    const created = await app.keys.create(app.organisationId, { name: "gone", scopes: ["calls:read"] }, CLI_ACTOR);
    await app.keys.revoke(app.organisationId, created.key_id, CLI_ACTOR);
    expect((await app.send("GET", "/v1/calls", { key: created.key })).status).toBe(401);
  });

  test("is answered before the body is read", async () => {
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void (pulled += 1) }, { highWaterMark: 0 });
    const request = new Request("http://localhost/v1/calls", { method: "POST", headers: JSON_TYPE, body });
    expect((await app.handle(request)).status).toBe(401);
    expect(pulled).toBe(0);
  });
});

describe("the order of the checks", () => {
  const wrongEverywhere = { body: LARGE, headers: { "content-type": "text/plain" } };

  test("is 401, 403, 429, 415, 413, 400", async () => {
    const statusOf = async (init: Parameters<SmallApp["send"]>[2]) =>
      (await app.send("POST", "/v1/calls", init)).status;
    expect(await statusOf({ ...wrongEverywhere, key: null })).toBe(401);
    expect(await statusOf({ ...wrongEverywhere, key: app.readKey })).toBe(403);
    expect(await statusOf(wrongEverywhere)).toBe(415);
    expect(await statusOf({ body: LARGE, headers: JSON_TYPE })).toBe(413);
    expect(await statusOf({ body: "{}", headers: JSON_TYPE })).toBe(400);
    expect(await statusOf(wrongEverywhere)).toBe(429);
  });
});

test("a route that declares its body before its scope fails without reading the body", async () => {
  expect((await app.send("POST", "/v1/turned", { body: "{}", headers: JSON_TYPE, key: null })).status).toBe(500);
});

describe("a missing scope", () => {
  test("is named, and does not count against the rate limit", async () => {
    for (let i = 0; i < 5; i++) {
      const response = await app.send("POST", "/v1/calls", { key: app.readKey });
      expect(response.status).toBe(403);
      expect(await errorOf(response)).toMatchObject({
        code: "INSUFFICIENT_SCOPE",
        message: "This API key lacks the scope calls:create.",
      });
    }
    expect((await app.send("GET", "/v1/calls", { key: app.readKey })).status).toBe(200);
  });
});

describe("the rate limit", () => {
  test("counts down in the headers and ends in 429 with Retry-After", async () => {
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await app.send("GET", "/v1/calls"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get("ratelimit-policy"))).toEqual(Array(4).fill('"requests";q=3;w=60'));
    expect(answers.map(({ headers }) => /r=\d+/.exec(headers.get("ratelimit") ?? "")?.[0])).toEqual([
      "r=2",
      "r=1",
      "r=0",
      "r=0",
    ]);
    expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual([null, null, null, "60"]);
    expect((await errorOf(answers[3]!)).code).toBe("RATE_LIMITED");
  });

  test("Retry-After is exact: the next request passes then, and not a second earlier", async () => {
    for (let i = 0; i < 3; i++) await app.send("GET", "/v1/calls");
    await app.clock.advance(20_500);
    const refused = await app.send("GET", "/v1/calls");
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(refused.headers.get("ratelimit")).toBe('"requests";r=0;t=40');
    await app.clock.advance(39_000);
    expect((await app.send("GET", "/v1/calls")).status).toBe(429);
    await app.clock.advance(1_000);
    expect((await app.send("GET", "/v1/calls")).status).toBe(200);
  });

  test("is separate for each key", async () => {
    for (let i = 0; i < 4; i++) await app.send("GET", "/v1/calls");
    expect((await app.send("GET", "/v1/calls", { key: app.readKey })).status).toBe(200);
  });

  test("that is unlimited sends no headers", async () => {
    await app.organisations.setPlan(app.organisationId, "enterprise", CLI_ACTOR);
    for (let i = 0; i < 10; i++) {
      const response = await app.send("GET", "/v1/calls");
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit")).toBeNull();
    }
  });

  test("is in the headers of errors behind it, too", async () => {
    const response = await app.send("POST", "/v1/calls", { body: "{", headers: JSON_TYPE });
    expect(response.status).toBe(400);
    expect(response.headers.get("ratelimit")).toContain("r=2");
  });
});

describe("the size of a body", () => {
  const stream = (chunks: number, chunkBytes: number, onPull = () => {}) => {
    let sent = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        onPull();
        if (sent++ >= chunks) controller.close();
        else controller.enqueue(new Uint8Array(chunkBytes).fill(0x20));
      },
    });
  };

  test("of exactly 256 KiB is accepted", async () => {
    const frame = JSON.stringify({ name: "" }).length;
    const response = await app.send("POST", "/v1/calls", {
      body: JSON.stringify({ name: "x".repeat(256 * 1024 - frame) }),
      headers: JSON_TYPE,
    });
    expect(response.status).toBe(200);
  });

  test("above the limit by Content-Length is 413 without reading", async () => {
    let pulled = 0;
    const body = new ReadableStream({ pull: () => void (pulled += 1) }, { highWaterMark: 0 });
    const headers = { ...JSON_TYPE, "content-length": String(256 * 1024 + 1), "x-api-key": app.key };
    const response = await app.handle(new Request("http://localhost/v1/calls", { method: "POST", headers, body }));
    expect(response.status).toBe(413);
    expect(await errorOf(response)).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: "The body must not exceed 256 KiB.",
    });
    expect(response.headers.get("connection")).toBe("close");
    expect(pulled).toBe(0);
  });

  test("above the limit in a stream without a length is 413, and the rest is not read", async () => {
    let pulled = 0;
    const body = stream(1_000, 64 * 1024, () => (pulled += 1));
    const response = await app.send("POST", "/v1/calls", { body, headers: JSON_TYPE });
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });
});

describe("a slow body", () => {
  test("is abandoned after the timeout with 408", async () => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('{"name":')) });
    const answer = app.send("POST", "/v1/calls", { body, headers: JSON_TYPE });
    await settle();
    await app.clock.advance(REQUEST_TIMEOUT_MS - 1);
    expect(await Promise.race([answer, Promise.resolve("waiting")])).toBe("waiting");
    await app.clock.advance(1);
    const response = await answer;
    expect(response.status).toBe(408);
    expect((await errorOf(response)).code).toBe("REQUEST_TIMEOUT");
    expect(response.headers.get("connection")).toBe("close");
  });

  test("that breaks off is the client's error, not ours", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("connection reset"));
      },
    });
    const response = await app.send("POST", "/v1/calls", { body, headers: JSON_TYPE });
    expect(response.status).toBe(400);
    expect(app.logLines.join()).not.toContain("unexpected error");
  });
});
