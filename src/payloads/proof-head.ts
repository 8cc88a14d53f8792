// Payload of proof.head.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime } from "../core/schema.ts";

export const ProofHeadSchema = Type.Object({
  sequence: Type.Integer({ minimum: 1, description: "Number of the last record of this organisation's chain." }),
  last: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Its hash." }),
  at: isoTime(),
  line: Type.String({ description: "The signed head, as a file for `ringward proof verify --head`." }),
});
export type ProofHeadEvent = Static<typeof ProofHeadSchema>;
