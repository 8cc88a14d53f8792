// HTTP over a plain socket: incomplete, malformed and slow requests that no ordinary client sends.
import { connect, type Socket } from "node:net";
import { until } from "./until.ts";

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RawConnection {
  send(text: string): void;
  sendBytes(bytes: Uint8Array): void;
  /** What the server has sent so far. */
  received(): string;
  isClosed(): boolean;
  /** The first whole answer with a Content-Length. */
  answer(withinMs?: number): Promise<RawAnswer>;
  /** Resolves when the server has closed the connection. */
  closed(withinMs?: number): Promise<void>;
  destroy(): void;
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket: Socket = connect({ host: "127.0.0.1", port });
  let received = "";
  let isClosed = false;
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  // A reset is one way to be closed; the test asks whether, not how.
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  socket.on("close", () => (isClosed = true));
  const opened = Promise.withResolvers<void>();
  socket.once("connect", () => opened.resolve());
  socket.once("close", () => opened.reject(new Error("The connection was refused.")));
  await opened.promise;

  return {
    send: (text) => {
      if (!isClosed) socket.write(text);
    },
    sendBytes: (bytes) => void socket.write(bytes),
    received: () => received,
    isClosed: () => isClosed,
    async answer(withinMs) {
      let parsed: RawAnswer | null = null;
      await until(() => (parsed = parseAnswer(received)) !== null, {
        ...(withinMs === undefined ? {} : { withinMs }),
        what: () => `no whole answer, only ${JSON.stringify(received)}`,
      });
      return parsed as unknown as RawAnswer;
    },
    closed: (withinMs) =>
      until(() => isClosed, {
        ...(withinMs === undefined ? {} : { withinMs }),
        what: () => "the connection is still open",
      }),
    destroy: () => void socket.destroy(),
  };
}

function parseAnswer(text: string): RawAnswer | null {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const length = Number(headers["content-length"] ?? 0);
  const body = text.slice(end + 4, end + 4 + length);
  return body.length < length ? null : { status: Number(statusLine.split(" ")[1]), headers, body };
}

/** The head of a request, ready for its body. */
export function head(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
