// Constructs the FHIR server: the table of its resources.
import type { ReadNotes } from "../../accounts/read-notes.ts";
import type { AppointmentService } from "../../calendar/appointment-service.ts";
import type { DirectoryService } from "../../calendar/directory-service.ts";
import { zoneOf } from "../../calendar/directory-store.ts";
import type { TrackingService } from "../../calendar/tracking-service.ts";
import type { WindowService } from "../../calendar/window-service.ts";
import type { CallService } from "../../calls/service.ts";
import type { ContactIds } from "../../calls/people/contact-ids.ts";
import type { Clock } from "../../core/clock.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { createPatientIds } from "./patient-ids.ts";
import { FHIR_PATH } from "./path.ts";
import { appointments } from "./resources/appointment.ts";
import { communications } from "./resources/communication.ts";
import { healthcareServices } from "./resources/healthcare-service.ts";
import { locations } from "./resources/location.ts";
import { patients, presentPatients } from "./resources/patient.ts";
import { schedules } from "./resources/schedule.ts";
import { slots } from "./resources/slot.ts";
import { FhirServer } from "./server.ts";
import { subscriptions } from "./subscriptions/subscription.ts";

export interface FhirDeps {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  readNotes: ReadNotes;
  contactIds: ContactIds;
  directory: DirectoryService;
  windows: WindowService;
  tracking: TrackingService;
  appointments: AppointmentService;
  calls: CallService;
  /** Of the appliance. */
  baseUrl: string;
}

export const fhirPatientIds = ({ contactIds, secrets }: Pick<FhirDeps, "contactIds" | "secrets">) =>
  createPatientIds(contactIds, secrets.deriveKey("fhir-patients"));

export function createFhirServer(deps: FhirDeps): FhirServer {
  const { db, secrets, directory, windows, baseUrl } = deps;
  const base = `${baseUrl}${FHIR_PATH}`;
  const patientIds = fhirPatientIds(deps);
  const common = { ...deps, patientIds, base };
  const kinds = [
    locations(directory),
    healthcareServices(directory),
    schedules(windows),
    slots({ ...common, zoneOf: (organisationId, branchId) => zoneOf(db.reader, organisationId, branchId) }),
    appointments(common),
    patients(common),
    communications(common),
    subscriptions(common),
  ];
  return new FhirServer({
    kinds,
    base,
    secrets,
    presentPatients: (organisationId, ids) => presentPatients(common, organisationId, ids),
  });
}
