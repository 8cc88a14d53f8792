// Rules in the API, read-only. They are changed in the dashboard and by the command line.
import { Elysia } from "elysia";
import { invalidField } from "../../core/errors.ts";
import { US_STATES } from "../../core/area-codes.ts";
import type { Guard } from "../../http/guard.ts";
import type { RuleChangeService } from "./change-service.ts";
import { RulesForQuery, RulesForSchema, RulesSchema } from "./model.ts";
import { rulesForView } from "./view.ts";

const detail = (operationId: string, summary: string, errors: readonly string[] = []) => ({
  tags: ["Rules"],
  operationId,
  summary,
  "x-errors": errors,
});

export function ruleRoutes(guard: Guard, ruleChanges: RuleChangeService) {
  return new Elysia({ name: "rules" })
    .use(guard)
    .get("/v1/rules", async ({ principal: { organisationId } }) => ruleChanges.view(organisationId), {
      scope: "calls:read",
      answers: { 200: RulesSchema },
      detail: detail("listRules", "The legal rules of calls, with this organisation's changes"),
    })
    .get(
      "/v1/rules/for",
      async ({ principal, query: { number, region, purpose = "service", consent } }) => {
        if (region !== undefined && !US_STATES.includes(region.toUpperCase())) {
          throw invalidField("region", "region must be a two-letter US state, for example CA.");
        }
        const question = { number, region: region ?? null, purpose, hasConsent: consent === "true" };
        return { data: rulesForView(question, await ruleChanges.changesOf(principal.organisationId)) };
      },
      {
        scope: "calls:read",
        query: RulesForQuery,
        answers: { 200: RulesForSchema },
        detail: detail("getRulesFor", "The rules that apply to calls to one number", [
          "VALIDATION_ERROR",
          "INVALID_PHONE_NUMBER",
          "UNSUPPORTED_COUNTRY",
        ]),
      },
    );
}
