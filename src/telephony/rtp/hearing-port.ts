// What is heard of one source, whatever its codec.
import type { Codec } from "../../audio/codec.ts";
import type { G711Law } from "../../audio/g711.ts";

/** Of one source and one codec. */
export interface Hearing {
  readonly codec: Codec;
  /** Moves on by 20 ms. False for silence that we made up. */
  pull(): boolean;
  /**
   * The 20 ms in G.711, for the recording. To be used at once: other calls may share the memory, here and in `samples`.
   */
  readonly recordable: Uint8Array;
  readonly law: G711Law;
  /** 160 samples of 8 kHz. */
  samples(): Int16Array;
  /** 320 samples of 16 kHz, with what lies above 4 kHz; null where the line carries no more than 4. */
  readonly wide: Int16Array | null;
}
