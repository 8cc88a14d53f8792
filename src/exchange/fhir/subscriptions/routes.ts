// POST and DELETE of Subscriptions.
import { Elysia } from "elysia";
import type { Clock } from "../../../core/clock.ts";
import type { BearerGuard } from "../../../http/bearer-guard.ts";
import type { Idempotency } from "../../../http/idempotency.ts";
import { FHIR_PATH } from "../path.ts";
import type { Asker, Kind } from "../kind.ts";
import { JSON_TYPES, onceFor, writtenAnswer } from "../write/written-routes.ts";
import { subscriptionIn, type MadeSubscription, type Subscriptions } from "./subscription.ts";

export interface SubscriptionRouteDeps {
  guard: BearerGuard;
  subscriptions: Subscriptions;
  idempotency: Idempotency;
  clock: Clock;
  /** Of Appointments. */
  kind: Kind;
  base: string;
  askerOf: (request: Request) => Promise<Asker>;
}

const PATH = `${FHIR_PATH}/Subscription`;

export function subscriptionRoutes(deps: SubscriptionRouteDeps) {
  const { guard, subscriptions, idempotency, clock, kind, base, askerOf } = deps;
  return new Elysia({ name: "fhir-subscriptions", detail: { hide: true } })
    .use(guard)
    .post(
      PATH,
      async ({ request, body }) => {
        const asker = await askerOf(request);
        const asked = subscriptionIn(body, { kind, base, zone: asker.zone }, clock.now());
        const answer = await onceFor(
          idempotency,
          request,
          { status: 201, body: ({ resource }: MadeSubscription) => resource, subjectId: ({ id }) => id },
          (alongside) => subscriptions.create(asker, asked, alongside),
        );
        return writtenAnswer(request, answer.body, 201, base, answer.headers);
      },
      { bearer: "endpoints:write", takes: JSON_TYPES },
    )
    .delete(
      `${PATH}/:id`,
      async ({ request, params }) => {
        await subscriptions.remove(await askerOf(request), params.id);
        return new Response(null, { status: 204 });
      },
      { bearer: "endpoints:write" },
    );
}
