// Received audio of one source, independent of its codec.
import type { Codec } from "../../audio/codec.ts";
import type { G711Law } from "../../audio/g711.ts";

/** One source and one codec. */
export interface Hearing {
  readonly codec: Codec;
  /** Advances by 20 ms. False for generated silence. */
  pull(): boolean;
  /** The 20 ms in G.711, for the recording. Use it at once: calls may share the memory, here and in `samples`. */
  readonly recordable: Uint8Array;
  readonly law: G711Law;
  /** 160 samples at 8 kHz. */
  samples(): Int16Array;
  /** 320 samples at 16 kHz, including the band above 4 kHz; null on a narrowband line. */
  readonly wide: Int16Array | null;
}
