// Addresses that are too long, badly encoded or overloaded: each has a documented answer, the same for every client.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { LONGEST_ADDRESS, MOST_ESCAPES, MOST_QUERY_PARAMETERS } from "../../src/http/request-bounds.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital()));
afterAll(() => hospital.close());

const stranger = (method: string, path: string, headers: Record<string, string> = {}) =>
  hospital.request(method, path, { key: null, headers });
const filledTo = (length: number, start: string) => start + "a".repeat(length - start.length);

describe("an address", () => {
  test("of the maximum length is accepted, and one more character is 414", async () => {
    expect(outcome(await stranger("GET", filledTo(LONGEST_ADDRESS, "/v1/calls/")))).toBe("401 UNAUTHORIZED");
    for (const start of ["/v1/calls/", "/x?", "/v1/hooks/", "/public/call/x?token="]) {
      expect(outcome(await stranger("GET", filledTo(LONGEST_ADDRESS + 1, start)))).toBe("414 URI_TOO_LONG");
    }
    expect((await stranger("GET", filledTo(LONGEST_ADDRESS + 1, "/"))).headers.get("x-request-id")).toStartWith("req_");
  });

  test("has a maximum number of parameters and encoded characters", async () => {
    const query = (count: number) => `/x?${Array.from({ length: count }, () => "a=1").join("&")}`;
    expect((await stranger("GET", query(MOST_QUERY_PARAMETERS))).status).toBe(404);
    expect(outcome(await stranger("GET", query(MOST_QUERY_PARAMETERS + 1)))).toBe("414 URI_TOO_LONG");
    expect((await stranger("GET", `/x?a=${"%41".repeat(MOST_ESCAPES)}`)).status).toBe(404);
    expect(outcome(await stranger("GET", `/x?a=${"%41".repeat(MOST_ESCAPES)}+`))).toBe("414 URI_TOO_LONG");
  });

  test("with a search of a hundred Devanagari letters is accepted", async () => {
    expect((await stranger("GET", `/x?search=${encodeURIComponent("क".repeat(100))}`)).status).toBe(404);
  });
});

describe("an impossible id is an unknown id", () => {
  const ODD_IDS = ["%00", "a%00b", "%zz", "%ff", "%", "a%2", "%e0%a4", "x".repeat(1_500)];

  test.each(ODD_IDS)("%p: 401 without a key, 404 with one", async (id) => {
    for (const [method, path] of [
      ["GET", `/v1/calls/${id}`],
      ["DELETE", `/v1/calls/${id}`],
      ["POST", `/v1/calls/${id}/cancel`],
      ["GET", `/v1/appointments/${id}`],
      ["GET", `/v1/appointment-slots/${id}`],
    ] as const) {
      expect([path, outcome(await stranger(method, path))]).toEqual([path, "401 UNAUTHORIZED"]);
      expect([path, outcome(await hospital.request(method, path))]).toEqual([path, "404 NOT_FOUND"]);
    }
  });

  test.each(ODD_IDS)("%p: 401 if the address is the credential", async (id) => {
    for (const [method, path] of [
      ["POST", `/v1/hooks/${id}`],
      ["GET", `/public/call/${id}`],
      ["GET", `/public/call/${id}?token=x`],
      ["GET", `/public/call/${id}/recording.wav`],
      ["GET", `/media/${id}/recording.wav`],
      ["GET", `/media/${id}/transcript.json?expires=1&signature=x`],
    ] as const) {
      expect([path, outcome(await stranger(method, path))]).toEqual([path, "401 UNAUTHORIZED"]);
    }
  });

  test("elsewhere there is nothing at these addresses", async () => {
    for (const path of ["/x/%zz", "/%zz", "/v1/%zz", "/swagger/%zz", "/docs/%zz"])
      expect([path, outcome(await stranger("GET", path))]).toEqual([path, "404 NOT_FOUND"]);
  });
});

describe("cookies of other services on the same host", () => {
  test("do not hide ours, at any position", async () => {
    const { people } = hospital.app.services;
    const { CLI_ACTOR } = await import("../../src/core/actor.ts");
    const person = { email: "a@example.test", name: "A", role: "viewer" as const, password: "correct horse battery" };
    await people.create(hospital.organisationId, person, CLI_ACTOR);
    const signedIn = await hospital.request("POST", "/dashboard/api/login", {
      key: null,
      headers: { "x-ringward-dashboard": "1" },
      body: { email: person.email, password: person.password },
    });
    const own = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    const foreign = "other=1; ".repeat(400);
    const fakes = "xringward_session=wrong; my-ringward_session=wrong; ";
    for (const cookie of [own, `${foreign}${own}`, `${own}; ${foreign}`, `${fakes}${foreign}${own};${foreign}`])
      expect((await stranger("GET", "/dashboard/api/session", { cookie })).status).toBe(200);
    expect((await stranger("GET", "/dashboard/api/session", { cookie: foreign })).status).toBe(401);
  });
});

test.each(["status", "user_number", "cursor", "limit", "unknown"])(
  "a NUL in a query is looked for like any other odd character: %s",
  async (name) => {
    const [nul, odd] = await Promise.all(
      ["%00", "%EF%BF%BD"].map((value) => hospital.request("GET", `/v1/calls?${name}=a${value}b`)),
    );
    expect(outcome(nul!)).toBe(outcome(odd!));
  },
);
