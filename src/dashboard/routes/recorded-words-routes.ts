// The words recorded for an agent: listed, listened to, replaced and removed.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { MOST_PROMPT_BYTES, type PromptService } from "../../agents/recorded-words-service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface PromptRouteDeps {
  guard: SessionGuard;
  prompts: PromptService;
}

const text = (maxLength: number) => Type.String({ maxLength });
const agent = Type.Object({ id: text(64) });
const prompt = Type.Object({ id: text(64), kind: text(40) });
/** As browsers and tools call a WAV. */
const WAV_TYPES = ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"];

export function promptRoutes({ guard, prompts }: PromptRouteDeps) {
  return (
    new Elysia({ name: "dashboard-prompts" })
      .use(guard)
      .get(
        "/dashboard/api/agents/:id/prompts",
        ({ session, params }) => prompts.list(session.organisationId, params.id),
        {
          role: "viewer",
          params: agent,
        },
      )
      .get(
        "/dashboard/api/agents/:id/prompts/:kind",
        async ({ session, params }) => wavResponse(await prompts.wav(session.organisationId, params.id, params.kind)),
        { role: "viewer", params: prompt },
      )
      // The body is the WAV itself: fetch(url, { method: "PUT", body: file, headers: { "content-type": "audio/wav" } }).
      .put(
        "/dashboard/api/agents/:id/prompts/:kind",
        ({ session, actor, params, query, body }) =>
          prompts.put(
            session.organisationId,
            params.id,
            params.kind,
            query.file_name ?? "",
            body instanceof Uint8Array ? body : new Uint8Array(),
            actor,
          ),
        {
          upload: { role: "staff", mostBytes: MOST_PROMPT_BYTES, types: WAV_TYPES },
          params: prompt,
          query: Type.Object({ file_name: Type.Optional(text(300)) }),
        },
      )
      .delete(
        "/dashboard/api/agents/:id/prompts/:kind",
        async ({ session, actor, params }) => {
          await prompts.remove(session.organisationId, params.id, params.kind, actor);
          return { ok: true };
        },
        { role: "staff", params: prompt },
      )
  );
}

function wavResponse(bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": "audio/wav", "cache-control": "no-store", "content-disposition": "inline" },
  });
}
