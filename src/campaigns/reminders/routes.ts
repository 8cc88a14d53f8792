// Reminding somebody of one appointment over the API. Rules are settings of the dashboard.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../../http/guard.ts";
import { RemindedSchema, RemindOneSchema, SKIP_REASONS } from "./model.ts";
import type { ReminderService } from "./reminder-service.ts";

export function reminderApiRoutes(guard: Guard, reminders: ReminderService) {
  return new Elysia({ name: "reminders" }).use(guard).post(
    "/v1/appointments/:appointment_id/remind",
    async ({ principal, actor, params, body, set }) => {
      const { appointment_id } = params;
      const wish = { appointment_ids: [appointment_id], agent_id: body.agent_id ?? null };
      const { planned, skipped } = await reminders.remind(principal.organisationId, wish, actor);
      set.status = 200;
      const reason = SKIP_REASONS.find((each) => skipped[each] !== undefined) ?? null;
      return { data: { appointment_id, status: planned > 0 ? ("planned" as const) : ("skipped" as const), reason } };
    },
    {
      scope: "calls:create",
      json: true,
      params: Type.Object({ appointment_id: Type.String() }),
      body: RemindOneSchema,
      answers: { 200: RemindedSchema },
      detail: {
        tags: ["Appointments"],
        operationId: "remindOfAppointment",
        summary: "Call the contact of an appointment now, to confirm, move or cancel it",
        "x-errors": ["NOT_FOUND"],
      },
    },
  );
}
