// Signed links to a call's recording and transcript; the holder may fetch the file until the link expires.
import { MINUTE_MS, SECOND_MS, type Clock } from "../core/clock.ts";
import { equalInConstantTime, hmacSha256 } from "../core/hmac.ts";

const MEDIA_FILES = ["recording.wav", "transcript.json"] as const;
export type MediaFile = (typeof MEDIA_FILES)[number];

/** From the contract: 5 minutes from creation. */
export const LINK_LIFE_MS = 5 * MINUTE_MS;

export interface MediaLinks {
  sign(callId: string, file: MediaFile): string;
  /** False for an invalid, expired or modified link. */
  verify(callId: string, file: MediaFile, expires: string, signature: string): boolean;
}

export function createMediaLinks(deps: { clock: Clock; key: Uint8Array; baseUrl: string }): MediaLinks {
  const { clock, key, baseUrl } = deps;
  const signatureOf = (callId: string, file: MediaFile, expires: string) =>
    hmacSha256(key, `${callId}\n${file}\n${expires}`).toString("base64url");
  return {
    sign(callId, file) {
      const expires = String(Math.floor((clock.now() + LINK_LIFE_MS) / SECOND_MS));
      return `${baseUrl}/media/${callId}/${file}?expires=${expires}&signature=${signatureOf(callId, file, expires)}`;
    },
    verify(callId, file, expires, signature) {
      if (!/^[0-9]{1,12}$/.test(expires)) return false;
      return (
        equalInConstantTime(signatureOf(callId, file, expires), signature) && Number(expires) * SECOND_MS > clock.now()
      );
    },
  };
}
