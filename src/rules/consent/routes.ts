// Routes of consents.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Actor } from "../../core/actor.ts";
import { csvResponse, csvText } from "../../http/csv.ts";
import type { Guard } from "../../http/guard.ts";
import {
  ConsentAnswerSchema,
  ConsentHistoryAnswerSchema,
  ConsentListSchema,
  GrantConsentSchema,
  ListConsentsQuery,
  WithdrawConsentSchema,
  WithdrawnSchema,
  type ConsentView,
} from "./model.ts";
import type { ConsentService } from "./service.ts";

const consentId = Type.Object({ consent_id: Type.String() });
const detail = (operationId: string, summary: string, errors: readonly string[] = [], more: object = {}) => ({
  tags: ["Consents"],
  operationId,
  summary,
  "x-errors": errors,
  ...more,
});

function consentsFile(consents: ConsentService, organisationId: string, actor: Actor): Promise<Response> {
  return csvResponse("consents.csv", csvText(consents.exported(organisationId, actor)));
}

const NUMBER_ERRORS = ["INVALID_PHONE_NUMBER", "UNSUPPORTED_COUNTRY"];

export function consentRoutes(guard: Guard, consents: ConsentService) {
  return new Elysia({ name: "consents" })
    .use(guard)
    .post(
      "/v1/consents",
      ({ principal, actor, body, once }) =>
        once(
          { status: 201, body: (data: ConsentView) => ({ data }), subjectId: ({ consent_id }) => consent_id },
          (alongside) => consents.grant(principal.organisationId, body, actor, alongside),
        ),
      {
        scope: "consents:write",
        creates: true,
        json: true,
        body: GrantConsentSchema,
        answers: { 201: ConsentAnswerSchema },
        detail: detail("grantConsent", "Record that a person agreed to be called", ["CONFLICT", ...NUMBER_ERRORS], {
          "x-example": { contact_number: "+919820012345", purpose: "service", basis: "written", reference: "Form 7" },
        }),
      },
    )
    .post(
      "/v1/consents/withdraw",
      async ({ principal, actor, body }) => ({
        data: await consents.withdrawFor(principal.organisationId, body, actor),
      }),
      {
        scope: "consents:write",
        creates: false,
        json: true,
        body: WithdrawConsentSchema,
        answers: { 200: WithdrawnSchema },
        detail: detail("withdrawConsents", "Withdraw consent for a purpose, or for everything", NUMBER_ERRORS, {
          "x-example": { contact_number: "+919820012345", purpose: "service" },
        }),
      },
    )
    .get(
      "/v1/consents",
      ({ principal, actor, query, request }) =>
        /\btext\/csv\b/i.test(request.headers.get("accept") ?? "")
          ? consentsFile(consents, principal.organisationId, actor)
          : consents.list(principal.organisationId, query, actor),
      {
        scope: "consents:read",
        query: ListConsentsQuery,
        answers: { 200: ConsentListSchema },
        detail: detail("listConsents", "Consents, newest first", ["VALIDATION_ERROR"], {
          description: "With `Accept: text/csv`, all consents as one CSV file; filters do not apply to it.",
          "x-media": { "200": { "text/csv": { schema: { type: "string" } } } },
        }),
      },
    )
    .get(
      "/v1/consents/:consent_id",
      async ({ principal, actor, params }) => ({
        data: await consents.get(principal.organisationId, params.consent_id, actor),
      }),
      {
        scope: "consents:read",
        params: consentId,
        answers: { 200: ConsentHistoryAnswerSchema },
        detail: detail("getConsent", "One consent with its history", ["NOT_FOUND"]),
      },
    )
    .post(
      "/v1/consents/:consent_id/withdraw",
      async ({ principal, actor, params }) => ({
        data: await consents.withdraw(principal.organisationId, params.consent_id, actor),
      }),
      {
        scope: "consents:write",
        creates: false,
        params: consentId,
        answers: { 200: ConsentAnswerSchema },
        detail: detail("withdrawConsent", "Withdraw one consent", ["NOT_FOUND"]),
      },
    );
}
