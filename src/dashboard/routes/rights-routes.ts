// Retention holds, a person's file and the breach report, for owners.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { streamedFile } from "../../http/streamed-file.ts";
import type { BreachReport } from "../../rights/breach-report.ts";
import type { Contacts } from "../../rights/contacts.ts";
import type { PersonFile } from "../../rights/person-file.ts";
import { breachCsv } from "../../rights/routes.ts";
import type { HoldService } from "../../rules/holds/hold-service.ts";
import { CreateHoldSchema, ReleaseHoldSchema } from "../../rules/holds/model.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface RightsRouteDeps {
  guard: SessionGuard;
  contacts: Pick<Contacts, "numberOf">;
  holds: HoldService;
  personFile: PersonFile;
  breachReport: BreachReport;
}

const PER_PAGE = "50";
const text = (maxLength: number) => Type.String({ maxLength });

export function dashboardRightsRoutes(deps: RightsRouteDeps) {
  const { guard, contacts, holds, personFile, breachReport } = deps;
  return new Elysia({ name: "dashboard-rights" })
    .use(guard)
    .get(
      "/dashboard/api/holds",
      ({ session, actor, query }) => holds.list(session.organisationId, { ...query, limit: PER_PAGE }, actor),
      { role: "owner", query: Type.Object({ in_force: Type.Optional(text(5)), cursor: Type.Optional(text(200)) }) },
    )
    .post("/dashboard/api/holds", ({ session, actor, body }) => holds.add(session.organisationId, body, actor), {
      role: "owner",
      body: CreateHoldSchema,
    })
    .post(
      "/dashboard/api/holds/:hold_id/release",
      ({ session, actor, params, body }) => holds.release(session.organisationId, params.hold_id, body.reason, actor),
      { role: "owner", params: Type.Object({ hold_id: text(64) }), body: ReleaseHoldSchema },
    )
    .get(
      "/dashboard/api/contacts/:contact_id/file",
      async ({ session: { organisationId }, actor, params }) => {
        const number = await contacts.numberOf(organisationId, params.contact_id);
        return streamedFile("person.zip", "application/zip", await personFile.open(organisationId, number, actor));
      },
      { role: "owner", params: Type.Object({ contact_id: text(64) }) },
    )
    .get(
      "/dashboard/api/breach-report",
      async ({ session, actor, query }) => breachCsv(await breachReport.open(session.organisationId, query, actor)),
      { role: "owner", query: Type.Object({ from: text(40), to: text(40) }) },
    );
}
