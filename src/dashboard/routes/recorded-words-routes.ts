// Recorded phrases of an agent: list, play, replace and remove.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { MOST_RECORDED_BYTES, type RecordedWordsService } from "../../agents/recorded-words-service.ts";
import type { SessionGuard } from "../session-guard.ts";

export interface RecordedWordsRouteDeps {
  guard: SessionGuard;
  recordedWords: RecordedWordsService;
}

const text = (maxLength: number) => Type.String({ maxLength });
const agent = Type.Object({ id: text(64) });
const words = Type.Object({ id: text(64), kind: text(40) });
/** Content types that browsers and tools use for WAV. */
const WAV_TYPES = ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"];

export function recordedWordsRoutes({ guard, recordedWords }: RecordedWordsRouteDeps) {
  return (
    new Elysia({ name: "dashboard-recorded-words" })
      .use(guard)
      .get(
        "/dashboard/api/agents/:id/words",
        ({ session, params }) => recordedWords.list(session.organisationId, params.id),
        {
          role: "viewer",
          params: agent,
        },
      )
      .get(
        "/dashboard/api/agents/:id/words/:kind",
        async ({ session, params }) =>
          wavResponse(await recordedWords.wav(session.organisationId, params.id, params.kind)),
        { role: "viewer", params: words },
      )
      // The body is the WAV itself: fetch(url, { method: "PUT", body: file, headers: { "content-type": "audio/wav" }
      // }).
      .put(
        "/dashboard/api/agents/:id/words/:kind",
        ({ session, actor, params, query, body }) =>
          recordedWords.put(
            session.organisationId,
            params.id,
            params.kind,
            query.file_name ?? "",
            body instanceof Uint8Array ? body : new Uint8Array(),
            actor,
          ),
        {
          upload: { role: "staff", mostBytes: MOST_RECORDED_BYTES, types: WAV_TYPES },
          params: words,
          query: Type.Object({ file_name: Type.Optional(text(300)) }),
        },
      )
      .delete(
        "/dashboard/api/agents/:id/words/:kind",
        async ({ session, actor, params }) => {
          await recordedWords.remove(session.organisationId, params.id, params.kind, actor);
          return { ok: true };
        },
        { role: "staff", params: words },
      )
  );
}

function wavResponse(bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": "audio/wav", "cache-control": "no-store", "content-disposition": "inline" },
  });
}
