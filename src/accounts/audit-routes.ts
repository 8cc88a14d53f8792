// API route of the audit trail.
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import { AuditListSchema, ListAuditQuery } from "./audit-model.ts";
import type { AuditTrail } from "./audit-trail.ts";

export function auditApiRoutes(guard: Guard, trail: AuditTrail) {
  return new Elysia({ name: "audit" })
    .use(guard)
    .get("/v1/audit", ({ principal, actor, query }) => trail.page(principal.organisationId, query, actor), {
      scope: "audit:list",
      query: ListAuditQuery,
      answers: { 200: AuditListSchema },
      detail: {
        tags: ["Audit log"],
        operationId: "listAudit",
        summary: "Entries of the audit log, newest first",
        description: "Each request is an entry itself, `audit.listed`, and stands in the next answer.",
        "x-errors": ["VALIDATION_ERROR"],
      },
    });
}
