// Appointments for the calls of a trial: one for each number, in windows of many places.
import { randomUUID } from "node:crypto";
import { daysAhead } from "../../calendar/ahead.ts";
import { ask } from "../api-client.ts";
import type { Running } from "../binary.ts";

/** Places that one window has. */
const PLACES = 200;

export interface Made {
  appointment_id: string;
  status: string;
  slot_id: string;
}

export function createAppointments(server: Running): (number: string) => Promise<Made> {
  const branch_id = randomUUID();
  let made = 0;
  let window: Promise<string> | null = null;
  return async (contact_number) => {
    if (made++ % PLACES === 0) window = newWindow(server, branch_id, 3 + Math.floor(made / PLACES));
    const answer = await ask(server, "POST", "/v1/appointments", { body: { slot_id: await window, contact_number } });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.data as unknown as Made;
  };
}

async function newWindow(server: Running, branch_id: string, days: number): Promise<string> {
  const { day, date } = daysAhead(days);
  const body = { branch_id, day, session: "Morning", ai_slots: PLACES, max_slots: PLACES };
  const answer = await ask(server, "POST", "/v1/appointment-slots", { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return `${String(answer.data["slot_id"])}||${date}`;
}
