import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AppError, ERROR_CODES } from "../../src/core/errors.ts";
import { errorResponse, STATUS_OF } from "../../src/http/error-response.ts";
import { createSmallApp, errorOf, type ErrorAnswer, type SmallApp } from "../support/small-app.ts";

const JSON_TYPE = { "content-type": "application/json" };
const NewThing = Type.Object({
  name: Type.String({ minLength: 1 }),
  count: Type.Integer({ minimum: 1, maximum: 9 }),
  kind: Type.Optional(Type.Union([Type.Literal("a"), Type.Literal("b")])),
  nested: Type.Optional(Type.Object({ deep: Type.Boolean() })),
});

let app: SmallApp;

beforeAll(async () => {
  app = await createSmallApp(
    (guard) =>
      new Elysia()
        .use(guard)
        .get("/v1/things", () => ({ data: [] }), { scope: "calls:read" })
        .post("/v1/things", ({ body }) => ({ data: body }), { scope: "calls:create", json: true, body: NewThing })
        .get("/v1/things/:id", ({ params }) => ({ data: params.id }), { scope: "any" })
        .get("/v1/limited", ({ query }) => ({ data: query.limit }), {
          scope: "any",
          query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
        })
        .get(
          "/v1/fail/:code",
          ({ params }) => {
            throw new AppError(params.code as "CONFLICT", "A message.", {
              retryAfterSeconds: params.code === "UNAVAILABLE" ? 1.2 : 7,
            });
          },
          { scope: "any" },
        )
        .get(
          "/v1/broken",
          ({ set }) => {
            set.headers["content-type"] = "text/csv";
            throw new TypeError("patient Kamala said: hunter2");
          },
          { scope: "any" },
        )
        .get(
          "/v1/thrown",
          () => {
            // oxlint-disable-next-line typescript/only-throw-error -- what a careless library may do
            throw "patient Kamala";
          },
          { scope: "any" },
        )
        .get("/v1/misshapen", () => ({ wrong: "patient Kamala" }) as never, {
          scope: "any",
          response: { 200: Type.Object({ data: Type.String() }) },
        })
        .get(
          "/v1/appointment-slots/x",
          () => {
            throw new AppError("SLOT_FULL", "Full.");
          },
          { scope: "any" },
        )
        .post("/v1/hooks/:token", () => {
          throw new AppError("INVALID_PHONE_NUMBER", "No.");
        }),
    { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" },
  );
});
afterAll(() => app.close());
beforeEach(() => void (app.logLines.length = 0));

const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  app.send("POST", "/v1/things", { body, headers });

describe("every code", () => {
  test("has the status of the contract", () => {
    expect(Object.keys(STATUS_OF).toSorted()).toEqual([...ERROR_CODES].toSorted());
    expect(STATUS_OF).toMatchObject({
      VALIDATION_ERROR: 400,
      UNAUTHORIZED: 401,
      INSUFFICIENT_CREDITS: 402,
      INSUFFICIENT_SCOPE: 403,
      PLAN_LIMIT_REACHED: 403,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      CALL_NOT_CANCELLABLE: 409,
      SLOT_FULL: 409,
      IDEMPOTENCY_IN_PROGRESS: 409,
      PAYLOAD_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      INVALID_PHONE_NUMBER: 422,
      UNSUPPORTED_COUNTRY: 422,
      IDEMPOTENCY_KEY_REUSED: 422,
      RATE_LIMITED: 429,
      QUOTA_EXCEEDED: 429,
      INTERNAL: 500,
    });
  });

  test.each([...ERROR_CODES])("%s thrown in a route is answered with its status and the error body", async (code) => {
    const response = await app.send("GET", `/v1/fail/${code}`);
    expect(response.status).toBe(STATUS_OF[code]);
    expect(await response.json()).toEqual({
      error: { code, message: "A message.", request_id: response.headers.get("x-request-id")! },
    });
    expect(response.headers.get("content-type")).toStartWith("application/json");
  });
});

describe("Retry-After", () => {
  test("is in whole seconds, rounded up, and never 0", async () => {
    expect((await app.send("GET", "/v1/fail/UNAVAILABLE")).headers.get("retry-after")).toBe("2");
    const soon = errorResponse(new AppError("RATE_LIMITED", "x", { retryAfterSeconds: 0 }), null, "req_1");
    expect(soon.headers.get("retry-after")).toBe("1");
  });
});

describe("an address where nothing is", () => {
  test.each(["/", "/v1", "/v1/nothing", "/v1/things/", "/V1/things", "/v1//things", "/v1/things/a/b"])(
    "%s is 404",
    async (path) => {
      const response = await app.send("GET", path);
      expect(response.status).toBe(404);
      expect((await errorOf(response)).code).toBe("NOT_FOUND");
      expect(response.headers.get("x-request-id")).toStartWith("req_");
    },
  );

  test("is 404 without a key too", async () => {
    expect((await app.send("GET", "/v1/nothing", { key: null })).status).toBe(404);
  });
});

describe("a method that the address does not take", () => {
  test.each([
    ["DELETE", "/v1/things", "GET, POST"],
    ["PUT", "/v1/things", "GET, POST"],
    ["POST", "/v1/things/thing_1", "GET"],
    ["OPTIONS", "/v1/things", "GET, POST"],
  ])("%s %s is 405 with Allow", async (method, path, allow) => {
    const response = await app.send(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(await errorOf(response)).toMatchObject({
      code: "METHOD_NOT_ALLOWED",
      message: `This address takes ${allow}.`,
    });
  });
});

describe("a body", () => {
  test("that matches its schema is accepted, with unknown fields ignored", async () => {
    const response = await post(JSON.stringify({ name: "x", count: 3, unknown: 1 }));
    expect(response.status).toBe(200);
    expect(((await response.json()) as { data: object }).data).toMatchObject({ name: "x", count: 3 });
  });

  test.each([
    ["not JSON", "{"],
    ["empty", ""],
    ["not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["two documents", "{} {}"],
  ])("that is %s is 400", async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).code).toBe("VALIDATION_ERROR");
  });

  test.each([
    ["a list", "[]"],
    ["null", "null"],
    ["text", '"x"'],
    ["a number", "3"],
  ])("that is %s instead of an object is 400", async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });

  test("names every invalid field once, with its allowed values", async () => {
    const response = await post(JSON.stringify({ count: "3", kind: "c", nested: { deep: 1 } }));
    const { code, message, details } = await errorOf(response);
    expect(code).toBe("VALIDATION_ERROR");
    expect(details?.toSorted((a, b) => a.field.localeCompare(b.field))).toEqual([
      { field: "count", message: "count must be a whole number from 1 to 9." },
      { field: "kind", message: "kind must be one of a, b." },
      { field: "name", message: "name is required." },
      { field: "nested.deep", message: "nested.deep must be true or false." },
    ]);
    expect(message).toBe(details![0]!.message);
  });

  test.each(['"3"', "3.5", "true", "null", "[3]", "0", "10"])("is never coerced: %s is not a count", async (count) => {
    const response = await post(`{"name":"x","count":${count}}`);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).details?.map(({ field }) => field)).toEqual(["count"]);
  });

  test("is not repeated in the error", async () => {
    const response = await post(JSON.stringify({ name: "", count: "patient Kamala" }));
    expect(await response.text()).not.toContain("Kamala");
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "",
  ])("of type %p is 415", async (type) => {
    const response = await post(new Blob(['{"name":"x","count":3}']), type ? { "content-type": type } : {});
    expect(response.status).toBe(415);
    expect((await errorOf(response)).code).toBe("UNSUPPORTED_MEDIA_TYPE");
  });

  test.each(["application/json; charset=utf-8", "Application/JSON", "application/vnd.ringward+json"])(
    "of type %s is JSON",
    async (type) => {
      expect((await post('{"name":"x","count":3}', { "content-type": type })).status).toBe(200);
    },
  );
});

describe("a query", () => {
  test("that violates its schema is 400 with the field named", async () => {
    const response = await app.send("GET", "/v1/limited?limit=1000");
    expect(response.status).toBe(400);
    expect((await errorOf(response)).details).toEqual([
      { field: "limit", message: "limit must be a whole number from 1 to 100." },
    ]);
  });
});

describe("an unexpected error", () => {
  test.each(["/v1/broken", "/v1/thrown", "/v1/misshapen"])(
    "%s is 500 INTERNAL, and neither answer nor log holds the message",
    async (path) => {
      const response = await app.send("GET", path);
      expect(response.status).toBe(500);
      expect(response.headers.get("content-type")).toStartWith("application/json");
      const text = await response.text();
      const { error } = JSON.parse(text) as ErrorAnswer;
      expect(error.code).toBe("INTERNAL");
      expect(error.message).toContain("request_id");
      expect(text + app.logLines.join()).not.toContain("Kamala");
      const logged = app.logLines.find((line) => line.includes('"error"'));
      expect(logged).toContain(error.request_id);
    },
  );

  test("logs where it was thrown", async () => {
    await app.send("GET", "/v1/broken");
    expect(app.logLines.find((line) => line.includes("unexpected"))).toContain("faults.test.ts");
  });
});

describe("depending on the path,", () => {
  test("an error under the windows' path says success: false", async () => {
    for (const [method, path] of [
      ["GET", "/v1/appointment-slots/x"],
      ["GET", "/v1/appointment-slots/none"],
      ["PUT", "/v1/appointment-slots/x"],
    ] as const) {
      expect(((await (await app.send(method, path)).json()) as ErrorAnswer).success).toBeFalse();
    }
    expect(await (await app.send("GET", "/v1/nothing")).json()).not.toHaveProperty("success");
  });

  test("an invalid phone number on a hook is 400 with its own code", async () => {
    const response = await app.send("POST", "/v1/hooks/secret-token", { key: null });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).code).toBe("INVALID_PHONE_NUMBER");
  });
});
