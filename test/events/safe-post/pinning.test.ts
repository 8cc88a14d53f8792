// Target of a delivery: DNS lookup, check of every address, pinning, and reuse of idle connections.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createSafePost, type PostResult, type SafePostOptions } from "../../../src/events/safe-post/safe-post.ts";
import { createPrivateCa, type Certificate, type PrivateCa } from "../../support/private-ca.ts";
import { until } from "../../support/until.ts";
import { listening, reply, startReceiver, type ReceivedRequest, type Receiver } from "./receiver.ts";

const HOST = "hook.test";
/** Time limit for answers on a busy machine. */
const PATIENT_MS = 30_000;
let ca: PrivateCa;
let certificate: Certificate;
const closers: (() => void)[] = [];
afterAll(() => closers.forEach((close) => close()));
beforeAll(() => {
  ca = createPrivateCa();
  certificate = ca.issue([HOST, "second.test"]);
});

async function receiverThat(
  answer: (request: ReceivedRequest) => unknown,
  host = "127.0.0.1",
  port = 0,
): Promise<Receiver> {
  const receiver = await startReceiver(certificate, answer, host, port);
  closers.push(receiver.close);
  return receiver;
}

/** Two receivers on one port, at 127.0.0.1 and 127.0.0.2. */
async function twoReceivers(): Promise<{ first: Receiver; second: Receiver; port: number }> {
  const first = await receiverThat(({ socket }) => socket.write(reply(200, "first")));
  const second = await receiverThat(({ socket }) => socket.write(reply(200, "second")), "127.0.0.2", first.port);
  return { first, second, port: first.port };
}

function poster(options: Partial<SafePostOptions> = {}) {
  const safePost = createSafePost({
    allow: [HOST],
    caPem: ca.caPem,
    proxyUrl: null,
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  return (port: number, { host = HOST, body = "{}", timeoutMs = PATIENT_MS } = {}): Promise<PostResult> =>
    safePost.post({ url: `https://${host}:${port}/hook`, headers: {}, body: Buffer.from(body), timeoutMs });
}

function failsWith(code: string): () => Promise<string[]> {
  return () => Promise.reject(Object.assign(new Error(`getaddrinfo ${code}`), { code }));
}

describe("the lookup", () => {
  test("is made once per attempt, and its address is the one connected to, whatever the name says a moment later", async () => {
    const { first, second, port } = await twoReceivers();
    const asked: string[] = [];
    const resolve = async (host: string) => [asked.push(host) === 1 ? "127.0.0.2" : "127.0.0.1"];
    expect(await poster({ resolve })(port)).toMatchObject({ kind: "answered", excerpt: "second" });
    expect(asked).toEqual([HOST]);
    expect([first.connectionCount(), second.connectionCount()]).toEqual([0, 1]);
  });

  test.each([
    ["ENOTFOUND", "unreachable", "does not exist"],
    ["ENODATA", "unreachable", "does not exist"],
    ["DNS_ENOTFOUND", "unreachable", "does not exist"],
    ["EAI_AGAIN", "our_fault", "resolver failed"],
    ["ESERVFAIL", "our_fault", "resolver failed"],
    ["ETIMEOUT", "our_fault", "resolver failed"],
    ["ECONNREFUSED", "our_fault", "resolver failed"],
    ["", "our_fault", "resolver failed"],
  ] as const)("that fails with %p is %s", async (code, kind, word) => {
    expect(await poster({ resolve: failsWith(code) })(443)).toMatchObject({
      kind,
      detail: expect.stringContaining(word),
    });
  });

  test("that never ends is our own fault after the timeout", async () => {
    const result = await poster({ resolve: () => new Promise(() => {}) })(443, { timeoutMs: 100 });
    expect(result).toMatchObject({ kind: "our_fault", detail: expect.stringContaining("no answer in time") });
  });

  test("that finds no address means the receiver cannot be reached; one that finds nonsense is our own fault", async () => {
    expect(await poster({ resolve: async () => [] })(443)).toMatchObject({ kind: "unreachable" });
    expect(await poster({ resolve: async () => ["127.1"] })(443)).toMatchObject({ kind: "our_fault" });
  });

  test("by the system resolver finds localhost, and rejects a name that cannot exist", async () => {
    const receiver = await startReceiver(ca.issue(["localhost"]), ({ socket }) => socket.write(reply(200)));
    closers.push(receiver.close);
    const safePost = createSafePost({ allow: ["localhost"], caPem: ca.caPem, proxyUrl: null });
    const request = { headers: {}, body: new Uint8Array(), timeoutMs: PATIENT_MS };
    expect(await safePost.post({ ...request, url: `https://localhost:${receiver.port}/` })).toMatchObject({
      kind: "answered",
    });
    // RFC 6761 reserves .invalid; a machine without a resolver reports that instead.
    expect((await safePost.post({ ...request, url: "https://ringward.invalid/" })).kind).toBeOneOf([
      "unreachable",
      "our_fault",
    ]);
  });
});

describe("a forbidden address", () => {
  test.each([
    [["127.0.0.1"], "127.0.0.1 is not public (loopback)"],
    [["10.0.0.1"], "private"],
    [["::ffff:10.0.0.1"], "10.0.0.1 is not public (private)"],
    [["fe80::1%eth0"], "link-local"],
    [["169.254.169.254"], "metadata"],
    [["fd00:ec2::254"], "metadata"],
    [["93.184.216.34", "127.0.0.1"], "loopback"],
    [["2606:4700::1", "192.168.0.1", "93.184.216.34"], "private"],
  ])("blocks the attempt before anything is connected to: %p", async (addresses, word) => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200)));
    const result = await poster({ allow: [], resolve: async () => addresses })(receiver.port);
    expect(result).toMatchObject({ kind: "blocked", detail: expect.stringContaining(word) });
    expect(receiver.connectionCount()).toBe(0);
  });

  test("blocks although the host is on the allow-list, if no entry can allow it", async () => {
    const result = await poster({ resolve: async () => ["127.0.0.1", "169.254.169.254"] })(443);
    expect(result).toMatchObject({ kind: "blocked", detail: expect.stringContaining("metadata") });
  });

  test("blocks if the URL itself names it, or is not a URL we send to", async () => {
    const safePost = createSafePost({ allow: [], caPem: null, proxyUrl: null });
    for (const url of [
      "https://127.0.0.1/",
      "https://2130706433/",
      "http://hook.test/",
      "https://a@hook.test/",
      "nonsense",
    ]) {
      const result = await safePost.post({ url, headers: {}, body: new Uint8Array(), timeoutMs: 1_000 });
      expect(result.kind).toBe("blocked");
    }
  });
});

describe("several addresses", () => {
  test("the next one is tried if the first refuses", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200, "here")));
    const post = poster({ resolve: async () => ["127.0.0.3", "127.0.0.1"] });
    expect(await post(receiver.port)).toMatchObject({ kind: "answered", excerpt: "here" });
  });

  test("the next one is tried within the timeout if the first is silent", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200, "here")));
    const silent = createServer((socket) => closers.push(() => socket.destroy()));
    closers.push(() => silent.close());
    await listening(silent, "127.0.0.2", receiver.port);
    const result = await poster({ resolve: async () => ["127.0.0.2", "127.0.0.1"] })(receiver.port, {
      timeoutMs: 4_000,
    });
    expect(result).toMatchObject({ kind: "answered", excerpt: "here" });
    expect(result.durationMs).toBeWithin(1_980, 4_000);
  });

  test("a request that was sent is not sent to the next address", async () => {
    const { first, second, port } = await twoReceivers();
    first.requests.length = 0;
    const dropping = await receiverThat(({ socket }) => socket.destroy(), "127.0.0.3", port);
    const post = poster({ resolve: async () => ["127.0.0.3", "127.0.0.1", "127.0.0.2"] });
    expect(await post(port)).toMatchObject({
      kind: "unreachable",
      detail: expect.stringContaining("before an answer"),
    });
    expect([dropping, first, second].map(({ requests }) => requests.length)).toEqual([1, 0, 0]);
  });
});

describe("connections", () => {
  test("100 concurrent posts each get their own answer", async () => {
    const receiver = await receiverThat(({ socket, body }) => socket.write(reply(200, `echo ${body.toString()}`)));
    const post = poster();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) => post(receiver.port, { body: `number ${i}` })),
    );
    expect(results.map((result) => ("excerpt" in result ? result.excerpt : result.detail))).toEqual(
      Array.from({ length: 100 }, (_, i) => `echo number ${i}`),
    );
  });

  test("one connection serves consecutive deliveries", async () => {
    const receiver = await receiverThat(({ socket, body }) => socket.write(reply(200, body.toString())));
    const post = poster();
    for (let i = 0; i < 5; i++) expect(await post(receiver.port, { body: `${i}` })).toMatchObject({ excerpt: `${i}` });
    expect(receiver.connectionCount()).toBe(1);
  });

  test.each([
    ["the receiver closes it", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"],
    ["the receiver speaks HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"],
    [
      "length and chunks contradict each other",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ],
    ["bytes follow the answer", `${reply(200, "ok")}${reply(200, "forged")}`],
    [
      "bytes follow the last chunk",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP/1.1",
    ],
  ])("a connection is not used again where %s", async (_, bytes) => {
    const receiver = await receiverThat(({ socket }) => socket.write(bytes));
    const post = poster();
    for (let i = 0; i < 3; i++) expect(await post(receiver.port)).toMatchObject({ kind: "answered", excerpt: "ok" });
    expect(receiver.connectionCount()).toBe(3);
    await until(() => receiver.openCount() === 0);
  });

  test("an unsolicited response on an idle connection is never used", async () => {
    const sockets: ReceivedRequest["socket"][] = [];
    const receiver = await receiverThat(({ socket }) => {
      sockets.push(socket);
      socket.write(reply(200, "asked"));
    });
    const post = poster();
    expect(await post(receiver.port)).toMatchObject({ excerpt: "asked" });
    sockets[0]!.write(reply(200, "forged"));
    // Well before the idle timeout of the connection.
    await until(() => receiver.openCount() === 0, { withinMs: 3_500 });
    expect(await post(receiver.port)).toMatchObject({ excerpt: "asked" });
    expect(receiver.connectionCount()).toBe(2);
  });

  test("an idle connection that the receiver closed is replaced, and the delivery succeeds", async () => {
    const seenOn = new Set<unknown>();
    const receiver = await receiverThat(({ socket }) => {
      if (seenOn.has(socket)) return void socket.destroy();
      seenOn.add(socket);
      socket.write(reply(200, "ok"));
    });
    const post = poster();
    for (let i = 0; i < 3; i++) expect(await post(receiver.port)).toMatchObject({ kind: "answered", excerpt: "ok" });
    expect(receiver.connectionCount()).toBe(3);
  });

  test("an idle connection that the receiver resets causes no failure", async () => {
    const sockets: ReceivedRequest["socket"][] = [];
    const receiver = await receiverThat(({ socket }) => {
      sockets.push(socket);
      socket.write(reply(200, "ok"));
    });
    const post = poster();
    for (let i = 0; i < 2; i++) {
      expect(await post(receiver.port)).toMatchObject({ kind: "answered", excerpt: "ok" });
      sockets[i]!.resetAndDestroy();
      await until(() => receiver.openCount() === 0);
    }
  });

  test("a connection is not reused if the answer came before the request was read", async () => {
    let connectionCount = 0;
    const server = createTlsServer({ cert: certificate.certPem, key: certificate.keyPem }, (socket) => {
      connectionCount += 1;
      closers.push(() => socket.destroy());
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.pause();
        socket.write(reply(413, "too much"));
      });
    });
    closers.push(() => server.close());
    const port = await listening(server);
    const post = poster();
    const body = "x".repeat(30_000_000);
    for (let i = 0; i < 2; i++) expect(await post(port, { body })).toMatchObject({ kind: "answered", status: 413 });
    expect(connectionCount).toBe(2);
  });

  test("an idle connection is reused only while its address is among those just checked", async () => {
    const { first, second, port } = await twoReceivers();
    let address = "127.0.0.1";
    const post = poster({ resolve: async () => [address] });
    expect(await post(port)).toMatchObject({ excerpt: "first" });
    address = "127.0.0.2";
    expect(await post(port)).toMatchObject({ excerpt: "second" });
    address = "169.254.1.1";
    expect(await post(port)).toMatchObject({ kind: "blocked" });
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  test("an idle connection is not shared with another host name at the same address", async () => {
    const receiver = await receiverThat(({ socket }) => socket.write(reply(200)));
    const post = poster({ allow: [HOST, "second.test"] });
    await post(receiver.port);
    await post(receiver.port, { host: "second.test" });
    expect(receiver.requests.map(({ serverName }) => serverName)).toEqual([HOST, "second.test"]);
    expect(receiver.connectionCount()).toBe(2);
  });
});
