// Audit entries for data that a call sent to model servers: host, bytes and times, without content.
import type { Audit } from "../../accounts/audit.ts";
import { SYSTEM_ACTOR } from "../../core/actor.ts";
import type { Call } from "../call/records.ts";
import type { Tx } from "../../db/tables.ts";
import type { SentNote } from "../../speech/servers/port.ts";

export async function noteModelsUsed(
  tx: Tx,
  audit: Audit,
  call: Pick<Call, "id" | "organisation_id">,
  sent: readonly SentNote[],
): Promise<void> {
  for (const { server, host, role, requests, bytesOut, bytesIn, ms, failures } of sent) {
    if (requests === 0) continue;
    await audit.record(tx, {
      organisationId: call.organisation_id,
      actor: SYSTEM_ACTOR,
      action: "call.model_used",
      subjectId: call.id,
      detail: {
        server,
        host,
        role,
        requests,
        bytes_out: bytesOut,
        bytes_in: bytesIn,
        ms: Math.round(ms),
        failures,
      },
    });
  }
}
