// Trunks, and their state as it was last stored.
import type { Row } from "../db/tables.ts";

export type StoredTrunkState = Row<"trunk_states">;
export type Trunk = Row<"trunks">;

export type IdentityHeader = Trunk["identity_header"];
export type NumberFormat = Trunk["number_format"];
export type TrunkTransport = Trunk["transport"];
