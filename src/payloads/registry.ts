// Answers of a registry of numbers, such as India's customer preferences (NCPR) or a national do-not-call list.

export const REGISTRY_VERDICTS = ["allowed", "refused"] as const;
export type RegistryVerdict = (typeof REGISTRY_VERDICTS)[number];
