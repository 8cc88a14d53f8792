// Routes of files that a source delivered to its folder.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../../http/guard.ts";
import { ListSourceFilesQuery, SourceFileAnswerSchema, SourceFileListSchema } from "./model.ts";
import type { SourceFileService } from "./service.ts";

const id = () => Type.String({ maxLength: 64 });
const sourceId = Type.Object({ source_id: id() });
const fileId = Type.Object({ source_id: id(), file_id: id() });
const detail = (operationId: string, summary: string, errors: readonly string[], description?: string) => ({
  tags: ["Sources"],
  operationId,
  summary,
  ...(description !== undefined && { description }),
  "x-errors": errors,
});

export function sourceFileRoutes(guard: Guard, files: SourceFileService) {
  return new Elysia({ name: "source-files" })
    .use(guard)
    .get(
      "/v1/sources/:source_id/files",
      ({ principal, params, query }) => files.page(principal.organisationId, params.source_id, query),
      {
        scope: "sources:read",
        params: sourceId,
        query: ListSourceFilesQuery,
        answers: { 200: SourceFileListSchema },
        detail: detail("listSourceFiles", "List files of a source, newest first", ["NOT_FOUND"]),
      },
    )
    .post(
      "/v1/sources/:source_id/files/:file_id/accept",
      async ({ principal, actor, params }) => ({
        data: await files.accept(principal.organisationId, params.source_id, params.file_id, actor),
      }),
      {
        scope: "sources:write",
        creates: false,
        params: fileId,
        answers: { 200: SourceFileAnswerSchema },
        detail: detail(
          "acceptSourceFile",
          "Apply a list that asks",
          ["NOT_FOUND", "CONFLICT"],
          "Its `absent` appointments are cancelled. If it lacks more by then, it asks again.",
        ),
      },
    )
    .post(
      "/v1/sources/:source_id/files/:file_id/reject",
      async ({ principal, actor, params }) => ({
        data: await files.reject(principal.organisationId, params.source_id, params.file_id, actor),
      }),
      {
        scope: "sources:write",
        creates: false,
        params: fileId,
        answers: { 200: SourceFileAnswerSchema },
        detail: detail(
          "rejectSourceFile",
          "Refuse a file that asks or waits",
          ["NOT_FOUND", "CONFLICT"],
          "It moves to `faulty`.",
        ),
      },
    );
}
