// Wires FHIR R4 below /fhir: reads and searches, writes, operations of IHE ITI Scheduling.
import { organisationById } from "../accounts/organisation-store.ts";
import { createFhirServer, fhirPatientIds } from "../exchange/fhir/fhir.ts";
import { Holds } from "../exchange/fhir/operations/hold.ts";
import { operationRoutes } from "../exchange/fhir/operations/routes.ts";
import { askerOf, fhirRoutes } from "../exchange/fhir/routes.ts";
import { smartRoutes } from "../exchange/fhir/smart/routes.ts";
import { scopesOf } from "../exchange/fhir/smart/smart-scopes.ts";
import { TokenService } from "../exchange/fhir/smart/token-service.ts";
import { subscriptionRoutes } from "../exchange/fhir/subscriptions/routes.ts";
import { Subscriptions } from "../exchange/fhir/subscriptions/subscription.ts";
import { AppointmentWrites } from "../exchange/fhir/write/appointment-writes.ts";
import { writeRoutes } from "../exchange/fhir/write/routes.ts";
import { SECOND_MS } from "../core/clock.ts";
import { createBearerGuard } from "../http/bearer-guard.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { createRateLimiter, type RateLimiter } from "../http/rate-limit.ts";
import { createSourceOf } from "../http/source.ts";
import type { ServiceDeps } from "./ground.ts";
import type { Services } from "./services.ts";

export interface FhirServingDeps extends Pick<ServiceDeps, "config" | "db" | "clock" | "logger"> {
  services: Services;
  idempotency: Idempotency;
}

/** `limiter`: shared with /v1, so a key has one limit for both. */
export function fhirRoutesOf(
  { config, db, clock, logger, services, idempotency }: FhirServingDeps,
  limiter: RateLimiter,
) {
  const requestTimeoutMs = config.server.request_timeout_seconds * SECOND_MS;
  const guard = createBearerGuard({ limiter, clock, requestTimeoutMs });
  const server = createFhirServer({ ...services, db, clock, baseUrl: config.base_url });
  const { base } = server;
  const zoneOf = async (id: string) => (await organisationById(db.reader, id))?.time_zone ?? "UTC";
  const common = {
    ...services,
    db,
    clock,
    guard,
    server,
    base,
    idempotency,
    patientIds: fhirPatientIds(services),
    askerOf: (request: Request) => askerOf(request, { zoneOf }),
  };
  const writes = new AppointmentWrites(common);
  const scopes = scopesOf(server.kinds);
  return [
    fhirRoutes({ guard, server, zoneOf }),
    smartRoutes({
      ...common,
      scopes,
      tokens: new TokenService({ db, clock, scopes, tokens: services.clientTokens }),
      requestTimeoutMs,
      newLimiter: () => createRateLimiter(clock),
      sourceOf: createSourceOf({ clock, logger, addressHeader: config.server.client_address_header }),
    }),
    writeRoutes({ ...common, writes }),
    operationRoutes({ ...common, writes, holds: new Holds(common) }),
    subscriptionRoutes({ ...common, kind: server.kind("Appointment"), subscriptions: new Subscriptions(common) }),
  ];
}
