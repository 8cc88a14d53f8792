// What becomes of the people who are still booked on a closed day: moved or called. They are not reminded of a time at
// which nobody is there.
import type { Executor } from "../db/tables.ts";
import type { Appointment } from "./records.ts";

/** `move`: to be moved, by the appliance or by staff. `call`: to be called, or being called. */
export type ClosedFor = "move" | "call";

type Booked = Pick<Appointment, "id" | "window_id" | "date" | "status">;

const AT_ONCE = 250;

/** By appointment id; nobody whose closure was reopened, who keeps the appointment, or who has another time by now. */
export async function closedAmong(
  executor: Executor,
  organisationId: string,
  appointments: readonly Booked[],
): Promise<ReadonlyMap<string, ClosedFor>> {
  const found = new Map<string, ClosedFor>();
  const expected = appointments.filter(({ status, window_id }) => status === "confirmed" && window_id !== null);
  const booked = new Map(expected.map((row) => [row.id, row]));
  const ids = [...booked.keys()];
  const [first = ""] = expected.map(({ date }) => date).toSorted();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const rows = await executor
      .selectFrom("closures")
      .innerJoin("closure_people", "closure_people.closure_id", "closures.id")
      .select([
        "closure_people.appointment_id",
        "closure_people.window_id",
        "closure_people.date",
        "closure_people.choice",
        "closure_people.state",
      ])
      .where("closures.organisation_id", "=", organisationId)
      .where("closures.to_date", ">=", first)
      .where("closures.state", "in", ["closing", "moving", "calling", "closed"])
      .where("closure_people.appointment_id", "in", ids.slice(at, at + AT_ONCE))
      .where("closure_people.choice", "in", ["move", "call"])
      .where("closure_people.state", "!=", "gone")
      .execute();
    for (const { appointment_id, window_id, date, choice, state } of rows) {
      const row = booked.get(appointment_id);
      if (row?.window_id !== window_id || row.date !== date) continue;
      found.set(appointment_id, choice === "call" && state !== "refused" ? "call" : "move");
    }
  }
  return found;
}

export async function isToldOfClosedDay(
  executor: Executor,
  appointment: Booked & Pick<Appointment, "organisation_id">,
): Promise<boolean> {
  return (await closedAmong(executor, appointment.organisation_id, [appointment])).size > 0;
}
