// Drop folders of the hospital's systems: their files, decisions about lists that ask, and samples for mapping columns.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ListSourceFilesQuery, type SourceFileList } from "../../exchange/folder/model.ts";
import type { SourceFileService } from "../../exchange/folder/service.ts";
import { MOST_LIST_BYTES } from "../../lists/table.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface FolderRouteDeps {
  guard: SessionGuard;
  sourceFiles: SourceFileService;
}

const id = Type.Object({ id: Type.String({ maxLength: 64 }) });
const file = Type.Object({ id: Type.String({ maxLength: 64 }), file: Type.String({ maxLength: 64 }) });
/** Settings that differ from the stored ones; checked with them. */
const Asked = Type.Object({ settings: Type.Record(Type.String({ maxLength: 60 }), Type.Unknown()) });
/** Size of the form without the list. */
const MOST_FORM_BYTES = 64 * 1024;
const UPLOAD = {
  role: "owner",
  mostBytes: MOST_LIST_BYTES + MOST_FORM_BYTES,
  types: ["multipart/form-data"],
} as const;

const jsonOf = (bytes: Uint8Array) =>
  new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });

export function folderRoutes({ guard, sourceFiles }: FolderRouteDeps) {
  return new Elysia({ name: "dashboard-folders" })
    .use(guard)
    .get(
      "/dashboard/api/sources/:id/files",
      ({ session, params, query }): Promise<SourceFileList> =>
        sourceFiles.page(session.organisationId, params.id, query),
      { role: "viewer", params: id, query: ListSourceFilesQuery },
    )
    .post(
      "/dashboard/api/sources/:id/files/:file/accept",
      ({ session, actor, params }) => sourceFiles.accept(session.organisationId, params.id, params.file, actor),
      { role: "staff", params: file },
    )
    .post(
      "/dashboard/api/sources/:id/files/:file/reject",
      ({ session, actor, params }) => sourceFiles.reject(session.organisationId, params.id, params.file, actor),
      { role: "staff", params: file },
    )
    .post(
      "/dashboard/api/sources/:id/sample/waiting",
      async ({ session, actor, params, body }) =>
        jsonOf(await sourceFiles.sample(session.organisationId, params.id, { asked: body.settings }, actor)),
      { role: "owner", params: id, body: Asked },
    )
    .post(
      "/dashboard/api/sources/:id/sample",
      async ({ session, actor, params, request, body }) => {
        const form = body instanceof Uint8Array ? body : new Uint8Array();
        const sent = { form, contentType: request.headers.get("content-type") ?? "" };
        return jsonOf(await sourceFiles.sample(session.organisationId, params.id, sent, actor));
      },
      { upload: UPLOAD, params: id },
    );
}
