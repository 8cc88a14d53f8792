// The campaign routes of the API.
import { Elysia } from "elysia";
import { Type } from "@sinclair/typebox";
import { assertNoMistakenFields } from "../calls/mistaken-fields.ts";
import { csvLine } from "../core/csv-line.ts";
import { csvResponse } from "../http/csv.ts";
import type { Guard } from "../http/guard.ts";
import { infoOf } from "../http/request-info.ts";
import {
  CampaignDryRunSchema,
  CampaignListSchema,
  CampaignResultListSchema,
  CampaignSchema,
  CREATE_CAMPAIGN_EXAMPLE,
  CreateCampaignSchema,
  CreatedCampaignSchema,
  LARGE_CAMPAIGN,
  ListCampaignsQuery,
  ListResultsQuery,
  RetryRowsQuery,
  type CampaignResult,
  type CampaignView,
  type CreatedCampaign,
} from "./model.ts";
import type { CampaignService } from "./service.ts";
import { RESULT_COLUMNS, resultCells } from "./view.ts";

const campaignId = Type.Object({ campaign_id: Type.String() });
const oneCampaign = () => ({ 200: Type.Object({ data: CampaignSchema }) });
const ID_ERRORS = ["NOT_FOUND", "CONFLICT"];
const detail = (operationId: string, summary: string, errors: readonly string[], more: object = {}) => ({
  tags: ["Campaigns"],
  operationId,
  summary,
  "x-errors": [...errors],
  ...more,
});

/** Created for each app, because Elysia mutates the object and appends to its lists. */
const createDetail = () =>
  detail("createCampaign", "Call a list of people, one after the other at a pace", ["PLAN_LIMIT_REACHED"], {
    description:
      "Up to 10,000 rows and 8 MiB. Each row is what POST /v1/calls takes, without agent_id; a row at fault is refused by itself and " +
      "named, the others are accepted. Where no row can be called the answer is 400. Nothing is dialled before every row is stored. " +
      "Of bodies above 256 KiB, 12 MiB may be in flight for one key, 24 MiB for one organisation and 36 MiB in all; beyond it the " +
      "answer is 429 with Retry-After.",
    "x-example": CREATE_CAMPAIGN_EXAMPLE,
  });

/** Results of a campaign as lines of a CSV file; text that looks like a formula is escaped. */
export async function resultsFile(
  campaigns: CampaignService,
  ...asked: Parameters<CampaignService["exported"]>
): Promise<Response> {
  const pages = await campaigns.exported(...asked);
  return csvResponse("campaign-results.csv", resultLines(pages));
}

export async function* resultLines(pages: AsyncGenerator<CampaignResult[], void>): AsyncGenerator<string, void> {
  yield csvLine(RESULT_COLUMNS);
  for await (const page of pages) yield page.map((result) => csvLine(resultCells(result))).join("");
}

export function campaignRoutes(guard: Guard, campaigns: CampaignService) {
  return new Elysia({ name: "campaigns" })
    .use(guard)
    .post(
      "/v1/campaigns",
      async ({ principal, actor, body, request, query, set, once }) => {
        const { organisationId } = principal;
        assertNoMistakenFields(infoOf(request).sent?.ignored ?? [], "campaign");
        if (query.dry_run === "true") {
          set.status = 200;
          return { data: await campaigns.check(organisationId, body, actor) };
        }
        return once(
          { status: 201, body: (data: CreatedCampaign) => ({ data }), subjectId: ({ campaign_id }) => campaign_id },
          (alongside) => campaigns.create(organisationId, body, actor, alongside),
        );
      },
      {
        scope: "campaigns:write",
        creates: true,
        json: LARGE_CAMPAIGN,
        body: CreateCampaignSchema,
        query: Type.Object({
          dry_run: Type.Optional(
            Type.String({ pattern: "^(true|false)$", description: "true checks everything and makes nothing." }),
          ),
        }),
        answers: { 200: CampaignDryRunSchema, 201: CreatedCampaignSchema },
        detail: createDetail(),
      },
    )
    .use(readRoutes(guard, campaigns))
    .use(actRoutes(guard, campaigns));
}

function readRoutes(guard: Guard, campaigns: CampaignService) {
  return new Elysia({ name: "campaigns-read" })
    .use(guard)
    .get("/v1/campaigns", ({ principal, query }) => campaigns.list(principal.organisationId, query), {
      scope: "campaigns:read",
      query: ListCampaignsQuery,
      answers: { 200: CampaignListSchema },
      detail: detail("listCampaigns", "List campaigns, newest first", ["VALIDATION_ERROR"]),
    })
    .get(
      "/v1/campaigns/:campaign_id",
      async ({ principal, params }) => ({ data: await campaigns.get(principal.organisationId, params.campaign_id) }),
      {
        scope: "campaigns:read",
        params: campaignId,
        answers: oneCampaign(),
        detail: detail("getCampaign", "Read one campaign with its progress", ["NOT_FOUND"]),
      },
    )
    .get(
      "/v1/campaigns/:campaign_id/results",
      ({ principal, actor, params, query, request }) =>
        /\btext\/csv\b/i.test(request.headers.get("accept") ?? "")
          ? resultsFile(campaigns, principal.organisationId, params.campaign_id, actor)
          : campaigns.results(principal.organisationId, params.campaign_id, query, actor),
      {
        scope: "campaigns:read",
        params: campaignId,
        query: ListResultsQuery,
        answers: { 200: CampaignResultListSchema },
        detail: detail("listCampaignResults", "What became of each row", ["VALIDATION_ERROR", "NOT_FOUND"], {
          description: "In the order of the list. With `Accept: text/csv`, all of them as one CSV file.",
          "x-media": { "200": { "text/csv": { schema: { type: "string" } } } },
        }),
      },
    );
}

function actRoutes(guard: Guard, campaigns: CampaignService) {
  return new Elysia({ name: "campaigns-act" })
    .use(guard)
    .post(
      "/v1/campaigns/:campaign_id/pause",
      async ({ principal, actor, params }) => ({
        data: await campaigns.pause(principal.organisationId, params.campaign_id, actor),
      }),
      {
        scope: "campaigns:write",
        creates: false,
        params: campaignId,
        answers: oneCampaign(),
        detail: detail("pauseCampaign", "Call nobody until it is resumed", ID_ERRORS),
      },
    )
    .post(
      "/v1/campaigns/:campaign_id/resume",
      async ({ principal, actor, params }) => ({
        data: await campaigns.resume(principal.organisationId, params.campaign_id, actor),
      }),
      {
        scope: "campaigns:write",
        creates: false,
        params: campaignId,
        answers: oneCampaign(),
        detail: detail("resumeCampaign", "Go on calling", ID_ERRORS),
      },
    )
    .post(
      "/v1/campaigns/:campaign_id/stop",
      async ({ principal, actor, params }) => ({
        data: await campaigns.stop(principal.organisationId, params.campaign_id, actor),
      }),
      {
        scope: "campaigns:write",
        creates: false,
        params: campaignId,
        answers: oneCampaign(),
        detail: detail("stopCampaign", "Call nobody any more, and cancel what has not started", ID_ERRORS),
      },
    )
    .post(
      "/v1/campaigns/:campaign_id/retry",
      ({ principal, actor, params, query, once }) =>
        once(
          { status: 200, body: (data: CampaignView) => ({ data }), subjectId: ({ campaign_id }) => campaign_id },
          (alongside, progress) =>
            campaigns.retry(principal.organisationId, params.campaign_id, query, actor, { alongside, progress }),
        ),
      {
        scope: "campaigns:write",
        creates: true,
        params: campaignId,
        query: RetryRowsQuery,
        answers: oneCampaign(),
        detail: detail("retryCampaign", "Call those again who were not reached", ["VALIDATION_ERROR", ...ID_ERRORS]),
      },
    );
}
