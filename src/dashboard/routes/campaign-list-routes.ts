// Check of a list before it becomes a campaign. Nothing is created or stored.
import { Elysia } from "elysia";
import type { ListCheck } from "../../lists/list-check.ts";
import { MOST_LIST_BYTES } from "../../lists/table.ts";
import type { Actor } from "../../core/actor.ts";
import type { Files } from "../../core/file-job.ts";
import { listJob, type SentList } from "../list-job.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface CampaignListRouteDeps {
  guard: SessionGuard;
  listCheck: ListCheck;
  files: Files;
}

/** Size of the form without the list. */
const MOST_FORM_BYTES = 64 * 1024;
const UPLOAD = {
  role: "staff",
  mostBytes: MOST_LIST_BYTES + MOST_FORM_BYTES,
  types: ["multipart/form-data"],
} as const;
const ANSWER_TYPES: Readonly<Record<SentList["wanted"], string>> = {
  view: "application/json",
  faulty: "text/csv; charset=utf-8",
};

export function campaignListRoutes({ guard, listCheck, files }: CampaignListRouteDeps) {
  async function answer(
    wanted: SentList["wanted"],
    organisationId: string,
    actor: Actor,
    request: Request,
    body: unknown,
  ) {
    const contentType = request.headers.get("content-type") ?? "";
    const sent = { bytes: body instanceof Uint8Array ? body : new Uint8Array(), contentType, wanted };
    const { bytes } = await listCheck.check(organisationId, actor, (world) =>
      files.read(organisationId, listJob, sent, world),
    );
    const headers = { "content-type": ANSWER_TYPES[wanted], "cache-control": "no-store" };
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  }

  return new Elysia({ name: "dashboard-campaign-list" })
    .use(guard)
    .post(
      "/dashboard/api/campaigns/list",
      ({ session, actor, request, body }) => answer("view", session.organisationId, actor, request, body),
      { upload: UPLOAD },
    )
    .post(
      "/dashboard/api/campaigns/list/faulty.csv",
      ({ session, actor, request, body }) => answer("faulty", session.organisationId, actor, request, body),
      { upload: UPLOAD },
    );
}
