// All HTTP routes: the API, the dashboard, the documentation and the shared pages.
import { Elysia, type AnyElysia } from "elysia";
import { auditApiRoutes } from "../accounts/audit-routes.ts";
import { createAuditTrail } from "../accounts/audit-trail.ts";
import { createKeyGrants } from "../accounts/key-grants.ts";
import { keyRoutes } from "../accounts/key-routes.ts";
import { bearerTokens } from "../accounts/client-tokens.ts";
import { accountRoutes } from "../accounts/routes.ts";
import { numberRoutes } from "../agents/number-routes.ts";
import { agentRoutes } from "../agents/routes.ts";
import { appointmentRoutes } from "../calendar/appointment-routes.ts";
import { consentRoutes } from "../rules/consent/routes.ts";
import { waitingListRoutes } from "../waiting-list/routes.ts";
import { branchRoutes, serviceRoutes } from "../calendar/directory-routes.ts";
import { closureApiRoutes } from "../calendar/closure-routes.ts";
import { createConfigurationReads } from "../calendar/configuration-reads.ts";
import { feedRoutes } from "../calendar/ical/feed-routes.ts";
import { slotRoutes, WINDOW_FAULTS } from "../calendar/slot-routes.ts";
import type { Calling } from "./calls.ts";
import { fhirRoutesOf } from "./fhir.ts";
import { sharedCall } from "../calls/life/shared-call.ts";
import { doNotDisturbApiRoutes } from "../calls/people/do-not-disturb-routes.ts";
import { callRoutes } from "../calls/routes.ts";
import { previewTemplate } from "../calls/template-preview.ts";
import { reminderApiRoutes } from "../reminders/routes.ts";
import { reminderRuleRoutes } from "../reminders/rule-routes.ts";
import { campaignRoutes } from "../campaigns/routes.ts";
import { hl7Routes } from "../exchange/hl7/routes.ts";
import { FHIR_FAULTS } from "../exchange/fhir/routes.ts";
import { sourceFileRoutes } from "../exchange/folder/routes.ts";
import { mirrorRoutes } from "../exchange/mirror/routes.ts";
import { sourceRoutes } from "../exchange/sources/routes.ts";
import type { Config } from "../config/schema.ts";
import { SECOND_MS } from "../core/clock.ts";
import { lazily } from "../core/lazily.ts";
import type { Logger } from "../core/logger.ts";
import type { Metrics } from "../core/metrics.ts";
import type { DemoRouteDeps } from "../dashboard/routes/demo-routes.ts";
import { DASHBOARD_FAULTS } from "../dashboard/session-guard.ts";
import { dashboardPages } from "../dashboard/web-routes.ts";
import { deliveryRoutes } from "../events/delivery-routes.ts";
import { endpointRoutes } from "../events/endpoint-routes.ts";
import { verifierRoutes } from "../events/verifier-routes.ts";
import { snippetIn } from "../events/verifier/snippets.ts";
import { webhookDocs } from "../events/webhook-docs.ts";
import { handbookRoutes } from "../handbook/routes.ts";
import { HOOK_FAULTS, hookRoutes } from "../hooks/routes.ts";
import { createRouteSchemas, type RouteWithHooks } from "../http/body-schemas.ts";
import { buildDocument, type OpenApiDocument } from "../http/docs/document.ts";
import { API_DESCRIPTION, API_TAGS } from "../http/docs/introduction.ts";
import { docsRoutes } from "../http/docs/routes.ts";
import { markRoutes } from "../http/mark.ts";
import { createFaults } from "../http/faults.ts";
import { createCreates } from "../http/creating-routes.ts";
import { createGuard, type Guard } from "../http/guard.ts";
import { createHandler, isBelow, type HandlerDeps } from "../http/handler.ts";
import { createReadiness, healthRoutes, type HealthDeps } from "../http/health.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { createInFlight } from "../http/in-flight.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import { peopleRoutes } from "../rights/people-routes.ts";
import { rightsRoutes } from "../rights/routes.ts";
import { holdRoutes } from "../rules/holds/routes.ts";
import { questionRoutes } from "../rules/question/routes.ts";
import { registryRoutes } from "../rules/registry/routes.ts";
import { publicRoutes } from "../media/public-routes.ts";
import { ruleRoutes } from "../rules/book/routes.ts";
import { mediaRoutes } from "../media/routes.ts";
import { proofRoutes } from "../rules/proof/routes.ts";
import { proofVerifierRoutes } from "../rules/proof/verifier-routes.ts";
import { createDashboard, type DashboardDeps } from "./dashboard.ts";
import type { ServiceDeps } from "./ground.ts";
import type { Services } from "./services.ts";
import { trunkApiRoutes } from "../trunks/routes.ts";
import { testNumberTable } from "../telephony/simulator/test-numbers.ts";

export interface ServingDeps extends Pick<ServiceDeps, "config" | "db" | "clock" | "logger"> {
  services: Services;
  calling: Calling;
  metrics: Metrics;
  idempotency: Idempotency;
  schedulerBeatAtElapsedMs: HealthDeps["schedulerBeatAtElapsedMs"];
  /** Reasons why the appliance is not ready, in words. */
  notes: HealthDeps["notes"];
  /** The owner of the demo hospital, if this is a demo: one click signs in. */
  demoEmail: string | null;
  demo: DemoRouteDeps["demo"];
  keptBackups: DashboardDeps["keptBackups"];
}

const FAULT_FORMS = [HOOK_FAULTS, WINDOW_FAULTS, FHIR_FAULTS, DASHBOARD_FAULTS];

export function createServing(deps: ServingDeps) {
  const { config, db, clock, logger, services, idempotency } = deps;
  const { calls, erasure, hooks, windows, tracking, appointments } = services;
  const requestTimeoutMs = requestTimeoutMsOf(config);
  const health = healthOf(deps, () => dashboard.note());
  const configurationReads = createConfigurationReads(db, config);
  const inFlight = createInFlight();
  const limiter = createRateLimiter(clock);
  const guard = createGuard({
    inFlight,
    limiter,
    clock,
    requestTimeoutMs,
    schemasOf: createRouteSchemas(() => routes.routes),
    creates: createCreates(() => routes.routes),
    idempotency,
  });
  const document = (): OpenApiDocument =>
    buildDocument(routes, {
      description: API_DESCRIPTION,
      tags: API_TAGS,
      webhooks: webhookDocs(),
      // The path only, because the appliance may be reached under any host name.
      serverPath: new URL(config.base_url).pathname,
      faultForms: FAULT_FORMS,
    });
  const readiness = createReadiness(health);
  const dashboard = createDashboard({
    ...deps,
    readiness,
    reads: configurationReads,
    inFlight,
    requestTimeoutMs,
    ask: (request, caller) => handle(request, caller),
  });
  const routes = newRoutes(logger)
    .use(healthRoutes(health, readiness))
    .use(markRoutes())
    .use(docsRoutes(document, { python: snippetIn("python"), typescript: snippetIn("typescript") }))
    .use(verifierRoutes())
    .use(proofVerifierRoutes())
    .use(handbookRoutes())
    .use(accountRoutes(guard, services.organisations))
    .use(callRoutes({ guard, calls, erasure, testNumbers: testNumberTable() }))
    .use(proofRoutes(guard, services.proofs))
    .use(ruleRoutes(guard, services.ruleChanges))
    .use(campaignRoutes(guard, services.campaigns))
    .use(hookRoutes({ hooks, calls, erasure, idempotency, clock, requestTimeoutMs }))
    .use(slotRoutes(guard, windows, tracking))
    .use(appointmentRoutes(guard, appointments, tracking, configurationReads))
    .use(reminderApiRoutes(guard, services.reminders))
    .use(lawfulRoutes(guard, services))
    .use(applianceRoutes(guard, deps))
    .use(lineRoutes(guard, deps))
    .use(hospitalRoutes(guard, services))
    .use(feedRoutes(services.feeds, createRateLimiter(clock)))
    .use(linkedRoutes(deps))
    .use(dashboardPages());

  // Built lazily to speed up the start: the dashboard has more than half of all routes. FHIR is not in the API
  // document, because its standard describes it, at /fhir/metadata.
  const later = [
    { under: "/dashboard/api/", app: lazily((): AnyElysia => newRoutes(logger).use(dashboard.routes)) },
    { under: "/fhir/", app: lazily((): AnyElysia => all(newRoutes(logger), fhirRoutesOf(deps, limiter))) },
  ];
  const inner = (to: Request) => (later.find(({ under }) => isBelow(under, to))?.app() ?? routes).fetch(to);

  const handle = handlerOf(deps, inner);

  return {
    handle,
    document,
    routes: (): readonly RouteWithHooks[] => [...routes.routes, ...later.flatMap(({ app }) => app().routes)],
    readiness,
    stop: dashboard.stop,
  };
}

function handlerOf({ config, services, logger, metrics }: ServingDeps, inner: HandlerDeps["inner"]) {
  const { keys, clientTokens, ids } = services;
  return createHandler({
    inner,
    keys,
    bearer: { under: "/fhir/", tokens: bearerTokens(keys, clientTokens) },
    forms: FAULT_FORMS,
    ids,
    logger,
    metrics,
    slashedBelow: HOOK_FAULTS.under,
    isTls: config.server.tls_cert_file !== "",
    loggedShare: config.log.requests,
  });
}

/** Recordings and shared calls, opened by a link. */
function linkedRoutes({ db, services, calling: { mediaOf } }: ServingDeps) {
  const { appointments, shares, links, linkReads: reads } = services;
  const appointmentsOf = async (callId: string) => {
    const appointment = await appointments.ofCall(db.reader, callId);
    return appointment ? [appointment] : [];
  };
  const zoneOf = async (organisationId: string) => (await services.organisations.get(organisationId)).time_zone;
  const shared = (callId: string) => sharedCall(db.reader, callId, appointmentsOf);
  return new Elysia({ name: "linked" })
    .use(mediaRoutes({ links, mediaOf, reads }))
    .use(publicRoutes({ shares, sharedCall: shared, zoneOf, mediaOf, reads }));
}

function lawfulRoutes(guard: Guard, services: Services) {
  const { holds, consents, registry, question } = services;
  return new Elysia({ name: "lawful" })
    .use(rightsRoutes(guard, services))
    .use(holdRoutes(guard, holds))
    .use(consentRoutes(guard, consents))
    .use(registryRoutes(guard, registry))
    .use(questionRoutes(guard, question));
}

/** Settings and records of the appliance itself. */
function applianceRoutes(guard: Guard, { db, clock, services }: ServingDeps) {
  return new Elysia({ name: "appliance" })
    .use(doNotDisturbApiRoutes(guard, services))
    .use(endpointRoutes(guard, services.endpoints, services.deliveries))
    .use(deliveryRoutes(guard, services.deliveries))
    .use(keyRoutes(guard, createKeyGrants({ db, clock, keys: services.keys })))
    .use(auditApiRoutes(guard, createAuditTrail({ ...services, db })));
}

/** Agents, their numbers and trunks. */
function lineRoutes(guard: Guard, { services: { agents, trunks }, calling: { telephony }, clock }: ServingDeps) {
  return new Elysia({ name: "lines" })
    .use(agentRoutes(guard, agents, (organisationId, input) => previewTemplate(agents, organisationId, input)))
    .use(numberRoutes(guard, agents))
    .use(trunkApiRoutes({ guard, clock, trunks, telephony }));
}

/** The hospital's own data: its waiting list, branches, services, closed days, reminder rules, people and systems. */
function hospitalRoutes(guard: Guard, services: Services) {
  const { directory, closures, reminderRules, contacts, waitingList, sources, mirror, appointments } = services;
  return new Elysia({ name: "hospital" })
    .use(waitingListRoutes(guard, waitingList))
    .use(branchRoutes(guard, directory))
    .use(serviceRoutes(guard, directory))
    .use(closureApiRoutes(guard, closures))
    .use(reminderRuleRoutes(guard, reminderRules))
    .use(peopleRoutes(guard, contacts))
    .use(sourceRoutes(guard, sources))
    .use(sourceFileRoutes(guard, services.sourceFiles))
    .use(mirrorRoutes(guard, mirror, appointments))
    .use(hl7Routes(guard, services.hl7Log, services.hl7Preview));
}

function healthOf(deps: ServingDeps, changes: () => string | null): HealthDeps {
  const { config, db, clock, logger, metrics, services, schedulerBeatAtElapsedMs } = deps;
  return {
    db,
    clock,
    ids: services.ids,
    logger,
    metrics,
    dataDir: config.data.dir,
    minFreeMb: config.data.min_free_mb,
    metricsToken: config.metrics.token,
    schedulerBeatAtElapsedMs,
    notes: () => ({ ...deps.notes(), changes: changes() }),
  };
}

function all(app: AnyElysia, parts: readonly AnyElysia[]): AnyElysia {
  for (const each of parts) app.use(each);
  return app;
}

/** An app without routes, with the error handlers. */
function newRoutes(logger: Logger) {
  const app = new Elysia({
    strictPath: true,
    // Elysia's default normaliser would turn "text" into { 0: "t", … } before the schema sees it.
    normalize: "typebox",
  });
  return app.use(createFaults(logger, () => app.routes, FAULT_FORMS));
}

function requestTimeoutMsOf({ server }: Config): number {
  return server.request_timeout_seconds * SECOND_MS;
}
