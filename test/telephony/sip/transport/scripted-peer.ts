// A small peer for what SIPp cannot do: TLS, SHA-256, other addresses. It shares no code with the stack under test.
import { createHash } from "node:crypto";
import { reservedPort } from "../../../support/free-ports.ts";

export interface Heard {
  method: string;
  /** Header by lower-case name; the first of its kind. */
  header(name: string): string;
  text: string;
}

/** What a peer was asked, in order. On a busy machine we ask the same again, letter by letter: that counts once. */
export function methodsOf(peer: { readonly heard: readonly Heard[] }): string[] {
  return [...new Map(peer.heard.map(({ text, method }) => [text, method])).values()];
}

export function heard(text: string): Heard {
  return {
    method: text.split(" ")[0]!,
    header: (name) => new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(text)?.[1]?.trim() ?? "",
    text,
  };
}

/** Five digits, so that one stands in for another without a change of length. */
const NOBODYS_PORT = reservedPort();

export const SDP = [
  "v=0",
  "o=peer 1 1 IN IP4 127.0.0.1",
  "s=-",
  "c=IN IP4 127.0.0.1",
  "t=0 0",
  `m=audio ${NOBODYS_PORT} RTP/AVP 8 101`,
  "a=rtpmap:101 telephone-event/8000",
  "",
].join("\r\n");

export function reply(
  request: Heard,
  status: string,
  options: { headers?: string[]; body?: string; tag?: string } = {},
): string {
  const { headers = [], body = "", tag = "peer" } = options;
  const to = request.header("to");
  return [
    `SIP/2.0 ${status}`,
    ...[...request.text.matchAll(/^Via:.*$/gim)].map(([line]) => line.trim()),
    `From: ${request.header("from")}`,
    `To: ${to.includes("tag=") ? to : `${to};tag=${tag}`}`,
    `Call-ID: ${request.header("call-id")}`,
    `CSeq: ${request.header("cseq")}`,
    ...headers,
    ...(body === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

/** Answers everything as a friendly trunk would; null for ACK. */
export function friendly(request: Heard, contact: string, sdp = SDP): string | null {
  if (request.method === "ACK" || request.method.startsWith("SIP/")) return null;
  if (request.method !== "INVITE") return reply(request, "200 OK");
  return reply(request, "200 OK", { headers: [`Contact: <${contact}>`], body: sdp });
}

/** BYE of the peer inside the call that this INVITE made. */
export function bye(invite: Heard, via: string, target: string, tag = "peer"): string {
  return [
    `BYE ${target} SIP/2.0`,
    `Via: ${via};branch=z9hG4bKbye${tag}`,
    "Max-Forwards: 70",
    `From: ${invite.header("to")};tag=${tag}`,
    `To: ${invite.header("from")}`,
    `Call-ID: ${invite.header("call-id")}`,
    "CSeq: 1 BYE",
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n");
}

/** The same over UDP on loopback, to where the INVITE came from, of a peer that gave each of its calls a tag. */
export function byeToCaller(invite: Heard, tag: string, ownPort: number): string {
  const target = /<([^>]+)>/.exec(invite.header("contact"))?.[1] ?? "";
  return bye(invite, `SIP/2.0/UDP 127.0.0.1:${ownPort}`, target, tag);
}

/** RFC 8760 by hand, to check the other hand. */
export function isRightDigest(header: string, method: string, password: string): boolean {
  const field = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(header)?.[1] ?? "";
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");
  const account = sha(`${field("username")}:${field("realm")}:${password}`);
  const action = sha(`${method}:${field("uri")}`);
  const middle = [field("nonce"), field("nc"), field("cnonce"), field("qop")].join(":");
  return field("response") === sha(`${account}:${middle}:${action}`);
}

export interface UdpPeer {
  port: number;
  heard: Heard[];
  send(text: string, port: number): void;
  sendTo(text: string, port: number, address: string): void;
  close(): void;
}

export async function udpPeer(
  answer: (request: Heard, peer: UdpPeer, fromPort: number) => string | null,
  address = "127.0.0.1",
  ownPort = 0,
): Promise<UdpPeer> {
  const all: Heard[] = [];
  const socket = await Bun.udpSocket({
    hostname: address,
    port: ownPort,
    socket: {
      data(own, bytes, port, from) {
        const request = heard(bytes.toString());
        all.push(request);
        const text = answer(request, peer, port);
        if (text !== null) own.send(text, port, from);
      },
      error() {},
    },
  });
  const peer: UdpPeer = {
    port: socket.port,
    heard: all,
    send: (text, port) => void socket.send(text, port, address),
    sendTo: (text, port, to) => void socket.send(text, port, to),
    close: () => socket.close(),
  };
  return peer;
}
