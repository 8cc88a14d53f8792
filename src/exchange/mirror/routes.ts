// Routes by which a source sends appointments and answers wishes.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { AppointmentService } from "../../calendar/appointment-service.ts";
import { AnswerWishSchema, AppointmentAnswerSchema } from "../../calendar/model.ts";
import type { Guard } from "../../http/guard.ts";
import { PUT_APPOINTMENTS_EXAMPLE, PutAnswerSchema, PutAppointmentsSchema } from "./model.ts";
import { putAll } from "./put-all.ts";
import type { Mirror } from "./port.ts";

const sourceId = Type.Object({ source_id: Type.String({ maxLength: 64 }) });
const appointmentId = Type.Object({ appointment_id: Type.String({ maxLength: 64 }) });

export function mirrorRoutes(guard: Guard, mirror: Mirror, appointments: AppointmentService) {
  return new Elysia({ name: "mirror" })
    .use(guard)
    .put(
      "/v1/sources/:source_id/appointments",
      async ({ principal, actor, params, body }) => ({
        data: await putAll(mirror, principal.organisationId, params.source_id, body, actor),
      }),
      {
        scope: "sources:write",
        json: true,
        params: sourceId,
        body: PutAppointmentsSchema,
        answers: { 200: PutAnswerSchema },
        detail: {
          tags: ["Sources"],
          operationId: "putSourceAppointments",
          summary: "Send appointments of a source",
          description:
            "Each appointment is answered for itself, in the order of the request. Sending the same again changes " +
            "nothing, so a request without an answer can be repeated.",
          "x-errors": ["NOT_FOUND"],
          "x-example": PUT_APPOINTMENTS_EXAMPLE,
        },
      },
    )
    .post(
      "/v1/appointments/:appointment_id/wish",
      async ({ principal, actor, params, body }) => ({
        data: await appointments.answerWish(principal.organisationId, params.appointment_id, body.state, actor),
      }),
      {
        scope: "sources:write",
        creates: false,
        json: true,
        params: appointmentId,
        body: AnswerWishSchema,
        answers: { 200: AppointmentAnswerSchema },
        detail: {
          tags: ["Sources"],
          operationId: "answerWish",
          "x-example": { state: "declined" },
          summary: "Agree to an open wish, or decline it",
          description: "Not needed where the source sends the appointment itself, cancelled or with its new time.",
          "x-errors": ["NOT_FOUND", "CONFLICT"],
        },
      },
    );
}
