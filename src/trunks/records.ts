// Trunks, and their state as it was last stored.
import type { Codec } from "../audio/codec.ts";
import { flag, meanings, orNull, words, type Meant } from "../db/meaning.ts";

export const trunkMeaning = meanings<"trunks">()({
  enabled: flag,
  register: flag,
  symmetric_rtp: flag,
  /** `name=+number` */
  extensions: words(),
  /** Best first; none: they are chosen by the number that is called. */
  codecs: words<Codec>(),
  /** None: every number is allowed. */
  allowed_prefixes: words(),
});
export type Trunk = Meant<typeof trunkMeaning>;
export type IdentityHeader = Trunk["identity_header"];
export type NumberFormat = Trunk["number_format"];
export type TrunkTransport = Trunk["transport"];

/** Null where the trunk takes no registration. */
export const trunkStateMeaning = meanings<"trunk_states">()({ is_registered: orNull(flag) });
export type StoredTrunkState = Meant<typeof trunkStateMeaning>;
