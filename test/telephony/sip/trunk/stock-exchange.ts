// An exchange with Asterisk's defaults: it identifies an extension by the user in From, challenges every request
// (unknown names too, so that names cannot be enumerated), and calls the registered Contact by the account's name.
import { createHash } from "node:crypto";
import { friendly, reply, SDP, udpPeer, type Heard, type UdpPeer } from "../transport/scripted-peer.ts";

export interface StockExchange {
  peer: UdpPeer;
  /** Accepted INVITEs: correctly signed by a known account. */
  taken: Heard[];
  /** Calls the registered extension, as Dial(PJSIP/name) does. Answers the Call-ID. */
  callExtension(to?: string): string;
}

export interface StockAccount {
  username: string;
  secret: string;
  /** The name that belongs to the secret, where it is another (3CX). */
  authName?: string;
  /** How an INVITE that it knows is answered; without it, the call is answered. */
  answer?: (invite: Heard, peer: UdpPeer) => string | null;
}

const userIn = (header: string) => /sip:([^@>;]+)@/.exec(header)?.[1] ?? "";

export async function stockExchange({
  username,
  secret,
  answer,
  authName = username,
}: StockAccount): Promise<StockExchange> {
  const taken: Heard[] = [];
  let nonces = 0;
  let contact = "";
  let calls = 0;
  const peer = await udpPeer((request, own) => {
    if (request.method === "ACK" || request.method.startsWith("SIP/")) return null;
    const isDialogRequest = request.header("to").includes("tag=");
    if (!isDialogRequest && !(userIn(request.header("from")) === username && isRight(request))) {
      const challenge = `WWW-Authenticate: Digest realm="asterisk", nonce="n${++nonces}", algorithm=MD5, qop="auth"`;
      return reply(request, "401 Unauthorized", { headers: [challenge] });
    }
    if (request.method === "REGISTER") {
      contact = /<([^>]+)>/.exec(request.header("contact"))?.[1] ?? "";
      return reply(request, "200 OK", { headers: [`Contact: <${contact}>;expires=600`] });
    }
    if (request.method === "INVITE" && !isDialogRequest) taken.push(request);
    if (request.method === "INVITE" && answer) return answer(request, own);
    return friendly(request, `sip:asterisk@127.0.0.1:${own.port}`);
  });

  function isRight(request: Heard): boolean {
    const header = request.header("authorization");
    const field = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(header)?.[1] ?? "";
    const md5 = (text: string) => createHash("md5").update(text).digest("hex");
    const account = md5(`${authName}:asterisk:${secret}`);
    const middle = [field("nonce"), field("nc"), field("cnonce"), field("qop")].join(":");
    return field("response") === md5(`${account}:${middle}:${md5(`${request.method}:${field("uri")}`)}`);
  }

  return {
    peer,
    taken,
    callExtension(to = contact) {
      calls += 1;
      const port = Number(/:(\d+)/.exec(contact.slice(4))?.[1]);
      const callId = `stock-${calls}`;
      const lines = [
        `INVITE ${contact} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bKstock${calls};rport`,
        `From: "Reception" <sip:2005@127.0.0.1>;tag=reception${calls}`,
        `To: <${to}>`,
        `Call-ID: ${callId}`,
        "CSeq: 1 INVITE",
        `Contact: <sip:asterisk@127.0.0.1:${peer.port}>`,
        "Content-Type: application/sdp",
        `Content-Length: ${SDP.length}`,
        "",
        SDP,
      ];
      peer.send(lines.join("\r\n"), port);
      return callId;
    },
  };
}
