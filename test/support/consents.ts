// A consent in force for one number and purpose.
import type { Purpose } from "../../src/payloads/lawful.ts";
import type { Consent } from "../../src/rules/consent/records.ts";

export function consentRow(
  organisationId: string,
  number: string,
  purpose: Purpose,
  change: Partial<Consent> = {},
): Consent {
  return {
    id: `cns_${number.slice(1)}_${purpose}`,
    organisation_id: organisationId,
    contact_number: number,
    purpose,
    basis: "written",
    source: "api",
    call_id: null,
    reference: null,
    granted_at: 0,
    actor_kind: "cli",
    actor_id: null,
    until: null,
    withdrawn_at: null,
    created_at: 0,
    updated_at: 0,
    ...change,
  };
}
