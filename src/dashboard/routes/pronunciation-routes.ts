// The organisation's pronunciation list: read, set, remove.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { PronunciationService } from "../../agents/pronunciation-service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface PronunciationRouteDeps {
  guard: SessionGuard;
  pronunciations: PronunciationService;
}

const text = Type.String({ maxLength: 200 });

export function pronunciationRoutes({ guard, pronunciations }: PronunciationRouteDeps) {
  return new Elysia({ name: "dashboard-pronunciations" })
    .use(guard)
    .get(
      "/dashboard/api/pronunciations",
      async ({ session }) => ({ data: await pronunciations.list(session.organisationId) }),
      { role: "viewer" },
    )
    .put(
      "/dashboard/api/pronunciations",
      ({ session, actor, body }) => pronunciations.put(session.organisationId, body, actor),
      { role: "staff", body: Type.Object({ word: text, said: text }) },
    )
    .post(
      "/dashboard/api/pronunciations/remove",
      async ({ session, actor, body }) => {
        await pronunciations.remove(session.organisationId, body.word, actor);
        return { ok: true };
      },
      { role: "staff", body: Type.Object({ word: text }) },
    );
}
