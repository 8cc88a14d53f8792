// The line of a call as a trunk leaves it: an outbound call with digest and a hang-up by the contact, and its sound.
import type { Row } from "../../src/db/tables.ts";
import type { LineMessage, MediaStats } from "../../src/telephony/line-report.ts";

export const LINE_STARTED_AT_MS = Date.parse("2026-11-15T06:00:00.250Z");
const PEER = "udp 192.0.2.10:5060";
const NUMBER = "+15553330100";

const SDP = [
  "v=0",
  "o=ringward 1 1 IN IP4 10.0.0.5",
  "s=-",
  "c=IN IP4 10.0.0.5",
  "t=0 0",
  "m=audio 20000 RTP/AVP 0 8 101",
  "a=rtpmap:101 telephone-event/8000",
  "",
].join("\r\n");

function step(
  afterMs: number,
  direction: LineMessage["direction"],
  firstLine: string,
  method: string,
  more: { headers?: string[]; body?: string } = {},
): LineMessage {
  const { headers = [], body = "" } = more;
  const text = [
    firstLine,
    `Via: SIP/2.0/UDP ${method === "BYE" ? "192.0.2.10:5060" : "10.0.0.5:5060"};branch=z9hG4bK${method}1`,
    `From: <sip:+15555551000@pbx.example>;tag=a1`,
    `To: <sip:${NUMBER}@pbx.example>`,
    "Call-ID: 4f2c@10.0.0.5",
    `CSeq: ${method === "BYE" ? 7 : 1} ${method}`,
    ...headers,
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
  return { atMs: LINE_STARTED_AT_MS + afterMs, direction, peer: PEER, firstLine, text };
}

const INVITE = `INVITE sip:${NUMBER}@pbx.example SIP/2.0`;
const CREDENTIALS = { headers: ["Authorization: Digest (removed)"], body: SDP };

export const LADDER: readonly LineMessage[] = [
  step(0, "sent", INVITE, "INVITE", { body: SDP }),
  step(500, "sent", INVITE, "INVITE", { body: SDP }),
  step(521, "received", "SIP/2.0 401 Unauthorized", "INVITE"),
  step(522, "sent", `ACK sip:${NUMBER}@pbx.example SIP/2.0`, "ACK"),
  step(523, "sent", INVITE, "INVITE", CREDENTIALS),
  step(540, "received", "SIP/2.0 100 Trying", "INVITE"),
  step(811, "received", "SIP/2.0 180 Ringing", "INVITE"),
  step(6_204, "received", "SIP/2.0 200 OK", "INVITE", { body: SDP }),
  step(6_206, "sent", `ACK sip:${NUMBER}@192.0.2.10:5060 SIP/2.0`, "ACK"),
  step(67_333, "received", "BYE sip:ringward@10.0.0.5:5060 SIP/2.0", "BYE"),
  step(67_334, "sent", "SIP/2.0 200 OK", "BYE"),
];

/** Nobody was at home in this one. */
export const REFUSED_LADDER: readonly LineMessage[] = [
  ...LADDER.slice(0, 6),
  step(900, "received", "SIP/2.0 486 Busy Here", "INVITE"),
  step(901, "sent", `ACK sip:${NUMBER}@pbx.example SIP/2.0`, "ACK"),
];

export const GOOD_SOUND: MediaStats = {
  sentPackets: 3_056,
  receivedPackets: 3_044,
  lostPackets: 9,
  latePackets: 3,
  duplicatePackets: 0,
  ignoredPackets: 0,
  lossShare: 0.0039,
  jitterMs: 4.2,
  jitterBufferMs: 40,
  gaps: 4,
  roundTripMs: 38.4,
  remoteLossShare: 0.002,
  remoteJitterMs: 3,
  mos: 4.3,
  oneWayAudio: false,
};

export const ONE_WAY_SOUND: MediaStats = {
  ...GOOD_SOUND,
  receivedPackets: 0,
  ignoredPackets: 311,
  lostPackets: 0,
  latePackets: 0,
  lossShare: 0,
  jitterMs: 0,
  gaps: 0,
  roundTripMs: null,
  remoteLossShare: null,
  remoteJitterMs: null,
  mos: null,
  oneWayAudio: true,
};

export function lineRow(callId: string, change: Partial<Row<"call_lines">> = {}): Row<"call_lines"> {
  return {
    call_id: callId,
    trunk_id: null,
    trace: JSON.stringify(LADDER),
    media: JSON.stringify(GOOD_SOUND),
    capture_file: null,
    ...change,
  };
}

export function trunkRow(organisationId: string): Row<"trunks"> {
  return {
    id: "trk_test",
    organisation_id: organisationId,
    name: "Ward exchange",
    source: "dashboard",
    enabled: 1,
    host: "pbx.example",
    port: 5060,
    transport: "udp",
    ca_pem: null,
    username: null,
    sealed_secret: null,
    register: 0,
    from_domain: null,
    from_user: null,
    identity_header: "auto",
    number_format: "e164",
    dial_prefix: "",
    extensions: "",
    caller_id: null,
    concurrent_calls: 10,
    calls_per_second: 5,
    options_seconds: 30,
    symmetric_rtp: 0,
    srtp: "preferred",
    codecs: "",
    allowed_prefixes: "",
    capture_until: null,
    created_at: 0,
    updated_at: 0,
  };
}
