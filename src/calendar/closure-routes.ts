// Routes of closures: days on which windows are closed, and what happens to the people booked there.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  CLOSE_EXAMPLE,
  ClosedSchema,
  CloseSchema,
  ClosureAnswerSchema,
  ClosureListSchema,
  ClosurePreviewAnswerSchema,
  ClosureScopeSchema,
  ListClosuresQuery,
  RefusedSchema,
  ReopenSchema,
} from "./closure-model.ts";
import type { ClosureService } from "./closure-service.ts";

const closureId = Type.Object({ closure_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Closures"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function closureApiRoutes(guard: Guard, closures: ClosureService) {
  return new Elysia({ name: "closures" })
    .use(guard)
    .post(
      "/v1/closures/preview",
      async ({ principal, actor, body }) => ({ data: await closures.preview(principal.organisationId, body, actor) }),
      {
        scope: "closures:write",
        creates: false,
        json: true,
        body: ClosureScopeSchema,
        answers: { 200: ClosurePreviewAnswerSchema },
        detail: detail("previewClosure", "Who is booked on these days, and where they could be moved", [], {
          "x-example": {
            branch_ids: ["0190a1b2-0000-7000-8000-000000000001"],
            ranges: [{ from: "2026-11-09", to: "2026-11-10" }],
          },
        }),
      },
    )
    .post(
      "/v1/closures",
      ({ principal, actor, body, once }) =>
        once(
          {
            status: 201,
            body: (data: { closure_ids: string[] }) => ({ data }),
            subjectId: ({ closure_ids: [first = ""] }) => first,
          },
          (alongside) => closures.close(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "closures:write",
        creates: true,
        json: true,
        body: CloseSchema,
        answers: { 201: ClosedSchema },
        detail: detail("createClosure", "Close days; move, call or leave the people booked there", [], {
          description: "The work goes on after the answer: `GET /v1/closures/{closure_id}` shows how far it is.",
          "x-example": CLOSE_EXAMPLE,
        }),
      },
    )
    .get("/v1/closures", ({ principal, query }) => closures.page(principal.organisationId, query), {
      scope: "closures:read",
      query: ListClosuresQuery,
      answers: { 200: ClosureListSchema },
      detail: detail("listClosures", "List closures, newest first"),
    })
    .get(
      "/v1/closures/:closure_id",
      async ({ principal, params }) => ({ data: await closures.get(principal.organisationId, params.closure_id) }),
      {
        scope: "closures:read",
        params: closureId,
        answers: { 200: ClosureAnswerSchema },
        detail: detail("getClosure", "Read one closure and its progress", ["NOT_FOUND"]),
      },
    )
    .get(
      "/v1/closures/:closure_id/refused",
      async ({ principal, actor, params }) => ({
        data: await closures.refused(principal.organisationId, params.closure_id, actor),
      }),
      {
        scope: "closures:read",
        params: closureId,
        answers: { 200: RefusedSchema },
        detail: detail("listRefusedMoves", "Appointments that could not be moved or called", ["NOT_FOUND"]),
      },
    )
    .post(
      "/v1/closures/:closure_id/reopen",
      async ({ principal, actor, params, body }) => {
        await closures.reopen(principal.organisationId, params.closure_id, actor, body);
        return { data: await closures.get(principal.organisationId, params.closure_id) };
      },
      {
        scope: "closures:write",
        creates: false,
        json: true,
        params: closureId,
        body: ReopenSchema,
        answers: { 200: ClosureAnswerSchema },
        detail: detail("reopenClosure", "Cancel a closure: open its days again", ["NOT_FOUND", "CONFLICT"], {
          description: "People who were moved stay where they are; the others keep their appointments.",
          "x-example": {},
        }),
      },
    );
}
