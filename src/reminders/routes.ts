// Route for a reminder of one appointment.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import { RemindedSchema, RemindOneSchema } from "./model.ts";
import type { RemindedOne, ReminderService } from "./reminder-service.ts";

export function reminderApiRoutes(guard: Guard, reminders: ReminderService) {
  return new Elysia({ name: "reminders" })
    .use(guard)
    .post(
      "/v1/appointments/:appointment_id/remind",
      ({ principal, actor, params, body, once }) =>
        once(
          { status: 200, body: (data: RemindedOne) => ({ data }), subjectId: ({ appointment_id }) => appointment_id },
          (alongside) =>
            reminders.remindOne(
              principal.organisationId,
              params.appointment_id,
              body.agent_id ?? null,
              actor,
              alongside,
            ),
        ),
      {
        scope: "calls:create",
        creates: true,
        json: true,
        params: Type.Object({ appointment_id: Type.String() }),
        body: RemindOneSchema,
        answers: { 200: RemindedSchema },
        detail: {
          tags: ["Appointments"],
          operationId: "remindOfAppointment",
          "x-example": { agent_id: "agt_01k9zv3q5m2n8r4t6w7x9y0abc" },
          summary: "Call the contact of an appointment now, to confirm, move or cancel it",
          "x-errors": ["NOT_FOUND"],
        },
      },
    );
}
