// Property: messages of a source in any order, repeated and interleaved, leave the state of the newest by its own time.
// No appointment twice, none that the source does not have.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import type { MirroredAppointment, MirrorOutcome } from "../../../src/exchange/mirror/port.ts";
import { BRANCH, createClinic, OTHER_SERVICE, SERVICE, type Clinic } from "../../calendar/clinic.ts";
import { runsOf } from "../../support/engines.ts";

let clinic: Clinic;
let start: number;
beforeAll(async () => {
  clinic = await createClinic();
  start = clinic.clock.now();
});
afterAll(() => clinic.close());

const IDS = ["A-1", "A-2", "A-3"];

interface Said {
  id: number;
  version: number;
  hours: number;
  status: MirroredAppointment["status"];
  name: string | null;
  service: string | null;
  mrn: string | null;
}

const said: fc.Arbitrary<Said> = fc.record({
  id: fc.nat({ max: IDS.length - 1 }),
  version: fc.nat({ max: 8 }),
  hours: fc.integer({ min: 1, max: 40 }),
  status: fc.constantFrom("confirmed", "confirmed", "cancelled", "completed", "no_show"),
  name: fc.constantFrom(null, "Asha Rao", "Meera Iyer"),
  service: fc.constantFrom(null, SERVICE, OTHER_SERVICE),
  mrn: fc.constantFrom(null, "4711", "4712"),
});

/** One message for each version of an appointment, in an order, with repetitions, some at once. */
const history = fc
  .uniqueArray(said, { minLength: 1, maxLength: 14, selector: ({ id, version }) => `${id} ${version}` })
  .chain((messages) =>
    fc.record({
      messages: fc.constant(messages),
      order: fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length }),
      atOnce: fc.integer({ min: 1, max: 4 }),
      staff: fc.array(fc.nat({ max: IDS.length - 1 }), { maxLength: 4 }),
    }),
  );

const messageOf = ({ id, version, hours, status, name, service, mrn }: Said): MirroredAppointment => ({
  externalId: IDS[id]!,
  changedAt: start + version * MINUTE_MS,
  status,
  startsAt: start + hours * HOUR_MS,
  endsAt: start + hours * HOUR_MS + 15 * MINUTE_MS,
  branchId: BRANCH,
  appointmentTypeId: service,
  contactName: name,
  contactNumber: null,
  identifiers: mrn === null ? [] : [{ system: "mrn", value: mrn }],
});

const stateOf = (told: MirroredAppointment) => ({
  external_id: told.externalId,
  status: told.status,
  starts_at: told.startsAt,
  contact_name: told.contactName,
  appointment_type_id: told.appointmentTypeId,
  identifiers: (told.identifiers ?? []).map(({ value }) => value).join(),
});

test("any order, duplication and interleaving leaves the newest of each appointment, once", async () => {
  const { sources, mirror, appointments } = clinic.app.services;
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ messages, order, atOnce, staff }) => {
      const org = clinic.organisationId;
      const source = await sources.create(org, { name: `HIS ${run++}`, kind: "api" }, CLI_ACTOR);
      const put = (each: Said) => mirror.put(org, source.source_id, messageOf(each), SYSTEM_ACTOR);
      const outcomes: MirrorOutcome[] = [];
      // A subarray of the doubled list may lack a message, so each is sent at least once at the end.
      const all = [...order, ...messages];
      for (let i = 0; i < all.length; i += atOnce) {
        outcomes.push(...(await Promise.all(all.slice(i, i + atOnce).map(put))));
        const known = await appointmentsOf(source.source_id);
        for (const place of staff) {
          const row = known.find(({ external_id }) => external_id === IDS[place]);
          // Wishes of staff change nothing that the source owns.
          if (row?.status === "confirmed")
            await appointments.update(org, row.id, { status: "cancelled" }, SYSTEM_ACTOR).catch(() => {});
        }
      }
      expect(outcomes.filter(({ kind }) => kind === "refused")).toEqual([]);
      const newest = IDS.flatMap((_, id) => {
        const own = messages.filter((each) => each.id === id).toSorted((a, b) => b.version - a.version);
        return own[0] ? [stateOf(messageOf(own[0]))] : [];
      });
      const stored = await appointmentsOf(source.source_id);
      expect<object[]>(stored.map(viewOf)).toEqual(newest);
      const created = outcomes.filter(({ kind }) => kind === "created").length;
      expect(created).toBe(newest.length);
      // Repeated once more, nothing changes.
      const again = await Promise.all(messages.map(put));
      expect(again.every(({ kind }) => kind === "unchanged" || kind === "stale")).toBeTrue();
    }),
    { numRuns: runsOf(40) },
  );
}, 180_000);

const appointmentsOf = (sourceId: string) =>
  clinic.db.reader
    .selectFrom("appointments")
    .selectAll()
    .where("source_id", "=", sourceId)
    .orderBy("external_id")
    .execute();

/** The test hospital is in India: UTC+5:30 all year. */
const viewOf = (row: Awaited<ReturnType<typeof appointmentsOf>>[number]) => ({
  external_id: row.external_id,
  status: row.status,
  starts_at: Date.parse(`${row.date}T${row.start_time}:00+05:30`),
  contact_name: row.contact_name,
  appointment_type_id: row.appointment_type_id,
  identifiers: (JSON.parse(row.contact_identifiers ?? "[]") as { value: string }[]).map(({ value }) => value).join(),
});
