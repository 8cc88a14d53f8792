// A row of the HL7 message log, as a refused message leaves it.
import type { Tables } from "../../src/db/tables.ts";
import type { Insertable } from "kysely";

export function refusedMessage(
  organisationId: string,
  sourceId: string,
  now: number,
): Insertable<Tables["hl7_messages"]> {
  return {
    id: "hlm_1",
    organisation_id: organisationId,
    source_id: sourceId,
    control_id: "C1",
    digest: "d",
    type: "SIU^S12",
    version: "2.5.1",
    peer: "10.20.0.5",
    outcome: "refused",
    code: "AE",
    reason: "No branch has the location code.",
    notes: "[]",
    appointment_id: null,
    answer: "MSH|",
    masked: "MSH|",
    sealed_message: "sealed",
    contact_number: "+919810012345",
    times_received: 1,
    created_at: now,
    updated_at: now,
  };
}
