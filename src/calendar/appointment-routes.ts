// HTTP routes of appointments, with the reads for a booking form.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import type { Appointment } from "../payloads/appointment.ts";
import type { AppointmentService } from "./appointment-service.ts";
import type { ConfigurationReads } from "./configuration-reads.ts";
import {
  AppointmentAnswerSchema,
  AppointmentListSchema,
  ConfigurationSchema,
  CreateAppointmentSchema,
  DateQuerySchema,
  ListAppointmentsQuery,
  OpenSlotsSchema,
  PatchAppointmentSchema,
  SearchAppointmentsSchema,
  ServicesSchema,
} from "./model.ts";
import type { TrackingService } from "./tracking-service.ts";

const appointmentId = Type.Object({ appointment_id: Type.String() });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Appointments"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const PHONE_ERRORS = ["INVALID_PHONE_NUMBER", "UNSUPPORTED_COUNTRY"] as const;

export function appointmentRoutes(
  guard: Guard,
  appointments: AppointmentService,
  tracking: TrackingService,
  reads: ConfigurationReads,
) {
  return new Elysia({ name: "appointments" })
    .use(guard)
    .post(
      "/v1/appointments",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: Appointment) => ({ data }), subjectId: ({ appointment_id }) => appointment_id },
          (alongside) => appointments.create(principal.organisationId, body, "api", actor, { alongside }),
        ),
      {
        scope: "appointments:write",
        creates: true,
        json: true,
        body: CreateAppointmentSchema,
        answers: { 201: AppointmentAnswerSchema },
        detail: detail("createAppointment", "Book a slot in a window", ["SLOT_FULL", ...PHONE_ERRORS], {
          "x-example": {
            slot_id: "0190a1b2-0000-7000-8000-000000000003||2026-11-23",
            contact_name: "Test Patient",
            contact_number: "+919820012345",
            contact_identifiers: [{ system: "mrn", value: "MRN-004711" }],
          },
        }),
      },
    )
    .get(
      "/v1/appointments",
      ({ principal, actor, query }) => appointments.list(principal.organisationId, query, actor),
      {
        scope: "appointments:read",
        query: ListAppointmentsQuery,
        answers: { 200: AppointmentListSchema },
        detail: detail("listAppointments", "List appointments, newest first", ["VALIDATION_ERROR"]),
      },
    )
    .post(
      "/v1/appointments/search",
      ({ principal, actor, body }) => appointments.search(principal.organisationId, body, actor),
      {
        scope: "appointments:read",
        creates: false,
        json: true,
        body: SearchAppointmentsSchema,
        answers: { 200: AppointmentListSchema },
        detail: {
          ...detail("searchAppointments", "Find appointments by an identifier of the person, newest first", [
            "VALIDATION_ERROR",
          ]),
          "x-example": { identifier: { system: "mrn", value: "MRN-004711" } },
        },
      },
    )
    .get(
      "/v1/appointments/configuration",
      async ({ principal }) => ({ data: await reads.configuration(principal.organisationId) }),
      {
        scope: "appointments:read",
        answers: { 200: ConfigurationSchema },
        detail: detail("getConfiguration", "Branches, zones, sessions and statuses"),
      },
    )
    .get(
      "/v1/appointments/services",
      async ({ principal }) => ({ data: await reads.services(principal.organisationId) }),
      {
        scope: "appointments:read",
        answers: { 200: ServicesSchema },
        detail: detail("getServices", "The services that appointments are for"),
      },
    )
    .get(
      "/v1/appointments/availability",
      async ({ principal, query }) => ({ data: await tracking.availability(principal.organisationId, query) }),
      {
        scope: "appointments:read",
        query: DateQuerySchema,
        answers: { 200: OpenSlotsSchema },
        detail: detail("getBookableSlots", "Open windows on their dates, with what is left", ["VALIDATION_ERROR"]),
      },
    )
    .get(
      "/v1/appointments/:appointment_id",
      async ({ principal, actor, params }) => ({
        data: await appointments.get(principal.organisationId, params.appointment_id, actor),
      }),
      {
        scope: "appointments:read",
        tagged: true,
        params: appointmentId,
        answers: { 200: AppointmentAnswerSchema },
        detail: detail("getAppointment", "Read one appointment", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/appointments/:appointment_id",
      async ({ principal, actor, params, body }) => ({
        data: await appointments.update(principal.organisationId, params.appointment_id, body, actor),
      }),
      {
        scope: "appointments:write",
        tagged: true,
        json: true,
        params: appointmentId,
        body: PatchAppointmentSchema,
        answers: { 200: AppointmentAnswerSchema },
        detail: detail(
          "changeAppointment",
          "Change, reschedule, cancel or complete an appointment",
          ["NOT_FOUND", "CONFLICT", "SLOT_FULL", ...PHONE_ERRORS],
          { "x-example": { status: "cancelled" } },
        ),
      },
    );
}
