// Appointment/$find, $hold and $book.
import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import type { BearerGuard } from "../../../http/bearer-guard.ts";
import type { Idempotency } from "../../../http/idempotency.ts";
import { infoOf, principalOf } from "../../../http/request-info.ts";
import { FHIR_PATH } from "../path.ts";
import type { Asker } from "../kind.ts";
import { json, typeOf } from "../routes.ts";
import { JSON_TYPES, onceFor, unavailable } from "../write/written-routes.ts";
import { book, BOOK_PARAMETERS, type BookDeps } from "./book.ts";
import { find, FIND_PARAMETERS, type FindDeps } from "./find.ts";
import { HOLD_PARAMETERS, type Held } from "./hold.ts";
import { inputOf, inputOfQuery, type OperationInput } from "./parameters.ts";

export interface OperationRouteDeps extends BookDeps, FindDeps {
  guard: BearerGuard;
  idempotency: Idempotency;
  askerOf: (request: Request) => Promise<Asker>;
}

const PATH = `${FHIR_PATH}/Appointment`;

export function operationRoutes(deps: OperationRouteDeps) {
  const { guard, holds, askerOf } = deps;
  const found = async (request: Request, input: OperationInput) =>
    json(await find(deps, await askerOf(request), input, countAsked(request, input)), typeOf(request));
  return new Elysia({ name: "fhir-operations", detail: { hide: true } })
    .use(guard)
    .get(
      `${PATH}/$find`,
      ({ request }) => found(request, inputOfQuery(new URL(request.url).searchParams, FIND_PARAMETERS)),
      {
        bearer: "appointments:read",
      },
    )
    .post(`${PATH}/$find`, ({ request, body }) => found(request, inputOf(body, FIND_PARAMETERS)), {
      bearer: "appointments:read",
      takes: JSON_TYPES,
    })
    .post(
      `${PATH}/$hold`,
      ({ request, body }) =>
        reserved(deps, request, (asker, keyId, alongside) =>
          holds.hold(asker, keyId, inputOf(body, HOLD_PARAMETERS), alongside),
        ),
      { bearer: "appointments:write", takes: JSON_TYPES },
    )
    .post(
      `${PATH}/$book`,
      ({ request, body }) =>
        reserved(deps, request, (asker, keyId, alongside) =>
          book(deps, asker, keyId, inputOf(body, BOOK_PARAMETERS), alongside),
        ),
      { bearer: "appointments:write", takes: JSON_TYPES },
    );
}

const countAsked = (request: Request, input: OperationInput): string | null =>
  new URL(request.url).searchParams.get("_count") ?? input.text("_count") ?? null;

type Act = (asker: Asker, keyId: string, alongside: Parameters<typeof book>[4]) => Promise<Held>;

async function reserved({ idempotency, askerOf }: OperationRouteDeps, request: Request, act: Act): Promise<Response> {
  const asker = await askerOf(request);
  const { keyId } = principalOf(request);
  const created = { status: 200, body: ({ bundle }: Held) => bundle, subjectId: ({ id }: Held) => id };
  try {
    const { body, headers } = await onceFor(idempotency, request, created, (alongside) => act(asker, keyId, alongside));
    return json(body, typeOf(request), headers);
  } catch (error) {
    const isGone = error instanceof AppError && ["SLOT_FULL", "NOT_FOUND"].includes(error.code);
    if (!isGone) throw error;
    return unavailable(request, error, infoOf(request).id);
  }
}
