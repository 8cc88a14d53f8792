// Signed links to recordings and transcripts. Invalid, expired or modified: 401. Erased: 404.
import { Elysia } from "elysia";
import { Type } from "@sinclair/typebox";
import { AppError } from "../core/errors.ts";
import type { StoredPath } from "../core/stored-file.ts";
import { UtteranceSchema } from "../payloads/conversation.ts";
import { infoOf } from "../http/request-info.ts";
import { RANGE_HEADER, RECORDING_ERRORS, RECORDING_RESPONSES } from "../http/docs/file-responses.ts";
import { serveFile } from "../http/serve-file.ts";
import type { LinkReads } from "./link-reads.ts";
import type { MediaLinks } from "./links.ts";

/** Available media of a call; null if the call does not exist. */
export interface CallMedia {
  organisationId: string;
  hasRecording: boolean;
  /** Seconds from the answer to the beginning of the recording. */
  recordedFrom: number;
  /** The recording, generated now if needed. Null if there is none. */
  recordingPath(): Promise<StoredPath | null>;
  /** JSON. */
  transcript: string | null;
}

export interface MediaRouteDeps {
  links: MediaLinks;
  mediaOf: (callId: string) => Promise<CallMedia | null>;
  reads: LinkReads;
}

const signedQuery = Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) });
const callId = Type.Object({ call_id: Type.String() });
const detail = (operationId: string, summary: string, more: object) =>
  ({
    tags: ["Media"],
    operationId,
    summary,
    description: "The address is a signed link from a call or an event, valid for 5 minutes. No API key is needed.",
    security: [],
    "x-errors": ["VALIDATION_ERROR", "UNAUTHORIZED", "NOT_FOUND"],
    ...more,
  }) as object;

/** Limit for generating the recording of a simulated call on first request; slow on a busy machine. */
export const RECORDING_SECONDS = 120;

const PRIVATE = { "cache-control": "private, no-store" };

export function mediaRoutes({ links, mediaOf, reads }: MediaRouteDeps) {
  const gone = () => new AppError("NOT_FOUND", "This file does not exist, or no longer.");
  const assertSigned = (
    id: string,
    file: "recording.wav" | "transcript.json",
    query: { expires?: string; signature?: string },
  ) => {
    if (links.verify(id, file, query.expires ?? "", query.signature ?? "")) return;
    throw new AppError("UNAUTHORIZED", "This link is wrong or has expired. Read the call again for a new one.");
  };

  const note = (
    request: Request,
    { organisationId }: CallMedia,
    id: string,
    action: "recording.read" | "transcript.read",
  ) => reads.note({ organisationId, callId: id, by: "signed_link", action, requestId: infoOf(request).id });

  return new Elysia({ name: "media" })
    .get(
      "/media/:call_id/recording.wav",
      async ({ params, query, request }) => {
        assertSigned(params.call_id, "recording.wav", query);
        const media = await mediaOf(params.call_id);
        infoOf(request).keepOpen?.(RECORDING_SECONDS);
        const path = await media?.recordingPath();
        if (!media || !path) throw gone();
        await note(request, media, params.call_id, "recording.read");
        return serveFile(request, path, { "content-type": "audio/wav", ...PRIVATE });
      },
      {
        params: callId,
        query: signedQuery,
        detail: detail("getRecording", "A call's recording; range requests are answered", {
          responses: RECORDING_RESPONSES,
          "x-errors": RECORDING_ERRORS,
          "x-headers": [RANGE_HEADER],
        }),
      },
    )
    .get(
      "/media/:call_id/transcript.json",
      async ({ params, query, request }) => {
        assertSigned(params.call_id, "transcript.json", query);
        const media = await mediaOf(params.call_id);
        if (!media?.transcript) throw gone();
        await note(request, media, params.call_id, "transcript.read");
        return new Response(media.transcript, { headers: { "content-type": "application/json", ...PRIVATE } });
      },
      {
        params: callId,
        query: signedQuery,
        detail: detail("getTranscript", "A call's transcript", {
          responses: {
            "200": {
              description: "The file.",
              content: { "application/json": { schema: Type.Array(UtteranceSchema) } },
            },
          },
        }),
      },
    );
}
