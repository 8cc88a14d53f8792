// HealthcareService: a service that appointments are for.
import type { HealthcareService } from "fhir/r4";
import type { DirectoryService } from "../../../calendar/directory-service.ts";
import type { AppointmentType } from "../../../calendar/records.ts";
import { toIso } from "../../../core/clock.ts";
import { pageOfAll } from "../candidates.ts";
import { ID, LAST_UPDATED, type Kind } from "../kind.ts";
import { SERVICE_SYSTEM } from "../systems.ts";

export function healthcareServiceResource({ id, name, updated_at }: AppointmentType): HealthcareService {
  return {
    resourceType: "HealthcareService",
    id,
    meta: { lastUpdated: toIso(updated_at) },
    active: true,
    type: [{ coding: [{ system: SERVICE_SYSTEM, code: id, ...(name !== null && { display: name }) }] }],
    ...(name !== null && { name }),
  };
}

export function healthcareServices(directory: Pick<DirectoryService, "services">): Kind<HealthcareService> {
  const all = async (organisationId: string) =>
    (await directory.services(organisationId)).map(healthcareServiceResource);
  return {
    type: "HealthcareService",
    scope: "directory:read",
    says: "A service that appointments are for.",
    params: [
      ID,
      LAST_UPDATED,
      { name: "name", type: "string", says: "Beginning of the name.", of: ({ name }) => [name] },
      { name: "active", type: "token", says: "Always `true`.", of: ({ active }) => [{ code: String(active) }] },
      {
        name: "service-type",
        type: "token",
        says: `Its code in \`${SERVICE_SYSTEM}\`, which is its id.`,
        of: ({ type = [] }) => type.flatMap(({ coding = [] }) => coding.map(({ system, code }) => ({ system, code }))),
      },
    ],
    includes: [],
    async read({ organisationId }, ids) {
      const wanted = new Set(ids.map((id) => id.toLowerCase()));
      return (await all(organisationId)).filter(({ id = "" }) => wanted.has(id));
    },
    candidates: async ({ organisationId }, search, page) => pageOfAll(await all(organisationId), search, page),
  };
}
