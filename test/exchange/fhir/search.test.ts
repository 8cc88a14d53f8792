// Searches: parameters, pages, includes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Appointment, Bundle, OperationOutcome } from "fhir/r4";
import { BRANCH, SERVICE } from "../../calendar/clinic.ts";
import { entriesOf, issueOf, linkIn, matchesIn } from "../../support/fhir-client.ts";
import { createFhirWorld, fhirId, FAMILY, LAKE, type FhirWorld } from "./world.ts";

let world: FhirWorld;
beforeAll(async () => void (world = await createFhirWorld()));
afterAll(() => world.close());

const bundle = async (path: string, headers: Record<string, string> = {}) => {
  const { status, body, text } = await world.fhir<Bundle>("GET", path, { headers });
  if (status !== 200) throw new Error(text);
  return body;
};
/** Names in the fixture of the appointments that a search finds. */
async function found(query: string): Promise<string[]> {
  const names = new Map(Object.entries(world.ids).map(([name, id]) => [fhirId(id), name]));
  return matchesIn<Appointment>(await bundle(`/Appointment?_count=100&${query}`))
    .map(({ id }) => names.get(id ?? "") ?? "?")
    .toSorted();
}
const patientOf = async (name: keyof FhirWorld["ids"]) =>
  (await world.fhir<Appointment>("GET", `/Appointment/${fhirId(world.ids[name])}`)).body.participant[0]!.actor!
    .reference!;

describe("a parameter of appointments", () => {
  test.each([
    ["status=cancelled", ["cancelled"]],
    ["status=cancelled,noshow", ["cancelled", "noShow"]],
    ["status=http://hl7.org/fhir/appointmentstatus|noshow", ["noShow"]],
    ["status=http://elsewhere.example|noshow", []],
    ["status=pending", []],
    [`actor=Location/${LAKE}`, ["completed", "mirrored"]],
    [`actor=${LAKE}`, ["completed", "mirrored"]],
    [`location=${BRANCH}&status=booked`, ["asha", "ravi", "unnamed"]],
    [`actor=Location/${LAKE}&actor=HealthcareService/${SERVICE}`, []],
    [`actor=HealthcareService/${SERVICE}`, ["asha"]],
    [`service-type=urn:ringward:service|${SERVICE}`, ["asha"]],
    ["identifier=A-4711", ["mirrored"]],
    ["identifier=|A-4711", []],
    // The whole day of the hospital, in India.
    ["date=2026-11-16", ["asha", "cancelled", "noShow", "unnamed"]],
    ["date=2026-11-16T06:30:00Z", ["asha"]],
    ["date=2026-11-16T12:00:00%2B05:30", ["asha"]],
    ["date=gt2026-11-16&date=lt2026-11-18", ["completed", "mirrored"]],
    ["date=ge2026-11-18", ["ravi"]],
    ["date=ne2026-11-16", ["completed", "mirrored", "ravi"]],
    ["date=2026", ["asha", "cancelled", "completed", "mirrored", "noShow", "ravi", "unnamed"]],
    ["_lastUpdated=lt2026-11-15", []],
    ["_lastUpdated=2026-11-15", ["asha", "cancelled", "completed", "mirrored", "noShow", "ravi", "unnamed"]],
  ])("%s", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test("_id takes several, and ids of nothing find nothing", async () => {
    const [one, other] = [fhirId(world.ids.asha), fhirId(world.ids.ravi)];
    expect(await found(`_id=${one},${other},apt-nothing,x`)).toEqual(["asha", "ravi"]);
    expect(await found(`_id=${one}&status=cancelled`)).toEqual([]);
  });

  test("patient tells a family apart", async () => {
    expect(await found(`patient=${await patientOf("asha")}`)).toEqual(["asha", "noShow"]);
    expect(await found(`patient=${await patientOf("ravi")}`)).toEqual(["ravi"]);
    expect(await found(`actor=${await patientOf("ravi")}`)).toEqual(["ravi"]);
    expect(await found(`patient=http://localhost:8080/fhir/${await patientOf("ravi")}`)).toEqual(["ravi"]);
    expect(await found("patient=Patient/00000000000000000000000000000000")).toEqual([]);
    expect(await found("patient=Location/x")).toEqual([]);
  });

  test("slot finds who is booked there", async () => {
    const { body } = await world.fhir<Appointment>("GET", `/Appointment/${fhirId(world.ids.asha)}`);
    expect(await found(`slot=${body.slot![0]!.reference}`)).toEqual(["asha"]);
  });
});

describe("other kinds are searched", () => {
  test.each([
    ["/Location?name=lak", 1],
    ["/Location?name=ake", 0],
    ["/Location?status=active", 2],
    ["/HealthcareService?name=CARDIO", 1],
    [`/Schedule?actor=Location/${LAKE}`, 2],
    ["/Schedule?active=false", 1],
    [`/Schedule?service-type=${SERVICE}`, 1],
    ["/Slot?start=ge2026-11-16&start=lt2026-11-17", 2],
    ["/Slot?start=2026-11-16T06:30:00Z", 1],
    ["/Slot?start=ge2026-11-16&start=lt2026-11-23&status=busy", 1],
    ["/Slot?start=lt2026-11-10&start=ge2026-11-09", 2],
    ["/Slot?start=lt2026-11-10&start=gt2026-11-12", 0],
    ["/Patient?identifier=M-1", 1],
    ["/Patient?identifier=mrn|M-1", 1],
    ["/Patient?identifier=urn:ringward:identifier:mrn|M-1", 1],
    ["/Patient?identifier=abha|M-1", 0],
    ["/Patient?identifier=m-1", 0],
    [`/Patient?phone=${FAMILY}`, 2],
    ["/Patient?phone=%2B15555550100", 0],
    ["/Communication?status=completed", 1],
    ["/Communication?sent=ge2026-11-15", 2],
    ["/Communication?sent=lt2026-11-15", 0],
    ["/Communication?received=2026-11-15", 1],
  ])("%s: %d", async (path, count) => {
    expect(matchesIn(await bundle(path))).toHaveLength(count);
  });

  test("calls of a person", async () => {
    const patient = await patientOf("asha");
    for (const name of ["patient", "subject", "recipient"])
      expect(matchesIn(await bundle(`/Communication?${name}=${patient}`))).toHaveLength(1);
    expect(matchesIn(await bundle(`/Communication?sender=${patient}`))).toHaveLength(0);
  });
});

describe("pages", () => {
  test.each(["Location", "HealthcareService", "Schedule", "Slot", "Appointment", "Patient", "Communication"])(
    "of %s hold each once, of any size",
    async (type) => {
      const path = `/${type}?${type === "Slot" ? "start=ge2026-11-16&start=lt2026-12-16&" : ""}_count=`;
      const whole = await bundle(`${path}100`);
      const wanted = matchesIn(whole).map(({ id }) => id);
      expect([whole.total, new Set(wanted).size]).toEqual([wanted.length, wanted.length]);
      for (const count of [1, 2, 3]) {
        const ids: unknown[] = [];
        for (let next: string | undefined = `${path}${count}`; next !== undefined;) {
          const page: Bundle = await bundle(next);
          expect(matchesIn(page).length).toBeLessThanOrEqual(count);
          ids.push(...matchesIn(page).map(({ id }) => id));
          next = linkIn(page, "next");
        }
        expect(ids).toEqual(wanted);
      }
    },
  );

  test("show no more than 100, and a count that is not one is rejected", async () => {
    expect(linkIn(await bundle("/Appointment?_count=5000"), "self")).toEndWith("/Appointment?_count=5000");
    for (const count of ["0", "-1", "x", "1.5", ""]) {
      const answer = await world.fhir<OperationOutcome>("GET", `/Appointment?_count=${count}`);
      expect(issueOf(answer)).toBe("400 invalid VALIDATION_ERROR");
    }
  });

  test("the address of the next page names nobody, and is of one organisation, type and search", async () => {
    const first = await world.fhir<Bundle>("POST", "/Patient/_search", {
      body: new URLSearchParams([
        ["phone", FAMILY],
        ["_count", "1"],
      ]),
    });
    const next = linkIn(first.body, "next")!;
    expect(next).toMatch(/\/fhir\/Patient\?_page=v1\.[\w-]+$/);
    expect(matchesIn(await bundle(next))).toHaveLength(1);
    const theirs = world.clientOf((await world.neighbour()).key);
    const sealed = next.split("?")[1];
    for (const path of [`/Appointment?${sealed}`, next.replace("v1.", "v1.x"), `${next}&phone=1`, "/Patient?_page=x"])
      expect(issueOf(await world.fhir("GET", path))).toBe("400 invalid VALIDATION_ERROR");
    expect(issueOf(await theirs("GET", next))).toBe("400 invalid VALIDATION_ERROR");
  });
});

describe("_include", () => {
  test("brings each resource once", async () => {
    const page = await bundle("/Appointment?_include=Appointment:actor&_include=Appointment:slot&_count=100");
    const included = entriesOf(page, "include").map(({ resourceType, id }) => `${resourceType}/${id}`);
    expect(new Set(included).size).toBe(included.length);
    const referred = matchesIn<Appointment>(page).flatMap(({ participant, slot = [] }) => [
      ...participant.flatMap(({ actor }) => actor?.reference ?? []),
      ...slot.map(({ reference }) => reference!),
    ]);
    expect(included.toSorted()).toEqual([...new Set(referred)].filter((one) => one !== "").toSorted());
  });

  test("narrows to a type, and iterates where it is asked to", async () => {
    const typed = await bundle("/Appointment?_include=Appointment:actor:Location");
    expect(new Set(entriesOf(typed, "include").map(({ resourceType }) => resourceType))).toEqual(new Set(["Location"]));
    const slots = await bundle(
      "/Slot?start=ge2026-11-16&start=lt2026-11-18&_include=Slot:schedule&_include:iterate=Schedule:actor",
    );
    expect(new Set(entriesOf(slots, "include").map(({ resourceType }) => resourceType))).toEqual(
      new Set(["Schedule", "Location", "HealthcareService"]),
    );
  });

  test.each(["Appointment:nothing", "Slot:schedule", "Appointment", "*", ""])("of %s is rejected", async (include) => {
    const answer = await world.fhir<OperationOutcome>("GET", `/Appointment?_include=${include}`);
    expect(issueOf(answer)).toBe("400 invalid VALIDATION_ERROR");
  });
});

describe("an unknown parameter", () => {
  test("is rejected, unless the client prefers it ignored, and then it is told", async () => {
    const path = "/Appointment?pateint=x&status=cancelled";
    for (const headers of [{}, { prefer: "handling=strict" }] as Record<string, string>[])
      expect(issueOf(await world.fhir("GET", path, { headers }))).toBe("400 invalid VALIDATION_ERROR");
    const lenient = await bundle(path, { prefer: "return=minimal; handling=lenient" });
    expect(matchesIn(lenient)).toHaveLength(1);
    const [outcome] = entriesOf(lenient, "outcome") as OperationOutcome[];
    expect(outcome!.issue[0]!.details!.text).toContain("pateint");
    expect(linkIn(lenient, "self")).toEndWith("/Appointment?status=cancelled");
  });

  test.each(["status:not=booked", "patient:Patient=x", "patient.name=Asha", "_sort=date", "_summary=count"])(
    "%s is not guessed at",
    async (query) => {
      expect(issueOf(await world.fhir("GET", `/Appointment?${query}`))).toBe("400 invalid VALIDATION_ERROR");
    },
  );
});

describe("values are bounded", () => {
  const many = (count: number) => Array.from({ length: count }, () => "x").join(",");
  test.each([
    `status=${many(21)}`,
    `identifier=${"x".repeat(1_001)}`,
    Array.from({ length: 31 }, () => "status=booked").join("&"),
    "status=",
    "date=tomorrow",
    "date=2026-02-30",
    "date=2026-13",
    "date=zz2026",
    "date=2026-11-16T25:00:00Z",
    "date=9999",
  ])("%s", async (query) => {
    expect(issueOf(await world.fhir("GET", `/Appointment?${query}`))).toBe("400 invalid VALIDATION_ERROR");
  });

  test("of Slot: at most 92 days", async () => {
    const path = "/Slot?start=ge2026-11-16&start=lt2027-11-16";
    expect(issueOf(await world.fhir("GET", path))).toBe("400 invalid VALIDATION_ERROR");
  });
});

test("a search is posted as a form, with its address", async () => {
  const { status, body } = await world.fhir<Bundle>("POST", "/Appointment/_search?_count=1", {
    body: new URLSearchParams([["status", "cancelled,noshow"]]),
  });
  expect([status, matchesIn(body).length]).toEqual([200, 1]);
});
