// Matches services of two branches by name, because a hospital's system may use a different id for the same service at
// each branch.
import type { AppointmentType, BookingWindow } from "./records.ts";

/** The service with the same name in the windows `there`; the original one if there is none. */
export function servicesByName(
  services: readonly Pick<AppointmentType, "id" | "name">[],
  there: readonly Pick<BookingWindow, "appointment_type_id">[],
): (id: string | null) => string | null {
  const nameOf = new Map(services.map(({ id, name }) => [id, name?.trim().toLowerCase() ?? ""]));
  const used = new Map(
    there.flatMap(({ appointment_type_id: id }) => (id !== null && nameOf.get(id) ? [[nameOf.get(id), id]] : [])),
  );
  return (id) => {
    if (id === null || there.some((window) => window.appointment_type_id === id)) return id;
    return used.get(nameOf.get(id) ?? "") ?? id;
  };
}
