// Routes of phone numbers.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../http/guard.ts";
import {
  ADD_NUMBER_EXAMPLE,
  AddNumberSchema,
  ChangeNumberSchema,
  ListNumbersQuery,
  NumberAnswerSchema,
  NumberListSchema,
  RemovedNumberSchema,
} from "./number-model.ts";
import type { AgentService } from "./service.ts";
import type { NumberView } from "./views.ts";

const numberId = Type.Object({ phone_number_id: Type.String({ maxLength: 64 }) });

const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Phone numbers"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

export function numberRoutes(guard: Guard, agents: AgentService) {
  return new Elysia({ name: "phone-numbers" })
    .use(guard)
    .post(
      "/v1/phone-numbers",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: NumberView) => ({ data }), subjectId: ({ phone_number_id }) => phone_number_id },
          (alongside) => {
            const {
              number,
              agent_id: agentId = null,
              concurrent_calls: concurrentCalls,
              trunk_id: trunkId = null,
            } = body;
            const given = { number, agentId, trunkId, ...(concurrentCalls !== undefined && { concurrentCalls }) };
            return agents.addNumber(principal.organisationId, given, actor, alongside);
          },
        ),
      {
        scope: "numbers:write",
        creates: true,
        json: true,
        body: AddNumberSchema,
        answers: { 201: NumberAnswerSchema },
        detail: detail("addPhoneNumber", "Add a phone number", [...NUMBER_ERRORS, "NOT_FOUND", "CONFLICT"], {
          description:
            "409 if the number is registered already. After five additions a day of numbers that another organisation " +
            "has, further ones are answered with 429.",
          "x-example": ADD_NUMBER_EXAMPLE,
        }),
      },
    )
    .get("/v1/phone-numbers", ({ principal, query }) => agents.numbersPage(principal.organisationId, query), {
      scope: "numbers:read",
      query: ListNumbersQuery,
      answers: { 200: NumberListSchema },
      detail: detail("listPhoneNumbers", "List phone numbers, newest first", ["VALIDATION_ERROR"]),
    })
    .get(
      "/v1/phone-numbers/:phone_number_id",
      async ({ principal, params }) => ({
        data: await agents.getNumber(principal.organisationId, params.phone_number_id),
      }),
      {
        scope: "numbers:read",
        tagged: true,
        params: numberId,
        answers: { 200: NumberAnswerSchema },
        detail: detail("getPhoneNumber", "Read one phone number", ["NOT_FOUND"]),
      },
    )
    .patch(
      "/v1/phone-numbers/:phone_number_id",
      async ({ principal, actor, params, body }) => ({
        data: await agents.changeNumber(principal.organisationId, params.phone_number_id, body, actor),
      }),
      {
        scope: "numbers:write",
        tagged: true,
        json: true,
        params: numberId,
        body: ChangeNumberSchema,
        answers: { 200: NumberAnswerSchema },
        detail: detail("changePhoneNumber", "Change agent, lines or trunk of a number", ["NOT_FOUND", "CONFLICT"], {
          "x-example": { agent_id: "agt_01k9zv3q5m2n8r4t6w7x9y0abc", concurrent_calls: 5 },
          description:
            "All changes or none. Active calls continue. 409 for another trunk if the configuration assigns the number " +
            "to its trunk.",
        }),
      },
    )
    .delete(
      "/v1/phone-numbers/:phone_number_id",
      async ({ principal, actor, params }) => {
        await agents.removeNumberById(principal.organisationId, params.phone_number_id, actor);
        return { data: { deleted: true as const } };
      },
      {
        scope: "numbers:write",
        params: numberId,
        answers: { 200: RemovedNumberSchema },
        detail: detail("removePhoneNumber", "Remove a phone number", ["NOT_FOUND", "CONFLICT"], {
          description: "Active calls continue. Any organisation may add the number again.",
        }),
      },
    );
}

const NUMBER_ERRORS = ["INVALID_PHONE_NUMBER", "UNSUPPORTED_COUNTRY"];
