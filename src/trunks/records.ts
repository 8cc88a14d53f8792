// Records of trunks and of their last stored state.
import type { Codec } from "../audio/codec.ts";
import { flag, meanings, orNull, words, type Meant } from "../db/meaning.ts";

export const trunkMeaning = meanings<"trunks">()({
  enabled: flag,
  register: flag,
  symmetric_rtp: flag,
  /** `name=+number` */
  extensions: words(),
  /** In order of preference; empty: chosen by the called number. */
  codecs: words<Codec>(),
  /** Empty: every number is allowed. */
  allowed_prefixes: words(),
});
export type Trunk = Meant<typeof trunkMeaning>;
export type IdentityHeader = Trunk["identity_header"];
export type NumberFormat = Trunk["number_format"];
export type TrunkTransport = Trunk["transport"];

/** Null if the trunk does not register. */
export const trunkStateMeaning = meanings<"trunk_states">()({ is_registered: orNull(flag) });
export type StoredTrunkState = Meant<typeof trunkStateMeaning>;
