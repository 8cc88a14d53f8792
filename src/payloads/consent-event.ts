// Payload of events about consent.
import { Type, type Static } from "@sinclair/typebox";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { CONSENT_BASES, CONSENT_SOURCES } from "./consent.ts";
import { PURPOSES } from "./lawful.ts";

/** Data of `consent.granted` and `consent.withdrawn`. */
export const ConsentEventSchema = Type.Object({
  consent_id: nullable(Type.String({ description: "Null where calls were refused without an earlier consent." })),
  contact_number: Type.String(),
  purpose: nullable(oneOf(PURPOSES, { description: "Null where calls were refused without an earlier consent." })),
  basis: nullable(oneOf(CONSENT_BASES, { description: "Only on consent.granted." })),
  source: oneOf(CONSENT_SOURCES),
  reference: nullable(Type.String()),
  call_id: nullable(Type.String({ description: "The call in which it was said." })),
  at: isoTime({ description: "When the person agreed, or withdrew." }),
  until: nullable(isoTime({ description: "Only on consent.granted: the end of the consent." })),
  everything: Type.Boolean({
    description: "The number is on the do-not-disturb list: every consent of it is withdrawn, with an event each.",
  }),
});
export type ConsentEvent = Static<typeof ConsentEventSchema>;
