// Asked by every button that dials, before it does.
import { Elysia } from "elysia";
import type { DialAheadQuestion } from "../../calls/dial-ahead.ts";
import type { Database } from "../../db/database.ts";
import { calleesOf, DialAheadBody, timeOf, type DialAheadSubjectsDeps } from "../dial-ahead-subjects.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface DialAheadRouteDeps extends DialAheadSubjectsDeps {
  guard: SessionGuard;
  db: Database;
  dialAhead: DialAheadQuestion;
}

export function dialAheadRoutes({ guard, db, dialAhead, ...subjects }: DialAheadRouteDeps) {
  return new Elysia({ name: "dashboard-dial-ahead" }).use(guard).post(
    "/dashboard/api/dial-ahead",
    async ({ session: { organisationId }, actor, body }) => {
      const callees = await calleesOf(subjects, db.reader, organisationId, body, actor);
      const ahead = await dialAhead(organisationId, callees, timeOf(body), actor, body.call_ids);
      // A campaign's pending calls are its own.
      return { ...ahead, pending: body.campaign_id === undefined ? ahead.pending : [] };
    },
    { role: "staff", body: DialAheadBody },
  );
}
