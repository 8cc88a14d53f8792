// Routes of sources.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../../http/guard.ts";
import {
  CREATE_SOURCE_EXAMPLE,
  CreateSourceSchema,
  ListSourcesQuery,
  PatchSourceSchema,
  RemovedSourceSchema,
  RemoveSourceQuery,
  SourceAnswerSchema,
  SourceListSchema,
  type SourceView,
} from "./model.ts";
import type { SourceService } from "./service.ts";

const sourceId = Type.Object({ source_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Sources"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function sourceRoutes(guard: Guard, sources: SourceService) {
  return new Elysia({ name: "sources" })
    .use(guard)
    .post(
      "/v1/sources",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: SourceView) => ({ data }), subjectId: ({ source_id }) => source_id },
          (alongside) => sources.create(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "sources:write",
        creates: true,
        json: true,
        body: CreateSourceSchema,
        answers: { 201: SourceAnswerSchema },
        detail: detail("createSource", "Add a system of the hospital", ["CONFLICT"], {
          "x-example": CREATE_SOURCE_EXAMPLE,
        }),
      },
    )
    .get("/v1/sources", ({ principal, query }) => sources.page(principal.organisationId, query), {
      scope: "sources:read",
      query: ListSourcesQuery,
      answers: { 200: SourceListSchema },
      detail: detail("listSources", "List sources, newest first"),
    })
    .get(
      "/v1/sources/:source_id",
      async ({ principal, params }) => ({ data: await sources.get(principal.organisationId, params.source_id) }),
      {
        scope: "sources:read",
        tagged: true,
        params: sourceId,
        answers: { 200: SourceAnswerSchema },
        detail: detail("getSource", "Read one source", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/sources/:source_id",
      async ({ principal, actor, params, body }) => ({
        data: await sources.change(principal.organisationId, params.source_id, body, actor),
      }),
      {
        scope: "sources:write",
        tagged: true,
        json: true,
        params: sourceId,
        body: PatchSourceSchema,
        answers: { 200: SourceAnswerSchema },
        detail: detail("changeSource", "Change a source, or switch it off", ["NOT_FOUND", "CONFLICT"], {
          "x-example": { enabled: false },
        }),
      },
    )
    .delete(
      "/v1/sources/:source_id",
      async ({ principal, actor, params, query }) => {
        const id = params.source_id;
        const { released } = await sources.remove(principal.organisationId, id, query.release === "true", actor);
        return { data: { source_id: id, removed: true as const, released } };
      },
      {
        scope: "sources:write",
        params: sourceId,
        query: RemoveSourceQuery,
        answers: { 200: RemovedSourceSchema },
        detail: detail("removeSource", "Remove a source", ["NOT_FOUND", "CONFLICT"], {
          description: "A source with upcoming appointments stays, unless they are released: 409 `CONFLICT`.",
        }),
      },
    );
}
