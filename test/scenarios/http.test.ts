// HTTP behaviour, seen by faulty and by malicious clients.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ask, createCall, expectError, newCall } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, startBinary, type Running } from "../support/binary.ts";
import { onlySqlite } from "../support/engines.ts";
import { head, openRaw } from "../support/raw-http.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  server = await startBinary({
    env: { RINGWARD_SERVER__REQUEST_TIMEOUT_SECONDS: "1", RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" },
  });
});
afterAll(() => server.kill());

describe("an invalid request is answered with the error body", () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask(server, "POST", "/v1/calls", { body, headers });

  test("invalid JSON", async () => {
    for (const body of ["{", "", "{'agent_id': 1}", '{"agent_id": NaN}', "\u{feff}x"]) {
      expectError(await post(body), 400, "VALIDATION_ERROR");
    }
  });

  test("JSON that is not an object", async () => {
    for (const body of ["null", "[]", '"text"', "1"]) expectError(await post(body), 400, "VALIDATION_ERROR");
  });

  test("bytes that are not UTF-8", async () => {
    const raw = await openRaw(server.port);
    const body = '{"agent_id": "\xff\xfe"}';
    raw.send(
      head("POST", "/v1/calls", { ...authorised(), "content-length": String(Buffer.byteLength(body, "latin1")) }),
    );
    raw.sendBytes(Buffer.from(body, "latin1"));
    expect(await raw.answer()).toMatchObject({ status: 400, body: expect.stringContaining("VALIDATION_ERROR") });
    raw.destroy();
  });

  test("a missing field is named", async () => {
    const answer = await post("{}");
    expectError(answer, 400, "VALIDATION_ERROR");
    expect(answer.error.details).toContainEqual({ field: "agent_id", message: "agent_id is required." });
  });

  test("an unknown path", async () => {
    expectError(await ask(server, "GET", "/v1/nothing"), 404, "NOT_FOUND");
    expectError(await ask(server, "GET", "/index.php"), 404, "NOT_FOUND");
    expectError(await ask(server, "GET", "/../../etc/passwd"), 404, "NOT_FOUND");
    expectError(await ask(server, "GET", "/%2e%2e/%00"), 404, "NOT_FOUND");
  });

  test("a method that the path does not support, with the supported ones", async () => {
    const answer = await ask(server, "DELETE", "/v1/me");
    expectError(answer, 405, "METHOD_NOT_ALLOWED");
    expect(answer.headers.get("allow")).toContain("GET");
  });

  test("a content type that is not JSON", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""]) {
      expectError(await post("{}", { "content-type": type }), 415, "UNSUPPORTED_MEDIA_TYPE");
    }
    expectError(await post("{}", { "content-type": "application/json; charset=utf-8" }), 400, "VALIDATION_ERROR");
  });

  test("a request without a key, answered with 401 only", async () => {
    for (const key of [null, "", "x", "rw_live_", `${server.demo["api_key"]}x`, server.demo["api_key"]!.slice(0, -1)]) {
      expectError(await ask(server, "GET", "/v1/me", { key }), 401, "UNAUTHORIZED");
      expectError(await ask(server, "POST", "/v1/calls", { key, body: "{" }), 401, "UNAUTHORIZED");
    }
  });

  test("a key without the scope", async () => {
    expectError(
      await ask(server, "POST", "/v1/calls", { key: server.demo["readonly_api_key"]!, body: "{" }),
      403,
      "INSUFFICIENT_SCOPE",
    );
  });
});

describe("the request id", () => {
  test("is new for every request, whatever the client sends", async () => {
    const given = { "x-request-id": "req_mine" };
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await ask(server, "GET", "/v1/me", { headers: given })).headers.get("x-request-id"),
      ),
    );
    expect(new Set(ids).size).toBe(20);
    expect(ids).not.toContain("req_mine");
  });

  test("is found in the log", async () => {
    const id = (await ask(server, "GET", "/v1/me")).headers.get("x-request-id")!;
    await until(() => server.output().includes(id));
    expect(logLine(id)).toMatchObject({
      level: "info",
      method: "GET",
      path: "/v1/me",
      status: 200,
      key_id: expect.stringMatching(/^key_/),
    });
  });
});

describe("the access log", () => {
  test("contains neither key nor query nor body nor an unknown path", async () => {
    const secrets = ["query-secret", "path-secret", "body-secret", "+912255550188"];
    await ask(server, "GET", "/v1/me?token=query-secret");
    await ask(server, "GET", "/no/such/path-secret");
    await ask(server, "GET", "/v1/me", { key: "rw_live_body-secret_x" });
    await ask(server, "POST", "/v1/calls", {
      body: newCall(server, { user_number: "+912255550188", user_name: "body-secret" }),
    });
    const last = await ask(server, "POST", "/v1/calls", { body: '{"user_name": "body-secret"' });
    await until(() => server.output().includes(last.error.request_id));
    const log = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    expect(log.length).toBeGreaterThan(5);
    for (const secret of [...secrets, server.demo["api_key"]!, server.demo["password"]!]) {
      expect(log.filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});

describe("rate limits", () => {
  test("a key that has used up its minute gets a Retry-After; another key is not limited", async () => {
    const limited = await startBinary({ env: { RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "3" } });
    try {
      for (const remaining of [2, 1, 0]) {
        const { status, headers } = await ask(limited, "GET", "/v1/me");
        expect([status, headers.get("ratelimit")]).toEqual([200, `"requests";r=${remaining};t=60`]);
        expect(headers.get("ratelimit-policy")).toBe('"requests";q=3;w=60');
      }
      const refused = await ask(limited, "GET", "/v1/me");
      expectError(refused, 429, "RATE_LIMITED");
      const waitSeconds = Number(refused.headers.get("retry-after"));
      expect(waitSeconds).toBeGreaterThan(50);
      expect(waitSeconds).toBeLessThanOrEqual(60);
      expect((await ask(limited, "GET", "/v1/me", { key: limited.demo["readonly_api_key"]! })).status).toBe(200);
      expect((await ask(limited, "GET", "/v1/me", { key: null })).status).toBe(401);
    } finally {
      await limited.kill();
    }
  });
});

describe("keys while the server runs", () => {
  test("one created on the command line works immediately, and is rejected immediately when revoked", async () => {
    const made = await runBinary([
      "keys",
      "create",
      "--name",
      "temporary",
      "--scopes",
      "calls:read",
      "--json",
      "--data",
      server.dataDir,
    ]);
    const { key, key_id: id } = JSON.parse(made.stdout) as { key: string; key_id: string };
    expect((await ask(server, "GET", "/v1/me", { key })).data).toMatchObject({ key_id: id, scopes: ["calls:read"] });
    expect((await runBinary(["keys", "revoke", id, "--data", server.dataDir])).code).toBe(0);
    expectError(await ask(server, "GET", "/v1/me", { key }), 401, "UNAUTHORIZED");
  });
});

describe("two requests on one connection", () => {
  // The runtime closes a connection on which a request arrives before the previous one is answered (oven-sh/bun#38128);
  // on SQLite the answer is immediate.
  onlySqlite("there a request takes its time")("are answered in their order, each with its own id", async () => {
    const raw = await openRaw(server.port);
    raw.send(head("GET", "/v1/me", authorised()) + head("GET", "/healthz"));
    await until(() => raw.received().split("x-request-id: ").length === 3 && raw.received().endsWith("}"));
    expect(raw.received().indexOf("organisation_id")).toBeLessThan(raw.received().indexOf('"status":"ok"'));
    raw.destroy();
  });
});

test("a call can be created and read over HTTP", async () => {
  const id = await createCall(server);
  expect((await ask(server, "GET", `/v1/calls/${id}`)).data).toMatchObject({ call_id: id, status: "scheduled" });
});

function authorised(): Record<string, string> {
  return { "x-api-key": server.demo["api_key"]!, "content-type": "application/json" };
}

function logLine(requestId: string): unknown {
  const line = server
    .output()
    .split("\n")
    .find((text) => text.includes(requestId));
  return JSON.parse(line ?? "{}");
}
