// Against a real HTTPS receiver with a private CA, on a loopback address that the allow-list opens.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import {
  createSafePost,
  type PostResult,
  type SafePost,
  type SafePostOptions,
} from "../../../src/events/safe-post/safe-post.ts";
import { createPrivateCa, type PrivateCa } from "../../support/private-ca.ts";
import { until } from "../../support/until.ts";
import { listening, reply, startReceiver, type ReceivedRequest, type Receiver } from "./receiver.ts";

const HOST = "hook.test";
const PATIENT_MS = 30_000;
const SHORT_MS = 250;
let ca: PrivateCa;
const closers: (() => void)[] = [];
afterAll(() => closers.forEach((close) => close()));
beforeAll(() => {
  ca = createPrivateCa();
});

async function receiverThat(
  answer: (request: ReceivedRequest) => unknown,
  certificate = ca.issue([HOST]),
): Promise<Receiver> {
  const receiver = await startReceiver(certificate, answer);
  closers.push(receiver.close);
  return receiver;
}

async function plainServer(onSocket: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    closers.push(() => socket.destroy());
    onSocket(socket);
  });
  closers.push(() => server.close());
  return { port: await listening(server), server };
}

function safePost(options: Partial<SafePostOptions> = {}): SafePost {
  return createSafePost({
    allow: [HOST],
    caPem: ca.caPem,
    proxyUrl: null,
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
}

function postTo(port: number, options: Partial<SafePostOptions> = {}, timeoutMs = PATIENT_MS): Promise<PostResult> {
  return safePost(options).post({
    url: `https://${HOST}:${port}/hook`,
    headers: {},
    body: Buffer.from("{}"),
    timeoutMs,
  });
}

const detailOf = (result: PostResult) => ("detail" in result ? result.detail : `answered ${result.status}`);

describe("the request", () => {
  test("path, query, headers, server name and every byte of the body arrive as given", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200, "ok")));
    const body = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256);
    const url = `https://Hook.Test.:${receiver.port}/a%2Fb/ü?x=1&y=ü`;
    const result = await safePost().post({
      url,
      headers: { "X-Webhook-Id": "evt_1", "content-type": "application/json" },
      body,
      timeoutMs: PATIENT_MS,
    });

    expect(result).toEqual({
      kind: "answered",
      status: 200,
      excerpt: "ok",
      retryAfter: null,
      durationMs: expect.any(Number),
    });
    const request = receiver.requests[0]!;
    expect(request.method).toBe("POST");
    expect(request.path).toBe("/a%2Fb/%C3%BC?x=1&y=%C3%BC");
    expect(request.headers).toEqual({
      host: `hook.test:${receiver.port}`,
      "x-webhook-id": "evt_1",
      "content-type": "application/json",
      "accept-encoding": "identity",
      "content-length": "300000",
    });
    expect(request.body.equals(body)).toBe(true);
    expect(request.serverName).toBe(HOST);
  });

  test("text is sent as its UTF-8 bytes", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(204)));
    const text = JSON.stringify({ name: "Zoë · ज़ोई · 😀", note: "x".repeat(100_000) });
    const url = `https://${HOST}:${receiver.port}/`;
    const result = await safePost().post({ url, headers: {}, body: text, timeoutMs: PATIENT_MS });
    expect(result).toMatchObject({ kind: "answered", status: 204 });
    expect(receiver.requests[0]!.body.equals(Buffer.from(text))).toBe(true);
  });

  test("an empty body is sent as empty", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(204)));
    const result = await safePost().post({
      url: `https://${HOST}:${receiver.port}`,
      headers: {},
      body: new Uint8Array(),
      timeoutMs: PATIENT_MS,
    });
    expect(result).toMatchObject({ kind: "answered", status: 204, excerpt: "" });
    expect(receiver.requests[0]).toMatchObject({ path: "/", headers: { "content-length": "0" } });
  });

  test("an address in the URL is connected to and checked against the certificate", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200)), ca.issue(["127.0.0.1"]));
    const request = {
      url: `https://127.0.0.1:${receiver.port}/`,
      headers: {},
      body: new Uint8Array(),
      timeoutMs: PATIENT_MS,
    };
    expect(await safePost({ allow: ["127.0.0.1"] }).post(request)).toMatchObject({ kind: "answered", status: 200 });
    expect(receiver.requests[0]!.headers["host"]).toBe(`127.0.0.1:${receiver.port}`);
    // RFC 6066, section 3.
    expect(receiver.requests[0]!.serverName).toBe(false);
    const other = await receiverThat(({ socket }) => socket.write(reply(200)));
    expect(
      detailOf(await safePost({ allow: ["127.0.0.1"] }).post({ ...request, url: `https://127.0.0.1:${other.port}/` })),
    ).toContain("other names");
  });

  test.each([
    ["Host", "other.test"],
    ["content-length", "0"],
    ["Transfer-Encoding", "chunked"],
    ["x-evil", "a\r\nHost: other.test"],
    ["x evil", "a"],
    ["x-wide", "snow ☃"],
  ])("a header that would change the request is our own fault: %s", async (name, value) => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200)));
    const request = {
      url: `https://${HOST}:${receiver.port}/`,
      headers: { [name]: value },
      body: new Uint8Array(),
      timeoutMs: PATIENT_MS,
    };
    expect(await safePost().post(request)).toMatchObject({ kind: "our_fault", detail: expect.stringContaining(name) });
    expect(receiver.connectionCount()).toBe(0);
  });
});

describe("answers", () => {
  test.each([200, 202, 299, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    "%d is the answer, and no redirect is followed",
    async (status) => {
      const receiver = await receiverThat(({ socket }) =>
        socket.write(reply(status, "see", [`Location: https://${HOST}:${receiver.port}/elsewhere`])),
      );
      expect(await postTo(receiver.port)).toMatchObject({ kind: "answered", status, excerpt: "see" });
      expect(receiver.requests.map(({ path }) => path)).toEqual(["/hook"]);
    },
  );

  test.each([
    [
      "chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n",
      "abc0123456789",
    ],
    ["the end of the connection", "HTTP/1.1 200 OK\r\n\r\nabc", "abc"],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nabc", "abc"],
    ["no body allowed", "HTTP/1.1 204 No Content\r\n\r\n", ""],
    ["no reason phrase", "HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc", "abc"],
    [
      "interim answers before it",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
      "abc",
    ],
    ["the same length twice", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "abc"],
  ])("an answer framed by %s is read to its end, in one piece or byte by byte", async (_, bytes, excerpt) => {
    const whole = await receiverThat(({ socket }) => socket.end(bytes));
    expect(await postTo(whole.port)).toMatchObject({ kind: "answered", excerpt });
    const dripping = await receiverThat(async ({ socket }) => {
      for (const byte of Buffer.from(bytes, "latin1")) {
        socket.write(Buffer.of(byte));
        await new Promise((sent) => setImmediate(sent));
      }
      socket.end();
    });
    expect(await postTo(dripping.port)).toMatchObject({ kind: "answered", excerpt });
  });

  test("the excerpt is at most 1,000 characters, without control characters", async () => {
    const body = `\u0000line one\r\n\tline\u001b[31m two\u202e\u2028 ${"ü".repeat(2_000)}`;
    const receiver = await receiverThat(({ socket }) => socket.write(reply(500, body)));
    const result = await postTo(receiver.port);
    if (result.kind !== "answered") throw new Error(result.detail);
    expect(result.excerpt).toHaveLength(1_000);
    expect(result.excerpt).toStartWith("line one line[31m two üüü");
  });

  test("the cut does not keep half a character", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(500, `x${"😀".repeat(600)}`)));
    const result = await postTo(receiver.port);
    expect(result).toMatchObject({ kind: "answered", excerpt: `x${"😀".repeat(499)}` });
  });

  test("a compressed answer is not decompressed", async () => {
    const bomb = Bun.gzipSync(Buffer.alloc(10_000_000));
    const receiver = await receiverThat(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(await postTo(receiver.port)).toMatchObject({ kind: "answered", status: 200, excerpt: "" });
  });

  test.each([
    ["chunks", "Transfer-Encoding: chunked", "1000\r\n" + "x".repeat(4_096) + "\r\n"],
    ["a length", "Content-Length: 1000000000", "x".repeat(4_096)],
    ["nothing", "X: y", "x".repeat(4_096)],
  ])("a body without end, framed by %s, is cut at the cap: its status is the answer", async (_, header, piece) => {
    let sentBytes = 0;
    const receiver = await receiverThat(async ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`);
      while (!socket.destroyed && sentBytes < 50_000_000) {
        sentBytes += piece.length;
        if (!socket.write(piece)) await new Promise((taken) => setImmediate(taken));
      }
    });
    const result = await postTo(receiver.port);
    expect(result).toMatchObject({ kind: "answered", status: 200, excerpt: "x".repeat(1_000) });
    await until(() => receiver.openCount() === 0);
    expect(sentBytes).toBeLessThan(50_000_000);
  });
});

describe("failures of the receiver", () => {
  test.each([
    ["says nothing", () => {}],
    ["stops after half of the head", ({ socket }: ReceivedRequest) => void socket.write("HTTP/1.1 200 OK\r\nContent-")],
    [
      "stops after half of the body",
      ({ socket }: ReceivedRequest) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"),
    ],
    [
      "never sends the last chunk",
      ({ socket }: ReceivedRequest) =>
        void socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"),
    ],
  ])("a receiver that %s is timed out", async (_, answer) => {
    const receiver = await receiverThat(answer);
    const result = await postTo(receiver.port, {}, SHORT_MS);
    expect(result.kind).toBe("timeout");
    expect(result.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 20);
    await until(() => receiver.openCount() === 0);
  });

  test("a receiver that sends bytes slowly forever times out: the limit covers the whole answer", async () => {
    let dripped = 0;
    const receiver = await receiverThat(async ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n");
      await until(() => {
        if (!socket.destroyed) socket.write("x");
        return ++dripped >= 1_000 || socket.destroyed;
      });
    });
    const result = await postTo(receiver.port, {}, SHORT_MS);
    expect(result.kind).toBe("timeout");
    expect(dripped).toBeGreaterThan(3);
  });

  test("a server that accepts without a TLS handshake times out", async () => {
    const { port } = await plainServer(() => {});
    const result = await postTo(port, {}, SHORT_MS);
    expect(result.kind).toBe("timeout");
    expect(result.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 20);
  });

  test.each([
    ["huge headers", `HTTP/1.1 200 OK\r\n${`X-Long: ${"y".repeat(1_000)}\r\n`.repeat(60)}\r\n`, "too long"],
    ["headers without end", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(60_000)}`, "too long"],
    ["interim answers without end", "HTTP/1.1 100 Continue\r\n\r\n".repeat(5_000), "too long"],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n\r\n", "status line"],
    ["a status that is none", "HTTP/1.1 099 No\r\n\r\n", "status line"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "Content-Length"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc", "Content-Length"],
    ["a chunk without size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "no size"],
    [
      "a chunk longer than its size",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
      "longer than",
    ],
    ["bare line feeds in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\n", "carriage return"],
    [
      "a chunk line without end",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${"x".repeat(9_000)}`,
      "too long",
    ],
  ])("%s is no answer", async (_, bytes, word) => {
    const receiver = await receiverThat(({ socket }) => socket.write(bytes));
    expect(await postTo(receiver.port)).toMatchObject({ kind: "unreachable", detail: expect.stringContaining(word) });
    await until(() => receiver.openCount() === 0);
  });

  test.each([
    ["closed before the answer", "", "before an answer"],
    ["closed inside the head", "HTTP/1.1 200 OK\r\n", "middle of the answer"],
    ["closed inside the body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "middle of the answer"],
    ["closed inside a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "middle of the answer"],
  ])("a connection %s is a failure", async (_, bytes, word) => {
    const receiver = await receiverThat(({ socket }) => socket.end(bytes));
    expect(await postTo(receiver.port)).toMatchObject({ kind: "unreachable", detail: expect.stringContaining(word) });
  });

  test("a connection reset in the middle of the answer is a failure", async () => {
    const receiver = await receiverThat(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", () => socket.resetAndDestroy());
    });
    expect(await postTo(receiver.port)).toMatchObject({
      kind: "unreachable",
      detail: expect.stringContaining("middle of the answer"),
    });
  });

  test("a refused connection is a failure with that reason", async () => {
    const { port, server } = await plainServer(() => {});
    await new Promise((resolve) => server.close(resolve));
    expect(await postTo(port)).toMatchObject({ kind: "unreachable", detail: expect.stringContaining("refused") });
  });

  test("a port that speaks plain HTTP is a failure with that reason, and never receives the request", async () => {
    let seen = "";
    const { port } = await plainServer((socket) =>
      socket.on("data", (bytes: Buffer) => {
        seen += bytes.toString("latin1");
        socket.end(reply(200));
      }),
    );
    expect(await postTo(port)).toMatchObject({
      kind: "unreachable",
      detail: expect.stringContaining("does not speak TLS"),
    });
    expect(seen).not.toBe("");
    expect(seen).not.toContain("POST");
  });
});

describe("certificates", () => {
  test.each([
    ["of an authority nobody trusts", () => createPrivateCa("Another authority").issue([HOST]), "not trusted"],
    ["for another name", () => ca.issue(["other.test"]), "other names"],
    ["for the address instead of the name", () => ca.issue(["127.0.0.1"]), "other names"],
    ["that has expired", () => ca.issue([HOST], { expired: true }), "expired"],
  ])("a certificate %s is refused, and the request is never sent", async (_, certificate, word) => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200)), certificate());
    expect(await postTo(receiver.port)).toMatchObject({ kind: "unreachable", detail: expect.stringContaining(word) });
    expect(receiver.requests).toEqual([]);
  });

  test("a CA file may contain several authorities", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200)));
    const caPem = `${createPrivateCa("Another authority").caPem}\n${ca.caPem}`;
    expect(await postTo(receiver.port, { caPem })).toMatchObject({ kind: "answered", status: 200 });
  });

  test.each(["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])(
    "a CA file without certificates is refused at the start: %p",
    (caPem) => expect(() => safePost({ caPem })).toThrow("CA file"),
  );

  test("without the configured authority its certificates are rejected", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200)));
    expect(await postTo(receiver.port, { caPem: null })).toMatchObject({
      kind: "unreachable",
      detail: expect.stringContaining("not trusted"),
    });
    expect(receiver.requests).toEqual([]);
  });
});
