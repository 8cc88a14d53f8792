// Fictitious people of the demo hospital. Their numbers are unassignable, and the last four digits select the
// simulator's behaviour.
import { inventedNumber } from "../core/invented-number.ts";

export interface InventedPerson {
  name: string;
  number: string;
  doctor: string;
  visit: string;
}

export const PEOPLE_COUNT = 100;

const FIRST_NAMES = ["Aarav", "Diya", "Kabir", "Meera", "Rohan", "Lakshmi", "Imran", "Anjali", "Vikram", "Farah"];
const LAST_NAMES = ["Rao", "Nair", "Khan", "Iyer", "Das", "Patel", "Bose", "Reddy", "Sen", "Menon"];
const DOCTORS = ["Dr. Example", "Dr. Sample", "Dr. Specimen"];
const VISITS = ["your annual check-up", "your blood test", "the follow-up after your visit", "your vaccination"];

/**
 * Two of three talk to the end. See telephony/simulator/test-numbers.ts. No one asks for a callback, because simulated
 * people would never stop asking.
 */
const MANNERS = [
  ["", "", "0002", "", "0006", "", "", "0001", "", ""],
  ["0005", "", "", "0008", "", "0002", "", "", "0003", ""],
  ["", "0009", "", "", "0010", "", "0002", "", "", "0011"],
].flat();

/** Deterministic; indexes beyond the last wrap around. */
export function personAt(place: number): InventedPerson {
  const i = place % PEOPLE_COUNT;
  const pick = (list: readonly string[], at: number) => list[at % list.length] ?? "";
  return {
    name: `${pick(FIRST_NAMES, i)} ${pick(LAST_NAMES, Math.floor(i / 10) + i)}`,
    number: inventedNumber(i, pick(MANNERS, i) || `01${String(i).padStart(2, "0")}`),
    doctor: pick(DOCTORS, i),
    visit: pick(VISITS, i),
  };
}

/** From `place` on, the next person who talks to the end: contacts who book at the desk are reachable. */
export function friendlyPersonAt(place: number): InventedPerson {
  for (let i = place; ; i++) if (MANNERS[(i % PEOPLE_COUNT) % MANNERS.length] === "") return personAt(i);
}
