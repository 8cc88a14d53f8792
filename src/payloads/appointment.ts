// Schema of an appointment in the API and events.
import { Type, type Static } from "@sinclair/typebox";
import { PLACE_VIEW } from "../core/given-place.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { identifierList } from "./identifiers.ts";
import { PractitionerSchema, WishSchema } from "./source.ts";

export const AppointmentSchema = Type.Object({
  appointment_id: Type.String(),
  status: oneOf(["confirmed", "completed", "cancelled", "no_show"]),
  branch_id: Type.String({ format: "uuid" }),
  slot_id: nullable(
    Type.String({ description: "`<calendar_id>||<YYYY-MM-DD>`; null for an appointment that lives in a source." }),
  ),
  date: Type.String({ format: "date" }),
  start_time: Type.String({ description: "HH:MM in the branch's time zone." }),
  end_time: Type.String({ description: "HH:MM in the branch's time zone." }),
  starts_at: isoTime({
    description:
      "The instant of date and start_time in time_zone. A time that the clock shows twice in autumn means the first.",
  }),
  ends_at: isoTime({ description: "The instant of date and end_time in time_zone." }),
  time_zone: Type.String({ description: "IANA name of the branch's time zone.", examples: ["Asia/Kolkata"] }),
  batch: nullable(Type.String()),
  appointment_type_id: nullable(Type.String({ format: "uuid" })),
  appointment_type_name: nullable(Type.String()),
  contact_name: nullable(Type.String()),
  contact_number: nullable(Type.String()),
  contact_email: nullable(Type.String()),
  contact_identifiers: identifierList(),
  notes: nullable(Type.String()),
  source: oneOf(["ai", "api", "dashboard", "source"], {
    description: "Who booked it; `source`: a system of the hospital.",
  }),
  source_id: nullable(Type.String({ description: "The hospital's system that knows it." })),
  external_id: nullable(Type.String({ description: "Its id in that system." })),
  practitioner: nullable(PractitionerSchema),
  wish: nullable(WishSchema),
  call_id: nullable(Type.String()),
  created_at: isoTime(),
  updated_at: isoTime(),
  cancelled_at: nullable(isoTime()),
  completed_at: nullable(isoTime()),
  contact_confirmed_at: nullable(isoTime({ description: "When the contact said that they will come." })),
  change_requested_at: nullable(isoTime({ description: "When the contact asked for another time and chose none." })),
  contact_moved_at: nullable(isoTime({ description: "When the contact chose another time on the telephone." })),
  contact_cancelled_at: nullable(isoTime({ description: "When the contact cancelled it on the telephone." })),
  ...PLACE_VIEW,
});
export type Appointment = Static<typeof AppointmentSchema>;
