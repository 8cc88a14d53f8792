// Wires the watcher that tells FHIR Subscriptions of changed appointments, wherever the change is made.
import { fhirPatientIds } from "../exchange/fhir/fhir.ts";
import { FHIR_PATH } from "../exchange/fhir/path.ts";
import { appointments, type AppointmentDeps } from "../exchange/fhir/resources/appointment.ts";
import { createSubscriptionWatcher, type SubscriptionWatcherDeps } from "../exchange/fhir/subscriptions/watcher.ts";
import type { Config } from "../config/schema.ts";

type Deps = Pick<SubscriptionWatcherDeps, "clock" | "outbox"> &
  Pick<AppointmentDeps, "db" | "appointments"> &
  Parameters<typeof fhirPatientIds>[0] & { config: Config };

export function subscriptionWatcherOf(deps: Deps) {
  const base = `${deps.config.base_url}${FHIR_PATH}`;
  const common = { ...deps, base, patientIds: fhirPatientIds(deps) };
  return createSubscriptionWatcher({ ...common, kind: appointments(common) });
}
