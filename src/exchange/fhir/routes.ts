// Routes of FHIR R4 below /fhir: metadata, and read and search of each kind of resource.
import { Elysia } from "elysia";
import type { OperationOutcome } from "fhir/r4";
import type { AppError } from "../../core/errors.ts";
import { lazily } from "../../core/lazily.ts";
import type { BearerGuard } from "../../http/bearer-guard.ts";
import type { FaultForm } from "../../http/error-response.ts";
import { FORM_TYPE } from "../../http/form-body.ts";
import { actorOf, principalOf } from "../../http/request-info.ts";
import { capabilityStatement } from "./capability.ts";
import { FHIR_PATH } from "./path.ts";
import type { Asker, Kind, Resource } from "./kind.ts";
import { answerType, FHIR_JSON } from "./media-types.ts";
import { outcomeOf } from "./outcome.ts";
import type { FhirServer } from "./server.ts";
import { etagOf, isKnown } from "./version.ts";

/** Faults below /fhir are OperationOutcomes, in JSON whatever was asked for. */
export const FHIR_FAULTS: FaultForm = {
  under: FHIR_PATH,
  listedAt: `${FHIR_PATH}/metadata`,
  answer: (error, requestId) => ({
    body: outcomeOf(error, requestId) satisfies OperationOutcome,
    headers: { "content-type": `${FHIR_JSON}; charset=utf-8`, ...challengeOf(error) },
  }),
};

const challengeOf = ({ code }: AppError) =>
  code === "UNAUTHORIZED" ? { "www-authenticate": 'Bearer realm="fhir"' } : {};

export interface FhirRouteDeps {
  guard: BearerGuard;
  server: FhirServer;
  /** Of an organisation. */
  zoneOf(organisationId: string): Promise<string>;
}

export function fhirRoutes(deps: FhirRouteDeps) {
  const { guard, server } = deps;
  const statement = lazily(() => capabilityStatement(server.kinds, server.base));
  const app = new Elysia({ name: "fhir", detail: { hide: true } })
    .use(guard)
    .get(`${FHIR_PATH}/metadata`, ({ request }) => answer(request, statement(), { "cache-control": "no-cache" }));
  for (const kind of server.kinds) app.use(kindRoutes(deps, kind));
  return app;
}

/** Who asks, in a route behind the guard. */
export async function askerOf(request: Request, { zoneOf }: Pick<FhirRouteDeps, "zoneOf">): Promise<Asker> {
  const { organisationId, scopes } = principalOf(request);
  return { organisationId, scopes, actor: actorOf(request), zone: await zoneOf(organisationId) };
}

function kindRoutes(deps: FhirRouteDeps, kind: Kind) {
  const { guard, server } = deps;
  const path = `${FHIR_PATH}/${kind.type}`;
  const search = async (request: Request, form: URLSearchParams | null) => {
    const params = [...new URL(request.url).searchParams, ...(form ?? [])];
    const type = typeOf(request, params);
    const isLenient = /\bhandling\s*=\s*lenient\b/i.test(request.headers.get("prefer") ?? "");
    const bundle = await server.search(kind, await askerOf(request, deps), { params, isLenient });
    return json(bundle, type);
  };
  return new Elysia({ name: `fhir-${kind.type}` })
    .use(guard)
    .get(path, ({ request }) => search(request, null), { bearer: kind.scope })
    .post(`${path}/_search`, ({ request, body }) => search(request, body as URLSearchParams), {
      bearer: kind.scope,
      takes: [FORM_TYPE],
    })
    .get(
      `${path}/:id`,
      async ({ request, params }) => {
        const type = typeOf(request);
        return resourceAnswer(request, await server.read(kind, await askerOf(request, deps), params.id), type);
      },
      { bearer: kind.scope },
    );
}

export const typeOf = (
  request: Request,
  params: Iterable<readonly [string, string]> = new URL(request.url).searchParams,
) => answerType(request.headers.get("accept"), [...params].find(([name]) => name === "_format")?.[1] ?? null);

function answer(request: Request, body: object, headers: Record<string, string> = {}): Response {
  return json(body, typeOf(request), headers);
}

export const json = (body: object, type: string, headers: Record<string, string> = {}, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...headers, "content-type": type } });

/** With its version; 304 if the client has it already. */
export function resourceAnswer(request: Request, resource: Resource, type: string): Response {
  const { lastUpdated } = resource.meta ?? {};
  const headers = {
    etag: etagOf(resource),
    ...(lastUpdated !== undefined && { "last-modified": new Date(lastUpdated).toUTCString() }),
  };
  if (isKnown(request.headers.get("if-none-match"), resource)) return new Response(null, { status: 304, headers });
  return json(resource, type, headers);
}
