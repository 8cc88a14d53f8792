// POST /v1/hooks/{token}, for no-code tools. Order of checks: token, quota, signature, body.
import { unwrapSchema } from "@elysiajs/openapi/openapi";
import { Elysia } from "elysia";
import { Type } from "@sinclair/typebox";
import type { Actor } from "../core/actor.ts";
import type { Erasure } from "../calls/life/erasure.ts";
import { CancelledCallSchema, CreatedCallSchema, DeletedCallSchema } from "../calls/model.ts";
import type { CallService, CancelledCall, CreatedCall } from "../calls/service.ts";
import { assertNoMistakenFields } from "../calls/mistaken-fields.ts";
import type { Clock } from "../core/clock.ts";
import { oneOf } from "../core/schema.ts";
import { AppError } from "../core/errors.ts";
import { isJsonType, mediaType, readBody } from "../http/body.ts";
import { FORM_TYPE } from "../http/form-body.ts";
import { IGNORED_HEADER } from "../http/docs/document.ts";
import type { FaultForm } from "../http/error-response.ts";
import { requestHashOf, type Idempotency, type Remember } from "../http/idempotency.ts";
import { infoOf } from "../http/request-info.ts";
import type { SentFields } from "../http/sent-fields.ts";
import { HookDocumentSchema, HookFormSchema, HOOK_EXAMPLES, HOOK_FORM_EXAMPLE } from "./documented.ts";
import { HOOK_ACTIONS, hookFields, parseHookBody, type HookRequest } from "./model.ts";
import { hookBodyOf } from "./no-code.ts";
import type { HookService } from "./service.ts";

export interface HookRouteDeps {
  hooks: HookService;
  calls: CallService;
  erasure: Erasure;
  idempotency: Idempotency;
  clock: Clock;
  requestTimeoutMs: number;
}

/** The inbound webhook answers 400 where the API answers 422, as the contract states. */
export const HOOK_FAULTS: FaultForm = {
  under: "/v1/hooks/",
  status: { INVALID_PHONE_NUMBER: 400, UNSUPPORTED_COUNTRY: 400 },
};

const PONG = { data: { pong: true as const } };
const PongSchema = Type.Object({ data: Type.Object({ pong: Type.Literal(true) }) });
const ReadySchema = Type.Object({
  data: Type.Object({
    status: Type.Literal("ready"),
    signature_required: Type.Boolean(),
    actions: Type.Array(oneOf(HOOK_ACTIONS)),
  }),
});

const isForm = (request: Request): boolean => mediaType(request) === FORM_TYPE;

const queryNames = (request: Request): string[] => [...new Set(new URL(request.url).searchParams.keys())];

/** Fields of the body, and of the query, which is ignored. */
function fieldsSent(request: Request, body: unknown): SentFields | null {
  const sent = hookFields(body);
  return sent && { ...sent, further: [...(sent.further ?? []), ...queryNames(request)] };
}

function assertReadable(request: Request): void {
  if (isForm(request) || isJsonType(mediaType(request))) return;
  throw new AppError(
    "UNSUPPORTED_MEDIA_TYPE",
    `Send the body as JSON with Content-Type: application/json, or as a form with ${FORM_TYPE}.`,
  );
}

/** Tools probe an address with GET or HEAD before they send to it. A probe costs no quota and has no effect. */
function verification(hooks: HookService) {
  return new Elysia({ name: "hook-verification" }).get(
    "/v1/hooks/:token",
    async ({ params }) => {
      const hook = await hooks.byToken(params.token);
      return {
        data: {
          status: "ready" as const,
          signature_required: hook.signature_required,
          actions: [...HOOK_ACTIONS],
        },
      };
    },
    {
      params: Type.Object({ token: Type.String() }),
      response: { 200: ReadySchema },
      detail: {
        tags: ["Inbound webhook"],
        operationId: "verifyInboundHook",
        summary: "Whether the secret address is valid",
        description:
          "For tools that verify the address with GET or HEAD. Does not count towards the quota and changes nothing.",
        security: [],
        "x-credential": "hook-token",
        "x-errors": ["UNAUTHORIZED"],
      } as object,
    },
  );
}

/** Elysia must not read the body, because the signature covers its bytes. */
const UNREAD = Symbol("unread body");

export function hookRoutes({ hooks, calls, erasure, idempotency, clock, requestTimeoutMs }: HookRouteDeps) {
  async function act(organisationId: string, request: HookRequest, actor: Actor, remember: Remember) {
    switch (request.action) {
      case "call.create": {
        const answer = (data: CreatedCall) => ({ status: 201, body: { data } });
        const created = await calls.create(organisationId, request.data, "hook", actor, (tx, data) =>
          remember(tx, answer(data), data.call_id),
        );
        return answer(created);
      }
      case "call.cancel": {
        const answer = (data: CancelledCall) => ({ status: 200, body: { data } });
        const { call_id } = request.data;
        return answer(
          await calls.cancel(organisationId, call_id, actor, (tx, data) => remember(tx, answer(data), call_id)),
        );
      }
      case "call.delete": {
        const { call_id } = request.data;
        const answer = { status: 200, body: { data: { call_id, deleted: true as const } } };
        // Not linked to the call, because idempotency records of a call are erased with it.
        await erasure.erase(organisationId, call_id, actor, { alongside: (tx) => remember(tx, answer, null) });
        return answer;
      }
      case "ping":
        return { status: 200, body: PONG };
    }
  }

  function read(request: Request, rawBody: Uint8Array): HookRequest {
    const body = hookBodyOf(rawBody, isForm(request));
    const sent = fieldsSent(request, body);
    infoOf(request).sent = sent;
    const parsed = parseHookBody(body);
    if (parsed.action === "call.create") {
      assertNoMistakenFields([...(sent?.ignored ?? []), ...queryNames(request)], "hook");
    }
    return parsed;
  }

  return new Elysia({ name: "hooks" }).use(verification(hooks)).post(
    "/v1/hooks/:token",
    async ({ params, request, set }) => {
      const hook = await hooks.byToken(params.token);
      hooks.assertQuotaLeft(hook);
      const rawBody = await readBody(request, { clock, timeoutMs: requestTimeoutMs });
      hooks.assertSignature(hook, request.headers, rawBody);
      await hooks.countRequest(hook);
      assertReadable(request);
      const organisationId = hook.organisation_id;
      const actor: Actor = { kind: "hook", id: null, requestId: infoOf(request).id };
      const reply = await idempotency.run<object>(
        {
          organisationId,
          credentialId: `hook ${hook.token_hash}`,
          route: "POST /v1/hooks",
          header: request.headers.get("idempotency-key"),
          requestHash: () => requestHashOf("", rawBody),
        },
        (remember) => act(organisationId, read(request, rawBody), actor, remember),
      );
      // The body is not processed for a replay; it is parsed only to report ignored fields.
      if (reply.replayed) infoOf(request).sent = fieldsSent(request, hookBodyOf(rawBody, isForm(request)));
      set.status = reply.status;
      if (reply.replayed) set.headers["idempotent-replayed"] = "true";
      return reply.body;
    },
    {
      parse: () => UNREAD,
      params: Type.Object({ token: Type.String() }),
      detail: {
        tags: ["Inbound webhook"],
        operationId: "inboundHook",
        summary: "Create, cancel or delete a call with the secret address alone",
        description:
          "For no-code tools: the token in the address is the credential. Beside `{ action, data }` it takes forms, the fields " +
          "of `data` beside `action` or as JSON text, a list of one, and telephone numbers as JSON numbers or with spaces. " +
          "Empty text counts as absent. `ping` changes nothing and answers `pong`. Where signatures are switched on, send " +
          "`X-Inbound-Timestamp` (Unix seconds, within 5 minutes) and `X-Inbound-Signature`: the lowercase hex HMAC-SHA256 of " +
          "`<timestamp>.<raw body>` keyed with the inbound signing secret.",
        security: [],
        "x-headers": [
          { name: "X-Inbound-Timestamp", description: "Unix seconds. Where signatures are switched on." },
          { name: "X-Inbound-Signature", description: "Lowercase hex HMAC-SHA256 of `<timestamp>.<raw body>`." },
          { name: "Idempotency-Key", description: "As on POST /v1/calls." },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: unwrapSchema(HookDocumentSchema), examples: HOOK_EXAMPLES },
            [FORM_TYPE]: { schema: unwrapSchema(HookFormSchema), example: HOOK_FORM_EXAMPLE },
          },
        },
        responses: {
          "200": {
            description: "call.cancel, call.delete or ping succeeded.",
            headers: IGNORED_HEADER,
            content: {
              "application/json": {
                schema: Type.Union([CancelledCallSchema, DeletedCallSchema, PongSchema]) as object,
              },
            },
          },
          "201": {
            description: "call.create: the call is scheduled.",
            headers: IGNORED_HEADER,
            content: { "application/json": { schema: CreatedCallSchema as object } },
          },
        },
        "x-credential": "hook-token",
        "x-errors": [
          "UNAUTHORIZED",
          "INSUFFICIENT_CREDITS",
          "NOT_FOUND",
          "CALL_NOT_CANCELLABLE",
          "RETENTION_HOLD",
          "INVALID_PHONE_NUMBER",
          "UNSUPPORTED_COUNTRY",
          "QUOTA_EXCEEDED",
          "IDEMPOTENCY_IN_PROGRESS",
          "IDEMPOTENCY_KEY_REUSED",
        ],
      } as object,
    },
  );
}
