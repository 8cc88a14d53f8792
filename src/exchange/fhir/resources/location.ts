// Location: a branch of the hospital.
import type { Location } from "fhir/r4";
import type { DirectoryService } from "../../../calendar/directory-service.ts";
import type { Branch } from "../../../calendar/records.ts";
import { toIso } from "../../../core/clock.ts";
import { pageOfAll } from "../candidates.ts";
import { ID, LAST_UPDATED, type Asker, type Kind } from "../kind.ts";
import { TIME_ZONE } from "../systems.ts";

export const LOCATION_STATUS = "http://hl7.org/fhir/location-status";

/** `zone`: of the organisation, for a branch without its own. */
export function locationResource({ id, name, time_zone, updated_at }: Branch, zone: string): Location {
  return {
    resourceType: "Location",
    id,
    meta: { lastUpdated: toIso(updated_at) },
    extension: [{ url: TIME_ZONE, valueCode: time_zone ?? zone }],
    status: "active",
    ...(name !== null && { name }),
    mode: "instance",
  };
}

export function locations(directory: Pick<DirectoryService, "branches">): Kind<Location> {
  const all = async ({ organisationId, zone }: Asker) =>
    (await directory.branches(organisationId)).map((branch) => locationResource(branch, zone));
  return {
    type: "Location",
    scope: "directory:read",
    says: "A branch of the hospital.",
    params: [
      ID,
      LAST_UPDATED,
      { name: "name", type: "string", says: "Beginning of the name.", of: ({ name }) => [name] },
      {
        name: "status",
        type: "token",
        says: "Always `active`: removed branches are not listed.",
        of: ({ status }) => [{ system: LOCATION_STATUS, code: status }],
      },
    ],
    includes: [],
    async read(asker, ids) {
      const wanted = new Set(ids.map((id) => id.toLowerCase()));
      return (await all(asker)).filter(({ id = "" }) => wanted.has(id));
    },
    candidates: async (asker, search, page) => pageOfAll(await all(asker), search, page),
  };
}
