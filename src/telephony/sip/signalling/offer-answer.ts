// One call's SDP on both sides (RFC 3264): what we offered, what the peer said, and telling the media of changes.
import { isWildcard } from "./addresses.ts";
import type { SipRequest, SipResponse } from "./message.ts";
import { mediaType } from "./header-fields.ts";
import {
  buildAnswer,
  buildOffer,
  OUR_DTMF_PAYLOAD_TYPE,
  parseSession,
  type Codec,
  type LocalAudio,
  type RemoteAudio,
} from "./sdp.ts";
import type { AudioTrust, MediaPort } from "./user-agent-port.ts";

export const SDP_TYPE = "application/sdp";

export interface OfferAnswer {
  /** Our offer: the first one, and again where the peer wants to hear it. */
  offer(): Buffer;
  /** Takes the peer's answer to it. Throws SipParseError. */
  accept(sdp: string): void;
  /** Takes the peer's offer and says our answer. Throws SipParseError; nothing has changed then. */
  answer(sdp: string): Buffer;
  readonly hasRemote: boolean;
}

export interface OfferAnswerOptions {
  media: MediaPort;
  codecOrder: readonly Codec[];
  /** What SDP says instead of the media's own address: behind a NAT, or bound to every interface. */
  externalAddress: string | null;
  fallbackAddress: string;
  /** Read with every SDP: a trunk's name may have got other addresses. */
  trust: () => AudioTrust;
  sessionId: number;
}

export function createOfferAnswer(options: OfferAnswerOptions): OfferAnswer {
  const { media, codecOrder } = options;
  const ownAddress = isWildcard(media.localAddress) ? options.fallbackAddress : media.localAddress;
  let version = 0;
  let lastBody = "";
  let remote: (RemoteAudio & AudioTrust) | null = null;

  const local = (): LocalAudio => ({
    address: options.externalAddress ?? ownAddress,
    port: media.localPort,
    codecs: codecOrder,
    dtmfPayloadType: OUR_DTMF_PAYLOAD_TYPE,
    direction: "sendrecv",
    sessionId: options.sessionId,
    version,
  });

  /** The version grows only where something changed (RFC 3264, section 8). */
  function written(build: (local: LocalAudio) => string): Buffer {
    if (build(local()) !== lastBody) {
      version += 1;
      lastBody = build(local());
    }
    return Buffer.from(lastBody);
  }

  function take(audio: RemoteAudio): void {
    const trusted = { ...audio, ...options.trust() };
    if (JSON.stringify(trusted) === JSON.stringify(remote)) return;
    remote = trusted;
    media.negotiated(trusted);
  }

  return {
    offer: () => written(buildOffer),
    accept: (sdp) => take(parseSession(sdp, codecOrder, true).audio),
    answer(sdp) {
      const session = parseSession(sdp, codecOrder, false);
      take(session.audio);
      return written((ours) => buildAnswer(ours, session));
    },
    get hasRemote() {
      return remote !== null;
    },
  };
}

/** The SDP of a message, or null. A body of many parts is searched for it. */
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
