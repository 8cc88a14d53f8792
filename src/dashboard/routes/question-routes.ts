// Settings of the question before a call.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { QuestionService } from "../../rules/question/service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface QuestionRouteDeps {
  guard: SessionGuard;
  question: QuestionService;
}

export function questionRoutes({ guard, question }: QuestionRouteDeps) {
  return new Elysia({ name: "dashboard-question" })
    .use(guard)
    .get("/dashboard/api/question", async ({ session }) => ({ question: await question.get(session.organisationId) }), {
      role: "staff",
    })
    .put("/dashboard/api/question", ({ session, actor, body }) => question.set(session.organisationId, body, actor), {
      role: "owner",
      body: Type.Object({ url: Type.String({ maxLength: 2_048 }), fails: Type.String({ maxLength: 10 }) }),
    })
    .post(
      "/dashboard/api/question/rotate",
      ({ session, actor }) => question.rotateSecret(session.organisationId, actor),
      { role: "owner" },
    )
    .post("/dashboard/api/question/try", ({ session, actor }) => question.tryIt(session.organisationId, actor), {
      role: "owner",
    })
    .delete(
      "/dashboard/api/question",
      async ({ session, actor }) => {
        await question.remove(session.organisationId, actor);
        return { ok: true };
      },
      { role: "owner" },
    );
}
