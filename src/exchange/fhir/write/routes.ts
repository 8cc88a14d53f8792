// POST, PUT and PATCH of Appointments.
import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { KEY_HEADER, keyNotSupported } from "../../../http/creating-routes.ts";
import type { BearerGuard } from "../../../http/bearer-guard.ts";
import type { Idempotency } from "../../../http/idempotency.ts";
import { FHIR_PATH } from "../path.ts";
import type { Asker } from "../kind.ts";
import { JSON_TYPES, onceFor, writtenAnswer } from "./written-routes.ts";
import { linkAsked, type Written } from "./appointment-writes.ts";
import { patched } from "./json-patch.ts";
import { putMirrored, type PutMirroredDeps } from "./put-mirrored.ts";
import type { Json } from "../json.ts";

export const JSON_PATCH = "application/json-patch+json";

export interface WriteRouteDeps extends PutMirroredDeps {
  guard: BearerGuard;
  idempotency: Idempotency;
  base: string;
  askerOf: (request: Request) => Promise<Asker>;
}

export function writeRoutes(deps: WriteRouteDeps) {
  const { guard, writes, base, askerOf } = deps;
  return new Elysia({ name: "fhir-writes", detail: { hide: true } })
    .use(guard)
    .post(`${FHIR_PATH}/Appointment`, ({ request, body }) => create(deps, request, body), {
      bearer: "appointments:write",
      takes: JSON_TYPES,
    })
    .put(
      `${FHIR_PATH}/Appointment`,
      async ({ request, body }) => {
        const link = linkAsked("identifier", new URL(request.url).search);
        const { resource, isNew } = await putMirrored(deps, await askerOf(request), link, body);
        return writtenAnswer(request, resource, isNew ? 201 : 200, base);
      },
      { bearer: "sources:write", takes: JSON_TYPES },
    )
    .patch(
      `${FHIR_PATH}/Appointment/:id`,
      async ({ request, params, body }) => {
        if (request.headers.has(KEY_HEADER)) throw keyNotSupported();
        const ifMatch = request.headers.get("if-match");
        const nextOf = (before: object) => patched(before as Json, body);
        const { resource } = await writes.change(await askerOf(request), params.id, ifMatch, nextOf);
        return writtenAnswer(request, resource, 200, base);
      },
      { bearer: "appointments:write", takes: [JSON_PATCH] },
    );
}

/** With If-None-Exist, an appointment that exists is answered as it is. */
async function create(deps: WriteRouteDeps, request: Request, body: unknown): Promise<Response> {
  const { writes, idempotency, base, askerOf } = deps;
  const asker = await askerOf(request);
  const header = request.headers.get("if-none-exist");
  const link = header === null ? null : linkAsked("If-None-Exist", header);
  const existing = async () => (link ? writes.existing(asker, link) : null);
  const known = await existing();
  if (known) return writtenAnswer(request, known.resource, 200, base);
  try {
    const answer = await onceFor(
      idempotency,
      request,
      { status: 201, body: ({ resource }: Written) => resource, subjectId: ({ id }) => id },
      (alongside) => writes.create(asker, body, alongside),
    );
    return writtenAnswer(request, answer.body, 201, base, answer.headers);
  } catch (error) {
    // Another request created it meanwhile.
    const other = error instanceof AppError && error.code === "CONFLICT" ? await existing() : null;
    if (!other) throw error;
    return writtenAnswer(request, other.resource, 200, base);
  }
}
