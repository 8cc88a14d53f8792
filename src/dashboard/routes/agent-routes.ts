// Editing of agents and numbers.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { AnalysisFieldSchema } from "../../payloads/analysis-field.ts";
import { ApprovedAnswerSchema, MOST_ANSWERS } from "../../payloads/approved-answer.ts";
import { CallingHoursSchema } from "../../agents/calling-hours.ts";
import type { AgentService } from "../../agents/service.ts";
import { previewTemplate } from "../../calls/template-preview.ts";
import { versioned } from "../../core/entity-tag.ts";
import { LONGEST_REASON } from "../../core/reason.ts";
import { isOfReach } from "../../core/reach.ts";
import { nullable } from "../../core/schema.ts";
import type { SessionGuard } from "../session-guard.ts";

const text = (maxLength: number) => Type.String({ maxLength });
const AgentBody = Type.Partial(
  Type.Object({
    type: text(20),
    name: text(100),
    language: text(20),
    voice: text(100),
    prompt: text(32_000),
    greeting: text(2_000),
    retry_attempts: Type.Integer(),
    retry_minutes: Type.Integer(),
    retry_outcomes: Type.Array(text(20), { maxItems: 10 }),
    calling_hours: nullable(CallingHoursSchema),
    branch_id: nullable(text(36)),
    appointment_type_id: nullable(text(36)),
    transfer_to: nullable(text(200)),
    analysis_fields: Type.Array(AnalysisFieldSchema, { maxItems: 20 }),
    open_announcements: Type.Boolean(),
    recording_mode: nullable(text(20)),
    purpose: text(20),
    asks_consent_for: nullable(text(20)),
    dlt_entity_id: nullable(text(40)),
    dlt_template_id: nullable(text(40)),
    model_speech: text(20),
    approved_answers: Type.Array(ApprovedAnswerSchema, { maxItems: MOST_ANSWERS }),
    latest_minutes: nullable(Type.Integer()),
  }),
);
const AgentChangeBody = Type.Object({
  ...AgentBody.properties,
  purpose_reason: Type.Optional(text(LONGEST_REASON * 2)),
});
const id = Type.Object({ id: Type.String({ maxLength: 64 }) });
const number = Type.Object({ number: text(20) });

export function dashboardAgentRoutes(guard: SessionGuard, agents: AgentService) {
  return new Elysia({ name: "dashboard-agents" })
    .use(guard)
    .get(
      "/dashboard/api/agents",
      async ({ session: { organisationId, reach } }) =>
        (await agents.list(organisationId)).filter(({ branch_id }) => isOfReach(reach, branch_id)).map(versioned),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/agents",
      async ({ session, actor, body }) => versioned(await agents.create(session.organisationId, body, actor)),
      {
        role: "staff",
        body: AgentBody,
      },
    )
    .patch(
      "/dashboard/api/agents/:id",
      async ({ session, actor, params, body }) =>
        versioned(await agents.update(session.organisationId, params.id, body, actor)),
      {
        role: "staff",
        params: id,
        body: AgentChangeBody,
      },
    )
    .post(
      "/dashboard/api/agents/:id/archive",
      async ({ session, actor, params }) => {
        await agents.archive(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "staff", params: id },
    )
    .get(
      "/dashboard/api/agents/archived",
      async ({ session: { organisationId, reach } }) =>
        (await agents.listArchived(organisationId)).filter(({ branch_id }) => isOfReach(reach, branch_id)),
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/agents/:id/unarchive",
      async ({ session, actor, params }) => {
        await agents.unarchive(session.organisationId, params.id, actor);
        return { ok: true };
      },
      { role: "staff", params: id },
    )
    .post(
      "/dashboard/api/agents/preview",
      ({ session, body }) => previewTemplate(agents, session.organisationId, body),
      {
        role: "viewer",
        body: Type.Object({
          template: text(32_000),
          values: Type.Record(Type.String(), Type.Unknown()),
          branch_id: Type.Optional(nullable(text(36))),
        }),
      },
    )
    .get(
      "/dashboard/api/numbers",
      async ({ session: { organisationId, reach } }) => {
        const numbers = await agents.listNumbers(organisationId);
        if (reach?.kind !== "branches") return numbers;
        const own = (await agents.list(organisationId)).filter(({ branch_id }) => isOfReach(reach, branch_id));
        return numbers.filter(({ agent_id }) => own.some((agent) => agent.agent_id === agent_id));
      },
      { role: "viewer" },
    )
    .post(
      "/dashboard/api/numbers",
      ({ session, actor, body }) =>
        agents.addNumber(
          session.organisationId,
          {
            number: body.number,
            agentId: body.agent_id ?? null,
            concurrentCalls: body.concurrent_calls ?? 10,
            trunkId: body.trunk_id ?? null,
          },
          actor,
        ),
      {
        role: "owner",
        body: Type.Object({
          number: text(20),
          agent_id: Type.Optional(nullable(text(64))),
          concurrent_calls: Type.Optional(Type.Integer()),
          trunk_id: Type.Optional(nullable(text(64))),
        }),
      },
    )
    .put(
      "/dashboard/api/numbers/:number/agent",
      async ({ session, actor, params, body }) => {
        await agents.assignNumber(session.organisationId, params.number, body.agent_id, actor);
        return { ok: true };
      },
      { role: "staff", params: number, body: Type.Object({ agent_id: nullable(text(64)) }) },
    )
    .delete(
      "/dashboard/api/numbers/:number",
      async ({ session, actor, params }) => {
        await agents.removeNumber(session.organisationId, params.number, actor);
        return { ok: true };
      },
      { role: "owner", params: number },
    )
    .put(
      "/dashboard/api/numbers/:number/lines",
      async ({ session, actor, params, body }) => {
        await agents.setLines(session.organisationId, params.number, body.concurrent_calls, actor);
        return { ok: true };
      },
      { role: "owner", params: number, body: Type.Object({ concurrent_calls: Type.Integer() }) },
    );
}
