// Encryption at rest as it is in a data folder, for the doctor and /readyz.
import { ringOf } from "./folder-keys.ts";
import { isKeyOutside, NO_KEY_SOURCE } from "./key-source.ts";
import type { Place } from "./port.ts";

export type EncryptionState =
  | "on"
  /** The key lies in the data folder, where it protects nothing. */
  | "on, key beside"
  | "off"
  /** The settings would encrypt a new installation. */
  | "off, key outside"
  /** `ringward encrypt` or `ringward decrypt` was cut off. */
  | "encrypt"
  | "decrypt"
  /** Two root keys open the data until the first start with the new one. */
  | "key change";

export function encryptionState(place: Place): EncryptionState {
  const ring = ringOf(place);
  if (ring !== null && ring.converting !== null) return ring.converting;
  if (ring !== null && ring.openedBy !== "only") return "key change";
  const isOutside = isKeyOutside(place.dataDir, place.security ?? NO_KEY_SOURCE);
  if (ring !== null && ring.current !== null) return isOutside ? "on" : "on, key beside";
  return isOutside && place.security?.encrypt === "auto" ? "off, key outside" : "off";
}

/** For /readyz; null if there is nothing to do. */
export function encryptionNote(place: Place): string | null {
  const state = encryptionState(place);
  if (state === "encrypt" || state === "decrypt")
    return `The conversion was cut off. Stop the server and run "ringward ${state} --yes" again.`;
  if (state === "off, key outside") return 'The data is not encrypted. "ringward encrypt" encrypts it.';
  return state === "on, key beside" ? "The key lies beside the encrypted data and protects nothing." : null;
}
