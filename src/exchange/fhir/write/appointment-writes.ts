// Creates and changes Appointments of the calendar. Each write answers the resource as it was committed.
import type { Appointment, Patient } from "fhir/r4";
import { unknownAppointment, viewOf } from "../../../calendar/appointment-changes.ts";
import type { AppointmentService } from "../../../calendar/appointment-service.ts";
import { appointmentOf } from "../../../calendar/appointment-store.ts";
import type { CreateAppointmentInput } from "../../../calendar/model.ts";
import { appointmentByExternalId, isSourceOf } from "../../../calendar/source-store.ts";
import { AppError, invalidField } from "../../../core/errors.ts";
import type { Alongside } from "../../../db/alongside.ts";
import type { Database } from "../../../db/database.ts";
import type { Executor, Tx } from "../../../db/tables.ts";
import type { Appointment as AppointmentView } from "../../../payloads/appointment.ts";
import { ownId } from "../ids.ts";
import type { Json } from "../json.ts";
import type { Asker } from "../kind.ts";
import type { PatientIds } from "../patient-ids.ts";
import { appointmentResources } from "../resources/appointment.ts";
import type { FhirServer } from "../server.ts";
import { sourceSystem } from "../systems.ts";
import { assertMatches, versioned } from "../version.ts";
import { changeIn } from "./change-in.ts";
import {
  actorIn,
  appointmentIn,
  checkedBooking,
  linkIn,
  linkOf,
  personIn,
  practitionerIn,
  serviceIn,
  slotIn,
  type Link,
} from "./read-appointment.ts";
import type { Contact } from "./read-patient.ts";

export interface Written {
  /** Of the record. */
  id: string;
  resource: Appointment;
}

export interface AppointmentWritesDeps {
  db: Database;
  appointments: AppointmentService;
  patientIds: PatientIds;
  server: Pick<FhirServer, "kind" | "read">;
}

const BOOKS = ["booked", "pending", "proposed"];

export class AppointmentWrites {
  constructor(private readonly deps: AppointmentWritesDeps) {}

  /** POST: books the Slot that the resource names. */
  async create(asker: Asker, body: unknown, alongside: Alongside<Written>): Promise<Written> {
    const resource = appointmentIn(body);
    if (!BOOKS.includes(resource.status))
      throw invalidField("status", `status must be one of ${BOOKS.join(", ")} for a new Appointment.`);
    return this.book(asker, { slot_id: slotIn(resource.slot), ...(await this.wanted(asker, resource)) }, { alongside });
  }

  async book(
    { organisationId, actor }: Asker,
    input: CreateAppointmentInput,
    { first, alongside }: { first?: (tx: Tx) => Promise<void>; alongside: Alongside<Written> },
  ): Promise<Written> {
    let written: Written | undefined;
    await this.deps.appointments.create(organisationId, checkedBooking(input), "api", actor, {
      ...(first && { first }),
      alongside: async (tx, view) => {
        written = await this.#written(tx, organisationId, view);
        await alongside(tx, written);
      },
    });
    if (!written) throw new Error("The booking was not committed.");
    return written;
  }

  /** PATCH and $book. `nextOf`: the resource as it should become. */
  async change(
    asker: Asker,
    id: string,
    ifMatch: string | null,
    nextOf: (before: Appointment) => Json,
    more: { contact?: Contact; alongside?: Alongside<Written> } = {},
  ): Promise<Written> {
    const { appointments } = this.deps;
    const { organisationId, actor } = asker;
    const own = ownId("apt", id);
    if (own === null) throw unknownAppointment();
    return appointments.changing(async (tx) => {
      const row = await appointmentOf(tx, organisationId, own);
      if (!row) throw unknownAppointment();
      const { resource } = await this.#written(tx, organisationId, await viewOf(tx, row));
      assertMatches(ifMatch, resource);
      const input = { ...changeIn(resource, nextOf(resource)), ...more.contact };
      // The same again changes nothing, even if the appointment is over.
      const isSame = Object.keys(input).length === 0;
      const after = isSame ? row : await appointments.within.change(tx, organisationId, own, input, actor);
      const result = await this.#written(tx, organisationId, await viewOf(tx, after));
      await more.alongside?.(tx, result);
      return result;
    });
  }

  /** If-None-Exist: the appointment that a source knows by this id. */
  async existing(asker: Asker, link: Link): Promise<Written | null> {
    const { db } = this.deps;
    const { organisationId } = asker;
    if (!(await isSourceOf(db.reader, organisationId, link.source_id)))
      throw invalidField("If-None-Exist", "If-None-Exist names no source of this organisation.");
    const row = await appointmentByExternalId(db.reader, link.source_id, link.external_id);
    return row ? this.#written(db.reader, organisationId, await viewOf(db.reader, row)) : null;
  }

  /** What the resource asks for, without the place. */
  async wanted(asker: Asker, resource: Appointment): Promise<Omit<CreateAppointmentInput, "slot_id">> {
    const service = serviceIn(resource.serviceType) ?? actorIn(resource, "HealthcareService");
    const practitioner = practitionerIn(resource);
    return {
      ...(service !== undefined && { appointment_type_id: service }),
      ...(resource.comment !== undefined && { notes: resource.comment }),
      ...(practitioner !== undefined && { practitioner }),
      ...linkIn(resource.identifier),
      ...(await this.contactOf(asker, resource)),
    };
  }

  contactOf(asker: Asker, resource: Appointment): Promise<Contact> {
    return personIn(resource, (id) => this.#patient(asker, id));
  }

  async read({ organisationId }: Asker, id: string): Promise<Written> {
    const { reader } = this.deps.db;
    const row = await appointmentOf(reader, organisationId, id);
    if (!row) throw unknownAppointment();
    return this.#written(reader, organisationId, await viewOf(reader, row));
  }

  async #patient(asker: Asker, id: string): Promise<Patient> {
    const kind = this.deps.server.kind("Patient");
    if (!asker.scopes.has(kind.scope))
      throw new AppError(
        "INSUFFICIENT_SCOPE",
        `A reference to a Patient needs the scope ${kind.scope}. Send the Patient itself.`,
      );
    return (await this.deps.server.read(kind, asker, id).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "NOT_FOUND") throw error;
      throw invalidField(
        "participant",
        "participant refers to a Patient that is not known here. Send the Patient itself.",
      );
    })) as Patient;
  }

  async #written(executor: Executor, organisationId: string, view: AppointmentView): Promise<Written> {
    const deps = { db: { heavy: executor }, patientIds: this.deps.patientIds };
    const [resource] = await appointmentResources(deps, organisationId, [view]);
    if (!resource) throw unknownAppointment();
    return { id: view.appointment_id, resource: versioned(resource) };
  }
}

/** The condition of a create or update. Throws if it asks for anything but one identifier of a source. */
export function linkAsked(field: string, condition: string): Link {
  const [[name, value] = ["", ""], ...others] = [...new URLSearchParams(condition.replace(/^\?/, ""))].filter(
    ([each]) => each !== "_format" && each !== "_pretty",
  );
  const [system, ...rest] = value.split("|");
  const link = linkOf({ system: system ?? "", value: rest.join("|") });
  if (name !== "identifier" || others.length > 0 || Array.isArray(link))
    throw invalidField(field, `${field} must be identifier=${sourceSystem("src_…")}|<id of the appointment there>.`);
  return link;
}
