// Sources over the API: their life, and the appointments that they send.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BRANCH, createClinic, type Clinic } from "../../calendar/clinic.ts";
import { outcome } from "../../support/hospital.ts";

let clinic: Clinic;
beforeAll(async () => {
  clinic = await createClinic();
});
afterAll(() => clinic.close());

let made = 0;
const create = async (changes: object = {}) => {
  const answer = await clinic.request("POST", "/v1/sources", {
    body: { name: `HIS ${++made}`, kind: "api", ...changes },
  });
  return answer.json.data as unknown as { source_id: string; name: string };
};
const put = (sourceId: string, body: unknown, key?: string) =>
  clinic.request("PUT", `/v1/sources/${sourceId}/appointments`, { body, ...(key === undefined ? {} : { key }) });
const appointment = (changes: object = {}) => ({
  external_id: "A-1",
  changed_at: "2026-11-15T11:00:00+05:30",
  starts_at: "2026-11-18T10:15:00+05:30",
  branch_id: BRANCH,
  contact_name: "Asha Rao",
  contact_number: "+919810012345",
  ...changes,
});

describe("a source", () => {
  test("is created with everything owned, read, changed, listed and removed", async () => {
    const { source_id, name } = await create();
    const read = await clinic.request("GET", `/v1/sources/${source_id}`);
    expect(read.json.data as object).toMatchObject({
      source_id,
      kind: "api",
      settings: {},
      owns: ["time", "status", "service", "branch", "contact", "practitioner"],
      enabled: true,
      last_heard_at: null,
    });
    const patch = { owns: ["status", "time", "time"], enabled: false };
    expect(
      (await clinic.request("PATCH", `/v1/sources/${source_id}`, { body: patch })).json.data as object,
    ).toMatchObject({
      owns: ["time", "status"],
      enabled: false,
    });
    const second = await clinic.request("POST", "/v1/sources", { body: { name, kind: "fhir" } });
    expect(outcome(second)).toBe("409 CONFLICT");
    const { json } = await clinic.request("GET", "/v1/sources?kind=api&limit=1");
    expect(json.data).toHaveLength(1);
    expect(outcome(await clinic.request("DELETE", `/v1/sources/${source_id}`))).toBe("200 ok");
    expect(outcome(await clinic.request("GET", `/v1/sources/${source_id}`))).toBe("404 NOT_FOUND");
    // Its name is free again.
    expect((await create({ name })).name).toBe(name);
  });

  test.each([
    { kind: "fax" },
    { name: " " },
    { owns: ["weather"] },
    { settings: { folder: "/x" } },
    { settings: { text: "x".repeat(20_001) } },
  ])("is refused: %#", async (changes) => {
    const body = { name: `HIS ${++made}`, kind: "api", ...changes };
    expect(outcome(await clinic.request("POST", "/v1/sources", { body }))).toBe("400 VALIDATION_ERROR");
  });

  test("of another organisation is not found, and needs its scope", async () => {
    const { source_id } = await create();
    const { key } = await clinic.neighbour();
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { enabled: false }],
      ["DELETE", "", undefined],
      ["PUT", "/appointments", appointment()],
    ] as const) {
      const address = `/v1/sources/${source_id}${path}`;
      const more = body === undefined ? {} : { body };
      expect(outcome(await clinic.request(method, address, { key, ...more }))).toBe("404 NOT_FOUND");
      const reader = await clinic.newKey(method === "GET" ? ["appointments:write"] : ["sources:read"]);
      expect(outcome(await clinic.request(method, address, { key: reader, ...more }))).toBe("403 INSUFFICIENT_SCOPE");
    }
  });
});

describe("appointments of a source", () => {
  test("are answered one by one, in order", async () => {
    const { source_id } = await create();
    const appointments = [
      appointment(),
      appointment({ external_id: "A-2", starts_at: "tomorrow" }),
      appointment({ external_id: "A-3", contact_number: "12345" }),
      appointment(),
      appointment({ status: "cancelled", changed_at: "2026-11-15T10:00:00+05:30" }),
      appointment({ contact_identifiers: [{ system: "mrn", value: "4711" }], changed_at: null }),
    ];
    const { json } = await put(source_id, { appointments });
    const answers = json.data as unknown as { external_id: string; outcome: string; field: string | null }[];
    expect(answers.map((each) => [each.external_id, each.outcome, each.field])).toEqual([
      ["A-1", "created", null],
      ["A-2", "refused", "starts_at"],
      ["A-3", "refused", "contact_number"],
      ["A-1", "unchanged", null],
      ["A-1", "stale", null],
      ["A-1", "updated", null],
    ]);
    const heard = await clinic.request("GET", `/v1/sources/${source_id}`);
    expect((heard.json.data as Record<string, unknown>)["last_heard_at"]).not.toBeNull();
  });

  test("are one without a list", async () => {
    const { source_id } = await create();
    const { json } = await put(source_id, appointment());
    expect(json.data as unknown as unknown[]).toMatchObject([
      { external_id: "A-1", outcome: "created", message: null },
    ]);
  });

  test.each([
    {},
    { appointments: [] },
    { appointments: [{ starts_at: "2026-11-18T10:15:00+05:30" }] },
    { appointments: Array.from({ length: 501 }, () => appointment()) },
    { ...appointment(), appointments: [appointment()] },
  ])("are refused as a whole: %#", async (body) => {
    const { source_id } = await create();
    expect(outcome(await put(source_id, body))).toBe("400 VALIDATION_ERROR");
  });

  test("are found by source and id", async () => {
    const { source_id } = await create();
    await put(source_id, { appointments: [appointment(), appointment({ external_id: "A-2" })] });
    const found = async (query: string) =>
      (
        (await clinic.request("GET", `/v1/appointments?${query}`)).json.data as unknown as { external_id: string }[]
      ).map(({ external_id }) => external_id);
    expect(await found(`source_id=${source_id}&external_id=A-2`)).toEqual(["A-2"]);
    expect((await found(`source_id=${source_id}`)).toSorted()).toEqual(["A-1", "A-2"]);
    expect(outcome(await clinic.request("GET", "/v1/appointments?external_id=A-2"))).toBe("400 VALIDATION_ERROR");
    const { key } = await clinic.neighbour();
    const foreign = await clinic.request("GET", `/v1/appointments?source_id=${source_id}`, { key });
    expect(foreign.json.data).toEqual([] as never);
  });

  test("with the same id at once are one", async () => {
    const { source_id } = await create();
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(source_id, appointment())));
    const outcomes = answers.map(({ json }) => (json.data as unknown as { outcome: string }[])[0]?.outcome);
    expect(outcomes.filter((each) => each === "created")).toHaveLength(1);
    expect(outcomes.filter((each) => each === "unchanged")).toHaveLength(7);
  });
});
