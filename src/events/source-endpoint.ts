// The endpoint of a source that is told over HL7. The source's settings make, change and remove it.
import type { Ids } from "../core/ids.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { ENDPOINT_PURPOSE } from "../db/sealed-secrets.ts";
import type { Tx } from "../db/tables.ts";
import { disableWithin } from "./endpoint-service.ts";
import { isTold, NOT_TOLD } from "./known-endpoint.ts";
import { endpointOfSource, insertEndpoint, updateEndpoint } from "./endpoint-store.ts";
import { settleBacklog } from "./backlog-store.ts";
import { NO_FHIR } from "./fhir-channel.ts";
import { NO_OUTAGE } from "./outage.ts";
import type { Endpoint } from "./records.ts";
import { newSigningSecret } from "./signing.ts";

export interface SourceEndpointDeps {
  ids: Ids;
  secrets: SecretBox;
}

export interface SourceToTell {
  organisationId: string;
  sourceId: string;
  /** Shown in the list of endpoints. */
  name: string;
  /** mllp:// or mllps://; null tells nothing. */
  address: string | null;
}

/** In the transaction that changes the source. */
export async function placeSourceEndpoint(
  tx: Tx,
  { ids, secrets }: SourceEndpointDeps,
  { organisationId, sourceId, name, address }: SourceToTell,
  now: number,
): Promise<void> {
  const before = await endpointOfSource(tx, sourceId);
  if (before) {
    // Its deliveries stay and can be inspected.
    if (address === null) await disableWithin(tx, before, NOT_TOLD, now);
    else await changeAddress(tx, before, address, name, now);
    return;
  }
  if (address === null) return;
  await insertEndpoint(tx, {
    id: ids.next("whe"),
    organisation_id: organisationId,
    url: address,
    description: name.slice(0, 200),
    event_types: ["appointment.updated"],
    signing: false,
    // The column is required; nothing is signed.
    sealed_secret: secrets.seal(newSigningSecret(ids), ENDPOINT_PURPOSE),
    sealed_previous_secret: null,
    previous_secret_until: null,
    enabled: true,
    disabled_reason: null,
    consecutive_failures: 0,
    ...NO_OUTAGE,
    ...NO_FHIR,
    is_settling: false,
    kind: "hl7",
    source_id: sourceId,
    created_at: now,
    updated_at: now,
  });
}

async function changeAddress(tx: Tx, before: Endpoint, url: string, name: string, now: number): Promise<void> {
  await updateEndpoint(tx, before.id, { url, description: name.slice(0, 200), updated_at: now });
  if (isTold(before)) return;
  const working = { enabled: true, disabled_reason: null, consecutive_failures: 0, ...NO_OUTAGE };
  await updateEndpoint(tx, before.id, working);
  await settleBacklog(tx, { id: before.id, enabled: true }, now);
}
