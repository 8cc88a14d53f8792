// FHIR of the executable with the demo hospital and its past: every resource and fuzzed searches are valid, and two
// clients that others wrote read it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { CapabilityTool, Client } from "fhir-kit-client";
import smart from "fhirclient";
import fc from "fast-check";
import type { Appointment, Bundle, CapabilityStatement, Resource, Slot } from "fhir/r4";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { enterDemo } from "../support/demo-staff.ts";
import { createFhirClient, linkIn, matchesIn, type SendFhir } from "../support/fhir-client.ts";
import { fhirFaults } from "../support/fhir-validator.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
setDefaultTimeout(240_000);

const TYPES = ["Location", "HealthcareService", "Schedule", "Slot", "Appointment", "Patient", "Communication"];
const ENV = { RINGWARD_DEMO__HISTORY: "true", RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited" };

let server: Running;
let key: string;
let base: string;
let fhir: SendFhir;
const hospital = new Map<string, Resource[]>();
beforeAll(async () => {
  server = await startBinary({ env: ENV });
  key = server.demo["api_key"] ?? "";
  base = `${server.demo["base_url"]}/fhir`;
  fhir = createFhirClient((request) => fetch(request), key, base);
  const staff = await enterDemo(server);
  const isMade = async () => (JSON.parse((await staff("GET", "demo")).text) as { making: unknown }).making === null;
  await until(isMade, { withinMs: 200_000, everyMs: 200 });
});
afterAll(() => server.stop());

async function pagesOf(path: string): Promise<Bundle[]> {
  const pages: Bundle[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, body, text } = await fhir<Bundle>("GET", next);
    if (status !== 200) throw new Error(`${next}: ${text}`);
    pages.push(body);
    next = linkIn(body, "next");
  }
  return pages;
}

test("every resource of the demo hospital is valid, and found once", async () => {
  for (const type of TYPES) {
    const all = (await pagesOf(`/${type}?_count=100`)).flatMap((page) => matchesIn(page));
    expect([type, new Set(all.map(({ id }) => id)).size]).toEqual([type, all.length]);
    expect([type, all.length > 0]).toEqual([type, true]);
    hospital.set(type, all);
  }
});

test("references of appointments lead to what is there", async () => {
  const pages = await pagesOf(
    "/Appointment?_count=50&_include=Appointment:actor&_include=Appointment:slot&_include:iterate=Slot:schedule",
  );
  for (const page of pages) {
    const there = new Set((page.entry ?? []).map(({ resource }) => `${resource!.resourceType}/${resource!.id}`));
    for (const { participant, slot = [] } of matchesIn<Appointment>(page))
      for (const { reference } of [...participant.map(({ actor }) => actor ?? {}), ...slot])
        if (reference !== undefined) expect([...there]).toContain(reference);
  }
});

/** Values that a search may ask for: of the hospital, and none of it. */
function queryOf(type: string): fc.Arbitrary<string> {
  const resources = hospital.get(type) ?? [];
  const ids = resources.slice(0, 50).map(({ id }) => id ?? "");
  const of = (name: string) => (hospital.get(name) ?? []).slice(0, 20).map(({ id }) => `${name}/${id}`);
  const references = [...of("Patient"), ...of("Location"), ...of("HealthcareService"), ...of("Schedule"), "Patient/x"];
  const day = fc.record({
    how: fc.constantFrom("", "ge", "le", "gt", "lt", "ne", "sa", "eb", "ap"),
    at: fc.integer({ min: -40, max: 40 }),
  });
  const time = day.map(({ how, at }) => how + new Date(Date.now() + at * 86_400_000).toISOString().slice(0, 10));
  const value: Record<string, fc.Arbitrary<string>> = {
    _id: fc.subarray(ids, { minLength: 1, maxLength: Math.min(5, ids.length) }).map((some) => some.join(",")),
    status: fc.constantFrom("booked", "free,busy", "completed", "active", "nothing"),
    _lastUpdated: time,
    date: time,
    start: time,
    sent: time,
    actor: fc.constantFrom(...references),
    patient: fc.constantFrom(...references),
    location: fc.constantFrom(...references),
    schedule: fc.constantFrom(...references),
    phone: fc.constantFrom("%2B919876543210", "x"),
    identifier: fc.constantFrom("x", "mrn|x", "|x"),
    _count: fc.integer({ min: 1, max: 120 }).map(String),
  };
  const one = fc.constantFrom(...Object.keys(value)).chain((name) => value[name]!.map((text) => `${name}=${text}`));
  return fc.array(one, { maxLength: 4 }).map((parts) => parts.join("&"));
}

test.each(TYPES)("fuzzed searches of %s are answered with what is valid", async (type) => {
  const queries = fc.sample(queryOf(type), 150);
  let answered = 0;
  for (const query of queries) {
    const { status } = await fhir("GET", `/${type}?${query}`, { headers: { prefer: "handling=lenient" } });
    // Twice a count, or too many days.
    expect([query, [200, 400].includes(status)]).toEqual([query, true]);
    answered += status === 200 ? 1 : 0;
  }
  expect(answered).toBeGreaterThan(100);
});

/** Once each, and in order; the demo goes on booking meanwhile. */
function expectAll(ids: readonly string[]): void {
  const known = hospital.get("Appointment")!.map(({ id }) => id ?? "");
  expect(ids.filter((id) => known.includes(id))).toEqual(known);
  expect(new Set(ids).size).toBe(ids.length);
}

describe("fhir-kit-client", () => {
  test("reads the statement, searches, turns pages and resolves references", async () => {
    const client = new Client({ baseUrl: base, bearerToken: key });
    const statement = await client.capabilityStatement();
    expect(fhirFaults(JSON.parse(JSON.stringify(statement)))).toEqual([]);
    const can = new CapabilityTool(statement);
    expect([can.resourceCan("Appointment", "read"), can.resourceCan("Patient", "delete")]).toEqual([true, false]);
    const seen: string[] = [];
    let page = (await client.search({
      resourceType: "Appointment",
      searchParams: { _count: 7, _include: "Appointment:patient" },
    })) as unknown as Bundle | undefined;
    while (page) {
      seen.push(...matchesIn<Appointment>(page).map(({ id }) => id ?? ""));
      page = (await client.nextPage({ bundle: page as never })) as unknown as Bundle | undefined;
    }
    expectAll(seen);
    const [slot] = hospital.get("Slot") as Slot[];
    const schedule = await client.resolve({ reference: slot!.schedule.reference! });
    expect(schedule.resourceType).toBe("Schedule");
  });

  test("gets an OperationOutcome for each fault", async () => {
    const client = new Client({ baseUrl: base, bearerToken: "rw_live_nothing" });
    const refused = await client.read({ resourceType: "Location", id: "x" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ response: { status: 401, data: { resourceType: "OperationOutcome" } } });
  });
});

describe("fhirclient", () => {
  const noStorage = { get: async () => null, set: async (_: string, value: unknown) => value, unset: async () => true };
  const clientOf = (token: string) =>
    smart({} as never, {} as never, noStorage).client({
      serverUrl: base,
      tokenResponse: { access_token: token },
    });

  test("searches, turns all pages and resolves references", async () => {
    const client = clientOf(key);
    const appointments = await client.request<Appointment[]>("Appointment?_count=9", { pageLimit: 0, flat: true });
    expectAll(appointments.map(({ id }) => id ?? ""));
    const [first] = hospital.get("Slot") as Slot[];
    const slot = await client.request<{ schedule: Resource }>(`Slot/${first!.id}`, { resolveReferences: ["schedule"] });
    expect(slot.schedule.resourceType).toBe("Schedule");
    const statement = await client.request<CapabilityStatement>("metadata");
    expect(statement.fhirVersion).toBe("4.0.1");
  });

  test("is refused without a key", async () => {
    const refused = await clientOf("rw_live_nothing")
      .request("Appointment")
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ statusCode: 401 });
  });
});
