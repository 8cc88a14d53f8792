// API routes of HL7: the message log, another try of a refused message, and the preview of a pasted one.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Guard } from "../../http/guard.ts";
import type { Hl7Log } from "./message-log.ts";
import {
  Hl7MessageAnswerSchema,
  Hl7MessageListSchema,
  ListHl7MessagesQuery,
  PreviewedHl7Schema,
  PreviewHl7Schema,
} from "./log/model.ts";
import type { Preview } from "./preview.ts";

const messageId = Type.Object({ message_id: Type.String({ maxLength: 64 }) });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Sources"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

const PREVIEW_EXAMPLE = {
  message:
    "MSH|^~\\&|HIS|MAIN|RINGWARD|MAIN|20261118120000||SIU^S12|1|P|2.5.1\rSCH|A1||||||||20|min|^^20^202612011000\rPID|1||MRN1",
};

export function hl7Routes(guard: Guard, log: Hl7Log, preview: Preview) {
  return new Elysia({ name: "hl7" })
    .use(guard)
    .get("/v1/hl7-messages", ({ principal, query }) => log.page(principal.organisationId, query), {
      scope: "hl7:read",
      query: ListHl7MessagesQuery,
      answers: { 200: Hl7MessageListSchema },
      detail: detail("listHl7Messages", "HL7 messages that came in, newest first", ["VALIDATION_ERROR"]),
    })
    .get(
      "/v1/hl7-messages/:message_id",
      async ({ principal, params }) => ({ data: await log.get(principal.organisationId, params.message_id) }),
      {
        scope: "hl7:read",
        params: messageId,
        answers: { 200: Hl7MessageAnswerSchema },
        detail: detail("getHl7Message", "One HL7 message without the patient's data, and its answer", ["NOT_FOUND"]),
      },
    )
    .post(
      "/v1/hl7-messages/:message_id/resend",
      async ({ principal, actor, params }) => ({
        data: await log.resend(principal.organisationId, params.message_id, actor),
      }),
      {
        scope: "hl7:write",
        creates: false,
        params: messageId,
        answers: { 200: Hl7MessageAnswerSchema },
        detail: detail("resendHl7Message", "Process a refused HL7 message again", ["NOT_FOUND", "CONFLICT"], {
          description: "For example after its location code was added to the mappings of the source.",
        }),
      },
    )
    .post(
      "/v1/hl7-messages/preview",
      async ({ principal, body }) => ({ data: await preview(principal.organisationId, body) }),
      {
        scope: "hl7:read",
        creates: false,
        json: true,
        body: PreviewHl7Schema,
        answers: { 200: PreviewedHl7Schema },
        detail: detail("previewHl7Message", "Show what is understood of an HL7 message", ["NOT_FOUND"], {
          description: "Nothing is changed, and the message is not stored.",
          "x-example": PREVIEW_EXAMPLE,
        }),
      },
    );
}
