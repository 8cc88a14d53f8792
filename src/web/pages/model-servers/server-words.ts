// Words for model servers that several pages share.

export const ROLE_WORDS = {
  language: "Language: leads the conversation",
  recognition: "Recognition: speech into words",
  voice: "Voice: words into speech",
} as const;
