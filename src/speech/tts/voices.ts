// The built-in voices. An agent's `voice` setting names one; each language interprets it.
import { HINDI_VOICES, type HindiVoice } from "./hindi/voices.ts";

export const VOICE_NAMES = ["heart", "michael", "emma", "alpha"] as const;
export type VoiceName = (typeof VOICE_NAMES)[number];

/** All neural voices; the name implies the language. */
export type BuiltInVoice = VoiceName | HindiVoice;

export const isHindiVoice = (voice: BuiltInVoice): voice is HindiVoice => HINDI_VOICES.some((name) => name === voice);

export const DEFAULT_VOICE: VoiceName = "heart";

/** Kokoro's names, which encode origin and gender. */
const KOKORO = new Map<string, VoiceName>([
  ["af_heart", "heart"],
  ["am_michael", "michael"],
  ["bf_emma", "emma"],
  ["hf_alpha", "alpha"],
]);

/** The voice for an agent's setting; "default" and unknown names give the default voice. */
export function voiceNamed(setting: string): VoiceName {
  const wanted = setting.trim().toLowerCase();
  return VOICE_NAMES.find((name) => name === wanted) ?? KOKORO.get(wanted) ?? DEFAULT_VOICE;
}
