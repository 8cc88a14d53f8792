// Follows changes of sources of kind hl7: their senders stay distinct, and their endpoints follow their settings.
import type { Clock } from "../../core/clock.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import { placeSourceEndpoint, type SourceEndpointDeps } from "../../events/source-endpoint.ts";
import type { Executor } from "../../db/tables.ts";
import { enabledSources, sourceOf } from "../sources/store.ts";
import type { Source } from "../sources/records.ts";
import type { SourceWatcher } from "../sources/service.ts";
import { toldAt } from "./checked-settings.ts";
import type { Hl7Sources } from "./ports.ts";
import type { Hl7Settings, Hl7Source } from "./settings.ts";

export interface SourceChangeDeps extends SourceEndpointDeps {
  clock: Clock;
}

export function createSourceWatcher(deps: SourceChangeDeps): SourceWatcher {
  return async (tx, source) => {
    if (source.kind !== "hl7") return;
    const settings = settingsOf(source);
    if (source.enabled) await assertSenderFree(tx, source, settings);
    await placeSourceEndpoint(
      tx,
      deps,
      {
        organisationId: source.organisation_id,
        sourceId: source.id,
        name: source.name,
        address: source.enabled ? toldAt(settings) : null,
      },
      deps.clock.now(),
    );
  };
}

/**
 * A message must belong to one source, of whatever organisation. MSH-3 is no secret, so the address tells organisations
 * apart: otherwise the systems of one could send as those of another.
 */
async function assertSenderFree(executor: Executor, source: Source, settings: Hl7Settings): Promise<void> {
  const others = (await enabledSources(executor, "hl7")).filter(({ id }) => id !== source.id);
  const strangers = others.filter(({ organisation_id }) => organisation_id !== source.organisation_id);
  if (strangers.length > 0 && !hasPeers(settings))
    throw invalidField(
      "settings.peers",
      "settings.peers is required, because other organisations of this appliance have HL7 sources too.",
    );
  if (!strangers.map(settingsOf).every(hasPeers))
    throw new AppError(
      "CONFLICT",
      "An HL7 source of another organisation of this appliance takes messages from every address. List its peers first.",
    );
  const isTaken = others.map(settingsOf).some((other) => overlaps(settings, other));
  if (!isTaken) return;
  throw new AppError(
    "CONFLICT",
    "Another source of this appliance has this sending application and facility. Give each sender its own.",
  );
}

/** An absent facility stands for any. Sources that list their own peers are told apart by them. */
function overlaps(a: Hl7Settings, b: Hl7Settings): boolean {
  if (a.application !== b.application) return false;
  const isFacilityShared = !a.facility || !b.facility || a.facility === b.facility;
  return isFacilityShared && !(hasPeers(a) && hasPeers(b));
}

const hasPeers = ({ peers = [] }: Hl7Settings): boolean => peers.length > 0;

/** Sources as the listener and the transport ask for them. */
export function hl7SourcesIn(reader: Executor): Hl7Sources {
  return {
    async ofSender(application, facility) {
      const all = (await enabledSources(reader, "hl7")).map(hl7SourceOf);
      return all.filter(
        ({ settings }) =>
          settings.application === application && (!settings.facility || settings.facility === facility),
      );
    },
    async byId(organisationId, id) {
      const source = await sourceOf(reader, organisationId, id);
      return source?.kind === "hl7" && source.enabled ? hl7SourceOf(source) : null;
    },
  };
}

const settingsOf = ({ settings }: Source): Hl7Settings => settings as unknown as Hl7Settings;

const hl7SourceOf = (source: Source): Hl7Source => ({
  id: source.id,
  organisationId: source.organisation_id,
  name: source.name,
  settings: settingsOf(source),
});
