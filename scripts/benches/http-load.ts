// Clients that ask as fast as they are answered, each on a connection of its own, with bytes that were made beforehand:
// what they cost themselves is small and the same for everybody who is measured.

export interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Asked {
  port: number;
  /** A whole request, head and body, or what makes the next one. */
  request: Uint8Array | (() => Uint8Array);
  expected: number;
  clients: number;
  seconds: number;
  /** The clients stop after so many requests, if that is earlier. */
  most?: number;
}

const HEAD_END = "\r\n\r\n";

export function requestBytes(method: string, path: string, headers: Record<string, string>, body = ""): Uint8Array {
  const all = { host: "localhost", ...headers, ...(body && { "content-length": String(Buffer.byteLength(body)) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
}

export async function loadOf(asked: Asked): Promise<Load> {
  const times: number[] = [];
  const untilMs = performance.now() + asked.seconds * 1000;
  let left = asked.most ?? Infinity;
  const isOver = () => left-- <= 0 || performance.now() >= untilMs;
  await Promise.all(Array.from({ length: asked.clients }, () => client(asked, isOver, times)));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { perSecond: times.length / asked.seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function client({ port, request, expected }: Asked, isOver: () => boolean, times: number[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let askedMs = 0;
  let seen = "";
  const ask = (socket: Bun.Socket) => {
    if (isOver()) {
      resolve();
      socket.end();
      return;
    }
    askedMs = performance.now();
    socket.write(typeof request === "function" ? request() : request);
  };
  void Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: ask,
      data(socket, bytes) {
        seen += bytes.toString("latin1");
        if (!isWhole(seen)) return;
        if (!seen.startsWith(`HTTP/1.1 ${expected} `)) {
          reject(new Error(`Answered ${seen.slice(0, 300)} instead of ${expected}.`));
          socket.end();
          return;
        }
        seen = "";
        times.push(performance.now() - askedMs);
        ask(socket);
      },
      close: () => reject(new Error("The server closed a connection.")),
      error: (_, error) => reject(error),
      connectError: (_, error) => reject(error),
    },
  }).catch(reject);
  return promise;
}

function isWhole(seen: string): boolean {
  const end = seen.indexOf(HEAD_END);
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(seen.slice(0, end))?.[1] ?? "0";
  return seen.length >= end + HEAD_END.length + Number(length);
}
