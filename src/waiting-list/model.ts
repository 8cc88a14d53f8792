// Schemas of the waiting list's routes.
import { Type, type Static } from "@sinclair/typebox";
import { SESSIONS } from "../calendar/days.ts";
import { nameText } from "../core/names.ts";
import { PLACE_INPUT, PLACE_VIEW } from "../core/given-place.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { givenIdentifiers, identifierList } from "../payloads/identifiers.ts";

const uuid = (description: string) =>
  Type.String({
    maxLength: 36,
    pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    description,
    allowed: "a UUID",
  });
const date = (description: string) => Type.String({ maxLength: 10, allowed: "a date as YYYY-MM-DD", description });

const wishes = {
  appointment_type_id: Type.Optional(nullable(uuid("The service; without it, any service of the branch."))),
  agent_id: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Who calls; without it, an outbound agent of the branch.",
      }),
    ),
  ),
  from: Type.Optional(date("The first day that suits, in the branch's zone; today without it.")),
  to: Type.Optional(date("The last day that suits; without it, as many days ahead as the settings say.")),
  sessions: Type.Optional(
    Type.Array(oneOf(SESSIONS), { maxItems: 3, description: "Times of day that suit; without them, any." }),
  ),
  contact_name: Type.Optional(nullable(nameText(200))),
  contact_email: Type.Optional(nullable(nameText(254))),
  contact_identifiers: givenIdentifiers(),
  notes: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  ...PLACE_INPUT,
};

export const CreateWaitingSchema = Type.Object({
  branch_id: uuid("A UUID of the hospital's own; registered on first use."),
  contact_number: Type.String({ maxLength: 32, description: "E.164, +91 or +1." }),
  ...wishes,
});
export type CreateWaitingInput = Static<typeof CreateWaitingSchema>;

export const PatchWaitingSchema = Type.Object({
  branch_id: Type.Optional(uuid("Another branch.")),
  contact_number: Type.Optional(Type.String({ maxLength: 32, description: "E.164, +91 or +1." })),
  ...wishes,
});
export type PatchWaitingInput = Static<typeof PatchWaitingSchema>;

export const WAITING_STATES = ["waiting", "offered", "booked", "left", "removed", "expired"] as const;
const OFFER_STATES = ["calling", "booked", "declined", "left", "unanswered", "undialled"] as const;

export const WaitingOfferSchema = Type.Object({
  slot_id: Type.String({ description: "`<calendar_id>||<YYYY-MM-DD>`" }),
  date: Type.String({ format: "date" }),
  start_time: Type.String({ description: "HH:MM in the branch's time zone." }),
  end_time: Type.String({ description: "HH:MM in the branch's time zone." }),
  call_id: Type.String(),
  status: oneOf(OFFER_STATES),
  offered_at: isoTime(),
});

export const WaitingSchema = Type.Object({
  waiting_id: Type.String(),
  status: oneOf(WAITING_STATES, { description: "`offered`: is being called about a place." }),
  branch_id: Type.String({ format: "uuid" }),
  appointment_type_id: nullable(Type.String({ format: "uuid" })),
  agent_id: nullable(Type.String()),
  contact_name: nullable(Type.String()),
  contact_number: Type.String(),
  contact_email: nullable(Type.String()),
  contact_identifiers: identifierList(),
  from: Type.String({ format: "date" }),
  to: Type.String({ format: "date" }),
  sessions: Type.Array(oneOf(SESSIONS)),
  notes: nullable(Type.String()),
  source: oneOf(["ai", "api", "dashboard"]),
  call_id: nullable(Type.String({ description: "The call in which they asked to be put on the list." })),
  appointment_id: nullable(Type.String()),
  calls: Type.Integer({ description: "How often they were called about a place." }),
  last_offer: nullable(WaitingOfferSchema),
  created_at: isoTime(),
  updated_at: isoTime(),
  ...PLACE_VIEW,
});
export type Waiting = Static<typeof WaitingSchema>;

export const ListWaitingQuery = Type.Object({
  status: Type.Optional(oneOf(WAITING_STATES)),
  branch_id: Type.Optional(uuid("Of this branch only.")),
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListWaitingInput = Static<typeof ListWaitingQuery>;

export const WaitingAnswerSchema = Type.Object({ data: WaitingSchema });
export const WaitingListSchema = Type.Object({ data: Type.Array(WaitingSchema), next_cursor: nullable(Type.String()) });
export const WaitingRemovedSchema = Type.Object({
  data: Type.Object({ waiting_id: Type.String(), status: Type.Literal("removed") }),
});
