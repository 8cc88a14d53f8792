// Malformed SIP and RTP packets: bytes flipped, cut, doubled and invented. Deterministic by seed.
import { randomFrom } from "./sounds.ts";

const METHODS = ["INVITE", "REGISTER", "OPTIONS", "BYE", "CANCEL", "ACK", "REFER", "NOTIFY", "INFO", "SUBSCRIBE"];
const ODD_LINES = [
  "Content-Length: 4294967295",
  "Content-Length: -1",
  "CSeq: 99999999999 INVITE",
  "Via: SIP/2.0/UDP [::1]:99999;branch=",
  "Contact: *",
  "Record-Route: <sip:127.0.0.2;lr>, <sip:",
  "Expires: 1e309",
  'From: "\\" <sip:',
  "To: <sip:%00%0d%0a@>;tag=\u0000",
  `X-Long: ${"a".repeat(900)}`,
  'Authorization: Digest username="", response="", nonce="',
];

export interface Fuzz {
  sip(target: string): Buffer;
  rtp(): Buffer;
}

export function fuzzFrom(seed: number): Fuzz {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));

  function message(target: string): string {
    const lines = [
      `${oneOf(METHODS)} ${target} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.2:5060;branch=z9hG4bK${below(1e9)}`,
      `From: <sip:x@127.0.0.2>;tag=${below(1e9)}`,
      `To: <${target}>`,
      `Call-ID: ${below(1e9)}`,
      `CSeq: ${below(1e6)} ${oneOf(METHODS)}`,
      `Max-Forwards: ${below(100)}`,
      "Content-Length: 0",
    ];
    for (let i = below(3); i > 0; i--) lines.splice(1 + below(lines.length), below(2), oneOf(ODD_LINES));
    return `${lines.join("\r\n")}\r\n\r\n`;
  }

  function turned(bytes: Buffer): Buffer {
    for (let i = below(6); i > 0; i--) bytes[below(bytes.length)] = below(256);
    return random() < 0.2 ? bytes.subarray(0, below(bytes.length)) : bytes;
  }

  return {
    sip: (target) => (random() < 0.2 ? noise(1 + below(1_300)) : turned(Buffer.from(message(target), "latin1"))),
    rtp() {
      const packet = noise(random() < 0.3 ? 2 + below(400) : 172);
      // Most look like G.711, so that they are not dropped at the first glance.
      if (random() < 0.7) packet.set([0x80, oneOf([0, 8, 101])]);
      return packet;
    },
  };
}
