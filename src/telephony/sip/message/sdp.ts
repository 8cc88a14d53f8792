// SDP (RFC 8866 and 3264) for one audio stream of G.722 or G.711 with telephone-event (RFC 4733), unencrypted or with
// SRTP keys in the SDP (RFC 4568). Other streams are rejected with port 0.
import { isIP } from "node:net";
import { CODECS, type Codec } from "../../../audio/codec.ts";
import { chooseAudio } from "./audio-choice.ts";
import { SipParseError } from "./parse-error.ts";
import { addCryptoLine, writeCryptoLine, type CryptoLine, type SectionCrypto } from "./sdes.ts";
import type { SrtpPolicy } from "../../../trunks/trunk-settings.ts";

export type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive";
export type AudioProtocol = "RTP/AVP" | "RTP/SAVP";

/** One media section of the peer. */
interface MediaSection {
  kind: string;
  port: number;
  protocol: string;
  payloadTypes: string[];
  address: string | null;
  direction: Direction | null;
  /** Payload type → `PCMA/8000`. */
  encodings: Map<string, string>;
  crypto: SectionCrypto;
}

export interface RemoteAudio {
  address: string;
  port: number;
  codec: Codec;
  payloadType: number;
  /** Null if the peer does not support telephone-event. */
  dtmfPayloadType: number | null;
  /** The PEER's own direction: `sendonly` while it holds us with music, `inactive` while it holds us in silence. */
  direction: Direction;
}

export interface RemoteDescription {
  sections: MediaSection[];
  /** The selected section. */
  section: MediaSection;
  audio: RemoteAudio;
  /** The peer's key; null for unencrypted audio. */
  crypto: CryptoLine | null;
}

export interface LocalAudio {
  address: string;
  port: number;
  codecs: readonly Codec[];
  dtmfPayloadType: number;
  direction: Direction;
  protocol: AudioProtocol;
  /** Our keys: one per suite in an offer, the chosen one in an answer, none if unencrypted. */
  crypto: readonly CryptoLine[];
  /** One number per call; the version increases with every change (RFC 3264, section 8). */
  sessionId: number;
  version: number;
}

const STATIC_PAYLOAD: Readonly<Record<Codec, number>> = { PCMU: 0, PCMA: 8, G722: 9 };
export const OUR_DTMF_PAYLOAD_TYPE = 101;
const MOST_SDP_CHARACTERS = 16_384;
const MOST_SECTIONS = 16;
const DIRECTIONS: readonly Direction[] = ["sendrecv", "sendonly", "recvonly", "inactive"];
/** Our direction by the peer's. */
const MIRRORED: Readonly<Record<Direction, Direction>> = {
  sendrecv: "sendrecv",
  sendonly: "recvonly",
  recvonly: "sendonly",
  inactive: "inactive",
};

export function buildOffer(local: LocalAudio): string {
  return sessionLines(local) + audioLines(local, local.dtmfPayloadType);
}

/** Answers an offer section by section, with the one chosen codec and the peer's payload types. */
export function buildAnswer(local: LocalAudio, { sections, section: taken, audio }: RemoteDescription): string {
  const parts = sections.map((section) => {
    if (section !== taken) return `m=${section.kind} 0 ${section.protocol} ${section.payloadTypes.join(" ")}\r\n`;
    return audioLines(
      { ...local, codecs: [audio.codec], direction: MIRRORED[audio.direction] },
      audio.dtmfPayloadType,
      audio.payloadType,
    );
  });
  return sessionLines(local) + parts.join("");
}

export interface ParseOptions {
  order: readonly Codec[];
  isAnswer: boolean;
  srtp: SrtpPolicy;
}

/**
 * Parses an offer or an answer. Throws SipParseError with a readable reason if there is no usable or permitted audio.
 */
export function parseDescription(text: string, { order, isAnswer, srtp }: ParseOptions): RemoteDescription {
  if (text.length > MOST_SDP_CHARACTERS) throw new SipParseError("the SDP is longer than 16,384 characters");
  const sections = parseSections(text);
  const { section, crypto } = chooseAudio(sections, srtp, isAnswer);
  const address = section.address;
  if (address === null) throw new SipParseError("the SDP names no address");
  const chosen = chooseCodec(section, order, isAnswer);
  if (!chosen) throw new SipParseError(`the SDP has none of our codecs (${order.join(", ")})`);
  const dtmf = section.payloadTypes.find((type) => /^telephone-event\/8000/i.test(section.encodings.get(type) ?? ""));
  // RFC 2543 signalled hold with a zero address; some gateways still do.
  const isZeroHeld = address === "0.0.0.0" || address === "::";
  const direction = isZeroHeld ? "inactive" : (section.direction ?? "sendrecv");
  const dtmfPayloadType = dtmf === undefined ? null : Number(dtmf);
  return { sections, section, crypto, audio: { address, port: section.port, ...chosen, dtmfPayloadType, direction } };
}

/** In an answer the peer's order applies, in an offer ours. */
function chooseCodec(section: MediaSection, order: readonly Codec[], isAnswer: boolean) {
  const found = section.payloadTypes.flatMap((type) => {
    const codec = codecOf(type, section.encodings.get(type));
    return codec && order.includes(codec) ? [{ codec, payloadType: Number(type) }] : [];
  });
  if (isAnswer) return found[0];
  return found.toSorted((a, b) => order.indexOf(a.codec) - order.indexOf(b.codec))[0];
}

function codecOf(payloadType: string, encoding: string | undefined): Codec | null {
  // G.722 also uses 8000, although it has 16,000 samples per second (RFC 3551, section 4.5.2).
  const [, name] = /^([A-Z0-9]{4})\/8000(?:\/1)?$/i.exec(encoding ?? "") ?? [];
  return (
    CODECS.find((codec) =>
      encoding === undefined ? payloadType === String(STATIC_PAYLOAD[codec]) : name?.toUpperCase() === codec,
    ) ?? null
  );
}

function parseSections(text: string): MediaSection[] {
  const sections: MediaSection[] = [];
  let sessionAddress: string | null = null;
  let sessionDirection: Direction | null = null;
  for (const line of text.split(/\r?\n/)) {
    const value = line.slice(2).trim();
    const section = sections.at(-1);
    if (line.startsWith("m=")) {
      if (sections.length >= MOST_SECTIONS) throw new SipParseError("the SDP has more than 16 media sections");
      sections.push(parseMediaLine(value, sessionAddress, sessionDirection));
    } else if (line.startsWith("c=")) {
      const address = parseConnection(value);
      if (section) section.address = address;
      else sessionAddress = address;
    } else if (line.startsWith("a=")) {
      const direction = DIRECTIONS.find((one) => one === value.toLowerCase());
      if (direction && section) section.direction = direction;
      else if (direction) sessionDirection = direction;
      const [, type, encoding] = /^rtpmap:(\d{1,3})\s+(\S+)/i.exec(value) ?? [];
      if (section && type !== undefined && encoding !== undefined) section.encodings.set(type, encoding);
      if (section && /^crypto:/i.test(value)) addCryptoLine(section.crypto, value);
    }
  }
  return sections;
}

function parseMediaLine(value: string, address: string | null, direction: Direction | null): MediaSection {
  const match = /^([a-z]{1,20}) (\d{1,5})(?:\/\d+)? ([A-Za-z0-9/]{1,40})((?: \S{1,20})*)$/.exec(value);
  const port = Number(match?.[2]);
  if (!match || port > 65_535) throw new SipParseError("an SDP media line is malformed");
  const payloadTypes = (match[4] ?? "").trim().split(/\s+/);
  return {
    kind: match[1] ?? "",
    port,
    protocol: match[3] ?? "",
    payloadTypes,
    address,
    direction,
    encodings: new Map(),
    crypto: { usable: [], lines: 0 },
  };
}

/** Literal addresses only: with names a peer could make us look up any host. */
function parseConnection(value: string): string {
  const [, address = ""] = /^IN IP[46] ([0-9a-fA-F:.]{2,45})(?:\/\d+)*$/.exec(value) ?? [];
  if (isIP(address) === 0) throw new SipParseError("the SDP names no IP address");
  return address.toLowerCase();
}

function sessionLines({ address, sessionId, version }: LocalAudio): string {
  const at = `IN IP${isIP(address) === 6 ? 6 : 4} ${address}`;
  return `v=0\r\no=ringward ${sessionId} ${version} ${at}\r\ns=-\r\nc=${at}\r\nt=0 0\r\n`;
}

function audioLines(local: LocalAudio, dtmfPayloadType: number | null, payloadType?: number): string {
  const codecs = local.codecs.map((codec) => ({ codec, type: payloadType ?? STATIC_PAYLOAD[codec] }));
  const types = [...codecs.map(({ type }) => type), ...(dtmfPayloadType === null ? [] : [dtmfPayloadType])];
  const lines = [`m=audio ${local.port} ${local.protocol} ${types.join(" ")}`];
  for (const { codec, type } of codecs) lines.push(`a=rtpmap:${type} ${codec}/8000`);
  if (dtmfPayloadType !== null) {
    lines.push(`a=rtpmap:${dtmfPayloadType} telephone-event/8000`, `a=fmtp:${dtmfPayloadType} 0-15`);
  }
  lines.push(...local.crypto.map(writeCryptoLine), "a=ptime:20", `a=${local.direction}`);
  return `${lines.join("\r\n")}\r\n`;
}
