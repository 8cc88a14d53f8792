// Lists of consents: import in parts, and the export. The consents of one person are in contact-routes.ts.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { csvResponse, csvText } from "../../http/csv.ts";
import { CONSENT_LINES_AT_ONCE, LONGEST_CONSENT_CELL } from "../../payloads/consent-lines.ts";
import type { ConsentService } from "../../rules/consent/service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface ConsentRouteDeps {
  guard: SessionGuard;
  consents: ConsentService;
}

const cell = Type.String({ maxLength: LONGEST_CONSENT_CELL });
const Line = Type.Object({
  line: Type.Integer({ minimum: 1 }),
  number: cell,
  purpose: cell,
  basis: cell,
  granted_on: cell,
  until: cell,
  reference: cell,
  status: cell,
});

export function consentListRoutes({ guard, consents }: ConsentRouteDeps) {
  return new Elysia({ name: "dashboard-consents" })
    .use(guard)
    .get(
      "/dashboard/api/consents/export",
      ({ session, actor }) => csvResponse("consents.csv", csvText(consents.exported(session.organisationId, actor))),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/consents/import",
      ({ session, actor, body: { lines, ...whole } }) =>
        consents.importLines(session.organisationId, lines, whole, actor),
      {
        role: "staff",
        body: Type.Object({
          purpose: cell,
          basis: cell,
          lines: Type.Array(Line, { minItems: 1, maxItems: CONSENT_LINES_AT_ONCE }),
        }),
      },
    );
}
