// The `webhooks` section of the OpenAPI document, generated from the catalogue.
import { EVENT_TYPES, EVENTS, envelopeSchema } from "./catalogue.ts";

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
          requestBody: { required: true, content: { "application/json": { schema: envelopeSchema(type) } } },
          responses: { "2XX": { description: "Received. Answer within 8 seconds; anything else is tried again." } },
        },
      },
    ]),
  );
}
