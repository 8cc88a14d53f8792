// SDP offer and answer of one call (RFC 3264): tracks our offer and the peer's, and reports changes to the media.
import { isIP } from "node:net";
import type { Codec } from "../../../audio/codec.ts";
import { canonicalAddress } from "../../../net/addresses.ts";
import { canReach, isWildcard, outerAddress } from "../transport/addresses.ts";
import type { SipRequest, SipResponse } from "../message/message.ts";
import { mediaType } from "../message/header-fields.ts";
import { SRTP_SUITES } from "../../rtp/srtp-keys.ts";
import { SipParseError } from "../message/parse-error.ts";
import type { CryptoLine } from "../message/sdes.ts";
import {
  buildAnswer,
  buildOffer,
  OUR_DTMF_PAYLOAD_TYPE,
  parseDescription,
  type AudioProtocol,
  type LocalAudio,
  type RemoteAudio,
} from "../message/sdp.ts";
import type { AudioTrust, MediaKeys, MediaPort } from "./user-agent-port.ts";
import type { SrtpPolicy } from "../../../trunks/trunk-settings.ts";

export const SDP_TYPE = "application/sdp";

export interface OfferAnswer {
  /**
   * Our offer: the first one, and again on request of the peer. If encryption is preferred and we cannot retry
   * unencrypted, the keys are offered with plain RTP, so that a peer without SRTP can ignore them.
   */
  offer(canAskAgain?: boolean): Buffer;
  /** The peer rejected our offer. Returns whether to retry unencrypted, which `offer` does from then on. */
  giveUpEncryption(): boolean;
  /** Applies the peer's answer. Throws SipParseError. */
  accept(sdp: string): void;
  /** Applies the peer's offer and returns our answer. Throws SipParseError without changes. */
  answer(sdp: string): Buffer;
  readonly isEncryptionRequired: boolean;
}

export interface OfferAnswerOptions {
  media: MediaPort;
  codecOrder: readonly Codec[];
  /** Address in SDP instead of the media's own: behind a NAT, or if bound to every interface. */
  externalAddress: string | null;
  /** Our address towards the peer, if the media is bound to every interface. */
  ownAddress: () => string;
  /** Read with every SDP: the addresses of a trunk's name may change. */
  trust: () => AudioTrust;
  sessionId: number;
  /** `off` if the signalling is not encrypted, because the keys would be readable. */
  srtp: SrtpPolicy;
  /** 30 random bytes, base64. */
  randomKey: () => string;
}

export function createOfferAnswer(options: OfferAnswerOptions): OfferAnswer {
  const { media, codecOrder, srtp } = options;
  const ownAddress = () => (isWildcard(media.localAddress) ? options.ownAddress() : media.localAddress);
  let version = 0;
  let lastBody = "";
  let remote: (RemoteAudio & AudioTrust & { keys: MediaKeys | null }) | null = null;
  let hasGivenUp = false;
  /** Protocol in use, or the one we offered. */
  let protocol: AudioProtocol = "RTP/AVP";
  let ours: readonly CryptoLine[] = [];

  const local = (): LocalAudio => ({
    address: outerAddress(options.externalAddress, ownAddress()),
    port: media.localPort,
    codecs: codecOrder,
    dtmfPayloadType: OUR_DTMF_PAYLOAD_TYPE,
    direction: "sendrecv",
    protocol,
    crypto: ours,
    sessionId: options.sessionId,
    version,
  });

  /** The version increases only on changes (RFC 3264, section 8). */
  function written(build: (local: LocalAudio) => string): Buffer {
    if (build(local()) !== lastBody) {
      version += 1;
      lastBody = build(local());
    }
    return Buffer.from(lastBody);
  }

  function take(audio: RemoteAudio, keys: MediaKeys | null): void {
    const trusted = { ...audio, ...options.trust(), keys };
    if (JSON.stringify(trusted) === JSON.stringify(remote)) return;
    remote = trusted;
    media.negotiated(trusted);
  }

  function offer(canAskAgain: boolean): Buffer {
    // Later offers repeat the negotiated state.
    if (!remote && !hasGivenUp && srtp !== "off" && ours.length === 0) {
      ours = SRTP_SUITES.map((suite, i) => ({ tag: i + 1, suite, key: options.randomKey() }));
      protocol = srtp === "required" || canAskAgain ? "RTP/SAVP" : "RTP/AVP";
    }
    return written(buildOffer);
  }

  function accept(sdp: string): void {
    // Keys in the answer to an offer without keys are ignored.
    const policy = ours.length === 0 && srtp === "preferred" ? "off" : srtp;
    const { audio, crypto } = parseDescription(sdp, { order: codecOrder, isAnswer: true, srtp: policy });
    checkReach(media, audio);
    const line = crypto && ours.find(({ tag, suite }) => tag === crypto.tag && suite === crypto.suite);
    if (crypto && !line) throw new SipParseError("the answer takes an SRTP key that was not offered");
    if (line) ours = [line];
    else [ours, protocol] = [[], "RTP/AVP"];
    take(audio, crypto && line ? { suite: crypto.suite, ours: line.key, theirs: crypto.key } : null);
  }

  function answer(sdp: string): Buffer {
    const description = parseDescription(sdp, { order: codecOrder, isAnswer: false, srtp });
    const { crypto } = description;
    checkReach(media, description.audio);
    const before = remote?.keys;
    const goesOn = crypto !== null && before?.theirs === crypto.key && before.suite === crypto.suite;
    // A new key of the peer gets a new key of ours: both counters restart, as expected by peers that recreate their
    // context.
    const key = goesOn ? before.ours : options.randomKey();
    ours = crypto ? [{ tag: crypto.tag, suite: crypto.suite, key }] : [];
    protocol = description.section.protocol.toUpperCase() === "RTP/SAVP" ? "RTP/SAVP" : "RTP/AVP";
    take(description.audio, crypto && { suite: crypto.suite, ours: key, theirs: crypto.key });
    return written((ownSide) => buildAnswer(ownSide, description));
  }

  return {
    offer: (canAskAgain = false) => offer(canAskAgain),
    giveUpEncryption() {
      if (srtp !== "preferred" || remote || ours.length === 0) return false;
      [hasGivenUp, ours, protocol] = [true, [], "RTP/AVP"];
      return true;
    },
    accept,
    answer,
    isEncryptionRequired: srtp === "required",
  };
}

/** An IPv4-only socket cannot send to IPv6, nor the other way round. */
function checkReach({ localAddress }: MediaPort, { address }: RemoteAudio): void {
  if (isWildcard(address) || canReach(localAddress, canonicalAddress(address))) return;
  const version = isIP(address) === 6 ? "IPv6" : "IPv4";
  throw new SipParseError(`the audio would go to ${version}, and telephony.sip.address is not of it; "::" is of both`);
}

/** The SDP of a message, or null. Multipart bodies are searched. */
export function sdpOf(message: SipRequest | SipResponse): string | null {
  if (message.body.length === 0) return null;
  const type = message.headers.get("content-type");
  const text = message.body.toString("utf8");
  if (mediaType(type) === SDP_TYPE) return text;
  if (!mediaType(type).startsWith("multipart/")) return null;
  const start = /content-type:\s*application\/sdp[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n/i.exec(text);
  if (!start) return null;
  return text.slice(start.index + start[0].length).split(/\r?\n--/)[0] ?? null;
}
