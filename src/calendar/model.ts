// Schemas of the calendar routes.
import { Type, type Static } from "@sinclair/typebox";
import { nameText, visibleName } from "../core/names.ts";
import { PLACE_INPUT } from "../core/given-place.ts";
import { nullable, oneOf } from "../core/schema.ts";
import { AppointmentSchema } from "../payloads/appointment.ts";
import { givenIdentifiers, identifierSystem, identifierValue } from "../payloads/identifiers.ts";
import { LONGEST_EXTERNAL_ID, WISHES, WISH_ANSWERS } from "../payloads/source.ts";
import { DAYS, SlotSchema } from "../payloads/slot.ts";
import { APPOINTMENT_STATUSES } from "./appointment-state.ts";
import { SESSIONS } from "./days.ts";

const UUID_PATTERN = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
const uuid = (description: string) =>
  Type.String({ maxLength: 36, pattern: UUID_PATTERN, description, allowed: "a UUID" });
const clockTime = (description: string) =>
  Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", description, allowed: "a time as HH:MM" });
const slotCount = (description: string) => Type.Integer({ minimum: 0, maximum: 100_000, description });
const statusWord = oneOf(["OPEN", "CLOSED"]);
const batchName = nullable(
  Type.String({ maxLength: 100, description: "Copied to appointments that are made in the window." }),
);

export const CreateWindowSchema = Type.Object({
  branch_id: uuid("A UUID of the hospital's own; registered on first use."),
  day: oneOf(DAYS),
  session: oneOf(SESSIONS),
  ai_slots: slotCount("How many of the slots the AI agent may book."),
  max_slots: Type.Optional(slotCount("All slots; at least ai_slots. Without it, as many as ai_slots.")),
  start_time: Type.Optional(nullable(clockTime("HH:MM; without it, when the session begins."))),
  end_time: Type.Optional(nullable(clockTime("HH:MM; without it, when the session ends."))),
  batch_name: Type.Optional(batchName),
  appointment_type_id: Type.Optional(nullable(uuid("Restricts the window to one service."))),
  status: Type.Optional(statusWord),
});
export type CreateWindowInput = Static<typeof CreateWindowSchema>;

export const CREATE_WINDOW_EXAMPLE = {
  branch_id: "0190a1b2-0000-7000-8000-000000000001",
  day: "monday",
  session: "Morning",
  ai_slots: 4,
  max_slots: 10,
  batch_name: "A",
};

export const PatchWindowSchema = Type.Object({
  day: Type.Optional(oneOf(DAYS)),
  session: Type.Optional(oneOf(SESSIONS)),
  start_time: Type.Optional(clockTime("HH:MM")),
  end_time: Type.Optional(clockTime("HH:MM")),
  max_slots: Type.Optional(slotCount("At least ai_slots.")),
  ai_slots: Type.Optional(slotCount("At most max_slots.")),
  batch_name: Type.Optional(batchName),
  status: Type.Optional(statusWord),
});
export type PatchWindowInput = Static<typeof PatchWindowSchema>;

export const WindowAnswerSchema = Type.Object({ success: Type.Literal(true), data: SlotSchema });

export const WindowListSchema = Type.Object({ success: Type.Literal(true), data: Type.Array(SlotSchema) });

export const DateQuerySchema = Type.Object({
  branch_id: Type.Optional(uuid("Of this branch only.")),
  from: Type.Optional(
    Type.String({
      maxLength: 10,
      allowed: "a date as YYYY-MM-DD",
      description: "YYYY-MM-DD in the branch's zone; today without it.",
    }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 10,
      allowed: "a date as YYYY-MM-DD",
      description: "YYYY-MM-DD, included; at most 92 days.",
    }),
  ),
  appointment_type_id: Type.Optional(uuid("Windows that serve this service.")),
  session: Type.Optional(oneOf(SESSIONS)),
});
export type DateQuery = Static<typeof DateQuerySchema>;

export const DatedSlotSchema = Type.Object({
  ...SlotSchema.properties,
  date: Type.String({ format: "date" }),
  ai_filled_slots: Type.Integer(),
  ai_available_slots: Type.Integer(),
});
export type DatedSlot = Static<typeof DatedSlotSchema>;

const TrackingRecordSchema = Type.Object({
  ...DatedSlotSchema.properties,
  overridden: Type.Boolean({ description: "Whether this date differs from its window." }),
});

export const AvailabilitySchema = Type.Object({ success: Type.Literal(true), data: Type.Array(DatedSlotSchema) });
export const TrackingListSchema = Type.Object({ success: Type.Literal(true), data: Type.Array(TrackingRecordSchema) });
export const TrackingAnswerSchema = Type.Object({ success: Type.Literal(true), data: TrackingRecordSchema });

export const PatchTrackingSchema = Type.Object({
  max_slots: Type.Optional(nullable(slotCount("For this date alone; null goes back to the window's."))),
  ai_slots: Type.Optional(nullable(slotCount("For this date alone; null goes back to the window's."))),
  status: Type.Optional(
    nullable(oneOf(["OPEN", "CLOSED"], { description: "A holiday is CLOSED; null goes back to the window's." })),
  ),
});
export type PatchTrackingInput = Static<typeof PatchTrackingSchema>;

export const RegenerateSchema = Type.Object({
  branch_id: uuid("The branch."),
  from: Type.Optional(Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD" })),
  to: Type.Optional(Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD" })),
  reset_overrides: Type.Optional(Type.Boolean({ description: "Also drop what was changed for single dates." })),
});

export const RegeneratedSchema = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    branch_id: Type.String(),
    from: Type.String(),
    to: Type.String(),
    dates: Type.Integer(),
    overrides_dropped: Type.Integer(),
  }),
});

const contact = {
  contact_name: Type.Optional(nullable(nameText(200))),
  contact_number: Type.Optional(nullable(Type.String({ maxLength: 32, description: "E.164, +91 or +1." }))),
  contact_email: Type.Optional(nullable(nameText(254))),
  contact_identifiers: givenIdentifiers(),
  notes: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  ...PLACE_INPUT,
};

const link = {
  source_id: Type.Optional(nullable(Type.String({ maxLength: 64, description: "A source that knows it." }))),
  external_id: Type.Optional(
    nullable(visibleName(LONGEST_EXTERNAL_ID, { description: "Its id in that source, which no other has." })),
  ),
  practitioner: Type.Optional(
    nullable(
      Type.Object({
        id: Type.Optional(nullable(nameText(200, { description: "Id in the hospital's own system." }))),
        name: Type.Optional(nullable(nameText(200))),
      }),
    ),
  ),
};

export const CreateAppointmentSchema = Type.Object({
  slot_id: Type.String({
    maxLength: 130,
    description: "`<calendar_id>||<YYYY-MM-DD>`, as the availability answers it.",
  }),
  appointment_type_id: Type.Optional(nullable(uuid("The service; not needed where the window is restricted to one."))),
  ...contact,
  ...link,
});
export type CreateAppointmentInput = Static<typeof CreateAppointmentSchema>;

export const PatchAppointmentSchema = Type.Object({
  slot_id: Type.Optional(Type.String({ maxLength: 130, description: "Another window or date: reschedules." })),
  status: Type.Optional(oneOf(APPOINTMENT_STATUSES)),
  appointment_type_id: Type.Optional(nullable(uuid("The service."))),
  ...contact,
  ...link,
  wish: Type.Optional(
    nullable(
      Type.Object(
        {
          wish: oneOf(WISHES),
          text: Type.Optional(nullable(nameText(200, { description: "The time that is asked for." }))),
        },
        {
          description:
            "Asks the source that owns the appointment to cancel or move it. Null takes an open wish back. " +
            "The status `cancelled` is the same wish.",
        },
      ),
    ),
  ),
});
export type PatchAppointmentInput = Static<typeof PatchAppointmentSchema>;

export const ListAppointmentsQuery = Type.Object({
  status: Type.Optional(oneOf(APPOINTMENT_STATUSES)),
  branch_id: Type.Optional(uuid("Of this branch only.")),
  appointment_type_id: Type.Optional(uuid("Of this service only.")),
  contact_number: Type.Optional(Type.String({ maxLength: 32, description: "E.164; encode the plus as %2B." })),
  call_id: Type.Optional(Type.String({ maxLength: 64 })),
  source_id: Type.Optional(Type.String({ maxLength: 64, description: "Known to this source." })),
  external_id: Type.Optional(
    Type.String({ maxLength: LONGEST_EXTERNAL_ID, description: "With this id in that source." }),
  ),
  from: Type.Optional(
    Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD", description: "Appointment date from, YYYY-MM-DD." }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD", description: "Appointment date to, included." }),
  ),
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListAppointmentsInput = Static<typeof ListAppointmentsQuery>;

export const AnswerWishSchema = Type.Object({
  state: oneOf(WISH_ANSWERS, {
    description: "`agreed` cancels the appointment, where that was the wish. After a wish to move, send the new time.",
  }),
});

export const SearchAppointmentsSchema = Type.Object({
  identifier: Type.Object(
    { system: identifierSystem(), value: identifierValue() },
    { description: "Of the person, exactly as it was given." },
  ),
  status: Type.Optional(oneOf(APPOINTMENT_STATUSES)),
  from: ListAppointmentsQuery.properties.from,
  to: ListAppointmentsQuery.properties.to,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "20 without it." })),
  cursor: ListAppointmentsQuery.properties.cursor,
});
export type SearchAppointmentsInput = Static<typeof SearchAppointmentsSchema>;

export const AppointmentAnswerSchema = Type.Object({ data: AppointmentSchema });
export const AppointmentListSchema = Type.Object({
  data: Type.Array(AppointmentSchema),
  next_cursor: nullable(Type.String()),
});

export const ConfigurationSchema = Type.Object({
  data: Type.Object({
    time_zone: Type.String(),
    branches: Type.Array(
      Type.Object({ branch_id: Type.String(), name: nullable(Type.String()), time_zone: Type.String() }),
    ),
    sessions: Type.Array(Type.Object({ session: oneOf(SESSIONS), start_time: Type.String(), end_time: Type.String() })),
    statuses: Type.Array(oneOf(APPOINTMENT_STATUSES)),
    max_query_days: Type.Integer(),
  }),
});

export const ServicesSchema = Type.Object({
  data: Type.Array(Type.Object({ appointment_type_id: Type.String(), appointment_type_name: nullable(Type.String()) })),
});

export const OpenSlotsSchema = Type.Object({ data: Type.Array(DatedSlotSchema) });
