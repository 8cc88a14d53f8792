// HL7 for owners: the message log, another try of a refused message, and what is understood of a pasted one.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ListHl7MessagesQuery, PreviewHl7Schema } from "../../exchange/hl7/log/model.ts";
import type { Hl7Log } from "../../exchange/hl7/message-log.ts";
import type { Preview } from "../../exchange/hl7/preview.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface Hl7RouteDeps {
  guard: SessionGuard;
  hl7Log: Hl7Log;
  hl7Preview: Preview;
}

const id = Type.Object({ id: Type.String({ maxLength: 64 }) });

export function dashboardHl7Routes({ guard, hl7Log, hl7Preview }: Hl7RouteDeps) {
  return new Elysia({ name: "dashboard-hl7" })
    .use(guard)
    .get("/dashboard/api/hl7/messages", ({ session, query }) => hl7Log.page(session.organisationId, query), {
      role: "owner",
      query: ListHl7MessagesQuery,
    })
    .get("/dashboard/api/hl7/messages/:id", ({ session, params }) => hl7Log.get(session.organisationId, params.id), {
      role: "owner",
      params: id,
    })
    .post(
      "/dashboard/api/hl7/messages/:id/resend",
      ({ session, actor, params }) => hl7Log.resend(session.organisationId, params.id, actor),
      { role: "owner", params: id },
    )
    .post("/dashboard/api/hl7/preview", ({ session, body }) => hl7Preview(session.organisationId, body), {
      role: "owner",
      body: PreviewHl7Schema,
    });
}
