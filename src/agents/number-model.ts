// API schemas of phone numbers.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, PAGE_FIELDS } from "../core/schema.ts";

/** A concurrent call needs a line. */
export const MOST_LINES = 10_000;

const agentId = nullable(
  Type.String({
    maxLength: 64,
    description: "The outbound agent that calls from it, or the inbound agent that answers it. Null: none.",
  }),
);
const lines = Type.Integer({ minimum: 1, maximum: MOST_LINES, description: "Calls at the same time." });
const trunkId = nullable(Type.String({ maxLength: 64, description: "The trunk that carries its calls. Null: none." }));

const number = Type.String({
  maxLength: 32,
  description: "E.164, +91 or +1. It cannot be changed: remove it, and add another.",
});

export const ChangeNumberSchema = Type.Partial(
  Type.Object({ agent_id: agentId, concurrent_calls: lines, trunk_id: trunkId }),
);
export const AddNumberSchema = Type.Object({ number, ...ChangeNumberSchema.properties });

export const ADD_NUMBER_EXAMPLE = {
  number: "+912212345678",
  agent_id: "agt_01k9zv3q5m2n8r4t6w7x9y0abc",
  concurrent_calls: 10,
};

export const NumberSchema = Type.Object({
  phone_number_id: Type.String(),
  number: Type.String(),
  agent_id: agentId,
  concurrent_calls: lines,
  trunk_id: trunkId,
  created_at: isoTime(),
});
export const NumberAnswerSchema = Type.Object({ data: NumberSchema });
export const NumberListSchema = Type.Object({
  data: Type.Array(NumberSchema),
  next_cursor: nullable(Type.String()),
});
export const RemovedNumberSchema = Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }) });

export const ListNumbersQuery = Type.Object(PAGE_FIELDS);
export type ListNumbersInput = Static<typeof ListNumbersQuery>;
