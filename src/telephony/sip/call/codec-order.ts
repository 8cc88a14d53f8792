// Codec preference of a call, for offers and answers. Pure function.
import { CODECS, type Codec } from "../../../audio/codec.ts";

/**
 * The trunk's setting. By default wideband first and then the far side's G.711 law, which avoids transcoding: µ-law in
 * North America, A-law elsewhere.
 */
export function codecOrderFor(setting: readonly Codec[], farNumber: string): readonly Codec[] {
  if (setting.length > 0) return setting;
  return farNumber.startsWith("+1") ? ["G722", "PCMU", "PCMA"] : CODECS;
}
