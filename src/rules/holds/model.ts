// API schemas of retention holds.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../../core/schema.ts";

export const HOLD_SUBJECTS = ["call", "person", "organisation"] as const;

const reason = (description: string) => Type.String({ minLength: 3, maxLength: 500, description });

export const CreateHoldSchema = Type.Object({
  subject: oneOf(HOLD_SUBJECTS, { description: "What is kept: one call, everything about a person, or everything." }),
  call_id: Type.Optional(Type.String({ maxLength: 64, description: "With `call`." })),
  contact_number: Type.Optional(Type.String({ maxLength: 32, description: "With `person`: E.164." })),
  reason: reason("Why it must be kept, for example a case number."),
  until: Type.Optional(
    nullable(Type.String({ maxLength: 40, description: "ISO 8601. Without it the hold lasts until it is released." })),
  ),
});
export type CreateHoldInput = Static<typeof CreateHoldSchema>;

export const ReleaseHoldSchema = Type.Object({ reason: reason("Why it need not be kept any longer.") });

export const HoldSchema = Type.Object({
  hold_id: Type.String(),
  subject: oneOf(HOLD_SUBJECTS),
  call_id: nullable(Type.String()),
  contact_number: nullable(Type.String()),
  reason: Type.String(),
  in_force: Type.Boolean(),
  created_at: isoTime(),
  created_by: Type.String({ description: "Id of the person or key, or `cli`." }),
  until: nullable(isoTime()),
  released_at: nullable(isoTime()),
  released_by: nullable(Type.String()),
  release_reason: nullable(Type.String()),
});
export type Hold = Static<typeof HoldSchema>;

export const ListHoldsQuery = Type.Object({
  in_force: Type.Optional(
    Type.String({ pattern: "^(true|false)$", description: "true lists only holds that are in force." }),
  ),
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListHoldsInput = Static<typeof ListHoldsQuery>;

export const HoldAnswerSchema = Type.Object({ data: HoldSchema });
export const HoldListSchema = Type.Object({ data: Type.Array(HoldSchema), next_cursor: nullable(Type.String()) });
