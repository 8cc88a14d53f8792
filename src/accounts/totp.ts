// One-time codes of authenticator apps: TOTP (RFC 6238) over HMAC-SHA1 with six digits and steps of 30 seconds, the
// only parameters that every app supports.
import { createHmac } from "node:crypto";
import { MINUTE_MS, SECOND_MS } from "../core/clock.ts";
import { equalInConstantTime } from "../core/hmac.ts";

export const STEP_MS = 30 * SECOND_MS;
const DIGITS = 6;
/** RFC 4226, section 4: the secret should have the 160 bits of the hash. */
export const TOTP_SECRET_BYTES = 20;
/** One step before and after: clocks differ, and typing takes time (RFC 6238, section 5.2). */
const STEPS_ACCEPTED = 1;
/** Clocks that differ by more than this are reported as a wrong code only. */
const STEPS_RECOGNISED = 20;

/** RFC 4226, section 5.3. */
export function hotp(secret: Uint8Array, counter: number, digits = DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac("sha1", secret).update(message).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text);

/** The step of a code that is valid now, or null. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | null {
  return stepAround(secret, code, now, 0, STEPS_ACCEPTED);
}

/**
 * How many minutes the app's clock is ahead of ours, by a code that is not valid now; null if it is no code of ours.
 */
export function minutesAhead(secret: Uint8Array, code: string, now: number): number | null {
  const step = stepAround(secret, code, now, STEPS_ACCEPTED + 1, STEPS_RECOGNISED);
  return step === null ? null : ((step - stepAt(now)) * STEP_MS) / MINUTE_MS;
}

function stepAround(secret: Uint8Array, code: string, now: number, least: number, most: number): number | null {
  const present = stepAt(now);
  let found: number | null = null;
  for (let away = most; away >= least; away--) {
    for (const step of [present - away, present + away]) {
      if (step >= 0 && equalInConstantTime(hotp(secret, step), code)) found = step;
    }
  }
  return found;
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, section 6, without padding: the form in which apps take a secret. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let held = 0;
  let text = "";
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((held >> bits) & 31);
      held &= (1 << bits) - 1;
    }
  }
  return bits === 0 ? text : text + BASE32.charAt((held << (5 - bits)) & 31);
}

export function bytesOfBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of text) {
    held = (held << 5) | BASE32.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
}

/** The address in the QR code (Key URI format of authenticator apps). */
export function otpauthUrl(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
