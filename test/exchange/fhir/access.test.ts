// Who may read what: scopes, organisations, the audit trail and erasure.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Appointment, Bundle, OperationOutcome } from "fhir/r4";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { ALL_SCOPES, type Scope } from "../../../src/payloads/scopes.ts";
import { issueOf, matchesIn, type SendFhir } from "../../support/fhir-client.ts";
import { createFhirWorld, FAMILY, fhirId, type FhirWorld } from "./world.ts";

/** The scope that each kind needs, and what it reads in /v1. */
const NEEDED: readonly [type: string, scope: Scope, inV1: string][] = [
  ["Location", "directory:read", "/v1/branches"],
  ["HealthcareService", "directory:read", "/v1/services"],
  ["Schedule", "slots:read", "/v1/appointment-slots"],
  ["Slot", "slots:read", "/v1/appointment-slots/schedule-tracking"],
  ["Appointment", "appointments:read", "/v1/appointments"],
  ["Patient", "people:read", "/v1/people"],
  ["Communication", "calls:read", "/v1/calls"],
];

let world: FhirWorld;
beforeAll(async () => void (world = await createFhirWorld()));
afterAll(() => world.close());

describe.each(NEEDED)("%s", (type, scope, inV1) => {
  test(`needs ${scope} and nothing else, as ${inV1} does`, async () => {
    const key = await world.newKey([scope]);
    const lowest = world.clientOf(key);
    expect((await world.request("GET", inV1, { key })).status).toBe(200);
    const { status, body } = await lowest<Bundle>("GET", `/${type}`);
    expect([status, matchesIn(body).length > 0]).toEqual([200, true]);
    expect((await lowest("GET", `/${type}/${matchesIn(body)[0]!.id}`)).status).toBe(200);
    const others = await world.clientWith(ALL_SCOPES.filter((each) => each !== scope));
    for (const path of [`/${type}`, `/${type}/${matchesIn(body)[0]!.id}`])
      expect(issueOf(await others<OperationOutcome>("GET", path))).toBe("403 forbidden INSUFFICIENT_SCOPE");
    const posted = await others<OperationOutcome>("POST", `/${type}/_search`, { body: new URLSearchParams() });
    expect(issueOf(posted)).toBe("403 forbidden INSUFFICIENT_SCOPE");
  });

  test("of one organisation is nothing to another", async () => {
    const theirs = world.clientOf((await world.neighbour()).key);
    const { body } = await world.fhir<Bundle>("GET", `/${type}?_count=100`);
    for (const { id } of matchesIn(body))
      expect(issueOf(await theirs("GET", `/${type}/${id}`))).toBe("404 not-found NOT_FOUND");
    const ids = matchesIn(body)
      .map(({ id }) => id)
      .slice(0, 20)
      .join(",");
    for (const query of ["", `?_id=${ids}`])
      expect(matchesIn((await theirs<Bundle>("GET", `/${type}${query}`)).body)).toEqual([]);
  });
});

test("another organisation's references find nothing", async () => {
  const theirs = world.clientOf((await world.neighbour()).key);
  const { body } = await world.fhir<Appointment>("GET", `/Appointment/${fhirId(world.ids.asha)}`);
  const [patient, branch] = body.participant.map(({ actor }) => actor!.reference!);
  for (const path of [
    `/Appointment?patient=${patient}`,
    `/Appointment?location=${branch}`,
    `/Communication?patient=${patient}`,
    `/Slot?schedule=${body.slot![0]!.reference!.slice(5, 41)}`,
    `/Patient?identifier=M-1`,
    `/Patient?phone=${encodeURIComponent(FAMILY)}`,
  ])
    expect(matchesIn((await theirs<Bundle>("GET", path)).body)).toEqual([]);
});

test("an include needs the scope of what it brings", async () => {
  const lowest = await world.clientWith(["appointments:read", "directory:read"]);
  const path = "/Appointment?_include=Appointment:";
  expect(issueOf(await lowest("GET", `${path}patient`))).toBe("403 forbidden INSUFFICIENT_SCOPE");
  expect(issueOf(await lowest("GET", `${path}actor`))).toBe("403 forbidden INSUFFICIENT_SCOPE");
  expect((await lowest("GET", `${path}actor:Location`)).status).toBe(200);
});

test("a key in x-api-key, of a person or a revoked one opens nothing", async () => {
  const { keys } = world.app.services;
  const { key, key_id } = await keys.create(world.organisationId, { name: "x", scopes: ALL_SCOPES }, CLI_ACTOR);
  const path = "/Location";
  const asHeader = await world.fhir<OperationOutcome>("GET", path, { key: null, headers: { "x-api-key": key } });
  expect(issueOf(asHeader)).toBe("401 login UNAUTHORIZED");
  expect((await world.fhir("GET", path, { key })).status).toBe(200);
  await keys.revoke(world.organisationId, key_id, CLI_ACTOR);
  expect(issueOf(await world.fhir("GET", path, { key }))).toBe("401 login UNAUTHORIZED");
});

describe("a read of personal data is on record", () => {
  const audited = async (send: () => Promise<unknown>) => {
    const before = (await world.actionsOnRecord()).length;
    await send();
    return (await world.actionsOnRecord()).slice(before);
  };
  const fhir: SendFhir = (...request) => world.fhir(...request);

  test.each([
    ["/Appointment", "appointment.listed"],
    ["/Patient", "contact.listed"],
    ["/Communication", "call.listed"],
    ["/Appointment?_include=Appointment:patient", "contact.listed"],
  ])("%s: %s", async (path, action) => {
    expect(await audited(() => fhir("GET", path))).toContain(action);
  });

  test("each single one by its id", async () => {
    expect(await audited(() => fhir("GET", `/Appointment/${fhirId(world.ids.asha)}`))).toContain("appointment.read");
    const [patient] = matchesIn((await world.fhir<Bundle>("GET", "/Patient")).body);
    expect(await audited(() => fhir("GET", `/Patient/${patient!.id}`))).toContain("contact.read");
    const [call] = matchesIn((await world.fhir<Bundle>("GET", "/Communication")).body);
    expect(await audited(() => fhir("GET", `/Communication/${call!.id}`))).toContain("call.read");
  });

  test("and a read of windows or branches is not one", async () => {
    expect(await audited(() => fhir("GET", "/Slot"))).toEqual([]);
  });
});

test("an erased person is nobody", async () => {
  const number = "+919810055555";
  const callId = await world.dial({ user_name: "Gita Sen", user_number: number });
  world.carrier.complete(callId);
  await world.clock.advance(60_000);
  const search = `/Patient?phone=${encodeURIComponent(number)}`;
  const [patient] = matchesIn((await world.fhir<Bundle>("GET", search)).body);
  expect((await world.fhir("GET", `/Patient/${patient!.id}`)).status).toBe(200);
  expect((await world.request("DELETE", `/v1/calls/${callId}`)).status).toBe(200);
  expect(matchesIn((await world.fhir<Bundle>("GET", search)).body)).toEqual([]);
  for (const path of [`/Patient/${patient!.id}`, `/Communication/${fhirId(callId)}`])
    expect(issueOf(await world.fhir("GET", path))).toBe("404 not-found NOT_FOUND");
});
