// The `webhooks` section of the OpenAPI document, generated from the catalogue.
import { EVENT_TYPES, EVENTS, envelopeSchema, type EventType } from "./catalogue.ts";
import { SAMPLE_DATA } from "./samples.ts";

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});

const HEADERS = [
  header("X-Webhook-Id", "The event_id."),
  header("X-Webhook-Timestamp", "Unix seconds of this attempt. Only while signing is on."),
  header(
    "X-Webhook-Signature",
    "`v1=` and the Base64 of HMAC-SHA256 over `<timestamp>.<raw body>`. Only while signing is on.",
  ),
];

const exampleOf = (type: EventType): object => ({
  event_id: "evt_00000000000000000000000000",
  event_type: type,
  created_at: "2026-01-01T09:00:00.000Z",
  data: SAMPLE_DATA[type],
});

export function webhookDocs(): Record<string, object> {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          tags: ["Events"],
          summary: EVENTS[type].firedWhen,
          operationId: `on_${type.replace(".", "_")}`,
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { "application/json": { schema: envelopeSchema(type), example: exampleOf(type) } },
          },
          responses: { "2XX": { description: "Received. Answer within 8 seconds; anything else is tried again." } },
        },
      },
    ]),
  );
}
