// The codecs that calls can be spoken in, as SDP names them.
import type { G711Law } from "./g711.ts";

export type Codec = "G722" | G711Law;

/** All of them, the best first. */
export const CODECS: readonly Codec[] = ["G722", "PCMA", "PCMU"];
