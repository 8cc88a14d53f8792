// What a changed Appointment resource asks of the calendar. Pure.
import type { Appointment } from "fhir/r4";
import { PatchAppointmentSchema, type PatchAppointmentInput } from "../../../calendar/model.ts";
import { type AppError, invalidField } from "../../../core/errors.ts";
import { schemaFault } from "../../../core/schema-fault.ts";
import type { Json } from "../json.ts";
import { isEqual } from "./json-patch.ts";
import { appointmentIn, linkIn, serviceIn, slotIn, statusIn } from "./read-appointment.ts";

type Change = (after: Appointment) => PatchAppointmentInput;

/** Elements that can be changed. Someone who is removed from them has none. */
const CHANGES: Readonly<Record<string, Change>> = {
  status: ({ status }) => ({ status: statusIn(status) }),
  slot: ({ slot }) => ({ slot_id: slotIn(slot) }),
  serviceType: ({ serviceType }) => ({ appointment_type_id: serviceIn(serviceType) ?? null }),
  comment: ({ comment = "" }) => ({ notes: comment === "" ? null : comment }),
  identifier: ({ identifier }) => linkIn(identifier) ?? { external_id: null, source_id: null },
};

/** They follow the Slot, so they may be sent with another one. */
const WITH_THE_SLOT = ["start", "end", "minutesDuration", "requestedPeriod"];

export function changeIn(before: Appointment, after: Json): PatchAppointmentInput {
  const wanted = appointmentIn(after);
  const [old, now] = [before, wanted].map((each) => each as unknown as Record<string, Json | undefined>);
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  const changed = [...names].filter((name) => !isEqual(old?.[name], now?.[name]));
  const followers = changed.includes("slot") ? WITH_THE_SLOT : [];
  const input: PatchAppointmentInput = {};
  for (const name of changed) {
    const change = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
    if (change) Object.assign(input, change(wanted));
    else if (!followers.includes(name)) throw fixed(name);
  }
  const fault = schemaFault(PatchAppointmentSchema, input);
  if (fault) throw fault;
  return input;
}

function fixed(name: string): AppError {
  const shown = name.slice(0, 64).replaceAll(/[^\x21-\x7e]/g, "?");
  const hint = WITH_THE_SLOT.includes(name) ? " Change slot instead." : "";
  return invalidField(shown, `${shown} cannot be changed.${hint} These can: ${Object.keys(CHANGES).join(", ")}.`);
}
