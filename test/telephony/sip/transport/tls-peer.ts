// A scripted trunk over Node's TLS server: it answers, and a test can write any bytes to the connection.
import { afterEach } from "bun:test";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import type { Certificate } from "../../../support/private-ca.ts";
import { friendly, heard, SDP, type Heard } from "./scripted-peer.ts";

const servers: { server: Server; sockets: TLSSocket[] }[] = [];

/** For the top of a test file. */
export function closeTlsPeersAfterEach(): void {
  afterEach(() => {
    for (const { server, sockets } of servers.splice(0)) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
}

export interface TlsPeer {
  port: number;
  heard: Heard[];
  /** In the order in which we connected. */
  sockets: TLSSocket[];
  /** Everything that came, keep-alives too. */
  raw: string[];
}

export async function tlsPeer(
  certificate: Certificate,
  answer?: (request: Heard) => string | null,
  address = "127.0.0.1",
): Promise<TlsPeer> {
  const peer: TlsPeer = { port: 0, heard: [], sockets: [], raw: [] };
  const server = createServer({ cert: certificate.certPem, key: certificate.keyPem }, (socket) => {
    peer.sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      peer.raw.push(bytes.toString());
      if (bytes.toString().trim() === "") return;
      // Requests of the tests have no body but INVITE's, and loopback keeps them whole.
      for (const text of bytes.toString().split(/(?=^(?:ACK|BYE|OPTIONS|INVITE|REGISTER|SIP\/2\.0) )/m)) {
        const request = heard(text);
        peer.heard.push(request);
        const reaction = (answer ?? ((one) => friendly(one, `sip:peer@127.0.0.1:5061;transport=tls`)))(request);
        if (reaction !== null) socket.write(reaction);
      }
    });
  });
  servers.push({ server, sockets: peer.sockets });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  peer.port = (server.address() as AddressInfo).port;
  return peer;
}

/** A request of a call that the peer makes to us; with our tag it is one inside the call. */
export function callToUs(method: string, options: { transport: string; port: number; ourTag?: string }): string {
  const { transport, port, ourTag } = options;
  const body = method === "INVITE" ? SDP : "";
  return [
    `${method} sip:+911140001000@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/${transport} 127.0.0.1:${port};branch=z9hG4bK${method};rport`,
    "Max-Forwards: 70",
    "From: <sip:+919800000001@127.0.0.1>;tag=caller",
    `To: <sip:+911140001000@127.0.0.1>${ourTag === undefined ? "" : `;tag=${ourTag}`}`,
    "Call-ID: a-call-to-us",
    `CSeq: ${method === "BYE" ? 2 : 1} ${method}`,
    `Contact: <sip:peer@127.0.0.1:${port}>`,
    ...(body === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

export function tagOfOurs(messages: readonly Heard[]): string {
  const answer = messages.find(({ text }) => text.startsWith("SIP/2.0 200") && text.includes("a-call-to-us"));
  return /^To:.*?;tag=(\S+)/im.exec(answer?.text ?? "")?.[1] ?? "";
}
