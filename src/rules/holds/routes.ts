// Routes of retention holds.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../../http/guard.ts";
import type { HoldService } from "./hold-service.ts";
import {
  CreateHoldSchema,
  HoldAnswerSchema,
  HoldListSchema,
  ListHoldsQuery,
  ReleaseHoldSchema,
  type Hold,
} from "./model.ts";

const holdId = Type.Object({ hold_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Retention holds"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function holdRoutes(guard: Guard, holds: HoldService) {
  return new Elysia({ name: "retention-holds" })
    .use(guard)
    .post(
      "/v1/retention-holds",
      ({ principal, actor, body, once }) =>
        once({ status: 201, body: (data: Hold) => ({ data }), subjectId: ({ hold_id }) => hold_id }, (alongside) =>
          holds.add(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "holds:write",
        creates: true,
        json: true,
        body: CreateHoldSchema,
        answers: { 201: HoldAnswerSchema },
        detail: detail(
          "addRetentionHold",
          "Keep a call, a person or everything from being erased",
          ["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"],
          { "x-example": { subject: "person", contact_number: "+919820012345", reason: "Case 7/2026" } },
        ),
      },
    )
    .get("/v1/retention-holds", ({ principal, actor, query }) => holds.list(principal.organisationId, query, actor), {
      scope: "holds:read",
      query: ListHoldsQuery,
      answers: { 200: HoldListSchema },
      detail: detail("listRetentionHolds", "List retention holds, newest first", ["VALIDATION_ERROR"]),
    })
    .post(
      "/v1/retention-holds/:hold_id/release",
      async ({ principal, actor, params, body }) => ({
        data: await holds.release(principal.organisationId, params.hold_id, body.reason, actor),
      }),
      {
        scope: "holds:write",
        creates: false,
        json: true,
        params: holdId,
        body: ReleaseHoldSchema,
        answers: { 200: HoldAnswerSchema },
        detail: detail("releaseRetentionHold", "Release a retention hold", ["VALIDATION_ERROR", "NOT_FOUND"], {
          "x-example": { reason: "Case 7/2026 is closed" },
        }),
      },
    );
}
