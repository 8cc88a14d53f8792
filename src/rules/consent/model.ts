// Schemas of the consent routes.
import { Type, type Static } from "@sinclair/typebox";
import { ACTOR_KINDS } from "../../core/actor.ts";
import { nameText } from "../../core/names.ts";
import { isoTime, nullable, oneOf } from "../../core/schema.ts";
import { CONSENT_BASES, CONSENT_SOURCES, CONSENT_STATES } from "../../payloads/consent.ts";
import { PURPOSES } from "../../payloads/lawful.ts";

export const LONGEST_REFERENCE = 200;

const number = Type.String({ maxLength: 32, description: "E.164, +91 or +1." });
const reference = Type.Optional(
  nullable(
    nameText(LONGEST_REFERENCE, {
      description: "Where the proof is: the number of a form, or the id of a consent artefact.",
    }),
  ),
);
const time = (description: string) =>
  Type.String({ maxLength: 40, description, allowed: "a time such as 2026-11-20T09:30:00+05:30" });

export const GrantConsentSchema = Type.Object({
  contact_number: number,
  purpose: oneOf(PURPOSES, { description: "What the person agreed to be called about." }),
  basis: oneOf(CONSENT_BASES, { description: "How they agreed. `treatment` does not cover promotional calls." }),
  granted_at: Type.Optional(time("When they agreed; now without it. Not in the future.")),
  until: Type.Optional(nullable(time("The end of the consent; without it, until it is withdrawn."))),
  reference,
});
export type GrantConsentInput = Static<typeof GrantConsentSchema>;

export const WithdrawConsentSchema = Type.Object({
  contact_number: number,
  purpose: Type.Optional(
    oneOf(PURPOSES, {
      description: "Without it everything is withdrawn, and the number is put on the do-not-disturb list.",
    }),
  ),
  reference,
});
export type WithdrawConsentInput = Static<typeof WithdrawConsentSchema>;

const recordedBy = Type.Object({ kind: oneOf(ACTOR_KINDS), id: nullable(Type.String()) });

export const ConsentChangeSchema = Type.Object({
  change: oneOf(["granted", "withdrawn"]),
  at: isoTime(),
  basis: nullable(oneOf(CONSENT_BASES)),
  source: oneOf(CONSENT_SOURCES),
  reference: nullable(Type.String()),
  call_id: nullable(Type.String()),
  granted_at: nullable(isoTime()),
  until: nullable(isoTime()),
  recorded_by: recordedBy,
});

export const ConsentSchema = Type.Object({
  consent_id: Type.String(),
  contact_number: Type.String(),
  purpose: oneOf(PURPOSES),
  status: oneOf(CONSENT_STATES),
  basis: nullable(oneOf(CONSENT_BASES, { description: "Null where they refused without having agreed." })),
  source: oneOf(CONSENT_SOURCES, { description: "Where the consent was recorded." }),
  reference: nullable(Type.String()),
  call_id: nullable(Type.String({ description: "The call in which they agreed." })),
  granted_at: nullable(isoTime({ description: "Null where they refused without having agreed." })),
  until: nullable(isoTime()),
  withdrawn_at: nullable(isoTime()),
  recorded_by: recordedBy,
  created_at: isoTime(),
  updated_at: isoTime(),
});
export type ConsentView = Static<typeof ConsentSchema>;

export const ConsentWithHistorySchema = Type.Object({
  ...ConsentSchema.properties,
  history: Type.Array(ConsentChangeSchema, { description: "Every change, the newest first; at most 200." }),
});
export type ConsentWithHistory = Static<typeof ConsentWithHistorySchema>;

export const ListConsentsQuery = Type.Object({
  contact_number: Type.Optional(number),
  purpose: Type.Optional(oneOf(PURPOSES)),
  status: Type.Optional(oneOf(CONSENT_STATES)),
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListConsentsInput = Static<typeof ListConsentsQuery>;

export const ConsentAnswerSchema = Type.Object({ data: ConsentSchema });
export const ConsentHistoryAnswerSchema = Type.Object({ data: ConsentWithHistorySchema });
export const ConsentListSchema = Type.Object({
  data: Type.Array(ConsentSchema),
  next_cursor: nullable(Type.String()),
});
export const WithdrawnSchema = Type.Object({
  data: Type.Object({
    contact_number: Type.String(),
    withdrawn: Type.Array(Type.String(), { description: "Ids of the consents that this request withdrew." }),
    do_not_disturb: Type.Boolean({ description: "The number is on the do-not-disturb list." }),
  }),
});
export type Withdrawn = Static<typeof WithdrawnSchema>["data"];
