// API schemas of the do-not-disturb list.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../../core/schema.ts";
import { CONSENT_SOURCES } from "../../payloads/consent.ts";

/** Numbers of one request. A longer list is sent in parts. */
const MOST_NUMBERS = 1_000;

const number = Type.String({ maxLength: 32, description: "E.164, +91 or +1." });

export const NumbersSchema = Type.Object({
  numbers: Type.Array(number, { minItems: 1, maxItems: MOST_NUMBERS }),
});
export const NumberSchema = Type.Object({ number });

export const ListDoNotDisturbQuery = Type.Object({
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListDoNotDisturbInput = Static<typeof ListDoNotDisturbQuery>;

const source = nullable(oneOf(CONSENT_SOURCES, { description: "How the number came onto the list, where known." }));
const callId = nullable(Type.String({ description: "The call in which the callee asked for it." }));

export const DoNotDisturbListSchema = Type.Object({
  data: Type.Array(Type.Object({ number: Type.String(), added_at: isoTime(), source, call_id: callId })),
  next_cursor: nullable(Type.String()),
});

export const LookedUpNumbersSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      number: Type.String(),
      listed: Type.Boolean({ description: "The number is on the list and is not called." }),
      added_at: nullable(isoTime()),
      source,
      call_id: callId,
    }),
  ),
});

export const AddedNumbersSchema = Type.Object({
  data: Type.Object({
    added: Type.Integer({ description: "Numbers that were not on the list before." }),
    already: Type.Integer({ description: "Numbers that were on the list already." }),
  }),
});

export const RemovedNumberSchema = Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }) });
