// API schemas of webhook endpoints and their deliveries.
import { Type, type Static } from "@sinclair/typebox";
import { nameText } from "../core/names.ts";
import { isoTime, nullable, oneOf } from "../core/schema.ts";
import { EVENT_TYPES } from "./catalogue.ts";
import { ATTEMPT_OUTCOMES, DELIVERY_STATES, ENDPOINT_KINDS } from "./records.ts";

const LONGEST_DESCRIPTION = 200;
const MOST_TYPES = 20;

const url = Type.String({ minLength: 1, maxLength: 2_048, description: "Address that receives the events; https." });
const description = nameText(LONGEST_DESCRIPTION);
const eventTypes = Type.Array(oneOf(EVENT_TYPES), { minItems: 1, maxItems: MOST_TYPES });
const signing = Type.Boolean({ description: "Whether deliveries are signed; true without it." });

export const CreateEndpointSchema = Type.Object({
  url,
  description: Type.Optional(description),
  event_types: eventTypes,
  signing: Type.Optional(signing),
});

export const ChangeEndpointSchema = Type.Object({
  url: Type.Optional(url),
  description: Type.Optional(description),
  event_types: Type.Optional(eventTypes),
  signing: Type.Optional(Type.Boolean({ description: "Whether deliveries are signed." })),
});
export type ChangeEndpointInput = Static<typeof ChangeEndpointSchema>;

export const EnableEndpointSchema = Type.Object({
  send_held: Type.Boolean({
    description: "true sends the deliveries that were held while it was off; false gives them up.",
  }),
});

export const ReplayRangeSchema = Type.Object({
  from: Type.String({ maxLength: 40, description: "ISO 8601, inclusive: when the delivery was created." }),
  to: Type.String({ maxLength: 40, description: "ISO 8601, exclusive." }),
});

const OutageSchema = Type.Object(
  { since: isoTime(), reason: Type.String(), next_probe_at: isoTime() },
  { description: "A fault on the appliance's side that blocks deliveries." },
);

const EndpointSchema = Type.Object({
  endpoint_id: Type.String(),
  kind: oneOf(ENDPOINT_KINDS, { description: "`hl7`: a source is told over HL7; its settings decide." }),
  source_id: nullable(Type.String({ description: "The source of an endpoint of kind `hl7`." })),
  url: Type.String(),
  description: Type.String(),
  event_types: Type.Array(oneOf(EVENT_TYPES)),
  fhir_criteria: nullable(
    Type.String({ description: "Of a FHIR Subscription, which has no event types; null for a webhook." }),
  ),
  signing: Type.Boolean(),
  enabled: Type.Boolean(),
  disabled_reason: nullable(Type.String({ description: "A sentence." })),
  consecutive_failures: Type.Integer(),
  outage: nullable(OutageSchema),
  previous_secret_until: nullable(isoTime({ description: "Until when the replaced secret signs too." })),
  created_at: isoTime(),
  updated_at: isoTime(),
});

const count = Type.Optional(Type.Integer());

const EndpointWithCountsSchema = Type.Object({
  ...EndpointSchema.properties,
  at_once: nullable(Type.Integer({ description: "Deliveries at a time; null before the first since the start." })),
  deliveries: Type.Object(
    { pending: count, delivered: count, exhausted: count, held: count },
    { description: "Number of deliveries by state. A state without deliveries is left out." },
  ),
});

export const EndpointListSchema = Type.Object({ data: Type.Array(EndpointWithCountsSchema) });
export const EndpointAnswerSchema = Type.Object({ data: EndpointWithCountsSchema });
export const ChangedEndpointSchema = Type.Object({ data: EndpointSchema });
const withSecret = (secretDescription: string) =>
  Type.Object({
    data: Type.Object({
      ...EndpointSchema.properties,
      secret: nullable(Type.String({ description: secretDescription })),
    }),
  });
export const CreatedEndpointSchema = withSecret(
  "The signing secret. It is shown once: null where the answer is repeated for an Idempotency-Key.",
);
export const RotatedEndpointSchema = withSecret("The new signing secret. It is not shown again.");
export const RemovedEndpointSchema = Type.Object({ data: Type.Object({ deleted: Type.Literal(true) }) });
export const EnabledEndpointSchema = Type.Object({
  data: Type.Object({ held: Type.Integer({ description: "Deliveries that are now sent, or were given up." }) }),
});
export const TestedEndpointSchema = Type.Object({ data: Type.Object({ delivery_id: Type.String() }) });
export const ReplayedRangeSchema = Type.Object({
  data: Type.Object({ count: Type.Integer({ description: "Deliveries that are sent again." }) }),
});

export const ListDeliveriesQuery = Type.Object({
  endpoint_id: Type.Optional(Type.String({ maxLength: 64 })),
  call_id: Type.Optional(Type.String({ maxLength: 64 })),
  state: Type.Optional(oneOf(DELIVERY_STATES)),
  limit: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,3}$", description: "1 to 100; 20 without it.", allowed: "from 1 to 100" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "next_cursor of the page before." })),
});
export type ListDeliveriesInput = Static<typeof ListDeliveriesQuery>;

const state = oneOf(DELIVERY_STATES, {
  description: "exhausted: every attempt failed; held: the endpoint is off.",
});
const nextAttemptAt = nullable(isoTime({ description: "Null while it waits behind another event of its call." }));

export const DeliveryListSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      delivery_id: Type.String(),
      endpoint_id: Type.String(),
      event_id: Type.String(),
      event_type: oneOf(EVENT_TYPES),
      call_id: nullable(Type.String()),
      state,
      attempts: Type.Integer(),
      next_attempt_at: nextAttemptAt,
      created_at: isoTime(),
      updated_at: isoTime(),
    }),
  ),
  next_cursor: nullable(Type.String()),
});

export const DeliveryAnswerSchema = Type.Object({
  data: Type.Object({
    delivery_id: Type.String(),
    endpoint_id: Type.String(),
    state,
    call_id: nullable(Type.String()),
    next_attempt_at: nextAttemptAt,
    outage: nullable(OutageSchema),
    created_at: isoTime(),
    request: Type.Object({
      event_id: Type.String(),
      event_type: oneOf(EVENT_TYPES),
      created_at: isoTime(),
      data: Type.Record(Type.String(), Type.Unknown(), { description: "As sent, without the signed links." }),
    }),
    attempts: Type.Array(
      Type.Object({
        at: isoTime(),
        duration_ms: Type.Integer(),
        status: nullable(Type.Integer({ description: "HTTP status of the receiver; null without an answer." })),
        outcome: oneOf(ATTEMPT_OUTCOMES),
        detail: Type.String(),
        response: Type.String({ description: "Start of the receiver's answer, without secrets." }),
      }),
    ),
  }),
});
export const ReplayedDeliverySchema = Type.Object({ data: Type.Object({ replayed: Type.Literal(true) }) });
