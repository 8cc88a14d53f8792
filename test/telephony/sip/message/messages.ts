// SIP messages for unit tests.
import { parseMessage, type SipRequest, type SipResponse } from "../../../../src/telephony/sip/message/message.ts";

export function parseText(text: string) {
  return parseMessage(Buffer.from(text.replaceAll(/\r?\n/g, "\r\n")));
}

export interface Parts {
  cseq?: string;
  branch?: string;
  fromTag?: string;
  toTag?: string | null;
  /** Whole lines, each ending with a newline. */
  extra?: string;
  body?: string;
}

function head({ cseq = "1 INVITE", branch = "z9hG4bKone", fromTag = "us", toTag = null, extra = "" }: Parts): string {
  const to = toTag === null ? "" : `;tag=${toTag}`;
  return [
    `Via: SIP/2.0/UDP 192.0.2.1:5060;branch=${branch}`,
    `From: <sip:us@example.org>;tag=${fromTag}`,
    `To: <sip:them@example.com>${to}`,
    "Call-ID: one",
    `CSeq: ${cseq}`,
    extra,
  ].join("\n");
}

export function request(method = "INVITE", parts: Parts = {}): SipRequest {
  const cseq = parts.cseq ?? `1 ${method}`;
  return parseText(
    `${method} sip:them@example.com SIP/2.0\n${head({ ...parts, cseq })}\n${parts.body ?? ""}`,
  ) as SipRequest;
}

export function response(status: number, parts: Parts = {}): SipResponse {
  return parseText(`SIP/2.0 ${status} Some\n${head({ toTag: "them", ...parts })}\n${parts.body ?? ""}`) as SipResponse;
}
