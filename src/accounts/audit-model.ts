// API schemas of the audit trail.
import { Type, type Static } from "@sinclair/typebox";
import { ACTOR_KINDS } from "../core/actor.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";

export const ListAuditQuery = Type.Object({
  action: Type.Optional(
    Type.String({ maxLength: 60, description: "Beginning of an action: `call`, or `call.erased` alone." }),
  ),
  actor_id: Type.Optional(Type.String({ maxLength: 64, description: "Id of a person or a key." })),
  subject_id: Type.Optional(Type.String({ maxLength: 64, description: "Id of the record." })),
  contact_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Id of a patient: entries about their page, calls, appointments and waiting-list entries.",
    }),
  ),
  from: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601, inclusive." })),
  to: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601, exclusive." })),
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListAuditInput = Static<typeof ListAuditQuery>;

const AuditEntrySchema = Type.Object({
  id: Type.String(),
  organisation_id: Type.String(),
  at: isoTime(),
  actor_kind: oneOf(ACTOR_KINDS),
  actor_id: nullable(Type.String()),
  actor_name: nullable(Type.String({ description: "Of a person or a key." })),
  action: Type.String({ description: "Such as `call.erased`." }),
  subject_id: nullable(Type.String()),
  subject_name: nullable(Type.String({ description: "Of a person or a key." })),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: "Ids, counts and settings; no patient's data." }),
  request_id: nullable(Type.String()),
});

export const AuditListSchema = Type.Object({
  data: Type.Array(AuditEntrySchema),
  next_cursor: nullable(Type.String()),
});
