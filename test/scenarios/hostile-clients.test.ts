// Clients that send too much, too slowly or nonsense are disconnected without an effect on other clients.
import { beforeAll, describe, expect, test } from "bun:test";
import { ask, expectError } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { head, openRaw, type RawConnection } from "../support/raw-http.ts";
import { dripping } from "../support/pace.ts";

leaveNothingBehind();

const BODY_LIMIT_BYTES = 256 * 1024;

let server: Running;
beforeAll(async () => {
  server = await startBinary({
    env: { RINGWARD_SERVER__REQUEST_TIMEOUT_SECONDS: "1", RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" },
  });
});

describe("a body that is too large", () => {
  test("is rejected by its Content-Length before it is sent, and the connection is closed", async () => {
    const raw = await openRaw(server.port);
    raw.send(head("POST", "/v1/calls", { ...authorised(), "content-length": String(BODY_LIMIT_BYTES + 1) }));
    const answer = await raw.answer();
    expect(answer).toMatchObject({ status: 413, body: expect.stringContaining('"PAYLOAD_TOO_LARGE"') });
    expect(answer.headers["x-request-id"]).toStartWith("req_");
    raw.send("x");
    await raw.closed();
  });

  test("is rejected as soon as it exceeds the limit, and the connection is closed", async () => {
    const raw = await openRaw(server.port);
    raw.send(head("POST", "/v1/calls", { ...authorised(), "transfer-encoding": "chunked" }));
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    for (let sent = 0; sent <= BODY_LIMIT_BYTES; sent += 0x4000) raw.send(chunk);
    expect(await raw.answer()).toMatchObject({ status: 413, body: expect.stringContaining('"PAYLOAD_TOO_LARGE"') });
    raw.send(chunk);
    await raw.closed();
  });

  test("of the largest allowed size is read", async () => {
    const padding = "x".repeat(BODY_LIMIT_BYTES - '{"a":""}'.length);
    expectError(await ask(server, "POST", "/v1/calls", { body: `{"a":"${padding}"}` }), 400, "VALIDATION_ERROR");
    expectError(await ask(server, "POST", "/v1/calls", { body: `{"a":"${padding}x"}` }), 413, "PAYLOAD_TOO_LARGE");
  });
});

describe("slow and silent clients", () => {
  test("a slow body is answered 408 after the timeout, and its connection is closed", async () => {
    const raw = await openRaw(server.port);
    const startedAt = performance.now();
    raw.send(head("POST", "/v1/calls", { ...authorised(), "content-length": "100" }));
    const stopDripping = dripping(200, () => raw.send("x"));
    const answer = await raw.answer().finally(stopDripping);
    const tookMs = performance.now() - startedAt;
    expect(answer).toMatchObject({ status: 408, body: expect.stringContaining('"REQUEST_TIMEOUT"') });
    expect(tookMs).toBeGreaterThan(900);
    raw.send("x");
    await raw.closed();
  });

  test("200 connections that send nothing, half a header or half a body do not delay other clients", async () => {
    const connections = await Promise.all(Array.from({ length: 200 }, () => openRaw(server.port)));
    const beginnings = [
      "",
      "GET /v1/me HT",
      "GET /v1/me HTTP/1.1\r\nx-slow: ",
      head("POST", "/v1/calls", { ...authorised(), "content-length": "99" }),
    ];
    for (const [i, raw] of connections.entries()) raw.send(beginnings[i % beginnings.length]!);
    const stopDripping = dripping(100, () => {
      for (const raw of connections) raw.send("x");
    });
    try {
      for (let i = 0; i < 30; i++) expect((await ask(server, "GET", "/v1/me")).status).toBe(200);
    } finally {
      stopDripping();
      for (const raw of connections) raw.destroy();
    }
    expect((await ask(server, "GET", "/v1/me")).status).toBe(200);
  });

  test("idle connections are closed: after an answer by our setting, before a request by Bun's 12 s", async () => {
    const impatient = await startBinary({ env: { RINGWARD_SERVER__IDLE_TIMEOUT_SECONDS: "1" } });
    const answered = await openRaw(impatient.port);
    answered.send(head("GET", "/healthz"));
    expect((await answered.answer()).status).toBe(200);
    const slow = await openRaw(impatient.port);
    slow.send("GET /healthz HTTP/1.1\r\nx-slow: ");
    const stopDripping = dripping(250, () => slow.send("x"));
    try {
      // Bun checks its connections every four seconds.
      await Promise.all([answered.closed(), slow.closed()]);
    } finally {
      stopDripping();
      await impatient.kill();
    }
  });
});

describe("floods of headers", () => {
  const flood = async (beginning: string, piece: string): Promise<RawConnection> => {
    const raw = await openRaw(server.port);
    raw.send(`GET /healthz HTTP/1.1\r\nhost: x\r\n${beginning}`);
    for (let sent = 0; sent < 4_000_000 && !raw.isClosed(); sent += piece.length * 100) {
      raw.send(piece.repeat(100));
      await new Promise((sent) => setImmediate(sent));
    }
    return raw;
  };

  test("an endless header is cut off", async () => {
    const raw = await flood("x-long: ", "x".repeat(1_000));
    await raw.closed();
    expect(raw.received()).not.toContain("200 OK");
  });

  test("endless headers are cut off", async () => {
    const raw = await flood("", "x-many: 1\r\n");
    await raw.closed();
    expect(raw.received()).not.toContain("200 OK");
  });

  test("a connection that does not speak HTTP is closed, and others are still served", async () => {
    const raw = await openRaw(server.port);
    raw.send("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 this is not http\r\n\r\n");
    await raw.closed();
    expect((await ask(server, "GET", "/v1/me")).status).toBe(200);
  });

  test("two contradicting lengths are rejected", async () => {
    for (const lengths of [
      "content-length: 4\r\ncontent-length: 40\r\n",
      "content-length: 4\r\ntransfer-encoding: chunked\r\n",
    ]) {
      const raw = await openRaw(server.port);
      const smuggled = head("GET", "/healthz");
      raw.send(
        `POST /v1/calls HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-api-key: ${server.demo["api_key"]}\r\n${lengths}\r\n0\r\n\r\n${smuggled}`,
      );
      await raw.closed();
      expect(raw.received()).not.toContain("200 OK");
    }
  });
});

function authorised(): Record<string, string> {
  return { "x-api-key": server.demo["api_key"]!, "content-type": "application/json" };
}
