// API routes of webhook deliveries: list, one with its attempts, and replay.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import type { DeliveryService } from "./delivery-service.ts";
import {
  DeliveryAnswerSchema,
  DeliveryListSchema,
  ListDeliveriesQuery,
  ReplayedDeliverySchema,
} from "./endpoint-model.ts";

const deliveryId = Type.Object({ delivery_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[], more: object = {}) => ({
  tags: ["Webhook endpoints"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function deliveryRoutes(guard: Guard, deliveries: DeliveryService) {
  return new Elysia({ name: "webhook-deliveries" })
    .use(guard)
    .get("/v1/webhook-deliveries", ({ principal, query }) => deliveries.page(principal.organisationId, query), {
      scope: "endpoints:read",
      query: ListDeliveriesQuery,
      answers: { 200: DeliveryListSchema },
      detail: detail("listWebhookDeliveries", "Deliveries of events, newest first", ["VALIDATION_ERROR"]),
    })
    .get(
      "/v1/webhook-deliveries/:delivery_id",
      async ({ principal, actor, params }) => ({
        data: await deliveries.inspect(principal.organisationId, params.delivery_id, actor),
      }),
      {
        scope: "endpoints:read",
        params: deliveryId,
        answers: { 200: DeliveryAnswerSchema },
        detail: detail("getWebhookDelivery", "One delivery: what was sent, and each attempt", ["NOT_FOUND"], {
          description: "It contains what the event says about a person, so each request is in the audit log.",
        }),
      },
    )
    .post(
      "/v1/webhook-deliveries/:delivery_id/replay",
      async ({ principal, actor, params }) => {
        await deliveries.replay(principal.organisationId, params.delivery_id, actor);
        return { data: { replayed: true as const } };
      },
      {
        scope: "endpoints:write",
        creates: false,
        params: deliveryId,
        answers: { 200: ReplayedDeliverySchema },
        detail: detail("replayWebhookDelivery", "Send one delivery again, under the same event_id", ["NOT_FOUND"], {
          description: "A delivery of an endpoint that is off is held until the endpoint is enabled.",
        }),
      },
    );
}
