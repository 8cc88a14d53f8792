// API routes of webhook endpoints.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { parseIsoTime } from "../core/iso-time.ts";
import type { Guard } from "../http/guard.ts";
import type { DeliveryService } from "./delivery-service.ts";
import {
  ChangedEndpointSchema,
  ChangeEndpointSchema,
  CreatedEndpointSchema,
  CreateEndpointSchema,
  EnabledEndpointSchema,
  EnableEndpointSchema,
  EndpointAnswerSchema,
  EndpointListSchema,
  RemovedEndpointSchema,
  ReplayedRangeSchema,
  ReplayRangeSchema,
  RotatedEndpointSchema,
  TestedEndpointSchema,
} from "./endpoint-model.ts";
import type { CreatedEndpoint, EndpointService } from "./endpoint-service.ts";

const endpointId = Type.Object({ endpoint_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Webhook endpoints"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const CREATE_EXAMPLE = {
  url: "https://his.hospital.example/ringward",
  description: "Hospital information system",
  event_types: ["call.completed", "call.failed"],
};
const RANGE_EXAMPLE = { from: "2026-11-18T00:00:00Z", to: "2026-11-19T00:00:00Z" };

export function endpointRoutes(guard: Guard, endpoints: EndpointService, deliveries: DeliveryService) {
  return new Elysia({ name: "webhook-endpoints" })
    .use(settingRoutes(guard, endpoints))
    .use(switchRoutes(guard, endpoints))
    .use(sendingRoutes(guard, deliveries));
}

function settingRoutes(guard: Guard, endpoints: EndpointService) {
  return new Elysia({ name: "webhook-endpoint-settings" })
    .use(guard)
    .get("/v1/webhook-endpoints", async ({ principal }) => ({ data: await endpoints.list(principal.organisationId) }), {
      scope: "endpoints:read",
      answers: { 200: EndpointListSchema },
      detail: detail("listWebhookEndpoints", "Webhook endpoints, the oldest first"),
    })
    .post(
      "/v1/webhook-endpoints",
      ({ principal, actor, body: { event_types: eventTypes, ...rest }, once }) =>
        once(
          {
            status: 201,
            body: (data: CreatedEndpoint): { data: Omit<CreatedEndpoint, "secret"> & { secret: string | null } } => ({
              data,
            }),
            repeated: (data) => ({ data: { ...data, secret: null } }),
            subjectId: ({ endpoint_id }) => endpoint_id,
          },
          (alongside) => endpoints.create(principal.organisationId, { ...rest, eventTypes }, actor, alongside),
        ),
      {
        scope: "endpoints:write",
        creates: true,
        json: true,
        body: CreateEndpointSchema,
        answers: { 201: CreatedEndpointSchema },
        detail: detail(
          "createWebhookEndpoint",
          "Create an endpoint; its secret is shown once",
          ["PLAN_LIMIT_REACHED"],
          {
            description: "If the answer was lost, rotate the secret: no request shows it again.",
            "x-example": CREATE_EXAMPLE,
          },
        ),
      },
    )
    .get(
      "/v1/webhook-endpoints/:endpoint_id",
      async ({ principal, params }) => ({ data: await endpoints.get(principal.organisationId, params.endpoint_id) }),
      {
        scope: "endpoints:read",
        tagged: true,
        params: endpointId,
        answers: { 200: EndpointAnswerSchema },
        detail: detail("getWebhookEndpoint", "One endpoint with the number of its deliveries", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/webhook-endpoints/:endpoint_id",
      async ({ principal, actor, params, body: { event_types: eventTypes, ...rest } }) => ({
        data: await endpoints.update(
          principal.organisationId,
          params.endpoint_id,
          { ...rest, ...(eventTypes === undefined ? {} : { eventTypes }) },
          actor,
        ),
      }),
      {
        scope: "endpoints:write",
        tagged: true,
        json: true,
        params: endpointId,
        body: ChangeEndpointSchema,
        answers: { 200: ChangedEndpointSchema },
        detail: detail("changeWebhookEndpoint", "Change an endpoint's address, events or signing", ["NOT_FOUND"], {
          "x-example": { event_types: ["call.completed"] },
        }),
      },
    )
    .delete(
      "/v1/webhook-endpoints/:endpoint_id",
      async ({ principal, actor, params }) => {
        await endpoints.remove(principal.organisationId, params.endpoint_id, actor);
        return { data: { deleted: true as const } };
      },
      {
        scope: "endpoints:write",
        params: endpointId,
        answers: { 200: RemovedEndpointSchema },
        detail: detail("removeWebhookEndpoint", "Delete an endpoint with its deliveries", ["NOT_FOUND"]),
      },
    );
}

function switchRoutes(guard: Guard, endpoints: EndpointService) {
  return new Elysia({ name: "webhook-endpoint-switches" })
    .use(guard)
    .post(
      "/v1/webhook-endpoints/:endpoint_id/rotate",
      async ({ principal, actor, params }) => ({
        data: await endpoints.rotateSecret(principal.organisationId, params.endpoint_id, actor),
      }),
      {
        scope: "endpoints:write",
        creates: false,
        params: endpointId,
        answers: { 200: RotatedEndpointSchema },
        detail: detail("rotateWebhookEndpointSecret", "Replace the signing secret", ["NOT_FOUND"], {
          description: "The old secret signs too for a day, in `webhook-signature`.",
        }),
      },
    )
    .post(
      "/v1/webhook-endpoints/:endpoint_id/enable",
      async ({ principal: { organisationId }, actor, params, body }) => ({
        data: await endpoints.enable(organisationId, params.endpoint_id, body.send_held, actor),
      }),
      {
        scope: "endpoints:write",
        creates: false,
        json: true,
        params: endpointId,
        body: EnableEndpointSchema,
        answers: { 200: EnabledEndpointSchema },
        detail: detail("enableWebhookEndpoint", "Send to an endpoint again", ["NOT_FOUND"], {
          "x-example": { send_held: true },
        }),
      },
    )
    .post(
      "/v1/webhook-endpoints/:endpoint_id/disable",
      async ({ principal: { organisationId }, actor, params }) => {
        await endpoints.disable(organisationId, params.endpoint_id, actor);
        return { data: await endpoints.get(organisationId, params.endpoint_id) };
      },
      {
        scope: "endpoints:write",
        creates: false,
        params: endpointId,
        answers: { 200: EndpointAnswerSchema },
        detail: detail("disableWebhookEndpoint", "Send nothing to an endpoint and hold its deliveries", ["NOT_FOUND"]),
      },
    );
}

function sendingRoutes(guard: Guard, deliveries: DeliveryService) {
  return new Elysia({ name: "webhook-endpoint-sending" })
    .use(guard)
    .post(
      "/v1/webhook-endpoints/:endpoint_id/test",
      async ({ principal, actor, params }) => ({
        data: { delivery_id: await deliveries.sendTest(principal.organisationId, params.endpoint_id, actor) },
      }),
      {
        scope: "endpoints:write",
        creates: false,
        params: endpointId,
        answers: { 200: TestedEndpointSchema },
        detail: detail("testWebhookEndpoint", "Send a sample event, marked `test`", ["NOT_FOUND", "CONFLICT"], {
          description: "Ask for the delivery to see how the receiver answered. An endpoint that is off gets no test.",
        }),
      },
    )
    .post(
      "/v1/webhook-endpoints/:endpoint_id/replay",
      async ({ principal, actor, params, body }) => {
        const range = { from: parseIsoTime("from", body.from), to: parseIsoTime("to", body.to) };
        const count = await deliveries.replayRange(principal.organisationId, params.endpoint_id, range, actor);
        return { data: { count } };
      },
      {
        scope: "endpoints:write",
        creates: false,
        json: true,
        params: endpointId,
        body: ReplayRangeSchema,
        answers: { 200: ReplayedRangeSchema },
        detail: detail("replayFailedDeliveries", "Send the exhausted deliveries of a time again", ["NOT_FOUND"], {
          "x-example": RANGE_EXAMPLE,
        }),
      },
    );
}
