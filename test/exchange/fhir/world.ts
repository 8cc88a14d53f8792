// Test fixture: a hospital with something of everything that FHIR shows, and a neighbour.
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import type { Scope } from "../../../src/payloads/scopes.ts";
import { createClinic, MONDAY, NEXT_MONDAY, on, OTHER_SERVICE, SERVICE, type Clinic } from "../../calendar/clinic.ts";
import { createFhirClient, type SendFhir } from "../../support/fhir-client.ts";

export const LAKE = "0190a1b2-0000-7000-8000-00000000001a";
export const BASE = "http://localhost:8080/fhir";
export const FAMILY = "+919810012345";
export const ALONE = "+919810099999";

export interface FhirWorld extends Clinic {
  fhir: SendFhir;
  sourceId: string;
  /** Ids as /v1 has them. */
  ids: Record<"asha" | "ravi" | "cancelled" | "noShow" | "completed" | "mirrored" | "unnamed", string>;
  clientWith(scopes: readonly Scope[]): Promise<SendFhir>;
  clientOf(key: string): SendFhir;
}

export const fhirId = (id: string) => id.replace("_", "-");

export async function createFhirWorld(): Promise<FhirWorld> {
  const clinic = await createClinic();
  const { directory, sources, mirror } = clinic.app.services;
  const { organisationId, clock } = clinic;
  const clientOf = (key: string) => createFhirClient((request) => clinic.app.handle(request), key, BASE);
  await directory.setBranch(organisationId, LAKE, { name: "Lake branch", timeZone: "Asia/Dubai" }, CLI_ACTOR);
  await directory.setService(organisationId, SERVICE, "Cardiology", CLI_ACTOR);

  const open = await clinic.createWindow({});
  const heart = await clinic.createWindow({ appointment_type_id: SERVICE, session: "Afternoon", batch_name: "A" });
  const lake = await clinic.createWindow({ branch_id: LAKE, day: "tuesday", max_slots: 1, ai_slots: 1 });
  await clinic.createWindow({ branch_id: LAKE, day: "friday", status: "CLOSED" });

  const book = async (slot: string, contact: object) => (await clinic.book(slot, { ...contact })).appointment_id;
  const asha = {
    contact_name: "Asha Rao",
    contact_number: FAMILY,
    contact_identifiers: [{ system: "mrn", value: "M-1" }],
  };
  const ids = {
    asha: await book(on(heart, MONDAY), { ...asha, notes: "Bring the report." }),
    ravi: await book(on(open, NEXT_MONDAY), { contact_name: "Ravi Rao", contact_number: FAMILY }),
    cancelled: await book(on(open, MONDAY), { contact_name: "Meera Iyer", contact_number: ALONE }),
    noShow: await book(on(open, MONDAY), { ...asha, appointment_type_id: OTHER_SERVICE }),
    completed: await book(on(lake, "2026-11-17"), { contact_name: "Meera Iyer", contact_number: ALONE }),
    unnamed: await book(on(open, MONDAY), { contact_name: "", notes: "", practitioner: { name: "" } }),
    mirrored: "",
  };
  for (const [id, status] of [
    [ids.cancelled, "cancelled"],
    [ids.noShow, "no_show"],
    [ids.completed, "completed"],
  ] as const)
    await clinic.change(id, { status });

  const { source_id: sourceId } = await sources.create(organisationId, { name: "HIS", kind: "api" }, CLI_ACTOR);
  const put = await mirror.put(
    organisationId,
    sourceId,
    {
      externalId: "A-4711",
      changedAt: clock.now(),
      status: "confirmed",
      startsAt: clock.now() + 2 * DAY_MS,
      endsAt: clock.now() + 2 * DAY_MS + 15 * MINUTE_MS,
      branchId: LAKE,
      practitioner: { id: "D-17", name: "Dr. Mehta" },
      identifiers: [{ system: "https://hospital.example/patients", value: "P 8" }],
    },
    SYSTEM_ACTOR,
  );
  if (put.kind !== "created") throw new Error(JSON.stringify(put));
  ids.mirrored = put.appointmentId;

  await clinic.app.start();
  const answered = await clinic.dial({
    user_name: "Asha Rao",
    user_number: FAMILY,
    additional_info: { appointment_id: ids.asha },
  });
  clinic.carrier.complete(answered);
  const failed = await clinic.dial({ user_name: "Meera Iyer", user_number: ALONE });
  clinic.carrier.fail(failed, "busy");
  await clinic.schedule({ user_number: ALONE, scheduled_time: new Date(clock.now() + HOUR_MS).toISOString() });
  await clock.advance(MINUTE_MS);
  return {
    ...clinic,
    fhir: clientOf(clinic.key),
    sourceId,
    ids,
    clientOf,
    clientWith: async (scopes) => clientOf(await clinic.newKey(scopes)),
  };
}
