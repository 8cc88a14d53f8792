// Supported codecs, by their SDP names.
import type { G711Law } from "./g711.ts";

export type Codec = "G722" | G711Law;

/** In order of preference. */
export const CODECS: readonly Codec[] = ["G722", "PCMA", "PCMU"];
