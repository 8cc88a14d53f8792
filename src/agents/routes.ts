// Routes of agents and their versions.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  AgentAnswerSchema,
  AgentListSchema,
  AgentVersionListSchema,
  AgentVersionSchema,
  ChangeAgentSchema,
  CREATE_AGENT_EXAMPLE,
  CreateAgentSchema,
  ListAgentsQuery,
  PREVIEW_EXAMPLE,
  PreviewAnswerSchema,
  PreviewTemplateSchema,
  type PreviewTemplateInput,
} from "./model.ts";
import type { AgentService } from "./service.ts";
import type { Rendered } from "./template.ts";
import type { AgentView } from "./views.ts";

/** Fills in a template as a call of the organisation does. */
export type PreviewTemplate = (organisationId: string, input: PreviewTemplateInput) => Promise<Rendered>;

const agentId = Type.Object({ agent_id: Type.String({ maxLength: 64 }) });
/** A string, because path and query parameters are text. */
const versionNumber = (description: string) =>
  Type.String({ pattern: "^[1-9][0-9]{0,5}$", description, allowed: "a whole number from 1 to 999999" });
const agentVersion = Type.Object({ ...agentId.properties, version: versionNumber("Number of the version.") });
const oneAgent = () => ({ 200: AgentAnswerSchema });

const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Agents"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function agentRoutes(guard: Guard, agents: AgentService, preview: PreviewTemplate) {
  return new Elysia({ name: "agents" })
    .use(guard)
    .post(
      "/v1/agents",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: AgentView) => ({ data }), subjectId: ({ agent_id }) => agent_id },
          (alongside) => agents.create(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "agents:write",
        creates: true,
        json: true,
        body: CreateAgentSchema,
        answers: { 201: AgentAnswerSchema },
        detail: detail("createAgent", "Create an agent", [], { "x-example": CREATE_AGENT_EXAMPLE }),
      },
    )
    .post(
      "/v1/agents/preview",
      async ({ principal, body }) => ({ data: await preview(principal.organisationId, body) }),
      {
        scope: "agents:read",
        creates: false,
        json: true,
        body: PreviewTemplateSchema,
        answers: { 200: PreviewAnswerSchema },
        detail: detail("previewTemplate", "Show a prompt or greeting as a call would fill it in", [], {
          "x-example": PREVIEW_EXAMPLE,
        }),
      },
    )
    .patch(
      "/v1/agents/:agent_id",
      async ({ principal, actor, params, body }) => ({
        data: await agents.update(principal.organisationId, params.agent_id, body, actor),
      }),
      {
        scope: "agents:write",
        tagged: true,
        json: true,
        params: agentId,
        body: ChangeAgentSchema,
        answers: oneAgent(),
        detail: detail("changeAgent", "Change an agent", ["NOT_FOUND"], {
          "x-example": { greeting: "Hello {{user_name}}, this is {{hospital}}." },
          description:
            "Fields that are not sent stay. Each change is kept as a version. A `promotional` agent gets another purpose only with `purpose_reason`.",
        }),
      },
    )
    .use(readRoutes(guard, agents))
    .use(archiveRoutes(guard, agents));
}

function readRoutes(guard: Guard, agents: AgentService) {
  return new Elysia({ name: "agents-read" })
    .use(guard)
    .get("/v1/agents", ({ principal, query }) => agents.page(principal.organisationId, query), {
      scope: "agents:read",
      query: ListAgentsQuery,
      answers: { 200: AgentListSchema },
      detail: detail("listAgents", "List agents, newest first", ["VALIDATION_ERROR"]),
    })
    .get(
      "/v1/agents/:agent_id",
      async ({ principal, params }) => ({ data: await agents.get(principal.organisationId, params.agent_id) }),
      {
        scope: "agents:read",
        tagged: true,
        params: agentId,
        answers: oneAgent(),
        detail: detail("getAgent", "Read one agent, also an archived one", ["NOT_FOUND"]),
      },
    )
    .get(
      "/v1/agents/:agent_id/versions",
      async ({ principal, params }) => {
        const versions = await agents.versions(principal.organisationId, params.agent_id);
        return { data: versions.map(({ by: { kind, id }, ...version }) => ({ ...version, by: { kind, id } })) };
      },
      {
        scope: "agents:read",
        params: agentId,
        answers: { 200: AgentVersionListSchema },
        detail: detail("listAgentVersions", "List the versions of an agent, newest first", ["NOT_FOUND"], {
          description: "The newest 200 are kept.",
        }),
      },
    )
    .get(
      "/v1/agents/:agent_id/versions/:version",
      async ({ principal, params: { agent_id, version }, query: { against } }) => ({
        data: await agents.version(
          principal.organisationId,
          agent_id,
          Number(version),
          against === undefined ? undefined : Number(against),
        ),
      }),
      {
        scope: "agents:read",
        params: agentVersion,
        query: Type.Object({
          against: Type.Optional(versionNumber("Compare with this version; without it, with the version before.")),
        }),
        answers: { 200: AgentVersionSchema },
        detail: detail("getAgentVersion", "Read one version, and what it changed", ["NOT_FOUND"]),
      },
    );
}

function archiveRoutes(guard: Guard, agents: AgentService) {
  return new Elysia({ name: "agents-archive" })
    .use(guard)
    .post(
      "/v1/agents/:agent_id/archive",
      async ({ principal, actor, params }) => ({
        data: await agents.archive(principal.organisationId, params.agent_id, actor),
      }),
      {
        scope: "agents:write",
        creates: false,
        params: agentId,
        answers: oneAgent(),
        detail: detail("archiveAgent", "Take an agent out of use, and release its numbers", ["NOT_FOUND", "CONFLICT"], {
          description: "409 while calls or campaigns of the agent are planned or under way. Its calls stay.",
        }),
      },
    )
    .post(
      "/v1/agents/:agent_id/unarchive",
      async ({ principal, actor, params }) => ({
        data: await agents.unarchive(principal.organisationId, params.agent_id, actor),
      }),
      {
        scope: "agents:write",
        creates: false,
        params: agentId,
        answers: oneAgent(),
        detail: detail("unarchiveAgent", "Put an archived agent back into use, without its numbers", ["NOT_FOUND"]),
      },
    )
    .post(
      "/v1/agents/:agent_id/versions/:version/restore",
      async ({ principal, actor, params: { agent_id, version } }) => ({
        data: await agents.restore(principal.organisationId, agent_id, Number(version), actor),
      }),
      {
        scope: "agents:write",
        creates: false,
        params: agentVersion,
        answers: oneAgent(),
        detail: detail(
          "restoreAgentVersion",
          "Restore an earlier version, as a new version",
          ["NOT_FOUND", "VALIDATION_ERROR"],
          {
            description:
              "A version with another purpose is refused while the agent is `promotional`: change the purpose first.",
          },
        ),
      },
    );
}
