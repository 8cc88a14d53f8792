// The built-in voices. An agent's `voice` setting names one of them, in each language in its own way.
import { HINDI_VOICES, type HindiVoice } from "./hindi/voices.ts";

export const VOICE_NAMES = ["heart", "michael", "emma", "alpha"] as const;
export type VoiceName = (typeof VOICE_NAMES)[number];

/** All that the neural voice has; the name tells the language. */
export type BuiltInVoice = VoiceName | HindiVoice;

export const isHindiVoice = (voice: BuiltInVoice): voice is HindiVoice => HINDI_VOICES.some((name) => name === voice);

export const DEFAULT_VOICE: VoiceName = "heart";

/** Kokoro's own names: where a voice comes from, and whether it is a woman's or a man's. */
const KOKORO = new Map<string, VoiceName>([
  ["af_heart", "heart"],
  ["am_michael", "michael"],
  ["bf_emma", "emma"],
  ["hf_alpha", "alpha"],
]);

/** What an agent's setting means; "default" and what nobody knows is the default voice. */
export function voiceNamed(setting: string): VoiceName {
  const wanted = setting.trim().toLowerCase();
  return VOICE_NAMES.find((name) => name === wanted) ?? KOKORO.get(wanted) ?? DEFAULT_VOICE;
}
