// Which codecs a call is offered, and takes, best first. Pure.
import { CODECS, type Codec } from "../../../audio/codec.ts";

/**
 * As the trunk's setting says. Where it says nothing, wideband and then the far side's own law, so that nobody on the
 * way has to convert: µ-law in North America, A-law elsewhere.
 */
export function codecOrderFor(setting: readonly Codec[], farNumber: string): readonly Codec[] {
  if (setting.length > 0) return setting;
  return farNumber.startsWith("+1") ? ["G722", "PCMU", "PCMA"] : CODECS;
}
