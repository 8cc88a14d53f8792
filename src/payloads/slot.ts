// Schema of a calendar window in the API and events.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";

/** In the order of weekdayOf: 0 is Sunday. */
export const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
export type Day = (typeof DAYS)[number];

export const SlotSchema = Type.Object({
  slot_id: Type.String(),
  calendar_id: Type.String({ format: "uuid" }),
  parent_calendar_id: nullable(Type.String()),
  branch_id: Type.String({ format: "uuid" }),
  day: oneOf(DAYS),
  session: oneOf(["Morning", "Afternoon", "Evening"]),
  batch: nullable(Type.String()),
  start_time: Type.String(),
  end_time: Type.String(),
  appointment_type: nullable(Type.String({ description: "The service that the window is restricted to." })),
  max_slots: Type.Integer(),
  ai_slots: Type.Integer(),
  filled_slots: nullable(Type.Integer()),
  available_slots: nullable(Type.Integer()),
  status: oneOf(["OPEN", "CLOSED"]),
  created_at: isoTime(),
  updated_at: isoTime(),
});
export type Slot = Static<typeof SlotSchema>;
