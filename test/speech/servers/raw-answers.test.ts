// Answers that no proper server gives, byte for byte, as a client of a model server sees them.
import { afterEach, expect, test } from "bun:test";
import { systemClock } from "../../../src/core/clock.ts";
import { createServerHttp } from "../../../src/speech/servers/http/server-http.ts";
import { ServerFault, type ServerAddress } from "../../../src/speech/servers/port.ts";

const REQUEST = { method: "GET", path: "/models", contentType: "", body: new Uint8Array(), mostBytes: 1_000 } as const;
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Answers every request with these bytes; counts connections. */
function serving(answers: readonly string[]) {
  const seen = { connections: 0, requests: 0 };
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: () => void (seen.connections += 1),
      data: (socket) => void socket.write(answers[Math.min(seen.requests++, answers.length - 1)] ?? ""),
    },
  });
  const address: ServerAddress = {
    kind: "openai",
    id: "srv_1",
    name: "Raw",
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    key: null,
    model: "m",
    voice: null,
    languages: [],
    caPem: null,
    addresses: ["127.0.0.1"],
    firstMs: 20_000,
    totalMs: 20_000,
  };
  const http = createServerHttp({ clock: systemClock, address, role: "language", note: () => {} });
  closing.push(
    () => http.close(),
    () => server.stop(true),
  );
  return { http, seen };
}

const never = () => new AbortController().signal;

test.each([
  ["101", "HTTP/1.1 101 Switching Protocols\r\n\r\n", new ServerFault("status", 101)],
  [
    "a compressed refusal",
    "HTTP/1.1 401 No\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nz",
    new ServerFault("status", 401),
  ],
  [
    "a compressed answer",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nz",
    new ServerFault("garbage"),
  ],
  ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n\r\n", new ServerFault("garbage")],
  [
    "too long a body",
    `HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${"x".repeat(2_000)}`,
    new ServerFault("tooLong"),
  ],
])("%s is told at once", async (_, answer, fault) => {
  const { http } = serving([answer]);
  const found = await http.ask(REQUEST, never()).then(
    (good) => good.next().catch((error: unknown) => error),
    (error: unknown) => error,
  );
  expect(found).toEqual(fault);
});

test("bytes behind an answer end its connection; a clean one is used again", async () => {
  const good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const { http, seen } = serving([good, `${good}HTTP/1.1 200 OK\r\n`, good]);
  for (let i = 0; i < 3; i++) {
    const answer = await http.ask(REQUEST, never());
    expect((await answer.next())?.toString()).toBe("ok");
    expect(await answer.next()).toBeNull();
    answer.finish();
  }
  expect(seen).toEqual({ connections: 2, requests: 3 });
});
