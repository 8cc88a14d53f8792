// Routes of the waiting list.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  CreateWaitingSchema,
  ListWaitingQuery,
  WaitingAnswerSchema,
  WaitingListSchema,
  WaitingRemovedSchema,
  type Waiting,
} from "./model.ts";
import type { WaitingListService } from "./service.ts";

const waitingId = Type.Object({ waiting_id: Type.String() });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Waiting list"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function waitingListRoutes(guard: Guard, waiting: WaitingListService) {
  return new Elysia({ name: "waiting-list" })
    .use(guard)
    .post(
      "/v1/waitlist",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: Waiting) => ({ data }), subjectId: ({ waiting_id }) => waiting_id },
          (alongside) => waiting.add(principal.organisationId, body, "api", actor, alongside),
        ),
      {
        scope: "waitlist:write",
        creates: true,
        json: true,
        body: CreateWaitingSchema,
        answers: { 201: WaitingAnswerSchema },
        detail: detail(
          "addToWaitingList",
          "Add a person to the waiting list",
          ["CONFLICT", "INVALID_PHONE_NUMBER", "UNSUPPORTED_COUNTRY"],
          {
            "x-example": {
              branch_id: "0190a1b2-0000-7000-8000-000000000001",
              contact_name: "Test Patient",
              contact_number: "+919820012345",
              sessions: ["Morning"],
            },
          },
        ),
      },
    )
    .get("/v1/waitlist", ({ principal, actor, query }) => waiting.list(principal.organisationId, query, actor), {
      scope: "waitlist:read",
      query: ListWaitingQuery,
      answers: { 200: WaitingListSchema },
      detail: detail("listWaitingList", "Who waits, in the order of their turn", ["VALIDATION_ERROR"]),
    })
    .delete(
      "/v1/waitlist/:waiting_id",
      async ({ principal, actor, params }) => ({
        data: await waiting.remove(principal.organisationId, params.waiting_id, actor),
      }),
      {
        scope: "waitlist:write",
        params: waitingId,
        answers: { 200: WaitingRemovedSchema },
        detail: detail("removeFromWaitingList", "Remove a person from the waiting list", ["NOT_FOUND"]),
      },
    );
}
