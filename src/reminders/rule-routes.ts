// Routes of reminder rules.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  CREATE_RULE_EXAMPLE,
  CreateRuleSchema,
  PatchRuleSchema,
  RemovedRuleSchema,
  RuleAnswerSchema,
  RuleListSchema,
  RulePreviewAnswerSchema,
  type RuleView,
} from "./model.ts";
import type { ReminderRules } from "./rule-service.ts";

const ruleId = Type.Object({ rule_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Reminder rules"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function reminderRuleRoutes(guard: Guard, rules: ReminderRules) {
  return new Elysia({ name: "reminder-rules" })
    .use(guard)
    .post(
      "/v1/reminder-rules/preview",
      async ({ principal, body }) => ({ data: await rules.preview(principal.organisationId, body) }),
      {
        scope: "reminders:read",
        creates: false,
        json: true,
        body: PatchRuleSchema,
        answers: { 200: RulePreviewAnswerSchema },
        detail: detail("previewReminderRule", "How many people a rule would call tomorrow", [], {
          "x-example": { timing: "day_before", days_before: 1 },
        }),
      },
    )
    .post(
      "/v1/reminder-rules",
      ({ principal, actor, body, once }) =>
        once({ status: 201, body: (data: RuleView) => ({ data }), subjectId: ({ rule_id }) => rule_id }, (alongside) =>
          rules.create(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "reminders:write",
        creates: true,
        json: true,
        body: CreateRuleSchema,
        answers: { 201: RuleAnswerSchema },
        detail: detail("createReminderRule", "Call people before their appointments", ["CONFLICT"], {
          description: "There may be 200 rules.",
          "x-example": CREATE_RULE_EXAMPLE,
        }),
      },
    )
    .get("/v1/reminder-rules", async ({ principal }) => ({ data: await rules.list(principal.organisationId) }), {
      scope: "reminders:read",
      answers: { 200: RuleListSchema },
      detail: detail("listReminderRules", "List reminder rules, oldest first"),
    })
    .get(
      "/v1/reminder-rules/:rule_id",
      async ({ principal, params }) => ({ data: await rules.get(principal.organisationId, params.rule_id) }),
      {
        scope: "reminders:read",
        tagged: true,
        params: ruleId,
        answers: { 200: RuleAnswerSchema },
        detail: detail("getReminderRule", "Read one reminder rule", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/reminder-rules/:rule_id",
      async ({ principal: { organisationId }, actor, params, body }) => {
        await rules.update(organisationId, params.rule_id, body, actor);
        return { data: await rules.get(organisationId, params.rule_id) };
      },
      {
        scope: "reminders:write",
        tagged: true,
        json: true,
        params: ruleId,
        body: PatchRuleSchema,
        answers: { 200: RuleAnswerSchema },
        detail: detail("changeReminderRule", "Change a reminder rule, or turn it on or off", ["NOT_FOUND"], {
          "x-example": { enabled: false },
          description: "Pending reminders are planned again. People who were already called are not called again.",
        }),
      },
    )
    .delete(
      "/v1/reminder-rules/:rule_id",
      async ({ principal, actor, params }) => {
        await rules.remove(principal.organisationId, params.rule_id, actor);
        return { data: { rule_id: params.rule_id, removed: true as const } };
      },
      {
        scope: "reminders:write",
        params: ruleId,
        answers: { 200: RemovedRuleSchema },
        detail: detail("removeReminderRule", "Remove a reminder rule and its pending reminders", ["NOT_FOUND"]),
      },
    );
}
