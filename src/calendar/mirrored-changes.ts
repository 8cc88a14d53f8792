// Appointments of the hospital's own systems, within a transaction. The newest message of the source wins, by its own
// time; events and reminders commit with it.
import type { Actor } from "../core/actor.ts";
import { AppError } from "../core/errors.ts";
import type { Tx } from "../db/tables.ts";
import type { EventType } from "../events/catalogue.ts";
import type { OwnedPart, WishAnswer } from "../payloads/source.ts";
import { eventFor, releaseSlot, unknownAppointment, viewOf, type ChangeDeps } from "./appointment-changes.ts";
import { isFinalStatus, takesSlot } from "./appointment-state.ts";
import { appointmentOf, insertAppointment, updateAppointment } from "./appointment-store.ts";
import { branchesOf, registerAppointmentType, registerBranch, zoneOf } from "./directory-store.ts";
import { faultIn, refusal, type MirroredAppointment, type MirrorOutcome } from "./mirrored.ts";
import {
  agreedCancel,
  contactColumns,
  localTime,
  mirroredPatch,
  statusColumns,
  type AppointmentPatch,
  type LocalTime,
} from "./mirrored-patch.ts";
import { NO_SOURCE, type Appointment } from "./records.ts";
import { appointmentByExternalId } from "./source-store.ts";
import { windowOf } from "./window-store.ts";

/** The source that speaks. */
export interface Teller {
  id: string;
  organisation_id: string;
  owns: ReadonlySet<OwnedPart>;
}

/** Start and end of an appointment that its source cancelled before we knew its time. */
const NO_TIME = "00:00";

export class MirroredChanges {
  constructor(private readonly deps: ChangeDeps) {}

  async put(tx: Tx, teller: Teller, told: MirroredAppointment, actor: Actor): Promise<MirrorOutcome> {
    const now = this.deps.clock.now();
    const fault = faultIn(told, now);
    if (fault) return fault;
    const row = await appointmentByExternalId(tx, teller.id, told.externalId);
    return row ? this.#change(tx, teller, row, told, now, actor) : this.#create(tx, teller, told, now, actor);
  }

  /** The source's answer to a wish, where it sends no message about the appointment itself. */
  async answerWish(tx: Tx, organisationId: string, id: string, state: WishAnswer, actor: Actor): Promise<Appointment> {
    const row = await appointmentOf(tx, organisationId, id);
    if (!row) throw unknownAppointment();
    if (row.wish_state === state) return row;
    if (row.wish_state !== "open") throw new AppError("CONFLICT", "This appointment has no open wish.");
    const now = this.deps.clock.now();
    const isCancelled = state === "agreed" && row.wish === "cancel" && !isFinalStatus(row.status);
    const patch = isCancelled
      ? {
          ...statusColumns("cancelled", now),
          ...agreedCancel(row),
          // A late message from before this answer does not revive it.
          source_changed_at: Math.max(now, row.source_changed_at ?? 0),
        }
      : { wish_state: state };
    return this.apply(tx, row, patch, now, actor);
  }

  async #create(
    tx: Tx,
    { id: sourceId, organisation_id: organisationId }: Teller,
    told: MirroredAppointment,
    now: number,
    actor: Actor,
  ): Promise<MirrorOutcome> {
    const { ids, audit } = this.deps;
    const branchId = told.branchId?.toLowerCase() ?? (await onlyBranch(tx, organisationId));
    if (branchId === null) return refusal("branch_id", "branch_id is required: the organisation has several branches.");
    const zone = await zoneOf(tx, organisationId, branchId);
    const time = localTime(told, zone, null) ?? (told.status === "cancelled" ? unknownTime(zone, now) : null);
    if (!time) return refusal("starts_at", "starts_at is required for an appointment that is not known yet.");
    const serviceId = told.appointmentTypeId?.toLowerCase() ?? null;
    await this.#register(tx, organisationId, branchId, serviceId, now);
    const row: Appointment = {
      id: ids.next("apt"),
      organisation_id: organisationId,
      window_id: null,
      branch_id: branchId,
      ...time,
      batch: null,
      appointment_type_id: serviceId,
      contact_name: null,
      contact_number: null,
      contact_email: null,
      contact_identifiers: null,
      contact_time_zone: null,
      contact_region: null,
      notes: null,
      source: "source",
      call_id: null,
      created_at: now,
      updated_at: now,
      contact_confirmed_at: null,
      contact_forgotten_at: null,
      change_requested_at: null,
      moved_by_hand_at: null,
      contact_moved_at: null,
      contact_cancelled_at: null,
      ...NO_SOURCE,
      status: told.status,
      cancelled_at: told.status === "cancelled" ? now : null,
      completed_at: told.status === "completed" ? now : null,
      source_id: sourceId,
      external_id: told.externalId,
      source_changed_at: told.changedAt ?? now,
      practitioner_id: told.practitioner?.id ?? null,
      practitioner_name: told.practitioner?.name ?? null,
      ...contactColumns(told),
    };
    await insertAppointment(tx, row);
    const note = { organisationId, actor, action: "appointment.created", subjectId: row.id };
    await audit.record(tx, { ...note, detail: { source: row.source, source_id: sourceId } });
    await this.#announce(tx, row.status === "cancelled" ? "appointment.cancelled" : "appointment.created", row, null);
    return { kind: "created", appointmentId: row.id };
  }

  async #change(
    tx: Tx,
    teller: Teller,
    row: Appointment,
    told: MirroredAppointment,
    now: number,
    actor: Actor,
  ): Promise<MirrorOutcome> {
    const { organisation_id: organisationId } = row;
    const stored = row.source_changed_at;
    // A message without a time of its own is the newest.
    const source_changed_at = told.changedAt ?? Math.max(now, stored ?? 0);
    if (isStale(row, told.status, source_changed_at)) return { kind: "stale", appointmentId: row.id };
    if (hasNoTime(row) && told.status !== "cancelled" && told.startsAt === undefined)
      return refusal("starts_at", "starts_at is required: the appointment was cancelled before its time was known.");
    const branchId = (teller.owns.has("branch") ? told.branchId?.toLowerCase() : undefined) ?? row.branch_id;
    const zone = await zoneOf(tx, organisationId, branchId);
    const window = row.window_id === null ? undefined : await windowOf(tx, organisationId, row.window_id);
    const patch = mirroredPatch(row, told, teller.owns, { zone, window, now });
    if (Object.keys(patch).length === 0) {
      if (stored === null || source_changed_at > stored) await updateAppointment(tx, row.id, { source_changed_at });
      return { kind: "unchanged", appointmentId: row.id };
    }
    await this.#register(tx, organisationId, patch.branch_id, patch.appointment_type_id, now);
    await this.apply(tx, row, { ...patch, source_changed_at }, now, actor);
    return { kind: "updated", appointmentId: row.id };
  }

  /** Stores the patch, with its event. Releases the slot that it leaves. */
  async apply(tx: Tx, row: Appointment, patch: AppointmentPatch, now: number, actor: Actor): Promise<Appointment> {
    const { audit, slotEvents } = this.deps;
    const updated = { ...row, ...patch, updated_at: now };
    await updateAppointment(tx, row.id, { ...patch, updated_at: now });
    const hadSlot = row.window_id !== null && takesSlot(row.status);
    const hasSlot = updated.window_id !== null && takesSlot(updated.status);
    if (hadSlot && !hasSlot) await releaseSlot(tx, slotEvents, row, now);
    const note = { organisationId: row.organisation_id, actor, action: "appointment.changed", subjectId: row.id };
    await audit.record(tx, { ...note, detail: { fields: Object.keys(patch), source_id: row.source_id } });
    await this.#announce(tx, eventFor(row.status, updated.status), updated, row);
    return updated;
  }

  async #announce(tx: Tx, type: EventType, row: Appointment, before: Appointment | null): Promise<void> {
    const { outbox, watchers } = this.deps;
    const data = await viewOf(tx, row);
    await outbox.publish(tx, { organisationId: row.organisation_id, type, appointmentId: row.id, data });
    for (const watch of watchers) await watch(tx, row, before);
  }

  async #register(
    tx: Tx,
    organisationId: string,
    branchId: string | undefined,
    serviceId: string | null | undefined,
    now: number,
  ): Promise<void> {
    if (branchId !== undefined) await registerBranch(tx, organisationId, branchId, now);
    if (serviceId) await registerAppointmentType(tx, organisationId, serviceId, now);
  }
}

/** Of two messages with the same time, a cancellation wins: a repeated booking does not revive what was cancelled. */
function isStale({ source_changed_at, status }: Appointment, told: Appointment["status"], at: number): boolean {
  if (source_changed_at === null || at > source_changed_at) return false;
  return at < source_changed_at || (status === "cancelled" && told !== "cancelled");
}

const hasNoTime = ({ start_time, end_time, status }: Appointment) =>
  status === "cancelled" && start_time === NO_TIME && end_time === NO_TIME;

function unknownTime(zone: string, now: number): LocalTime | null {
  const time = localTime({ startsAt: now }, zone, null);
  return time && { date: time.date, start_time: NO_TIME, end_time: NO_TIME };
}

async function onlyBranch(tx: Tx, organisationId: string): Promise<string | null> {
  const branches = await branchesOf(tx, organisationId);
  return branches.length === 1 ? (branches[0]?.id ?? null) : null;
}
