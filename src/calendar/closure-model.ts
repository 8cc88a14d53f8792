// Schemas of the closure routes.
import { Type, type Static } from "@sinclair/typebox";
import { nameText } from "../core/names.ts";
import { nullable, oneOf } from "../core/schema.ts";
import type { Appointment } from "../payloads/appointment.ts";

export const CHOICES = ["move", "call", "leave"] as const;

/** Most people that are listed one by one; the choice for all applies to the rest. */
export const MOST_PEOPLE = 1_000;
export const MOST_RANGES = 60;
const MOST_BRANCHES = 200;

const date = Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD" });

export const ClosureScopeSchema = Type.Object({
  branch_ids: Type.Array(Type.String({ maxLength: 36 }), { minItems: 1, maxItems: MOST_BRANCHES }),
  window_id: Type.Optional(nullable(Type.String({ maxLength: 36 }))),
  ranges: Type.Array(Type.Object({ from: date, to: date, name: Type.Optional(nullable(nameText(100))) }), {
    minItems: 1,
    maxItems: MOST_RANGES,
  }),
});
export type ClosureScopeInput = Static<typeof ClosureScopeSchema>;

export const CloseSchema = Type.Composite([
  ClosureScopeSchema,
  Type.Object({
    otherwise: oneOf(CHOICES),
    /** Disables the named window altogether, beyond these days too. */
    disables_window: Type.Optional(Type.Boolean()),
    agent_id: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    people: Type.Optional(
      Type.Array(
        Type.Object({
          appointment_id: Type.String({ maxLength: 64 }),
          choice: oneOf(CHOICES),
          slot_id: Type.Optional(nullable(Type.String({ maxLength: 130 }))),
        }),
        { maxItems: MOST_PEOPLE },
      ),
    ),
  }),
]);
export type CloseInput = Static<typeof CloseSchema>;

export const ReopenSchema = Type.Object({
  /** Keeps calling contacts in campaigns about these days; without it those calls are cancelled. */
  keeps_calling: Type.Optional(Type.Boolean()),
});
export type ReopenInput = Static<typeof ReopenSchema>;

export interface PlaceShown {
  slot_id: string;
  date: string;
  start_time: string;
  end_time: string;
}

export interface ClosurePreview {
  /** Number of open windows on their dates. */
  windows: number;
  people: { appointment: Appointment; next_place: PlaceShown | null }[];
  /** Whether more appointments exist than are listed. */
  has_more: boolean;
}
