// The built-in Hindi voices. The prefix `hi-` distinguishes them from English voices of the same name.

export const HINDI_VOICES = ["hi-alpha", "hi-beta", "hi-omega", "hi-psi"] as const;
export type HindiVoice = (typeof HINDI_VOICES)[number];

export const DEFAULT_HINDI_VOICE: HindiVoice = "hi-alpha";

/** Values of an agent's `voice` setting: our names, Kokoro's names, and a male voice if the English one is male. */
const SETTINGS = new Map<string, HindiVoice>([
  ["alpha", "hi-alpha"],
  ["beta", "hi-beta"],
  ["omega", "hi-omega"],
  ["psi", "hi-psi"],
  ["hf_alpha", "hi-alpha"],
  ["hf_beta", "hi-beta"],
  ["hm_omega", "hi-omega"],
  ["hm_psi", "hi-psi"],
  ["michael", "hi-omega"],
  ["am_michael", "hi-omega"],
]);

/** The Hindi voice for an agent's setting; falls back to the default voice. */
export const hindiVoiceNamed = (setting: string): HindiVoice =>
  SETTINGS.get(setting.trim().toLowerCase()) ?? DEFAULT_HINDI_VOICE;
