// The built-in Hindi voices. `hi-` tells them from a voice of the same name that speaks English.

export const HINDI_VOICES = ["hi-alpha", "hi-beta", "hi-omega", "hi-psi"] as const;
export type HindiVoice = (typeof HINDI_VOICES)[number];

export const DEFAULT_HINDI_VOICE: HindiVoice = "hi-alpha";

/** An agent's `voice` setting: our names, Kokoro's own, and a man's voice where the English one is a man's. */
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

/** What an agent's setting means in Hindi; an unknown name is the default voice. */
export const hindiVoiceNamed = (setting: string): HindiVoice =>
  SETTINGS.get(setting.trim().toLowerCase()) ?? DEFAULT_HINDI_VOICE;
