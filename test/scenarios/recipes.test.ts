// The programs of the handbook's recipes, as they stand there, with the executable and with servers that answer as the
// source code of OpenMRS and OpenEMR does.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, tempFolder, type Running } from "../support/binary.ts";
import { startQuick } from "../support/calls.ts";

leaveNothingBehind();

const DAY_MS = 86_400_000;
const HANDBOOK = join(import.meta.dir, "../../src/handbook");
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS + 3 * DAY_MS + 5 * 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

interface Mirrored {
  external_id: string;
  status: string;
  starts_at: string;
  contact_name: string;
  contact_number: string;
  contact_identifiers: object[];
  practitioner: { id: string; name: string | null } | null;
  branch_id: string;
}

let server: Running;
beforeAll(async () => {
  server = await startQuick();
});
afterAll(() => server.kill());

async function addSource(name: string): Promise<string> {
  const { data } = await ask(server, "POST", "/v1/sources", { body: { name, kind: "api" } });
  return String(data["source_id"]);
}

async function mirrored(sourceId: string): Promise<Mirrored[]> {
  const { text } = await ask(server, "GET", `/v1/appointments?source_id=${sourceId}&limit=100`);
  const { data } = JSON.parse(text) as { data: Mirrored[] };
  return data.toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1));
}

/** Runs the program of a page; returns what it said of each appointment. */
async function runRecipe(page: string, env: Record<string, string>): Promise<string[]> {
  const folder = tempFolder();
  const [, program = ""] = /```python\n(.*?)```/s.exec(readFileSync(join(HANDBOOK, page), "utf8")) ?? [];
  writeFileSync(join(folder, "recipe.py"), program);
  writeFileSync(join(folder, "ringward.py"), await (await fetch(`${server.url}/docs/clients/ringward.py`)).text());
  const given = { RINGWARD: server.url, RINGWARD_KEY: server.demo["api_key"] ?? "", ...env };
  const run = Bun.spawn(["python3", "-W", "error", "-B", "recipe.py"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...given },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, faults] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  expect({ code: await run.exited, faults }).toEqual({ code: 0, faults: "" });
  return out
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .toSorted();
}

test("OpenMRS: appointments arrive, a second run changes nothing, and a cancelled one is cancelled", async () => {
  const location = { name: "Eye clinic", uuid: crypto.randomUUID() };
  const service = { name: "Eye", uuid: crypto.randomUUID() };
  const appointment = (id: string, more: object) => ({
    uuid: id,
    appointmentNumber: "0000",
    patient: { name: "Asha Rao", uuid: `patient-${id}`, identifier: "GAN203006", customAttributes: {} },
    service,
    serviceType: null,
    location,
    providers: [{ uuid: "provider-1", name: "Dr. Mehta", response: "ACCEPTED", comments: null }],
    startDateTime: START,
    endDateTime: START + 900_000,
    appointmentKind: "Scheduled",
    status: "Scheduled",
    voided: false,
    ...more,
  });
  const first = appointment("a", {});
  const second = appointment("b", { providers: [], status: "Missed" });
  let answered = [first, second];
  const asked: unknown[] = [];
  const openmrs = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(request.headers.get("authorization"));
      if (pathname === "/openmrs/ws/rest/v1/appointments/search") {
        const period = (await request.json()) as { startDate: string; endDate: string };
        expect(Date.parse(period.endDate) - Date.parse(period.startDate)).toBe(31 * DAY_MS);
        return Response.json(answered);
      }
      const attributes = [{ attributeType: { display: "phoneNumber" }, value: "098765 43210" }];
      return pathname.startsWith("/openmrs/ws/rest/v1/patient/patient-")
        ? Response.json({ person: { attributes } })
        : new Response(null, { status: 404 });
    },
  });
  const source = await addSource("OpenMRS");
  const run = () =>
    runRecipe("recipe-openmrs.md", {
      OPENMRS: `http://127.0.0.1:${openmrs.port}/openmrs/`,
      OPENMRS_LOGIN: "reader:pass",
      RINGWARD_SOURCE: source,
    });
  expect(await run()).toEqual(["a created", "b created"]);
  expect(asked[0]).toBe(`Basic ${btoa("reader:pass")}`);
  expect(await mirrored(source)).toMatchObject([
    {
      external_id: "a",
      status: "confirmed",
      starts_at: iso(START),
      contact_name: "Asha Rao",
      contact_number: "+919876543210",
      contact_identifiers: [{ system: "mrn", value: "GAN203006" }],
      practitioner: { id: "provider-1", name: "Dr. Mehta" },
      branch_id: location.uuid,
    },
    { external_id: "b", status: "no_show", practitioner: null },
  ]);
  expect(await run()).toEqual(["a unchanged", "b unchanged"]);
  answered = [{ ...first, status: "Cancelled" }, second];
  expect(await run()).toEqual(["a updated", "b unchanged"]);
  expect((await mirrored(source))[0]?.status).toBe("cancelled");
  await openmrs.stop(true);
}, 180_000);

test("OpenEMR: pages are followed, and names and numbers are those of the patients", async () => {
  const location = crypto.randomUUID();
  const appointment = (id: string, status: string, actors: string[]) => ({
    resourceType: "Appointment",
    id,
    meta: { versionId: "1", lastUpdated: iso(Date.now() - 3_600_000) },
    status,
    participant: actors.map((reference) => ({ actor: { reference }, status: "accepted" })),
    start: iso(START),
    end: iso(START + 900_000),
  });
  const patient = {
    resourceType: "Patient",
    identifier: [{ use: "official", system: "http://terminology.hl7.org/CodeSystem/v2-0203", value: "17" }],
    name: [{ use: "official", family: "Johnson", given: ["John", "Q"] }],
    telecom: [
      { system: "email", value: "john@hospital.example" },
      { system: "phone", use: "home", value: "(608) 271-9000" },
      { system: "phone", use: "mobile", value: "202-555-0123" },
    ],
  };
  const openemr = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, searchParams, origin } = new URL(request.url);
      if (request.headers.get("authorization") !== "Bearer token") return new Response(null, { status: 401 });
      if (pathname.endsWith("/Patient/p1")) return Response.json(patient);
      if (!pathname.endsWith("/Appointment")) return new Response(null, { status: 404 });
      const isSecond = searchParams.has("page");
      const resource = isSecond
        ? appointment("e2", "cancelled", ["Patient/p1", `Location/${location}`])
        : appointment("e1", "pending", ["Patient/p1", "Practitioner/d1", `Location/${location}`]);
      const next = { relation: "next", url: `${origin}${pathname}?page=2` };
      return Response.json({ resourceType: "Bundle", entry: [{ resource }], link: isSecond ? [] : [next] });
    },
  });
  const source = await addSource("OpenEMR");
  const told = await runRecipe("recipe-openemr.md", {
    OPENEMR_FHIR: `http://127.0.0.1:${openemr.port}/apis/default/fhir`,
    OPENEMR_TOKEN: "token",
    RINGWARD_SOURCE: source,
  });
  expect(told).toEqual(["e1 created", "e2 created"]);
  expect(await mirrored(source)).toMatchObject([
    {
      external_id: "e1",
      status: "confirmed",
      starts_at: iso(START),
      contact_name: "John Q Johnson",
      contact_number: "+12025550123",
      practitioner: { id: "d1" },
      branch_id: location,
    },
    { external_id: "e2", status: "cancelled", practitioner: null },
  ]);
  await openemr.stop(true);
}, 180_000);

test("n8n: the workflows are JSON whose nodes are connected, and send fields that Ringward knows", () => {
  const page = readFileSync(join(HANDBOOK, "recipe-n8n.md"), "utf8");
  const workflows = [...page.matchAll(/```json\n(.*?)```/gs)].map(
    ([, text = ""]) => JSON.parse(text) as { nodes: { name: string; type: string }[]; connections: object },
  );
  expect(workflows).toHaveLength(2);
  for (const { nodes, connections } of workflows) {
    const names = nodes.map(({ name }) => name);
    const joined = [...JSON.stringify(connections).matchAll(/"node":"([^"]+)"/g)].map(([, name]) => name);
    expect([...Object.keys(connections), ...joined].filter((name) => !names.includes(String(name)))).toEqual([]);
    expect(new Set(joined).size).toBe(nodes.length - 1);
  }
});
