// Contacts to call because their day was closed. campaigns/closure-calls.ts makes the calls.
import type { Actor } from "../core/actor.ts";
import { AppError } from "../core/errors.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { appointmentOf } from "./appointment-store.ts";
import { closureAtWork, closureById, peopleOf, updateClosure, updatePerson } from "./closure-store.ts";
import { actorOf } from "./closure-work.ts";
import type { Appointment, Closure, ClosurePerson } from "./records.ts";

/** Most contacts in one campaign. */
const MOST_CALLED = 1_000;

export interface DueCalls {
  closure: Closure;
  actor: Actor;
  people: Appointment[];
}

export async function dueCalls(executor: Executor): Promise<DueCalls | null> {
  const closure = await closureAtWork(executor, ["calling"]);
  if (!closure) return null;
  const people = await peopleOf(executor, closure.id, { choice: "call", state: "waiting", limit: MOST_CALLED });
  const rows = await Promise.all(people.map((person) => stillThere(executor, closure, person)));
  return { closure, actor: actorOf(closure), people: rows.filter((row) => row !== null) };
}

export interface Called {
  closureId: string;
  campaignId: string | null;
  /** Appointments whose contacts are in the campaign: the number to call, by appointment id. */
  reached: ReadonlyMap<string, string | null>;
  now: number;
}

export async function noteCalled(tx: Tx, { closureId, campaignId, reached, now }: Called): Promise<void> {
  const closure = await closureById(tx, closureId);
  // The closure was reopened between selecting the contacts and now: no calls are made, and the days stay open.
  if (closure?.state !== "calling")
    throw new AppError("CONFLICT", "These days are open again; nobody is called about them.");
  for (const person of await peopleOf(tx, closureId, { choice: "call", state: "waiting", limit: MOST_CALLED })) {
    const present = await stillThere(tx, closure, person);
    const called = reached.get(person.appointment_id);
    if (called !== undefined && present?.contact_number !== called)
      throw new AppError("CONFLICT", "Somebody on the list was moved, cancelled or erased meanwhile.");
    await updatePerson(tx, person, { state: called !== undefined ? "done" : present ? "refused" : "gone" });
  }
  const [more] = await peopleOf(tx, closureId, { choice: "call", state: "waiting", limit: 1 });
  await updateClosure(tx, closureId, {
    ...(campaignId === null ? {} : { campaign_id: campaignId }),
    ...(more ? {} : { state: "closed" as const }),
    updated_at: now,
  });
}

/** The appointment if it still has the slot it had when the day was closed; otherwise null. */
async function stillThere(
  executor: Executor,
  { organisation_id }: Closure,
  { appointment_id, window_id, date }: ClosurePerson,
): Promise<Appointment | null> {
  const row = await appointmentOf(executor, organisation_id, appointment_id);
  const isThere = row?.status === "confirmed" && row.window_id === window_id && row.date === date;
  return isThere ? row : null;
}
