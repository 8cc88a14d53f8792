// Settings → Rules: the books with this organisation's changes, their history, and what applies to a number.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { namesOfPeople } from "../../accounts/person-store.ts";
import { toIso } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import { versioned } from "../../core/entity-tag.ts";
import { PURPOSES } from "../../payloads/lawful.ts";
import { LONGEST_REASON } from "../../core/reason.ts";
import type { RuleChangeService } from "../../rules/book/change-service.ts";
import { oneOf } from "../../rules/book/rule-values.ts";
import { rulesForView } from "../../rules/book/view.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface RuleRouteDeps {
  guard: SessionGuard;
  db: Database;
  ruleChanges: RuleChangeService;
}

const ruleId = Type.String({ maxLength: 60 });

export function ruleRoutes({ guard, db, ruleChanges }: RuleRouteDeps) {
  async function history(organisationId: string) {
    const changes = await ruleChanges.history(organisationId);
    const names = await namesOfPeople(
      db.reader,
      changes.flatMap(({ actor_kind, actor_id }) => (actor_kind === "person" && actor_id !== null ? [actor_id] : [])),
    );
    return changes.map(({ organisation_id: _, book: __, at, actor_id, ...change }) => ({
      ...change,
      at: toIso(at),
      actor_name: names.get(actor_id ?? "") ?? null,
    }));
  }

  return new Elysia({ name: "dashboard-rules" })
    .use(guard)
    .get(
      "/dashboard/api/rules",
      async ({ session: { organisationId } }) => {
        const { data, enforced } = await ruleChanges.view(organisationId);
        const books = data.map(({ rules, ...book }) => ({ ...book, rules: rules.map(versioned) }));
        return { data: books, enforced, history: await history(organisationId) };
      },
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/rules/try",
      async ({ session, body: { number, purpose, has_consent } }) =>
        rulesForView(
          { number, region: null, purpose, hasConsent: has_consent },
          await ruleChanges.changesOf(session.organisationId),
        ),
      {
        role: "viewer",
        body: Type.Object({
          number: Type.String({ maxLength: 20 }),
          purpose: oneOf(PURPOSES),
          has_consent: Type.Boolean(),
        }),
      },
    )
    .post("/dashboard/api/rules/compare", ({ body: { rule_id, value } }) => ruleChanges.compared(rule_id, value), {
      role: "owner",
      body: Type.Object({ rule_id: ruleId, value: Type.Unknown() }),
    })
    .put(
      "/dashboard/api/rules",
      async ({ session, actor, body: { rule_id, ...given } }) => {
        const change = await ruleChanges.set(session.organisationId, { ruleId: rule_id, ...given }, actor);
        return { revision: change.revision, is_looser: change.is_looser };
      },
      {
        role: "owner",
        body: Type.Object({
          rule_id: ruleId,
          value: Type.Unknown(),
          reason: Type.Optional(Type.String({ maxLength: LONGEST_REASON * 2 })),
        }),
      },
    )
    .post(
      "/dashboard/api/rules/reset",
      async ({ session, actor, body }) => {
        const { revision } = await ruleChanges.reset(session.organisationId, body.rule_id, actor);
        return { revision };
      },
      { role: "owner", body: Type.Object({ rule_id: ruleId }) },
    );
}
