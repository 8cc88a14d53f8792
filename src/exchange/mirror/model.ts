// API schemas of the appointments that a source sends.
import { Type, type Static } from "@sinclair/typebox";
import { nameText, visibleName } from "../../core/names.ts";
import { nullable, oneOf, STRICT } from "../../core/schema.ts";
import { givenIdentifiers } from "../../payloads/identifiers.ts";
import { LONGEST_EXTERNAL_ID } from "../../payloads/source.ts";
import { MIRRORED_STATUSES } from "./port.ts";

const text = (maxLength: number, description: string) => Type.Optional(nullable(nameText(maxLength, { description })));

export const SourceAppointmentSchema = Type.Object(
  {
    external_id: visibleName(LONGEST_EXTERNAL_ID, { description: "Id of the appointment in the source." }),
    changed_at: Type.Optional(
      nullable(
        Type.String({
          maxLength: 40,
          description:
            "ISO 8601: the source's own time of this change. The newest wins. Without it, the time of receipt.",
        }),
      ),
    ),
    status: Type.Optional(oneOf(MIRRORED_STATUSES, { description: "`confirmed` without it." })),
    starts_at: Type.Optional(
      Type.String({ maxLength: 40, description: "ISO 8601. Needed for an appointment that is not known yet." }),
    ),
    ends_at: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601. Without it, half an hour later." })),
    branch_id: Type.Optional(
      Type.String({
        maxLength: 36,
        description: "A UUID, registered on first use. Needed unless the organisation has one branch.",
      }),
    ),
    appointment_type_id: Type.Optional(
      nullable(Type.String({ maxLength: 36, description: "The service: a UUID, registered on first use." })),
    ),
    practitioner: Type.Optional(
      nullable(
        Type.Object(
          { id: text(200, "Id in the hospital's own system."), name: text(200, "As it is said and shown.") },
          { [STRICT]: true },
        ),
      ),
    ),
    contact_name: text(200, "The patient's name."),
    contact_number: Type.Optional(nullable(Type.String({ maxLength: 32, description: "E.164, +91 or +1." }))),
    contact_email: text(254, "The patient's e-mail address."),
    contact_identifiers: givenIdentifiers(),
    notes: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  },
  { description: "Fields that are not sent stay as they are; null means that the source has none.", [STRICT]: true },
);
export type SourceAppointmentInput = Static<typeof SourceAppointmentSchema>;

export const MOST_APPOINTMENTS = 500;

const { external_id, ...further } = SourceAppointmentSchema.properties;

export const PutAppointmentsSchema = Type.Object(
  {
    appointments: Type.Optional(
      Type.Array(SourceAppointmentSchema, {
        minItems: 1,
        maxItems: MOST_APPOINTMENTS,
        description: "Several appointments, and no other field.",
      }),
    ),
    external_id: Type.Optional(external_id),
    ...further,
  },
  { description: `One appointment, or a list of at most ${MOST_APPOINTMENTS}.`, [STRICT]: true },
);
export type PutAppointmentsInput = Static<typeof PutAppointmentsSchema>;

export const PUT_APPOINTMENTS_EXAMPLE = {
  external_id: "A-20931",
  changed_at: "2026-11-16T08:12:00+05:30",
  starts_at: "2026-11-18T10:15:00+05:30",
  ends_at: "2026-11-18T10:30:00+05:30",
  branch_id: "0190a1b2-0000-7000-8000-000000000001",
  practitioner: { id: "D-17", name: "Dr. Mehta" },
  contact_name: "Asha Rao",
  contact_number: "+919876543210",
  contact_identifiers: [{ system: "mrn", value: "MRN-004711" }],
};

export const PutOutcomeSchema = Type.Object({
  external_id: Type.String(),
  outcome: oneOf(["created", "updated", "unchanged", "stale", "refused"], {
    description: "`stale`: the source said something newer before. `refused`: see field and message.",
  }),
  appointment_id: nullable(Type.String({ description: "Null where refused." })),
  field: nullable(Type.String()),
  message: nullable(Type.String({ description: "Why it was refused, and what to do." })),
});
export type PutOutcome = Static<typeof PutOutcomeSchema>;

export const PutAnswerSchema = Type.Object({
  data: Type.Array(PutOutcomeSchema, { description: "In the order of the request." }),
});
