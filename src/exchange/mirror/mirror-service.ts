// The mirror: takes what sources say about their appointments into the calendar.
import type { AppointmentService } from "../../calendar/appointment-service.ts";
import type { Teller } from "../../calendar/mirrored-changes.ts";
import { refusal } from "../../calendar/mirrored.ts";
import type { Actor } from "../../core/actor.ts";
import { MINUTE_MS, type Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/tables.ts";
import type { Source } from "../sources/records.ts";
import { unknownSource } from "../sources/service.ts";
import { sourceOf, updateSource } from "../sources/store.ts";
import type { Merge, Mirror, MirroredAppointment, MirrorOutcome, PatientChange } from "./port.ts";

export interface MirrorDeps {
  db: Database;
  clock: Clock;
  appointments: Pick<AppointmentService, "mirrored" | "mirroredPatients">;
  wake: () => void;
}

/** `last_heard_at` is exact to this: busy sources would all write the same row. */
const HEARD_EVERY_MS = MINUTE_MS;

export class MirrorService implements Mirror {
  constructor(private readonly deps: MirrorDeps) {}

  async put(organisationId: string, sourceId: string, told: MirroredAppointment, actor: Actor): Promise<MirrorOutcome> {
    const { db, wake } = this.deps;
    const outcome = await db.write((tx) => this.putWithin(tx, organisationId, sourceId, told, actor));
    if (outcome.kind === "created" || outcome.kind === "updated") wake();
    return outcome;
  }

  /** The same within the caller's transaction, for example with the log of the message. */
  async putWithin(
    tx: Tx,
    organisationId: string,
    sourceId: string,
    told: MirroredAppointment,
    actor: Actor,
  ): Promise<MirrorOutcome> {
    const source = await this.#heard(tx, organisationId, sourceId);
    if (!source.enabled) return refusal("source", `Source ${source.name} is switched off. Switch it on first.`);
    return this.deps.appointments.mirrored.put(tx, tellerOf(source), told, actor);
  }

  updatePatient(organisationId: string, sourceId: string, patient: PatientChange, actor: Actor) {
    const { mirroredPatients } = this.deps.appointments;
    return this.#patients(organisationId, sourceId, (tx, teller) =>
      mirroredPatients.update(tx, teller, patient, actor),
    );
  }

  merge(organisationId: string, sourceId: string, merge: Merge, actor: Actor) {
    const { mirroredPatients } = this.deps.appointments;
    return this.#patients(organisationId, sourceId, (tx, teller) => mirroredPatients.merge(tx, teller, merge, actor));
  }

  /** A source that is switched off changes nothing. */
  async #patients(
    organisationId: string,
    sourceId: string,
    work: (tx: Tx, teller: Teller) => Promise<number>,
  ): Promise<{ changed: number }> {
    const { db, wake } = this.deps;
    const changed = await db.write(async (tx) => {
      const source = await this.#heard(tx, organisationId, sourceId);
      return source.enabled ? work(tx, tellerOf(source)) : 0;
    });
    if (changed > 0) wake();
    return { changed };
  }

  async #heard(tx: Tx, organisationId: string, sourceId: string): Promise<Source> {
    const now = this.deps.clock.now();
    const source = await sourceOf(tx, organisationId, sourceId);
    if (!source) throw unknownSource();
    if (source.enabled && now - (source.last_heard_at ?? 0) >= HEARD_EVERY_MS)
      await updateSource(tx, sourceId, { last_heard_at: now });
    return source;
  }
}

export const createMirror = (deps: MirrorDeps): MirrorService => new MirrorService(deps);

function tellerOf({ id, organisation_id, owns }: Source): Teller {
  return { id, organisation_id, owns: new Set(owns) };
}
