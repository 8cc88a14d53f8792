// Systems of the hospital that own appointments: kinds, fields they own, wishes.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";

export const SOURCE_KINDS = ["api", "folder", "hl7", "fhir"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Parts of an appointment that a source may own. `contact`: name, number, e-mail address, identifiers and notes. */
export const OWNED_PARTS = ["time", "status", "service", "branch", "contact", "practitioner"] as const;
export type OwnedPart = (typeof OWNED_PARTS)[number];

export const WISHES = ["cancel", "move"] as const;
export const WISH_ANSWERS = ["agreed", "declined"] as const;
export const WISH_STATES = ["open", ...WISH_ANSWERS] as const;
export type WishAnswer = (typeof WISH_ANSWERS)[number];

/** Length of an id that another system gives. */
export const LONGEST_EXTERNAL_ID = 200;

export const PractitionerSchema = Type.Object(
  {
    id: nullable(Type.String({ description: "Id in the hospital's own system." })),
    name: nullable(Type.String()),
  },
  { description: "The doctor or other person who sees the patient." },
);

export const WishSchema = Type.Object(
  {
    wish: oneOf(WISHES),
    state: oneOf(WISH_STATES, {
      description: "`agreed`: the source cancelled or moved it. `declined`: the source said no; it stays as it is.",
    }),
    wished_at: isoTime(),
    call_id: nullable(Type.String({ description: "The call in which the contact asked for it." })),
    text: nullable(Type.String({ description: "The time that was asked for." })),
  },
  { description: "A change that only the source of the appointment can make." },
);
export type Wish = Static<typeof WishSchema>;
