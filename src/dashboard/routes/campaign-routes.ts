// Campaign routes for staff: create, follow, pause, resume, stop, retry failed calls, download results.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  CreateCampaignSchema,
  LARGE_CAMPAIGN,
  ListCampaignsQuery,
  ListResultsQuery,
  RetryRowsQuery,
  type CreatedCampaign,
} from "../../campaigns/model.ts";
import { resultsFile } from "../../campaigns/routes.ts";
import type { CampaignService } from "../../campaigns/service.ts";
import type { Idempotency } from "../../http/idempotency.ts";
import { infoOf } from "../../http/request-info.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface CampaignRouteDeps {
  guard: SessionGuard;
  campaigns: CampaignService;
  idempotency: Idempotency;
}

const campaign = Type.Object({ campaign_id: Type.String({ maxLength: 64 }) });
const LARGE = { role: "staff", ...LARGE_CAMPAIGN } as const;

export function campaignRoutes({ guard, campaigns, idempotency }: CampaignRouteDeps) {
  return new Elysia({ name: "dashboard-campaigns" })
    .use(guard)
    .use(campaignActs({ guard, campaigns }))
    .get(
      "/dashboard/api/campaigns",
      ({ session, query }) => campaigns.list(session.organisationId, query, session.reach),
      {
        role: "viewer",
        query: ListCampaignsQuery,
      },
    )
    .post(
      "/dashboard/api/campaigns",
      async ({ session, actor, request, body }) => {
        const { organisationId, personId } = session;
        const reply = await idempotency.run(
          {
            organisationId,
            credentialId: personId,
            route: "POST /dashboard/api/campaigns",
            header: request.headers.get("idempotency-key"),
            // Computed while the body arrived.
            requestHash: () => infoOf(request).requestHash ?? "",
          },
          async (remember) => {
            const answer = (created: CreatedCampaign) => ({ status: 200, body: created });
            const created = await campaigns.create(
              organisationId,
              body,
              actor,
              (tx, made) => remember(tx, answer(made), made.campaign_id),
              { isOnlyOnce: true },
            );
            return answer(created);
          },
        );
        return reply.body;
      },
      { large: LARGE, body: CreateCampaignSchema },
    )
    .post(
      "/dashboard/api/campaigns/check",
      ({ session, actor, body }) => campaigns.check(session.organisationId, body, actor),
      { large: LARGE, body: CreateCampaignSchema },
    )
    .get(
      "/dashboard/api/campaigns/:campaign_id",
      ({ session, params }) => campaigns.get(session.organisationId, params.campaign_id),
      { role: "viewer", params: campaign },
    )
    .get(
      "/dashboard/api/campaigns/:campaign_id/results",
      ({ session, actor, params, query }) =>
        campaigns.results(session.organisationId, params.campaign_id, query, actor),
      { role: "viewer", params: campaign, query: ListResultsQuery },
    )
    .get(
      "/dashboard/api/campaigns/:campaign_id/results.csv",
      ({ session, actor, params }) => resultsFile(campaigns, session.organisationId, params.campaign_id, actor),
      { role: "viewer", params: campaign },
    );
}

/** Actions on an existing campaign. */
function campaignActs({ guard, campaigns }: Pick<CampaignRouteDeps, "guard" | "campaigns">) {
  return new Elysia({ name: "dashboard-campaign-acts" })
    .use(guard)
    .post(
      "/dashboard/api/campaigns/:campaign_id/pause",
      ({ session, actor, params }) => campaigns.pause(session.organisationId, params.campaign_id, actor),
      { role: "staff", params: campaign },
    )
    .post(
      "/dashboard/api/campaigns/:campaign_id/resume",
      ({ session, actor, params }) => campaigns.resume(session.organisationId, params.campaign_id, actor),
      { role: "staff", params: campaign },
    )
    .post(
      "/dashboard/api/campaigns/:campaign_id/stop",
      ({ session, actor, params }) => campaigns.stop(session.organisationId, params.campaign_id, actor),
      { role: "staff", params: campaign },
    )
    .post(
      "/dashboard/api/campaigns/:campaign_id/retry",
      ({ session, actor, params, query }) => campaigns.retry(session.organisationId, params.campaign_id, query, actor),
      { role: "staff", params: campaign, query: RetryRowsQuery },
    )
    .delete(
      "/dashboard/api/campaigns/:campaign_id",
      async ({ session, actor, params }) => {
        await campaigns.erase(session.organisationId, params.campaign_id, actor);
        return { deleted: true };
      },
      { role: "owner", params: campaign },
    );
}
