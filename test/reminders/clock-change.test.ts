// Rules in the branch's time zone, on the running appliance: daylight saving changes in New York, and India's midnight
// before UTC's.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { BRANCH, on } from "../calendar/clinic.ts";
import { settle } from "../support/manual-clock.ts";
import { createWard, type Ward } from "./ward.ts";

let ward: Ward;
beforeEach(async () => void (ward = await createWard()));
afterEach(() => ward.close());

let booked = 0;
async function book(day: string, date: string): Promise<void> {
  const window = await ward.createWindow({ day, session: "Evening" });
  await ward.book(on(window, date), { contact_number: `+91981001${String(1000 + booked++)}` });
}

/** Not dialled a minute before, dialled at the time itself. */
async function expectDialledAt(iso: string, calls: number): Promise<void> {
  await ward.goTo(new Date(Date.parse(iso) - 120_000).toISOString());
  expect([iso, ward.dialled().length]).toEqual([iso, calls - 1]);
  await ward.goTo(iso);
  expect([iso, ward.dialled().length]).toEqual([iso, calls]);
}

test.each([
  ["forward", "2027-03-10T15:00:00Z", "2027-03-14", "2027-03-13T15:00:00Z", "2027-03-15", "2027-03-14T14:00:00Z"],
  ["back", "2027-11-03T15:00:00Z", "2027-11-07", "2027-11-06T14:00:00Z", "2027-11-08", "2027-11-07T15:00:00Z"],
])(
  "New York sets its clocks %s: ten o'clock stays ten o'clock",
  async (_, start, sunday, beforeSunday, monday, beforeMonday) => {
    await ward.goTo(start);
    const zone = { timeZone: "America/New_York" };
    await ward.app.services.directory.setBranch(ward.organisationId, BRANCH, zone, CLI_ACTOR);
    await ward.rule({ at: "10:00" });
    await book("sunday", sunday);
    await book("monday", monday);
    await expectDialledAt(beforeSunday, 1);
    await expectDialledAt(beforeMonday, 2);
    for (const callId of ward.dialled()) ward.carrier.talk(callId);
    await settle();
    await ward.goTo(`${monday}T20:00:00Z`);
    expect(ward.dialled()).toHaveLength(2);
  },
);

test("midnight in India: the day before starts while UTC has another date, and a retry happens after the next midnight", async () => {
  // 23:00 in India on the 17th, 17:30 in UTC: the day before the 19th has not started.
  await ward.goTo("2026-11-17T17:30:00Z");
  await ward.rule({ at: "00:30", call_from: "00:15", call_to: "23:30", tries: 2, retry_minutes: 1_430 });
  await book("thursday", "2026-11-19");
  // 00:30 on the 18th is 19:00 of the 17th in UTC.
  await expectDialledAt("2026-11-17T19:00:00Z", 1);
  ward.carrier.fail(ward.dialled()[0]!, "no_answer");
  await settle();
  // 24 hours minus ten minutes later is 00:20 on the 19th, within the rule's hours.
  await ward.goTo("2026-11-18T18:40:00Z");
  expect(ward.dialled()).toHaveLength(1);
  await ward.goTo("2026-11-18T18:53:00Z");
  expect(ward.dialled()).toHaveLength(2);
});

test("a retry outside the rule's hours waits for the next morning", async () => {
  await ward.rule({ at: "19:30", tries: 2, retry_minutes: 60 });
  await book("wednesday", "2026-11-18");
  await expectDialledAt("2026-11-17T14:00:00Z", 1);
  ward.carrier.fail(ward.dialled()[0]!, "no_answer");
  await settle();
  // 20:30, and then 09:00.
  await ward.goTo("2026-11-17T15:05:00Z");
  expect(ward.dialled()).toHaveLength(1);
  await expectDialledAt("2026-11-18T03:30:00Z", 2);
});
