// Catalogue of the events: trigger and payload of each. Every list of events is derived from this table.
import { Type, type TSchema } from "@sinclair/typebox";
import { AlarmEventSchema } from "../payloads/alarm-event.ts";
import { AppointmentSchema } from "../payloads/appointment.ts";
import { BreakGlassUseSchema } from "../payloads/break-glass.ts";
import { ConsentEventSchema } from "../payloads/consent-event.ts";
import { ProofHeadSchema } from "../payloads/proof-head.ts";
import { CallEventDataSchema, SlotEventSchema } from "./model.ts";

interface EventKind {
  firedWhen: string;
  data: TSchema;
}

export const EVENTS = {
  "call.initiated": {
    firedWhen: "The telephony system triggers the call, before it is answered.",
    data: CallEventDataSchema,
  },
  "call.completed": {
    firedWhen: "The call ended successfully; with analytics and transcript.",
    data: CallEventDataSchema,
  },
  "call.failed": { firedWhen: "Busy, no answer, carrier or infrastructure error.", data: CallEventDataSchema },
  "call.disallowed": {
    firedWhen: "Policy stopped the call: too few credits, or do-not-disturb.",
    data: CallEventDataSchema,
  },
  "appointment.created": { firedWhen: "An appointment was created.", data: AppointmentSchema },
  "appointment.updated": { firedWhen: "An appointment was changed.", data: AppointmentSchema },
  "appointment.cancelled": { firedWhen: "An appointment was cancelled.", data: AppointmentSchema },
  "appointment.completed": { firedWhen: "An appointment was marked complete.", data: AppointmentSchema },
  "slot.updated": { firedWhen: "A calendar window changed capacity, fill or status.", data: SlotEventSchema },
  "consent.granted": { firedWhen: "A person agreed to be called for a purpose.", data: ConsentEventSchema },
  "consent.withdrawn": {
    firedWhen: "A person withdrew a consent, or wants no calls at all.",
    data: ConsentEventSchema,
  },
  "appliance.alarm": {
    firedWhen: "A fault of the appliance, of a trunk or of an endpoint needs a person. Once per fault.",
    data: AlarmEventSchema,
  },
  "appliance.alarm_over": { firedWhen: "That fault is over.", data: AlarmEventSchema },
  "proof.head": { firedWhen: "Once a day: the signed head of this organisation's proofs.", data: ProofHeadSchema },
  "account.break_glass_used": {
    firedWhen: "The sealed emergency account was used to sign in to the dashboard.",
    data: BreakGlassUseSchema,
  },
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENTS, text);
}

const TEST_MARK = {
  test: Type.Optional(
    Type.Literal(true, { description: "Only on test events, sent from the dashboard: everything in them is made up." }),
  ),
};

/** The envelope around every payload. */
export function envelopeSchema(type: EventType): TSchema {
  return Type.Object({
    event_id: Type.String({ pattern: "^evt_", description: "The same at every attempt: use it to drop duplicates." }),
    event_type: Type.Literal(type),
    created_at: Type.String({ format: "date-time" }),
    data: Type.Object({ ...EVENTS[type].data.properties, ...TEST_MARK }),
  });
}
