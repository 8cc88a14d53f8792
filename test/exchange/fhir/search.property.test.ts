// Property: whatever is searched for, the pages of a search hold exactly the resources that match, each once, and every
// answer is valid FHIR. What matches is worked out here from all resources, without the code of the search.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Appointment, Bundle, Communication, Patient, Resource, Slot } from "fhir/r4";
import { BRANCH, OTHER_SERVICE, SERVICE } from "../../calendar/clinic.ts";
import { runsOf } from "../../support/engines.ts";
import { linkIn, matchesIn, validated } from "../../support/fhir-client.ts";
import { createFhirWorld, ALONE, FAMILY, LAKE, type FhirWorld } from "./world.ts";

let world: FhirWorld;
beforeAll(async () => void (world = await createFhirWorld()));
afterAll(() => world.close());

/** One parameter: its text, and whether a resource matches it. */
interface Sought {
  name: string;
  value: string;
  matches(resource: Resource): boolean;
}

const SLOTS = "start=ge2026-11-15&start=lt2026-12-20";

/** Pages of a search, one after the other. */
async function pagesOf(path: string): Promise<Resource[]> {
  const found: Resource[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, body, text } = await world.fhir<Bundle>("GET", next);
    if (status !== 200) throw new Error(`${next}: ${text}`);
    found.push(...matchesIn(body));
    next = linkIn(body, "next");
  }
  return found;
}

/** All resources of the kind under test. */
let every: Resource[] = [];

const DAY_MS = 86_400_000;
/** India. */
const OFFSET_MS = 5.5 * 3_600_000;

const prefix = fc.constantFrom("", "eq", "ne", "gt", "lt", "ge", "le", "sa", "eb");

function isIn(time: number, how: string, from: number, to: number): boolean {
  if (how === "" || how === "eq") return from <= time && time < to;
  if (how === "ne") return !(from <= time && time < to);
  if (how === "gt" || how === "sa") return time >= to;
  if (how === "ge") return time >= from;
  return how === "le" ? time < to : time < from;
}

function timed<R extends Resource>(name: string, timeOf: (resource: R) => string | undefined): fc.Arbitrary<Sought> {
  const day = fc.record({ how: prefix, day: fc.integer({ min: 13, max: 30 }) }).map(({ how, day }) => {
    const from = Date.UTC(2026, 10, day) - OFFSET_MS;
    return { value: `${how}2026-11-${day}`, how, from, to: from + DAY_MS };
  });
  const second = fc.record({ how: prefix, which: fc.nat(), seconds: fc.integer({ min: -1, max: 1 }) });
  const near = second.map(({ how, which, seconds }) => {
    const times = every.flatMap((resource) => timeOf(resource as R) ?? []);
    const from = Math.floor(Date.parse(times[which % times.length]!) / 1_000) * 1_000 + seconds * 1_000;
    return { value: `${how}${new Date(from).toISOString().slice(0, 19)}Z`, how, from, to: from + 1_000 };
  });
  return fc.oneof(day, near).map(({ value, how, from, to }) => ({
    name,
    value,
    matches: (resource) => {
      const time = timeOf(resource as R);
      return time !== undefined && isIn(Date.parse(time), how, from, to);
    },
  }));
}

/** One or several of the values, of which a resource has one. */
const oneOf = <R extends Resource>(name: string, values: readonly string[], of: (resource: R) => unknown[]) =>
  fc.subarray([...values], { minLength: 1 }).map((some) => ({
    name,
    value: some.join(","),
    matches: (resource: Resource) => of(resource as R).some((one) => some.includes(String(one))),
  }));

const changed = timed<Resource>("_lastUpdated", ({ meta }) => meta?.lastUpdated);
const actorsOf = ({ participant }: Appointment) => participant.map(({ actor }) => actor?.reference);
const codesOf = ({ serviceType = [] }: Appointment | Slot) =>
  serviceType.flatMap(({ coding = [] }) => coding.map(({ code }) => code));

const kinds: Record<string, fc.Arbitrary<Sought>> = {
  Appointment: fc.oneof(
    oneOf<Appointment>("status", ["booked", "cancelled", "noshow", "fulfilled", "pending"], ({ status }) => [status]),
    oneOf<Appointment>("actor", [`Location/${LAKE}`, `Location/${BRANCH}`, `HealthcareService/${SERVICE}`], actorsOf),
    oneOf<Appointment>("location", [`Location/${LAKE}`, `Location/${BRANCH}`], actorsOf),
    oneOf<Appointment>("service-type", [SERVICE, OTHER_SERVICE], codesOf),
    oneOf<Appointment>("identifier", ["A-4711", "A-1"], ({ identifier = [] }) => identifier.map(({ value }) => value)),
    timed<Appointment>("date", ({ start }) => start),
    changed,
  ),
  Slot: fc.oneof(
    oneOf<Slot>("status", ["free", "busy", "busy-unavailable"], ({ status }) => [status]),
    oneOf<Slot>("service-type", [SERVICE, OTHER_SERVICE], codesOf),
  ),
  Communication: fc.oneof(
    oneOf<Communication>("status", ["completed", "not-done", "preparation"], ({ status }) => [status]),
    timed<Communication>("sent", ({ sent }) => sent),
    timed<Communication>("received", ({ received }) => received),
    changed,
  ),
  Patient: fc.oneof(
    oneOf<Patient>("phone", [FAMILY, ALONE, "+15555550100"].map(encodeURIComponent), ({ telecom = [] }) =>
      telecom.map(({ value = "" }) => encodeURIComponent(value)),
    ),
    oneOf<Patient>("identifier", ["M-1", "M-2"], ({ identifier = [] }) => identifier.map(({ value }) => value)),
  ),
};

test.each(Object.keys(kinds))(
  "searches of %s find what matches",
  async (type) => {
    every = await pagesOf(`/${type}?_count=100${type === "Slot" ? `&${SLOTS}` : ""}`);
    expect(every.length).toBeGreaterThan(2);
    await fc.assert(
      fc.asyncProperty(
        fc.array(kinds[type]!, { maxLength: 3 }),
        fc.integer({ min: 1, max: 7 }),
        async (sought, count) => {
          const query = [
            `_count=${count}`,
            ...(type === "Slot" ? [SLOTS] : []),
            ...sought.map(({ name, value }) => `${name}=${value.replaceAll("+", "%2B")}`),
          ].join("&");
          const found = (await pagesOf(`/${type}?${query}`)).map(({ id }) => id);
          const wanted = every
            .filter((resource) => sought.every(({ matches }) => matches(resource)))
            .map(({ id }) => id);
          expect([query, found]).toEqual([query, wanted]);
        },
      ),
      { numRuns: runsOf(60) },
    );
  },
  180_000,
);

/** What clients send by mistake or malice. */
const oddText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "\\",
    "a\\,b",
    "|",
    "||",
    ",",
    "ge",
    "Patient/",
    "/",
    "../metadata",
    "%",
    "__proto__",
    "💉",
    "\u0000",
  ),
);

test("no text in a search or an id leads to anything but a valid answer", async () => {
  const types = ["Location", "HealthcareService", "Schedule", "Slot", "Appointment", "Patient", "Communication"];
  const names = [
    ..."_id _lastUpdated _count _include _include:iterate _page _format status date start actor patient".split(" "),
    ..."identifier phone name slot schedule sent service-type active subject odd status:not".split(" "),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.array(fc.tuple(fc.constantFrom(...names), oddText), { maxLength: 4 }),
      fc.constantFrom("GET", "POST", "READ"),
      fc.boolean(),
      async (type, params, how, isLenient) => {
        const headers: Record<string, string> = isLenient ? { prefer: "handling=lenient" } : {};
        const query = new URLSearchParams(params.map(([name, text]): [string, string] => [name, text.toWellFormed()]));
        const { status } =
          how === "POST"
            ? await world.fhir("POST", `/${type}/_search`, { body: query, headers })
            : await world.fhir(
                "GET",
                how === "GET"
                  ? `/${type}?${query}`
                  : `/${type}/${[...query.values()].map(encodeURIComponent).join("")}`,
                { headers },
              );
        expect([200, 400, 404, 406, 414]).toContain(status);
      },
    ),
    { numRuns: runsOf(600) },
  );
  expect(validated.get("OperationOutcome")).toBeGreaterThan(20);
}, 180_000);
