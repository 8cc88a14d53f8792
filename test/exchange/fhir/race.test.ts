// Forty clients want twenty places: each finds, holds and books at the same time as the others, with a key of its own.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Appointment, Bundle, OperationOutcome } from "fhir/r4";
import { BRANCH, MONDAY } from "../../calendar/clinic.ts";
import { issueOf, matchesIn, type FhirAnswer } from "../../support/fhir-client.ts";
import { appointmentOf, ASHA, createFhirHospital, type FhirHospital } from "../../support/fhir-hospital.ts";

setDefaultTimeout(120_000);

const [CLIENTS, PLACES] = [40, 20];
const FULL = "409 not-found SLOT_FULL";

let hospital: FhirHospital;
let keys: string[];
beforeEach(async () => {
  hospital = await createFhirHospital();
  keys = [];
  for (let i = 0; i < CLIENTS; i++) keys.push(await hospital.newKey(["appointments:read", "appointments:write"]));
});
afterEach(() => hospital.close());

const refusalOf = (answer: FhirAnswer<unknown>) => issueOf(answer as FhirAnswer<OperationOutcome>);
const patientOf = (i: number) => ({
  ...ASHA,
  identifier: [{ system: "urn:ringward:identifier:mrn", value: `MRN-${i}` }],
  name: [{ text: `Patient ${i}` }],
  telecom: [{ system: "phone" as const, value: `+9198100${String(10_000 + i)}` }],
});

const newWindow = () =>
  hospital.request("POST", "/v1/appointment-slots", {
    body: { branch_id: BRANCH, day: "monday", session: "Morning", ai_slots: 0, max_slots: PLACES },
  });

async function find(key: string): Promise<Appointment | undefined> {
  const answer = await hospital.fhir<Bundle>("GET", `/Appointment/$find?start=${MONDAY}&end=${MONDAY}`, { key });
  return matchesIn<Appointment>(answer.body)[0];
}

/** `booked`, or where it was refused. */
async function client(key: string, i: number, books = true): Promise<string> {
  const proposal = await find(key);
  if (!proposal) return "nothing found";
  const held = await hospital.hold(proposal, { key });
  if (held.status !== 200) return `hold ${refusalOf(held)}`;
  if (!books) return "held";
  const booked = await hospital.book(appointmentOf(held), { key, patient: patientOf(i) });
  return booked.status === 200 ? appointmentOf(booked).status : `book ${refusalOf(booked)}`;
}

async function fill() {
  const rows = await hospital.appointmentRows();
  const [date] = await hospital.db.reader.selectFrom("window_dates").selectAll().where("date", "=", MONDAY).execute();
  const holds = await hospital.db.reader.selectFrom("slot_holds").select("id").execute();
  return {
    booked: rows.length,
    people: new Set(rows.map((row) => row.contact_number)).size,
    counted: date?.filled,
    holds: holds.length,
  };
}

const counted = (outcomes: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, (each) => each)].map(([outcome, all]) => [outcome, all.length]));

describe("$find → $hold → $book", () => {
  test("twenty of forty clients book, each a place of their own", async () => {
    await newWindow();
    const outcomes = counted(await Promise.all(keys.map((key, i) => client(key, i))));
    const { booked, ...refused } = outcomes;
    expect(booked).toBe(PLACES);
    expect(Object.entries(refused).reduce((sum, [, count]) => sum + count, 0)).toBe(CLIENTS - PLACES);
    expect(Object.keys(refused).filter((each) => each !== `hold ${FULL}` && each !== "nothing found")).toEqual([]);
    expect(await fill()).toEqual({ booked: PLACES, people: PLACES, counted: PLACES, holds: 0 });
    expect(await find(keys[0] ?? "")).toBeUndefined();
  });

  test("holds that nobody books keep others out for 90 seconds, and no longer", async () => {
    await newWindow();
    const held = counted(await Promise.all(keys.map((key, i) => client(key, i, false))));
    expect(held["held"]).toBe(PLACES);
    expect(await find(keys[0] ?? "")).toBeUndefined();
    await hospital.clock.advance(90_000);
    const outcomes = counted(await Promise.all(keys.map((key, i) => client(key, i))));
    expect(outcomes["booked"]).toBe(PLACES);
    expect(await fill()).toMatchObject({ booked: PLACES, counted: PLACES });
  });

  test("one hold that is booked by forty requests is booked once", async () => {
    await newWindow();
    const key = keys[0] ?? "";
    const proposal = await find(key);
    const pending = appointmentOf(await hospital.hold(proposal as Appointment, { key }));
    const outcomes = await Promise.all(
      keys.map(async (_key, i) => {
        const answer = await hospital.book(pending, { key, patient: patientOf(i) });
        return answer.status === 200 ? "booked" : refusalOf(answer);
      }),
    );
    expect(counted(outcomes)).toEqual({ booked: 1, "404 not-found NOT_FOUND": CLIENTS - 1 });
    expect(await fill()).toEqual({ booked: 1, people: 1, counted: 1, holds: 0 });
  });

  test("without holds: forty books of one proposal fill twenty places", async () => {
    await newWindow();
    const proposal = await find(keys[0] ?? "");
    const outcomes = await Promise.all(
      keys.map(async (key, i) => {
        const answer = await hospital.book(proposal as Appointment, { key, patient: patientOf(i) });
        return answer.status === 200 ? "booked" : refusalOf(answer);
      }),
    );
    expect(counted(outcomes)).toEqual({ booked: PLACES, [FULL]: CLIENTS - PLACES });
    expect(await fill()).toEqual({ booked: PLACES, people: PLACES, counted: PLACES, holds: 0 });
  });
});
