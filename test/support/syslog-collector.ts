// A syslog collector of the test: reads octet-counted messages over TCP or TLS, and closes when the client has ended.
import type { Certificate } from "./private-ca.ts";

export interface SyslogCollector {
  readonly port: number;
  readonly address: string;
  /** Messages without their framing. */
  readonly got: string[];
  connections: number;
  /** What it does with the next connections: `resets` closes them without reading on, `hangs` never closes them. */
  mode: "reads" | "resets" | "hangs";
  stop(): void;
}

interface State {
  rest: Buffer;
}

export function startSyslogCollector(
  options: { certificate?: Certificate; clientCaPem?: string; port?: number } = {},
): SyslogCollector {
  const { certificate, clientCaPem, port = 0 } = options;
  const tls = certificate && {
    cert: certificate.certPem,
    key: certificate.keyPem,
    ...(clientCaPem !== undefined && { ca: clientCaPem, requestCert: true, rejectUnauthorized: true }),
  };
  const server = Bun.listen<State>({
    hostname: "127.0.0.1",
    port,
    allowHalfOpen: true,
    ...(tls && { tls }),
    socket: {
      open(socket) {
        socket.data = { rest: Buffer.alloc(0) };
        made.connections += 1;
      },
      data(socket, bytes) {
        if (made.mode === "resets") socket.terminate();
        if (made.mode !== "reads") return;
        const { messages, rest } = unframed(Buffer.concat([socket.data.rest, bytes]));
        socket.data.rest = rest;
        made.got.push(...messages);
      },
      end: (socket) => void (made.mode === "hangs" || socket.end()),
      error() {},
    },
  });
  const made: SyslogCollector = {
    port: server.port,
    address: `${tls ? "tls" : "tcp"}://127.0.0.1:${server.port}`,
    got: [],
    connections: 0,
    mode: "reads",
    stop: () => server.stop(true),
  };
  return made;
}

/** Throws for bytes that are not framed by octet counting. */
export function unframed(bytes: Buffer): { messages: string[]; rest: Buffer } {
  const messages: string[] = [];
  let at = 0;
  for (;;) {
    const space = bytes.indexOf(" ", at);
    if (space === -1) return { messages, rest: bytes.subarray(at) };
    const length = bytes.toString("latin1", at, space);
    if (!/^[1-9][0-9]{0,6}$/.test(length)) throw new Error(`No octet count: ${JSON.stringify(length)}`);
    const end = space + 1 + Number(length);
    if (end > bytes.length) return { messages, rest: bytes.subarray(at) };
    messages.push(bytes.toString("utf8", space + 1, end));
    at = end;
  }
}
