// Schemas of the closure routes.
import { Type, type Static } from "@sinclair/typebox";
import { nameText } from "../core/names.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { AppointmentSchema } from "../payloads/appointment.ts";
import type { ClosureState } from "./records.ts";

export const CHOICES = ["move", "call", "leave"] as const;
const CLOSURE_STATES = [
  "closing",
  "moving",
  "calling",
  "closed",
  "reopening",
  "reopened",
] as const satisfies ClosureState[];

/** Most people that are listed one by one; the choice for all applies to the rest. */
export const MOST_PEOPLE = 1_000;
export const MOST_RANGES = 60;
const MOST_BRANCHES = 200;

const date = Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD" });
const choice = oneOf(CHOICES, {
  description: "move: to the next free slot of the same service; call: by `agent_id`; leave: keep the appointment.",
});

export const ClosureScopeSchema = Type.Object({
  branch_ids: Type.Array(Type.String({ maxLength: 36 }), { minItems: 1, maxItems: MOST_BRANCHES }),
  window_id: Type.Optional(
    nullable(Type.String({ maxLength: 36, description: "Closes this window alone; without it, every window." })),
  ),
  ranges: Type.Array(Type.Object({ from: date, to: date, name: Type.Optional(nullable(nameText(100))) }), {
    minItems: 1,
    maxItems: MOST_RANGES,
    description: "Days, both included, at most two years ahead. Each range is a closure of its own.",
  }),
});
export type ClosureScopeInput = Static<typeof ClosureScopeSchema>;

export const CloseSchema = Type.Composite([
  ClosureScopeSchema,
  Type.Object({
    otherwise: choice,
    disables_window: Type.Optional(
      Type.Boolean({ description: "Disables the window of `window_id` altogether, beyond these days too." }),
    ),
    agent_id: Type.Optional(
      nullable(Type.String({ maxLength: 64, description: "An outbound agent; required where people are called." })),
    ),
    people: Type.Optional(
      Type.Array(
        Type.Object({
          appointment_id: Type.String({ maxLength: 64 }),
          choice,
          slot_id: Type.Optional(nullable(Type.String({ maxLength: 130, description: "Where to move." }))),
        }),
        { maxItems: MOST_PEOPLE, description: "Choices that differ from `otherwise`." },
      ),
    ),
  }),
]);
export type CloseInput = Static<typeof CloseSchema>;

export const ReopenSchema = Type.Object({
  keeps_calling: Type.Optional(
    Type.Boolean({
      description: "Keeps the calls about these days that are not dialled yet; else they are cancelled.",
    }),
  ),
});
export type ReopenInput = Static<typeof ReopenSchema>;

const PlaceShownSchema = Type.Object({
  slot_id: Type.String(),
  date: Type.String({ format: "date" }),
  start_time: Type.String(),
  end_time: Type.String(),
});
export type PlaceShown = Static<typeof PlaceShownSchema>;

const ClosurePreviewSchema = Type.Object({
  windows: Type.Integer({ description: "Number of open windows on their dates." }),
  people: Type.Array(
    Type.Object({
      appointment: AppointmentSchema,
      next_place: nullable(PlaceShownSchema),
    }),
    { description: `At most ${MOST_PEOPLE}, each with the next free slot of the same service.` },
  ),
  has_more: Type.Boolean({ description: "Whether more people are booked than are listed." }),
});
export type ClosurePreview = Static<typeof ClosurePreviewSchema>;

const ClosureSchema = Type.Object({
  closure_id: Type.String(),
  name: nullable(Type.String()),
  from: Type.String({ format: "date" }),
  to: Type.String({ format: "date" }),
  window_id: nullable(Type.String({ format: "uuid" })),
  branch_ids: Type.Array(Type.String({ format: "uuid" })),
  state: oneOf(CLOSURE_STATES),
  otherwise: choice,
  campaign_id: nullable(Type.String({ description: "The campaign that calls people about these days." })),
  people: Type.Object({
    moved: Type.Integer(),
    called: Type.Integer(),
    left: Type.Integer(),
    waiting: Type.Integer({ description: "Not yet moved or called." }),
    refused: Type.Integer({ description: "Could not be moved or called." }),
  }),
  created_at: isoTime(),
  updated_at: isoTime(),
});
export type ClosureView = Static<typeof ClosureSchema>;

export const ListClosuresQuery = Type.Object({
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListClosuresInput = Static<typeof ListClosuresQuery>;

export const ClosureAnswerSchema = Type.Object({ data: ClosureSchema });
export const ClosureListSchema = Type.Object({ data: Type.Array(ClosureSchema), next_cursor: nullable(Type.String()) });
export const ClosurePreviewAnswerSchema = Type.Object({ data: ClosurePreviewSchema });
export const ClosedSchema = Type.Object({
  data: Type.Object({ closure_ids: Type.Array(Type.String(), { description: "In the order of the ranges." }) }),
});
export const RefusedSchema = Type.Object({ data: Type.Array(AppointmentSchema) });

export const CLOSE_EXAMPLE = {
  branch_ids: ["0190a1b2-0000-7000-8000-000000000001"],
  ranges: [{ from: "2026-11-09", to: "2026-11-10", name: "Diwali" }],
  otherwise: "move",
};
