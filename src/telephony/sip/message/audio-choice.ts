// Selects the audio section of an SDP: encrypted before unencrypted if both are offered; otherwise gives the reason why
// none is usable. Pure functions.
import { EncryptionRefusal, SipParseError } from "./parse-error.ts";
import type { CryptoLine, SectionCrypto } from "./sdes.ts";
import type { SrtpPolicy } from "../../../trunks/trunk-settings.ts";

/** The relevant fields of a media section. */
interface OfferedMedia {
  kind: string;
  port: number;
  protocol: string;
  crypto: SectionCrypto;
}

export interface AudioChoice<Section extends OfferedMedia> {
  section: Section;
  /** The peer's key; null for unencrypted audio. */
  crypto: CryptoLine | null;
}

type Verdict = { crypto: CryptoLine | null } | { refusal: string };

const REFUSAL = {
  noAudio: "the SDP has no audio over RTP",
  dtls: "the audio is offered as DTLS-SRTP, which is not supported; let the other side use SRTP with SDES over TLS",
  off: "the audio is offered as SRTP alone, which is off for this trunk or would send its keys in clear; use TLS and set srtp",
  unusable: "the audio is offered as SRTP with no key that can be used (AES_CM_128_HMAC_SHA1_80 or _32, without MKI)",
  required: "the audio is offered in clear, and the trunk's setting srtp = required forbids that",
} as const;

/** Throws SipParseError with the reason if no section is usable. */
export function chooseAudio<Section extends OfferedMedia>(
  sections: readonly Section[],
  srtp: SrtpPolicy,
  isAnswer: boolean,
): AudioChoice<Section> {
  let clear: AudioChoice<Section> | null = null;
  let refusal: string | null = null;
  for (const section of sections) {
    if (section.kind !== "audio" || section.port === 0) continue;
    const verdict = judge(section, srtp, isAnswer);
    if ("refusal" in verdict) refusal ??= verdict.refusal;
    else if (verdict.crypto) return { section, crypto: verdict.crypto };
    else clear ??= { section, crypto: null };
  }
  if (clear) return clear;
  if (refusal === null || refusal === REFUSAL.noAudio) throw new SipParseError(REFUSAL.noAudio);
  throw new EncryptionRefusal(refusal);
}

function judge({ protocol, crypto }: OfferedMedia, srtp: SrtpPolicy, isAnswer: boolean): Verdict {
  const key = crypto.usable[0] ?? null;
  switch (protocol.toUpperCase()) {
    // Keys with plain RTP are how some peers offer optional encryption.
    case "RTP/AVP":
      if (key && srtp !== "off") return { crypto: key };
      return srtp === "required" ? { refusal: REFUSAL.required } : { crypto: null };
    case "RTP/SAVP":
      if (srtp === "off") return { refusal: REFUSAL.off };
      if (key) return { crypto: key };
      // Some peers echo our protocol and still send unencrypted audio; the setting decides whether that is acceptable.
      return isAnswer && srtp === "preferred" && crypto.lines === 0 ? { crypto: null } : { refusal: REFUSAL.unusable };
    case "UDP/TLS/RTP/SAVP":
    case "UDP/TLS/RTP/SAVPF":
      return { refusal: REFUSAL.dtls };
    default:
      return { refusal: REFUSAL.noAudio };
  }
}
