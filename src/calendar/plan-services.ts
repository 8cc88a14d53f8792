// A hospital's system may have an id of its own for the same service at each branch: they are matched by their names.
import type { AppointmentType, BookingWindow } from "./records.ts";

/** The service that the windows `there` have under the same name; the same one where they have none. */
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
