// Forward proxies: the configured one is used, by checked address; proxies in the environment never are.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createSafePost, type PostResult } from "../../../src/events/safe-post/safe-post.ts";
import { createPrivateCa, type PrivateCa } from "../../support/private-ca.ts";
import { tempFolder } from "../../support/temp.ts";
import { listening, reply, startReceiver, type Receiver } from "./receiver.ts";
import { skipsFor } from "../../support/skips.ts";

const HOST = "hook.test";
const PUBLIC_ADDRESS = "93.184.216.34";
let ca: PrivateCa;
let receiver: Receiver;
const closers: (() => void)[] = [];
afterAll(() => closers.forEach((close) => close()));
beforeAll(async () => {
  ca = createPrivateCa();
  receiver = await startReceiver(ca.issue([HOST]), ({ socket, body }) => socket.write(reply(200, body.toString())));
  closers.push(receiver.close);
});

interface ChildReport {
  results: PostResult[];
  controlStatus: number | null;
  lingeredMs: number;
}

interface Proxy {
  url: string;
  /** Request lines, or the first bytes of anything else that was sent. */
  seen: string[];
}

/** The tunnel always ends at the local receiver, so a public address is "reached" without a network. */
async function startProxy(answer: (socket: Socket, head: string) => void = tunnel): Promise<Proxy> {
  const seen: string[] = [];
  const server = createServer((socket) => {
    closers.push(() => socket.destroy());
    socket.on("error", () => {});
    socket.once("data", (bytes: Buffer) => {
      const head = bytes.toString("latin1");
      seen.push(head.split("\r\n")[0] ?? "");
      answer(socket, head);
    });
  });
  closers.push(() => server.close());
  return { url: `http://127.0.0.1:${await listening(server)}`, seen };
}

function tunnel(socket: Socket): void {
  const far = connect(receiver.port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
  far.on("error", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => far.write(bytes)).on("close", () => far.destroy());
  far.on("data", (bytes: Buffer) => socket.write(bytes)).on("close", () => socket.destroy());
}

function poster(
  proxyUrl: string,
  resolve: (host: string) => Promise<string[]> = async () => [PUBLIC_ADDRESS],
  allow: string[] = [],
) {
  const safePost = createSafePost({ allow, caPem: ca.caPem, proxyUrl, resolve });
  return (body = "{}", timeoutMs = 30_000): Promise<PostResult> =>
    safePost.post({ url: `https://${HOST}/hook`, headers: {}, body: Buffer.from(body), timeoutMs });
}

describe("the configured proxy", () => {
  test("is asked for the checked address once, although the name then resolves to an internal one", async () => {
    const proxy = await startProxy();
    let lookups = 0;
    const post = poster(proxy.url, async () => [++lookups === 1 ? PUBLIC_ADDRESS : "127.0.0.1"]);
    expect(await post("by proxy")).toMatchObject({ kind: "answered", status: 200, excerpt: "by proxy" });
    expect(proxy.seen).toEqual([`CONNECT ${PUBLIC_ADDRESS}:443 HTTP/1.1`]);
    expect(lookups).toBe(1);
    expect(receiver.requests.at(-1)).toMatchObject({ headers: { host: HOST }, serverName: HOST });
    expect(await post()).toMatchObject({ kind: "blocked" });
    expect(proxy.seen).toHaveLength(1);
  });

  test("writes an IPv6 address in brackets", async () => {
    const proxy = await startProxy();
    expect(await poster(proxy.url, async () => ["2606:4700::1"])()).toMatchObject({ kind: "answered" });
    expect(proxy.seen).toEqual(["CONNECT [2606:4700::1]:443 HTTP/1.1"]);
  });

  test("never receives a forbidden address", async () => {
    const proxy = await startProxy();
    expect(await poster(proxy.url, async () => ["10.0.0.1"])()).toMatchObject({ kind: "blocked" });
    expect(proxy.seen).toEqual([]);
  });

  test("carries many deliveries through one tunnel", async () => {
    const proxy = await startProxy();
    const post = poster(proxy.url);
    for (let i = 0; i < 4; i++) expect(await post(`${i}`)).toMatchObject({ excerpt: `${i}` });
    expect(proxy.seen).toHaveLength(1);
  });

  test("cannot impersonate the receiver: the certificate is checked through it", async () => {
    const impostor = await startReceiver(createPrivateCa("Impostor").issue([HOST]), ({ socket }) =>
      socket.write(reply(200)),
    );
    closers.push(impostor.close);
    const proxy = await startProxy((socket) => {
      const far = connect(impostor.port, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
      far.on("error", () => {}).on("data", (bytes: Buffer) => socket.write(bytes));
      socket.on("data", (bytes: Buffer) => far.write(bytes)).on("close", () => far.destroy());
    });
    expect(await poster(proxy.url)()).toMatchObject({
      kind: "unreachable",
      detail: expect.stringContaining("not trusted"),
    });
    expect(impostor.requests).toEqual([]);
  });

  test.each([
    ["403 Forbidden", "blocked"],
    ["407 Proxy Authentication Required", "our_fault"],
    ["400 Bad Request", "our_fault"],
    ["502 Bad Gateway", "unreachable"],
    ["504 Gateway Timeout", "unreachable"],
  ] as const)("that answers %s: %s", async (status, kind) => {
    const proxy = await startProxy((socket) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`));
    expect(await poster(proxy.url)()).toMatchObject({ kind, detail: expect.stringContaining(status.slice(0, 3)) });
  });

  test.each([
    ["closes without a word", "", "our_fault"],
    ["speaks another protocol", "220 mail\r\n\r\n", "our_fault"],
    ["sends bytes of its own before TLS", "HTTP/1.1 200 OK\r\n\r\nforged", "our_fault"],
    ["has headers without end", `HTTP/1.1 302 OK\r\n${"x".repeat(20_000)}`, "our_fault"],
    ["says nothing", null, "timeout"],
  ] as const)("that %s ends the attempt", async (_, bytes, kind) => {
    const proxy = await startProxy((socket) => {
      if (bytes === "") socket.end();
      else if (bytes !== null) socket.write(bytes);
    });
    expect((await poster(proxy.url)("{}", 300)).kind).toBe(kind);
  });

  test("that is unreachable is our own fault", async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await poster(`http://127.0.0.1:${port}`)()).toMatchObject({
      kind: "our_fault",
      detail: expect.stringContaining("cannot be reached"),
    });
  });

  test.each([
    "https://proxy:3128",
    "proxy:3128",
    "http://user:secret@proxy:3128",
    "http://proxy:3128/path",
    "http://proxy:3128/?q",
    "http://proxy:0",
    "",
  ])("must be written as http://host:port, not %p", (url) => expect(() => poster(url)).toThrow("http://host:port"));
});

describe("the environment", () => {
  async function childWith(env: Record<string, string>, port: number): Promise<ChildReport> {
    const caFile = join(tempFolder(), "ca.pem");
    writeFileSync(caFile, ca.caPem);
    const command = [process.execPath, join(import.meta.dir, "post-child.ts"), String(port), caFile];
    // The limit is for the child that uses up its descriptors: a machine may allow a thousand million of them.
    const child = Bun.spawn(["sh", "-c", 'ulimit -n 256; exec "$@"', "sh", ...command], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdout: "pipe",
      stderr: "ignore",
    });
    const output = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    return JSON.parse(output);
  }

  test("names proxies, and none of them is used for a delivery", async () => {
    const recorder = await startProxy((socket) => socket.end(reply(299)));
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const { results, controlStatus, lingeredMs } = await childWith(
      Object.fromEntries(names.map((name) => [name, recorder.url])),
      receiver.port,
    );
    expect(results).toMatchObject([{ kind: "answered", status: 200 }]);
    // An idle connection is closed after four seconds; the test does not wait for it.
    expect(lingeredMs).toBeLessThan(3_500);
    // The child also uses fetch, to show that the recorder would have been used.
    expect(controlStatus).toBe(299);
    expect(recorder.seen).toEqual([expect.stringContaining("http://control.test/")]);
  });

  test("cannot disable certificate verification", async () => {
    const impostor = await startReceiver(createPrivateCa("Impostor").issue([HOST]), ({ socket }) =>
      socket.write(reply(200)),
    );
    closers.push(impostor.close);
    const { results } = await childWith({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, impostor.port);
    expect(results).toMatchObject([{ kind: "unreachable", detail: expect.stringContaining("not trusted") }]);
    expect(impostor.requests).toEqual([]);
  });

  test.skipIf(skipsFor(process.platform !== "linux", "needs Linux"))(
    "without a free file descriptor is our own fault, not the receiver's",
    async () => {
      const { results } = await childWith({ USE_UP_DESCRIPTORS: "1" }, receiver.port);
      expect(results).toMatchObject([
        { kind: "our_fault", detail: expect.stringContaining("EMFILE") },
        { kind: "our_fault" },
      ]);
    },
  );
});
