// Kokoro's Hindi voices, by the names that an agent's `voice` setting may have.

export const HINDI_VOICES = ["alpha", "beta", "omega", "psi"] as const;
export type HindiVoice = (typeof HINDI_VOICES)[number];

export const DEFAULT_HINDI_VOICE: HindiVoice = "alpha";

/** Kokoro's own names, and a man's voice for who chose one in English. */
const OTHERS = new Map<string, HindiVoice>([
  ["hf_alpha", "alpha"],
  ["hf_beta", "beta"],
  ["hm_omega", "omega"],
  ["hm_psi", "psi"],
  ["michael", "omega"],
  ["am_michael", "omega"],
]);

/** What an agent's setting means; what nobody knows is the default voice. */
export function hindiVoiceNamed(setting: string): HindiVoice {
  const wanted = setting.trim().toLowerCase();
  return HINDI_VOICES.find((name) => name === wanted) ?? OTHERS.get(wanted) ?? DEFAULT_HINDI_VOICE;
}
