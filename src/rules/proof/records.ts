// Rows of proofs and of their keys.
import type { Row } from "../../db/tables.ts";

export type StoredProof = Row<"proofs">;
export type UnsealedProof = Row<"unsealed_proofs">;
export type ProofKey = Row<"proof_keys">;
