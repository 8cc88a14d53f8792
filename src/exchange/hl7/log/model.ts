// API schemas of the HL7 message log and the preview.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf, PAGE_FIELDS, STRICT } from "../../../core/schema.ts";
import { LOGGED_OUTCOMES } from "./records.ts";

const outcome = oneOf(LOGGED_OUTCOMES, {
  description:
    "unchanged: nothing new. stale: the source said something newer before. merged: a patient became another one. " +
    "refused: see reason.",
});

const LISTED = {
  message_id: Type.String(),
  source_id: Type.String(),
  control_id: Type.String({ description: "MSH-10." }),
  type: Type.String({ description: "MSH-9, such as SIU^S12." }),
  version: Type.String(),
  peer: Type.String({ description: "Address that it came from." }),
  outcome,
  code: oneOf(["AA", "AE", "AR"], { description: "As it was acknowledged." }),
  reason: nullable(Type.String({ description: "Of a refusal." })),
  notes: Type.Array(Type.String(), { description: "What was guessed or left out." }),
  appointment_id: nullable(Type.String()),
  times_received: Type.Integer(),
  may_resend: Type.Boolean({ description: "Its original is still there, so it can be processed again." }),
  created_at: isoTime(),
  updated_at: isoTime(),
};

export const Hl7MessageListSchema = Type.Object({
  data: Type.Array(Type.Object(LISTED)),
  next_cursor: nullable(Type.String()),
});

export const Hl7MessageAnswerSchema = Type.Object({
  data: Type.Object({
    ...LISTED,
    masked: Type.String({ description: "The message without the patient's data." }),
    answer: Type.String({ description: "The acknowledgement." }),
  }),
});

export const ListHl7MessagesQuery = Type.Object({
  source_id: Type.Optional(Type.String({ maxLength: 64 })),
  outcome: Type.Optional(oneOf(LOGGED_OUTCOMES)),
  ...PAGE_FIELDS,
});
export type ListHl7MessagesInput = Static<typeof ListHl7MessagesQuery>;

export const LONGEST_PASTED = 65_536;

export const PreviewHl7Schema = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: LONGEST_PASTED, description: "One message, as text." }),
    source_id: Type.Optional(
      Type.String({ maxLength: 64, description: "Read as from this source; without it, by MSH-3 and MSH-4." }),
    ),
  },
  { [STRICT]: true },
);
export type PreviewHl7Input = Static<typeof PreviewHl7Schema>;

const identifiers = Type.Array(Type.Object({ system: Type.String(), value: Type.String() }));
const text = nullable(Type.String());

export const PreviewedHl7Schema = Type.Object({
  data: Type.Object({
    type: Type.String(),
    version: Type.String(),
    control_id: Type.String(),
    charset: Type.String({ description: "MSH-18; empty if the message has none." }),
    source_id: nullable(Type.String({ description: "The source that this message would belong to." })),
    segments: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
    code: oneOf(["AA", "AE", "AR"], { description: "How it would be acknowledged, unless the mirror refuses it." }),
    reason: text,
    place: nullable(Type.String({ description: "Where the fault is, such as PID-3." })),
    notes: Type.Array(Type.String()),
    appointment: nullable(
      Type.Object({
        external_id: Type.String(),
        changed_at: nullable(isoTime()),
        status: oneOf(["confirmed", "completed", "cancelled", "no_show"]),
        starts_at: nullable(isoTime()),
        ends_at: nullable(isoTime()),
        branch_id: text,
        appointment_type_id: text,
        practitioner: nullable(Type.Object({ id: text, name: text })),
        contact_name: text,
        contact_number: text,
        contact_email: text,
        identifiers,
      }),
    ),
    patient: nullable(
      Type.Object({ identifiers, name: text, number: text, email: text, changed_at: nullable(isoTime()) }),
    ),
    merges: Type.Array(
      Type.Object({
        from: Type.Object({ system: Type.String(), value: Type.String() }),
        to: Type.Object({ system: Type.String(), value: Type.String() }),
        name: text,
      }),
    ),
  }),
});
export type PreviewedHl7 = Static<typeof PreviewedHl7Schema>["data"];
