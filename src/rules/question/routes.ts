// Routes of the question before a call.
import { Elysia } from "elysia";
import { AppError } from "../../core/errors.ts";
import type { Guard } from "../../http/guard.ts";
import {
  QuestionAnswerSchema,
  RemovedQuestionSchema,
  SavedQuestionSchema,
  SetQuestionSchema,
  TriedQuestionSchema,
} from "./model.ts";
import type { QuestionService } from "./service.ts";

const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Question before the call"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const EXAMPLE = { url: "https://his.hospital.example/before-call", fails: "closed" };

export function questionRoutes(guard: Guard, question: QuestionService) {
  return new Elysia({ name: "question" })
    .use(guard)
    .get(
      "/v1/call-question",
      async ({ principal }) => {
        const data = await question.get(principal.organisationId);
        if (!data) throw new AppError("NOT_FOUND", "No address is asked before calls. Set one first.");
        return { data };
      },
      {
        scope: "question:read",
        tagged: true,
        answers: { 200: QuestionAnswerSchema },
        detail: detail("getCallQuestion", "The address that is asked before each call", ["NOT_FOUND"]),
      },
    )
    .put(
      "/v1/call-question",
      async ({ principal, actor, body }) => ({ data: await question.set(principal.organisationId, body, actor) }),
      {
        scope: "question:write",
        tagged: true,
        json: true,
        body: SetQuestionSchema,
        answers: { 200: SavedQuestionSchema },
        detail: detail("setCallQuestion", "Set the address that is asked before each call", [], {
          "x-example": EXAMPLE,
        }),
      },
    )
    .post(
      "/v1/call-question/rotate",
      async ({ principal, actor }) => ({ data: await question.rotateSecret(principal.organisationId, actor) }),
      {
        scope: "question:write",
        creates: false,
        answers: { 200: SavedQuestionSchema },
        detail: detail("rotateCallQuestionSecret", "Replace the signing secret", ["NOT_FOUND"], {
          description: "The old secret signs too for a day, in `webhook-signature`.",
        }),
      },
    )
    .post(
      "/v1/call-question/try",
      async ({ principal, actor }) => ({ data: await question.tryIt(principal.organisationId, actor) }),
      {
        scope: "question:write",
        creates: false,
        answers: { 200: TriedQuestionSchema },
        detail: detail("tryCallQuestion", "Send a test question, and show its answer", ["NOT_FOUND"], {
          description: "One test question of an organisation is under way at a time.",
        }),
      },
    )
    .delete(
      "/v1/call-question",
      async ({ principal, actor }) => {
        await question.remove(principal.organisationId, actor);
        return { data: { deleted: true as const } };
      },
      {
        scope: "question:write",
        answers: { 200: RemovedQuestionSchema },
        detail: detail("removeCallQuestion", "Ask nothing before calls any more", ["NOT_FOUND"]),
      },
    );
}
