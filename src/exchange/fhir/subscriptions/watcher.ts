// Tells Subscriptions about changed appointments: publishes to the outbox, in the transaction of the change.
import type { Appointment } from "fhir/r4";
import { organisationById } from "../../../accounts/organisation-store.ts";
import { eventFor, viewOf, type AppointmentWatcher } from "../../../calendar/appointment-changes.ts";
import type { Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { Tx } from "../../../db/tables.ts";
import { subscriptionsOf, type FhirEndpoint } from "../../../events/fhir-channel.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { Kind, Search } from "../kind.ts";
import type { PatientIds } from "../patient-ids.ts";
import { appointmentResources } from "../resources/appointment.ts";
import { isMatch } from "../search.ts";
import { versioned } from "../version.ts";
import { parseCriteria } from "./criteria.ts";

export interface SubscriptionWatcherDeps {
  clock: Clock;
  outbox: Outbox;
  patientIds: PatientIds;
  /** Of Appointments. */
  kind: Kind;
  base: string;
}

/** Cache size of parsed criteria. */
const MOST_PARSED = 1_000;

export function createSubscriptionWatcher(deps: SubscriptionWatcherDeps): AppointmentWatcher {
  const { clock, outbox, patientIds, kind, base } = deps;
  const parsed = new Map<string, Search | null>();

  /** Null for criteria that an earlier version accepted, and this one does not understand. */
  function searchOf(criteria: string, zone: string): Search | null {
    const key = `${zone} ${criteria}`;
    const known = parsed.get(key);
    if (known !== undefined) return known;
    if (parsed.size >= MOST_PARSED) parsed.clear();
    const search = searchIn(criteria, zone);
    parsed.set(key, search);
    return search;
  }

  function searchIn(criteria: string, zone: string): Search | null {
    try {
      return parseCriteria(criteria, { kind, zone, base });
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  async function subscribersOf(tx: Tx, all: readonly FhirEndpoint[], organisationId: string, resource: Appointment) {
    const zone = (await organisationById(tx, organisationId))?.time_zone ?? "UTC";
    return all.filter(({ fhir_criteria }) => {
      const search = searchOf(fhir_criteria, zone);
      return search !== null && isMatch(search, resource);
    });
  }

  return async (tx, row, before) => {
    const { organisation_id: organisationId, id } = row;
    const now = clock.now();
    const current = (await subscriptionsOf(tx, organisationId)).filter(
      ({ fhir_until }) => fhir_until === null || fhir_until > now,
    );
    if (current.length === 0) return;
    const views = [await viewOf(tx, row)];
    const [resource] = await appointmentResources({ db: { heavy: tx }, patientIds }, organisationId, views);
    if (!resource) return;
    const told = await subscribersOf(tx, current, organisationId, resource);
    if (told.length === 0) return;
    const type = before === null ? "appointment.created" : eventFor(before.status, row.status);
    const event = {
      organisationId,
      type,
      data: versioned(resource),
      appointmentId: id,
      orderKey: `fhir/${id}`,
    } as const;
    await outbox.publish(
      tx,
      event,
      told.map((endpoint) => ({ ...endpoint, event_types: [type] })),
    );
  };
}
