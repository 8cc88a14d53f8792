// Answers of writes: the resource with its version, or less where the client prefers that.
import type { AppError } from "../../../core/errors.ts";
import { createOnce, type Created } from "../../../http/creating-routes.ts";
import { STATUS_OF } from "../../../http/error-response.ts";
import type { Alongside } from "../../../db/alongside.ts";
import type { Idempotency } from "../../../http/idempotency.ts";
import type { Resource } from "../kind.ts";
import { outcomeOf } from "../outcome.ts";
import { FHIR_JSON } from "../media-types.ts";
import { json, typeOf } from "../routes.ts";
import { etagOf } from "../version.ts";

export const JSON_TYPES = [FHIR_JSON, "application/json"];

/** Of a created or changed resource. */
export function writtenAnswer(
  request: Request,
  resource: Resource,
  status: 200 | 201,
  base: string,
  more: Record<string, string> = {},
): Response {
  const { resourceType, id = "", meta: { lastUpdated } = {} } = resource;
  const headers = {
    ...more,
    etag: etagOf(resource),
    ...(lastUpdated !== undefined && { "last-modified": new Date(lastUpdated).toUTCString() }),
    ...(status === 201 && { location: `${base}/${resourceType}/${id}` }),
  };
  if (/\breturn\s*=\s*minimal\b/i.test(request.headers.get("prefer") ?? ""))
    return new Response(null, { status, headers });
  return json(resource, typeOf(request), headers, status);
}

/** Executes once per Idempotency-Key. `headers` belong to the answer. */
export async function onceFor<Data, Body>(
  idempotency: Idempotency,
  request: Request,
  created: Created<Data, Body>,
  act: (alongside: Alongside<Data>) => Promise<Data>,
): Promise<{ body: Body; headers: Record<string, string> }> {
  const set: { status?: number | string; headers: Record<string, string> } = { headers: {} };
  const body = await createOnce(idempotency, request, set)(created, act);
  return { body, headers: set.headers };
}

/** IHE ITI Scheduling: the place is not there any more, so the client finds another. */
export function unavailable(request: Request, error: AppError, requestId: string): Response {
  const { issue, ...outcome } = outcomeOf(error, requestId);
  const fatal = issue.map((each) => ({ ...each, severity: "fatal", code: "not-found" }));
  return json({ ...outcome, issue: fatal }, typeOf(request), {}, STATUS_OF[error.code]);
}
