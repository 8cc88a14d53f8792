// HTTP routes of windows, availability and schedule tracking.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { FaultForm } from "../http/error-response.ts";
import type { Guard } from "../http/guard.ts";
import {
  AvailabilitySchema,
  CREATE_WINDOW_EXAMPLE,
  CreateWindowSchema,
  DateQuerySchema,
  PatchTrackingSchema,
  PatchWindowSchema,
  RegeneratedSchema,
  RegenerateSchema,
  TrackingAnswerSchema,
  TrackingListSchema,
  WindowAnswerSchema,
  WindowListSchema,
} from "./model.ts";
import type { Slot } from "../payloads/slot.ts";
import type { TrackingService } from "./tracking-service.ts";
import type { WindowService } from "./window-service.ts";

/** Window responses carry `success`, in errors too. */
export const WINDOW_FAULTS: FaultForm = { under: "/v1/appointment-slots", beside: { success: false } };

const slotId = Type.Object({
  slot_id: Type.String({ description: "Plain or compound; only the part before the first || counts." }),
});
const done = <T>(data: T) => ({ success: true as const, data });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Windows"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function slotRoutes(guard: Guard, windows: WindowService, tracking: TrackingService) {
  return new Elysia({ name: "slots" })
    .use(guard)
    .post(
      "/v1/appointment-slots",
      ({ principal, actor, body, once }) =>
        once({ status: 201, body: done<Slot>, subjectId: ({ calendar_id }) => calendar_id }, (alongside) =>
          windows.create(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "slots:write",
        creates: true,
        json: true,
        body: CreateWindowSchema,
        answers: { 201: WindowAnswerSchema },
        detail: detail("createWindow", "Create a weekly window", [], { "x-example": CREATE_WINDOW_EXAMPLE }),
      },
    )
    .get(
      "/v1/appointment-slots",
      async ({ principal, query }) => done(await windows.list(principal.organisationId, query.branch_id)),
      {
        scope: "slots:read",
        query: Type.Pick(DateQuerySchema, ["branch_id"]),
        answers: { 200: WindowListSchema },
        detail: detail("listWindows", "List the weekly windows, open and closed", ["VALIDATION_ERROR"]),
      },
    )
    .get(
      "/v1/appointment-slots/availability",
      async ({ principal, query }) => done(await tracking.availability(principal.organisationId, query)),
      {
        scope: "slots:read",
        query: DateQuerySchema,
        answers: { 200: AvailabilitySchema },
        detail: detail("getAvailability", "Open windows on their dates, with what is left", ["VALIDATION_ERROR"]),
      },
    )
    .get(
      "/v1/appointment-slots/schedule-tracking",
      async ({ principal, query }) => done(await tracking.tracking(principal.organisationId, query)),
      {
        scope: "slots:read",
        query: DateQuerySchema,
        answers: { 200: TrackingListSchema },
        detail: detail("getTracking", "Every window on every date, closed ones too", ["VALIDATION_ERROR"]),
      },
    )
    .post(
      "/v1/appointment-slots/schedule-tracking/regenerate",
      async ({ principal, actor, body }) => done(await tracking.regenerate(principal.organisationId, body, actor)),
      {
        scope: "slots:write",
        creates: false,
        json: true,
        body: RegenerateSchema,
        answers: { 200: RegeneratedSchema },
        detail: detail("regenerateTracking", "Count the fill anew from the appointments", [], {
          "x-example": { branch_id: "0190a1b2-0000-7000-8000-000000000001", from: "2026-11-16", to: "2026-11-22" },
        }),
      },
    )
    .patch(
      "/v1/appointment-slots/schedule-tracking/:slot_id",
      async ({ principal, actor, params, body }) =>
        done(await tracking.override(principal.organisationId, params.slot_id, body, actor)),
      {
        scope: "slots:write",
        json: true,
        params: slotId,
        body: PatchTrackingSchema,
        answers: { 200: TrackingAnswerSchema },
        detail: detail("changeTracking", "Change a window on one date alone", ["NOT_FOUND"], {
          "x-example": { status: "CLOSED" },
        }),
      },
    )
    .get(
      "/v1/appointment-slots/:slot_id",
      async ({ principal, params }) => done(await windows.get(principal.organisationId, params.slot_id)),
      {
        scope: "slots:read",
        tagged: true,
        params: slotId,
        answers: { 200: WindowAnswerSchema },
        detail: detail("getWindow", "Read one window", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/appointment-slots/:slot_id",
      async ({ principal, actor, params, body }) =>
        done(await windows.update(principal.organisationId, params.slot_id, body, actor)),
      {
        scope: "slots:write",
        tagged: true,
        json: true,
        params: slotId,
        body: PatchWindowSchema,
        answers: { 200: WindowAnswerSchema },
        detail: detail("changeWindow", "Change a window: only what is given", ["NOT_FOUND"], {
          "x-example": { ai_slots: 6, max_slots: 12 },
        }),
      },
    )
    .post(
      "/v1/appointment-slots/:slot_id/disable",
      async ({ principal, actor, params }) =>
        done(await windows.disable(principal.organisationId, params.slot_id, actor)),
      {
        scope: "slots:write",
        creates: false,
        params: slotId,
        answers: { 200: WindowAnswerSchema },
        detail: detail("disableWindow", "Close a window; its bookings stay", ["NOT_FOUND"]),
      },
    );
}
