// Actions of staff on existing calls: call again, change, erase, download; also in bulk.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import type { CallAgain } from "../../calls/call-again.ts";
import type { CallEdit } from "../../calls/call-edit.ts";
import type { Erasure } from "../../calls/life/erasure.ts";
import { EditCallSchema } from "../../calls/model.ts";
import type { ManyCalls } from "../../calls/many-calls.ts";
import type { CallQuestion } from "../../calls/service.ts";
import { callOf, resultOf } from "../../calls/call/store.ts";
import type { Actor } from "../../core/actor.ts";
import { AppError } from "../../core/errors.ts";
import type { Database } from "../../db/database.ts";
import type { MediaLinks } from "../../media/links.ts";
import type { ShareService } from "../../media/share-service.ts";
import type { Utterance } from "../../payloads/conversation.ts";
import { EXPORT_HEAD, exportLine } from "../call-export.ts";
import { CallQuery, questionOf } from "../call-question.ts";
import { csvResponse } from "../../http/csv.ts";
import type { SessionGuard } from "../session-guard.ts";
import { dialAheadRoutes, type DialAheadRouteDeps } from "./dial-ahead-routes.ts";
import { transcriptText } from "../transcript-text.ts";

export interface CallWorkDeps extends DialAheadRouteDeps {
  guard: SessionGuard;
  db: Database;
  manyCalls: ManyCalls;
  callAgain: CallAgain;
  callEdit: CallEdit;
  erasure: Erasure;
  readNotes: ReadNotes;
  links: MediaLinks;
  shares: Pick<ShareService, "single">;
}

/** Limit per command. The page sends as many commands as needed. */
const MOST_AT_ONCE = 250;
/** Limit of a selection "all that match". */
const MOST_MATCHING = 10_000;
const EXPORTED = { perPage: 500, most: 100_000 };

const callId = Type.Object({ call_id: Type.String({ maxLength: 64 }) });
const callIds = Type.Object({
  call_ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MOST_AT_ONCE }),
});

export function callWorkRoutes(deps: CallWorkDeps) {
  return new Elysia({ name: "dashboard-call-work" })
    .use(oneCallRoutes(deps))
    .use(manyCallsRoutes(deps))
    .use(dialAheadRoutes(deps));
}

function oneCallRoutes({ guard, db, callAgain, callEdit, erasure, readNotes, links, shares }: CallWorkDeps) {
  async function transcriptOf(organisationId: string, id: string, actor: Actor): Promise<Utterance[]> {
    const call = await callOf(db.reader, organisationId, id);
    if (!call) throw new AppError("NOT_FOUND", "There is no call with this id.");
    await readNotes.note({ organisationId, actor, action: "transcript.read", subjectId: id });
    const { transcript } = (await resultOf(db.reader, id)) ?? {};
    return transcript ? (JSON.parse(transcript) as Utterance[]) : [];
  }

  return (
    new Elysia({ name: "dashboard-one-call-work" })
      .use(guard)
      .post(
        "/dashboard/api/calls/:call_id/again",
        ({ session, actor, params, body }) =>
          callAgain.one(session.organisationId, params.call_id, body?.scheduled_time ?? null, actor),
        {
          role: "staff",
          params: callId,
          body: Type.Optional(Type.Object({ scheduled_time: Type.Optional(Type.String({ maxLength: 40 })) })),
        },
      )
      .patch(
        "/dashboard/api/calls/:call_id",
        async ({ session, actor, params, body }) => {
          await callEdit(session.organisationId, params.call_id, body, actor);
          return { ok: true };
        },
        { role: "staff", params: callId, body: EditCallSchema },
      )
      .post(
        "/dashboard/api/calls/:call_id/erase",
        async ({ session, actor, params }) => {
          await erasure.erase(session.organisationId, params.call_id, actor, { any: true });
          return { deleted: true };
        },
        { role: "owner", params: callId },
      )
      .post(
        "/dashboard/api/calls/:call_id/share",
        ({ session, actor, params, body }) =>
          shares.single.share(session.organisationId, params.call_id, body.days, actor),
        { role: "staff", params: callId, body: Type.Object({ days: Type.Integer() }) },
      )
      .delete(
        "/dashboard/api/calls/:call_id/share",
        async ({ session, actor, params }) => {
          await shares.single.revoke(session.organisationId, params.call_id, actor);
          return { ok: true };
        },
        { role: "staff", params: callId },
      )
      // The signed link is created on request, because a page may be open for longer than a link is valid.
      .get(
        "/dashboard/api/calls/:call_id/recording",
        async ({ session, params, redirect }) => {
          const call = await callOf(db.reader, session.organisationId, params.call_id);
          if (!call) throw new AppError("NOT_FOUND", "There is no call with this id.");
          const { pathname, search } = new URL(links.sign(call.id, "recording.wav"));
          return redirect(`${pathname}${search}`);
        },
        { role: "viewer", params: callId },
      )
      .get(
        "/dashboard/api/calls/:call_id/transcript.txt",
        async ({ session, actor, params }) => {
          const lines = await transcriptOf(session.organisationId, params.call_id, actor);
          return download(transcriptText(lines), "text/plain", `${params.call_id}.txt`);
        },
        { role: "viewer", params: callId },
      )
      .get(
        "/dashboard/api/calls/:call_id/transcript.json",
        async ({ session, actor, params }) => {
          const lines = await transcriptOf(session.organisationId, params.call_id, actor);
          return download(JSON.stringify(lines, null, 2), "application/json", `${params.call_id}.json`);
        },
        { role: "viewer", params: callId },
      )
  );
}

function manyCallsRoutes({ guard, manyCalls, callAgain }: CallWorkDeps) {
  async function* exported(organisationId: string, question: CallQuestion, actor: Actor): AsyncGenerator<string, void> {
    // Sent with the first page, which follows after the audit entry is written.
    let head = EXPORT_HEAD;
    for await (const page of manyCalls.pages(organisationId, question, EXPORTED, actor)) {
      yield head + page.map(exportLine).join("");
      head = "";
    }
  }

  async function* chosen(organisationId: string, ids: readonly string[], actor: Actor): AsyncGenerator<string, void> {
    const calls = await manyCalls.chosen(organisationId, ids, actor);
    yield EXPORT_HEAD + calls.map(exportLine).join("");
  }

  return new Elysia({ name: "dashboard-many-calls-work" })
    .use(guard)
    .get(
      "/dashboard/api/calls/matching",
      ({ session, query }) =>
        manyCalls.matching(session.organisationId, questionOf(query), MOST_MATCHING, session.reach),
      { role: "staff", query: CallQuery },
    )
    .get(
      "/dashboard/api/calls/export",
      ({ session, actor, query }) =>
        csvResponse("calls.csv", exported(session.organisationId, questionOf(query), actor)),
      { role: "viewer", query: CallQuery },
    )
    .post(
      "/dashboard/api/calls/export",
      ({ session, actor, body }) => csvResponse("calls.csv", chosen(session.organisationId, body.call_ids, actor)),
      { role: "viewer", body: callIds },
    )
    .post(
      "/dashboard/api/calls/again",
      ({ session, actor, body }) => callAgain.many(session.organisationId, body.call_ids, actor),
      { role: "staff", body: callIds },
    )
    .post(
      "/dashboard/api/calls/cancel",
      ({ session, actor, body }) => manyCalls.cancel(session.organisationId, body.call_ids, actor),
      { role: "staff", body: callIds },
    );
}

function download(text: string, type: string, fileName: string): Response {
  return new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}
