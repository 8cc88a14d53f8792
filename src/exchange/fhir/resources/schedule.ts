// Schedule: a weekly window, with its branch and, if it is restricted to one, its service.
import type { CodeableConcept, Schedule } from "fhir/r4";
import type { WindowService } from "../../../calendar/window-service.ts";
import { isUuid } from "../../../core/ids.ts";
import type { Slot as WindowView } from "../../../payloads/slot.ts";
import { pageOfAll } from "../candidates.ts";
import { ID, LAST_UPDATED, type Kind } from "../kind.ts";
import { SERVICE_SYSTEM } from "../systems.ts";

/** The resources that a window belongs to. */
export const actorsOf = ({ branch_id, appointment_type }: Pick<WindowView, "branch_id" | "appointment_type">) => [
  { reference: `Location/${branch_id}` },
  ...(appointment_type === null ? [] : [{ reference: `HealthcareService/${appointment_type}` }]),
];

export const serviceTypeOf = (serviceId: string | null, name: string | null = null) =>
  serviceId === null
    ? {}
    : {
        serviceType: [
          { coding: [{ system: SERVICE_SYSTEM, code: serviceId, ...(name !== null && { display: name }) }] },
        ],
      };

export function scheduleResource(window: WindowView): Schedule {
  const { calendar_id, day, session, batch, start_time, end_time, appointment_type, status, updated_at } = window;
  return {
    resourceType: "Schedule",
    id: calendar_id,
    meta: { lastUpdated: updated_at },
    active: status === "OPEN",
    ...serviceTypeOf(appointment_type),
    actor: actorsOf(window),
    comment: `${session}, every ${day} from ${start_time} to ${end_time}${batch === null ? "" : `, ${batch}`}`,
  };
}

export const codesOf = (concepts: readonly CodeableConcept[] = []) =>
  concepts.flatMap(({ coding = [] }) => coding.map(({ system, code }) => ({ system, code })));

export function schedules(windows: Pick<WindowService, "list">): Kind<Schedule> {
  const all = async (organisationId: string) => (await windows.list(organisationId, undefined)).map(scheduleResource);
  const references = ({ actor }: Schedule) => actor.map(({ reference }) => reference);
  return {
    type: "Schedule",
    scope: "slots:read",
    says: "A window: a weekly time at which a branch takes appointments.",
    params: [
      ID,
      LAST_UPDATED,
      {
        name: "actor",
        type: "reference",
        targets: ["Location", "HealthcareService"],
        says: "Its branch or service.",
        of: references,
      },
      {
        name: "active",
        type: "token",
        says: "`false` if it is closed.",
        of: ({ active }) => [{ code: String(active) }],
      },
      {
        name: "service-type",
        type: "token",
        says: "The service that it is restricted to.",
        of: ({ serviceType }) => codesOf(serviceType),
      },
    ],
    includes: [{ name: "actor", targets: ["Location", "HealthcareService"], of: references }],
    async read({ organisationId }, ids) {
      const wanted = new Set(ids.map((id) => id.toLowerCase()).filter(isUuid));
      return wanted.size === 0 ? [] : (await all(organisationId)).filter(({ id = "" }) => wanted.has(id));
    },
    candidates: async ({ organisationId }, search, page) => pageOfAll(await all(organisationId), search, page),
  };
}
