// Reminder routes for staff: rules, upcoming calls, history, and manual reminders.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CreateRuleSchema, ListRemindersQuery, PatchRuleSchema, RemindSchema } from "../../reminders/model.ts";
import type { ReminderService } from "../../reminders/reminder-service.ts";
import type { ReminderRules } from "../../reminders/rule-service.ts";
import { isOfReach } from "../../core/reach.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface ReminderRouteDeps {
  guard: SessionGuard;
  reminderRules: ReminderRules;
  reminders: ReminderService;
}

const id = Type.Object({ id: Type.String({ maxLength: 64 }) });

export function reminderRoutes({ guard, reminderRules, reminders }: ReminderRouteDeps) {
  return new Elysia({ name: "dashboard-reminders" })
    .use(guard)
    .get(
      "/dashboard/api/reminders/rules",
      async ({ session: { organisationId, reach } }) =>
        (await reminderRules.list(organisationId)).filter(({ branch_id }) => isOfReach(reach, branch_id)),
      { role: "viewer" },
    )
    .get(
      "/dashboard/api/reminders/agents",
      ({ session }) => reminderRules.agents(session.organisationId, session.reach),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/reminders/rules",
      async ({ session, actor, body }) => ({
        rule_id: (await reminderRules.create(session.organisationId, body, actor)).rule_id,
      }),
      { role: "staff", body: CreateRuleSchema },
    )
    .post(
      "/dashboard/api/reminders/preview",
      ({ session, body }) => reminderRules.preview(session.organisationId, body),
      { role: "viewer", body: PatchRuleSchema },
    )
    .patch(
      "/dashboard/api/reminders/rules/:id",
      async ({ session, actor, params, body }) => {
        await reminderRules.update(session.organisationId, params.id, body, actor);
        return { ok: true };
      },
      { role: "staff", params: id, body: PatchRuleSchema },
    )
    .delete(
      "/dashboard/api/reminders/rules/:id",
      async ({ session, actor, params }) => {
        await reminderRules.remove(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "staff", params: id },
    )
    .get(
      "/dashboard/api/reminders",
      ({ session, actor, query }) => reminders.list(session.organisationId, query, actor),
      { role: "viewer", query: ListRemindersQuery },
    )
    .get(
      "/dashboard/api/appointments/:id/reminders",
      ({ session, params }) => reminders.ofAppointment(session.organisationId, params.id),
      { role: "viewer", params: id },
    )
    .post("/dashboard/api/reminders/check", ({ session, body }) => reminders.check(session.organisationId, body), {
      role: "staff",
      body: RemindSchema,
    })
    .post(
      "/dashboard/api/reminders",
      ({ session, actor, body }) => reminders.remind(session.organisationId, body, actor),
      { role: "staff", body: RemindSchema },
    );
}
