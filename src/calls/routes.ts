// The five call routes.
import { Elysia } from "elysia";
import { Type } from "@sinclair/typebox";
import type { Guard } from "../http/guard.ts";
import { infoOf } from "../http/request-info.ts";
import { namedFields, unreadIn } from "../http/sent-fields.ts";
import type { Erasure } from "./life/erasure.ts";
import { assertNoMistakenFields } from "./mistaken-fields.ts";
import {
  CallListSchema,
  CallSchema,
  CancelledCallSchema,
  CREATE_CALL_EXAMPLE,
  CreateCallSchema,
  CreatedCallSchema,
  DeletedCallSchema,
  DryRunSchema,
  ListCallsQuery,
} from "./model.ts";
import type { CallService, CreatedCall } from "./service.ts";

export interface CallRouteDeps {
  guard: Guard;
  calls: CallService;
  erasure: Erasure;
  /** Suffixes of test numbers, for the documentation. */
  testNumbers: string;
}

const callId = Type.Object({ call_id: Type.String() });
const detail = (operationId: string, summary: string, errors: readonly string[], more: object = {}) => ({
  tags: ["Calls"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const NO_PARAMETERS = new URLSearchParams();

/** Most URLs have no query, and parsing one costs more than this check. */
function searchParamsOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return start === -1 ? NO_PARAMETERS : new URLSearchParams(url.slice(start));
}

/** A dry run wins if dry_run is given twice: nothing is created. */
function wantsDryRun(query: URLSearchParams): boolean {
  return query.getAll("dry_run").includes("true");
}

export function callRoutes({ guard, calls, erasure, testNumbers }: CallRouteDeps) {
  return new Elysia({ name: "calls" })
    .use(guard)
    .post(
      "/v1/calls",
      async ({ principal, actor, body, request, set, once }) => {
        const { organisationId } = principal;
        const searchParams = searchParamsOf(request);
        const ignored = infoOf(request).sent?.ignored ?? [];
        assertNoMistakenFields(ignored, "api");
        assertNoMistakenFields(
          [...searchParams.keys()].filter((name) => name !== "dry_run"),
          "api",
        );
        if (wantsDryRun(searchParams)) {
          set.status = 200;
          return {
            data: {
              ...(await calls.dryRun(organisationId, body, actor)),
              ignored_fields: namedFields(unreadIn(infoOf(request).sent)),
            },
          };
        }
        return once(
          { status: 201, body: (data: CreatedCall) => ({ data }), subjectId: ({ call_id }) => call_id },
          (alongside) => calls.create(organisationId, body, "api", actor, alongside),
        );
      },
      {
        scope: "calls:create",
        creates: true,
        json: true,
        body: CreateCallSchema,
        query: Type.Object({
          dry_run: Type.Optional(
            Type.String({ pattern: "^(true|false)$", description: "true checks everything and creates nothing." }),
          ),
        }),
        answers: { 200: DryRunSchema, 201: CreatedCallSchema },
        detail: detail(
          "createCall",
          "Create a call, now or at a later time",
          ["INVALID_PHONE_NUMBER", "UNSUPPORTED_COUNTRY"],
          {
            description: `Numbers are E.164, +91 or +1. With the simulator carrier the last four digits choose what happens:\n\n${testNumbers}`,
            "x-example": CREATE_CALL_EXAMPLE,
          },
        ),
      },
    )
    .get("/v1/calls", ({ principal, actor, query }) => calls.list(principal.organisationId, query, actor), {
      scope: "calls:read",
      query: ListCallsQuery,
      answers: { 200: CallListSchema },
      detail: detail("listCalls", "List calls, newest first", ["VALIDATION_ERROR"]),
    })
    .get(
      "/v1/calls/:call_id",
      async ({ principal, actor, params }) => ({
        data: await calls.get(principal.organisationId, params.call_id, actor),
      }),
      {
        scope: "calls:read",
        params: callId,
        answers: { 200: Type.Object({ data: CallSchema }) },
        detail: detail("getCall", "Read one call", ["NOT_FOUND"]),
      },
    )
    .post(
      "/v1/calls/:call_id/cancel",
      async ({ principal, actor, params }) => ({
        data: await calls.cancel(principal.organisationId, params.call_id, actor),
      }),
      {
        scope: "calls:cancel",
        creates: false,
        params: callId,
        answers: { 200: CancelledCallSchema },
        detail: detail("cancelCall", "Cancel a call that has not started", ["NOT_FOUND", "CALL_NOT_CANCELLABLE"]),
      },
    )
    .delete(
      "/v1/calls/:call_id",
      async ({ principal, actor, params, query }) => {
        await erasure.erase(principal.organisationId, params.call_id, actor, { any: query.any === "true" });
        return { data: { call_id: params.call_id, deleted: true as const } };
      },
      {
        scope: "calls:delete",
        params: callId,
        query: Type.Object({
          any: Type.Optional(
            Type.String({
              pattern: "^(true|false)$",
              description: "true also deletes a call that failed, was cancelled or was not allowed.",
            }),
          ),
        }),
        answers: { 200: DeletedCallSchema },
        detail: detail("deleteCall", "Delete a completed call and erase its personal data for good", [
          "VALIDATION_ERROR",
          "NOT_FOUND",
          "RETENTION_HOLD",
        ]),
      },
    );
}
