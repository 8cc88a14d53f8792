// A scripted caller over UDP: builds each request with the tags and sequence numbers of one call.
import { afterEach } from "bun:test";
import { until } from "../../../support/until.ts";
import { heard, SDP, udpPeer, type Heard, type UdpPeer } from "../transport/scripted-peer.ts";

export interface RequestParts {
  cseq?: number;
  branch?: string;
  headers?: string[];
  body?: string;
  /** Where it stands for another call than the caller's own. */
  callId?: string;
  fromTag?: string;
  toTag?: string;
}

export interface ScriptedCaller {
  readonly peer: UdpPeer;
  /** What it heard: answers to its own requests, and requests of ours. */
  answers(method: string): Heard[];
  requests(method: string): Heard[];
  /** Our tag, once one of our answers has told it. */
  ourTag(): string;
  send(method: string, parts?: RequestParts): void;
  invite(headers?: string[], body?: string): void;
  /** Waits for an answer with this status to this method. */
  answered(method: string, status: number): Promise<Heard>;
}

const open: UdpPeer[] = [];

/** For the top of a test file, as `stopAgentsAfterEach` is. */
export function hangUpCallersAfterEach(): void {
  afterEach(() => {
    for (const peer of open.splice(0)) peer.close();
  });
}

const statusOf = ({ text }: Heard) => Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0);

export async function scriptedCaller(
  options: { address?: string; callId?: string; answer?: (request: Heard, peer: UdpPeer) => string | null } = {},
): Promise<ScriptedCaller & { callAt(port: number): void }> {
  const { address = "127.0.0.1", callId: ownCallId = "scripted", answer = () => null } = options;
  const peer = await udpPeer(
    (request, own) => (request.method.startsWith("SIP/") ? null : answer(request, own)),
    address,
  );
  open.push(peer);
  let target = 0;
  const ofMethod =
    (method: string) =>
    ({ header }: Heard) =>
      header("cseq").endsWith(` ${method}`);
  const answers = (method: string) => peer.heard.filter((one) => statusOf(one) > 0 && ofMethod(method)(one));
  const ourTag = () =>
    answers("INVITE")
      .map((one) => /tag=([^;\s]+)/.exec(one.header("to"))?.[1])
      .findLast((tag) => tag !== undefined) ?? "";

  function send(method: string, parts: RequestParts = {}): void {
    const { cseq = 1, branch = `z9hG4bK${ownCallId}${method}${cseq}`, headers = [], body = "" } = parts;
    const {
      callId = ownCallId,
      fromTag = "caller",
      toTag = method === "INVITE" || method === "CANCEL" ? "" : ourTag(),
    } = parts;
    const lines = [
      `${method} sip:+911140001000@127.0.0.1 SIP/2.0`,
      `Via: SIP/2.0/UDP ${address}:${peer.port};branch=${branch};rport`,
      `From: <sip:+919800000001@${address}>;tag=${fromTag}`,
      `To: <sip:+911140001000@127.0.0.1>${toTag === "" ? "" : `;tag=${toTag}`}`,
      `Call-ID: ${callId}`,
      `CSeq: ${cseq} ${method}`,
      `Contact: <sip:caller@${address}:${peer.port}>`,
      ...headers,
      ...(body === "" ? [] : ["Content-Type: application/sdp"]),
      `Content-Length: ${body.length}`,
      "",
      body,
    ];
    peer.sendTo(lines.join("\r\n"), target, "127.0.0.1");
  }

  return {
    peer,
    callAt: (port) => (target = port),
    answers,
    requests: (method) => peer.heard.filter((one) => one.method === method),
    ourTag,
    send,
    invite: (headers = [], body = SDP) => send("INVITE", { headers, body }),
    async answered(method, status) {
      const found = () => answers(method).find((one) => statusOf(one) === status);
      await until(() => found() !== undefined, {
        what: () =>
          `no ${status} to ${method} in ${JSON.stringify(peer.heard.map(({ text }) => text.split("\r\n")[0]))}`,
      });
      return found() ?? heard("");
    },
  };
}

export { statusOf };
