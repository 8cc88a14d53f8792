// Version history of agents, templates for new agents, and the prompt preview.
import { AnalysisFieldSchema } from "../../payloads/analysis-field.ts";
import { ApprovedAnswerSchema, MOST_ANSWERS } from "../../payloads/approved-answer.ts";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { libraryIn, libraryLanguage } from "../../agents/library/library.ts";
import type { AgentService } from "../../agents/service.ts";
import { assertStorable } from "../../calls/additional-info.ts";
import { versioned } from "../../core/entity-tag.ts";
import { nullable } from "../../core/schema.ts";
import type { PromptPreview } from "../prompt-preview.ts";
import type { SessionGuard } from "../session-guard.ts";

const id = Type.String({ maxLength: 64 });
/** A string, because path parameters are text. */
const version = Type.String({ pattern: "^[1-9][0-9]{0,5}$", allowed: "a whole number from 1" });

const text = (maxLength: number) => Type.String({ maxLength });
const PreviewBody = Type.Object({
  agent: Type.Object({
    type: text(20),
    name: text(100),
    language: text(20),
    prompt: text(32_000),
    greeting: text(2_000),
    branch_id: nullable(text(36)),
    transfer_to: nullable(text(200)),
    analysis_fields: Type.Optional(Type.Array(AnalysisFieldSchema, { maxItems: 20 })),
    model_speech: Type.Optional(text(20)),
    approved_answers: Type.Optional(Type.Array(ApprovedAnswerSchema, { maxItems: MOST_ANSWERS })),
  }),
  values: Type.Record(Type.String(), Type.Unknown()),
});

export function agentVersionRoutes(guard: SessionGuard, agents: AgentService, preview: PromptPreview) {
  return new Elysia({ name: "dashboard-agent-versions" })
    .use(guard)
    .get("/dashboard/api/agents/library", ({ query }) => libraryIn(libraryLanguage(query.language ?? "en")), {
      role: "viewer",
      query: Type.Object({ language: Type.Optional(text(20)) }),
    })
    .post(
      "/dashboard/api/agents/preview/model",
      ({ session, body: { agent, values } }) => {
        assertStorable("values", values);
        return preview(session.organisationId, agent, values);
      },
      { role: "viewer", body: PreviewBody },
    )
    .get(
      "/dashboard/api/agents/:id/versions",
      ({ session, params }) => agents.versions(session.organisationId, params.id),
      { role: "viewer", params: Type.Object({ id }) },
    )
    .get(
      "/dashboard/api/agents/:id/versions/:version",
      ({ session, params, query: { against } }) =>
        agents.version(
          session.organisationId,
          params.id,
          Number(params.version),
          against === undefined ? undefined : Number(against),
        ),
      {
        role: "viewer",
        params: Type.Object({ id, version }),
        query: Type.Object({ against: Type.Optional(version) }),
      },
    )
    .post(
      "/dashboard/api/agents/:id/versions/:version/restore",
      async ({ session, actor, params }) =>
        versioned(await agents.restore(session.organisationId, params.id, Number(params.version), actor)),
      { role: "staff", params: Type.Object({ id, version }) },
    );
}
