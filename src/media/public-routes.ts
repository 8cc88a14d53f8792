// Public sharing of calls: JSON, stable links to recording and transcript, and an HTML page. Access is by token.
import { Elysia } from "elysia";
import { Type } from "@sinclair/typebox";
import { SharedCallSchema, type SharedCall } from "./share-view.ts";
import { AppError } from "../core/errors.ts";
import { nullable } from "../core/schema.ts";
import { UtteranceSchema } from "../payloads/conversation.ts";
import { infoOf } from "../http/request-info.ts";
import { RANGE_HEADER, RECORDING_ERRORS, RECORDING_RESPONSES } from "../http/docs/file-responses.ts";
import { serveFile } from "../http/serve-file.ts";
import tokens from "../http/tokens.css" with { type: "text" };
import type { LinkRead, LinkReads } from "./link-reads.ts";
import { RECORDING_SECONDS, type CallMedia } from "./routes.ts";
import { withMaskedNumbers } from "./masked-number.ts";
import { readerOf } from "./share-page/reader.ts";
import { callPage, invalidLinkPage } from "./share-page/page.ts";
import { browserScript } from "./share-page/script.ts" with { type: "macro" };
import stylesheet from "./share-page/share.css" with { type: "text" };
import type { ShareService } from "./share-service.ts";

export interface PublicRouteDeps {
  shares: Pick<ShareService, "assertShared" | "recordingUrl">;
  sharedCall: (callId: string) => Promise<SharedCall | null>;
  zoneOf: (organisationId: string) => Promise<string>;
  mediaOf: (callId: string) => Promise<CallMedia | null>;
  reads: LinkReads;
}

/** On every response, including errors: no caching, no indexing, no token in a referrer. */
const DISCREET = {
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "media-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
};

const SCRIPT = browserScript();

// No length limits: an odd id or token gets the same answer as any wrong one.
const callId = Type.Object({ call_id: Type.String() });
const tokenQuery = Type.Object({ token: Type.Optional(Type.String({ description: "The call's share token." })) });
const HIDDEN = { detail: { hide: true } };

const PublicCallSchema = Type.Composite([
  SharedCallSchema,
  Type.Object({
    recording_url: nullable(
      Type.String({ description: "Stable link, valid as long as the token; null without a recording." }),
    ),
  }),
]);

const detail = (operationId: string, summary: string, more: object) =>
  ({
    tags: ["Public share"],
    operationId,
    summary,
    description:
      "For as long as the organisation shares its calls, or this call alone is shared; then the number is masked. The token is " +
      "`share_token` of the call's events, or that of the link; no API key is needed. " +
      "A wrong or expired token, an unknown call and disabled sharing get the same answer.",
    security: [],
    ...more,
  }) as object;

const fileDetail = (operationId: string, summary: string, more: object) =>
  detail(operationId, summary, { "x-errors": ["VALIDATION_ERROR", "UNAUTHORIZED", "NOT_FOUND"], ...more });

export function publicRoutes({ shares, sharedCall, zoneOf, mediaOf, reads }: PublicRouteDeps) {
  /** The call of the token; an erased call is answered like a wrong token. */
  async function openCall(
    request: Request,
    id: string,
    token: string,
    action: LinkRead["action"],
  ): Promise<{ shared: SharedCall; organisationId: string; isSingle: boolean }> {
    const { organisationId, isSingle } = await shares.assertShared(id, token);
    const shared = await sharedCall(id);
    if (!shared) throw new AppError("UNAUTHORIZED", "This link is not valid, or no longer.");
    await reads.note({ organisationId, callId: id, by: "share_link", action, requestId: infoOf(request).id });
    return { shared, organisationId, isSingle };
  }

  const missing = () => new AppError("NOT_FOUND", "This call has no such file.");
  const hasRecording = async (id: string) => (await mediaOf(id))?.hasRecording ?? false;

  return new Elysia({ name: "public" })
    .onTransform(({ set }) => {
      Object.assign(set.headers, DISCREET);
    })
    .get(
      "/public/call/:call_id",
      async ({ params: { call_id }, query: { token = "" }, request }) => {
        const { shared, isSingle } = await openCall(request, call_id, token, "call.read");
        return {
          ...(isSingle ? withMaskedNumbers(shared) : shared),
          recording_url: (await hasRecording(call_id)) ? shares.recordingUrl(call_id, token) : null,
        };
      },
      {
        params: callId,
        query: tokenQuery,
        response: PublicCallSchema,
        detail: detail("getSharedCall", "A shared call: outcome, transcript, appointments and recording", {
          "x-errors": ["VALIDATION_ERROR", "UNAUTHORIZED"],
        }),
      },
    )
    .get(
      "/public/call/:call_id/details",
      async ({ params: { call_id }, query: { share_token: token = "" }, request }) => {
        try {
          const { shared, organisationId } = await openCall(request, call_id, token, "call.read");
          const media = await mediaOf(call_id);
          const recording = media?.hasRecording ? `recording.wav?token=${encodeURIComponent(token)}` : null;
          const reader = readerOf(request, await zoneOf(organisationId));
          return new Response(callPage(withMaskedNumbers(shared), recording, media?.recordedFrom, reader), {
            headers: PAGE_HEADERS,
          });
        } catch (error) {
          if (!(error instanceof AppError && error.code === "UNAUTHORIZED")) throw error;
          return new Response(invalidLinkPage(readerOf(request, "UTC")), { status: 401, headers: PAGE_HEADERS });
        }
      },
      { params: callId, query: Type.Object({ share_token: Type.Optional(Type.String()) }), ...HIDDEN },
    )
    .get(
      "/public/call/:call_id/recording.wav",
      async ({ params: { call_id }, query: { token = "" }, request }) => {
        await openCall(request, call_id, token, "recording.read");
        infoOf(request).keepOpen?.(RECORDING_SECONDS);
        const path = (await (await mediaOf(call_id))?.recordingPath()) ?? null;
        if (path === null) throw missing();
        return serveFile(request, path, { "content-type": "audio/wav" });
      },
      {
        params: callId,
        query: tokenQuery,
        detail: fileDetail("getSharedRecording", "A shared call's recording; range requests are answered", {
          responses: RECORDING_RESPONSES,
          "x-errors": RECORDING_ERRORS,
          "x-headers": [RANGE_HEADER],
        }),
      },
    )
    .get(
      "/public/call/:call_id/transcript.json",
      async ({ params: { call_id }, query: { token = "" }, request }) => {
        const { shared } = await openCall(request, call_id, token, "transcript.read");
        const { transcript } = shared;
        if (transcript === null) throw missing();
        return Response.json(transcript);
      },
      {
        params: callId,
        query: tokenQuery,
        detail: fileDetail("getSharedTranscript", "A shared call's transcript", {
          responses: {
            "200": {
              description: "The file.",
              content: { "application/json": { schema: Type.Array(UtteranceSchema) } },
            },
          },
        }),
      },
    )
    .get("/public/assets/share.css", () => asset(`${tokens}\n${stylesheet}`, "text/css"), HIDDEN)
    .get("/public/assets/share.js", () => asset(SCRIPT, "text/javascript"), HIDDEN);
}

function asset(text: string, type: string): Response {
  return new Response(text, { headers: { "content-type": `${type}; charset=utf-8` } });
}
