// Webhook receiver that can misbehave in every way: raw TLS, so the test controls each byte of the answer.
import type { AddressInfo, Server } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import type { Certificate } from "../../support/private-ca.ts";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  socket: TLSSocket;
  /** SNI name sent by the client; false if it sent none. */
  serverName: string | false | null | undefined;
}

export interface Receiver {
  port: number;
  requests: ReceivedRequest[];
  connectionCount(): number;
  openCount(): number;
  close(): void;
}

export async function startReceiver(
  certificate: Certificate,
  answer: (request: ReceivedRequest) => unknown,
  host = "127.0.0.1",
  atPort = 0,
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<TLSSocket>();
  let connectionCount = 0;
  const server = createServer({ cert: certificate.certPem, key: certificate.keyPem }, (socket) => {
    connectionCount += 1;
    sockets.add(socket);
    let buffered = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes: Buffer) => {
      buffered = Buffer.concat([buffered, bytes]);
      const end = buffered.indexOf("\r\n\r\n");
      if (end === -1) return;
      const [line = "", ...lines] = buffered.toString("latin1", 0, end).split("\r\n");
      const [method = "", path = ""] = line.split(" ");
      const headers = Object.fromEntries(
        lines.map((text) => [text.slice(0, text.indexOf(":")).toLowerCase(), text.slice(text.indexOf(":") + 2)]),
      );
      const bodyEnd = end + 4 + Number(headers["content-length"]);
      if (buffered.length < bodyEnd) return;
      const body = Buffer.from(buffered.subarray(end + 4, bodyEnd));
      buffered = Buffer.from(buffered.subarray(bodyEnd));
      const request = { method, path, headers, body, socket, serverName: socket.servername };
      requests.push(request);
      void answer(request);
    });
  });
  server.on("tlsClientError", () => {});
  const port = await listening(server, host, atPort);
  return {
    port,
    requests,
    connectionCount: () => connectionCount,
    openCount: () => sockets.size,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export async function listening(server: Server, host = "127.0.0.1", port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** A complete answer with a body. */
export function reply(status: number, body = "", headers: readonly string[] = []): string {
  return [`HTTP/1.1 ${status} Some Reason`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, "", body].join(
    "\r\n",
  );
}
