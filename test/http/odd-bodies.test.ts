// Bodies that are expensive to process: many brackets, many fields. They are rejected before they are walked.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { MOST_STRANGERS_BODY_BYTES, parseJson } from "../../src/http/body.ts";
import { createHospital, outcome, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
let hook: string;
beforeAll(async () => {
  hospital = await createHospital();
  hook = `/v1/hooks/${(await hospital.app.services.hooks.regenerate(hospital.organisationId, CLI_ACTOR)).token}`;
});
afterAll(() => hospital.close());

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const stranger = (path: string, body: string) =>
  hospital.request("POST", path, { key: null, body, headers: { "x-ringward-dashboard": "1" } });

describe("a body of brackets", () => {
  test("is rejected with a message for every client: it took 9 seconds and ended in a 500", async () => {
    const deep = lists(120_000);
    expect(outcome(await hospital.request("POST", "/v1/calls", { body: deep }))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await hospital.request("POST", "/v1/calls", { body: `{"agent_id":${deep}}` }))).toBe(
      "400 VALIDATION_ERROR",
    );
    expect(outcome(await stranger(hook, deep))).toBe("400 VALIDATION_ERROR");
    for (const path of ["/dashboard/api/login", "/dashboard/api/setup", "/dashboard/api/demo-login"]) {
      expect(outcome(await stranger(path, deep))).toBe("413 PAYLOAD_TOO_LARGE");
      expect(outcome(await stranger(path, lists(1_500)))).toBe("400 VALIDATION_ERROR");
    }
  });

  const bytes = (text: string) => new TextEncoder().encode(text);
  test.each([
    ["a hundred levels", lists(100)],
    ["brackets in a text", JSON.stringify({ note: "[".repeat(1_000) })],
    ["brackets after an escaped quote", JSON.stringify({ note: `"\\"${"{".repeat(1_000)}` })],
    ["many levels one after the other", JSON.stringify(Array.from({ length: 1_000 }, () => [[[]]]))],
  ])("is taken where it is fine: %s", (_, text) => {
    expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
  });

  test.each([
    ["a level more", lists(101)],
    ["tables", '{"a":'.repeat(101) + "1" + "}".repeat(101)],
    ["a text that ends before them", `["\\\\",${lists(100)}]`],
  ])("is too deep with %s", (_, text) => {
    expect(() => parseJson(bytes(text))).toThrow("nested deeper than 100 levels");
  });
});

test("the body of an unauthenticated client is limited to the size of a setup", async () => {
  const of = (length: number) => JSON.stringify({ email: "a".repeat(length - '{"email":""}'.length) });
  expect(outcome(await stranger("/dashboard/api/login", of(MOST_STRANGERS_BODY_BYTES)))).toBe("400 VALIDATION_ERROR");
  expect(outcome(await stranger("/dashboard/api/login", of(MOST_STRANGERS_BODY_BYTES + 1)))).toBe(
    "413 PAYLOAD_TOO_LARGE",
  );
});

test("a value that cannot be written as text is refused by its field, at the API and at the dashboard: it was answered with 500", async () => {
  const odd = { toString: null };
  const call = await hospital.post({ user_name: odd, additional_info: { odd, list: [odd] } });
  expect([outcome(call), call.json.error.details]).toEqual([
    "400 VALIDATION_ERROR",
    [{ field: "user_name", message: expect.stringMatching(/^user_name must be text of at most 200 characters, /) }],
  ]);
  const branch = "0190a1b2-0000-7000-8000-000000000001";
  for (const to of [odd, [odd], { valueOf: 1, toString: [] }]) {
    const body = { branch_id: branch, contact_number: "+919810012345", to };
    const refused = await hospital.request("POST", "/v1/waitlist", { body });
    expect([outcome(refused), refused.json.error.message]).toEqual([
      "400 VALIDATION_ERROR",
      "to must be a date as YYYY-MM-DD.",
    ]);
  }
  const login = JSON.stringify({ email: odd, password: "x" });
  expect(outcome(await stranger("/dashboard/api/login", login))).toBe("400 VALIDATION_ERROR");
});

test("a value that cannot be converted to text is accepted where any value is", async () => {
  const odd = { toString: null, deep: [{ valueOf: 1, toString: 2 }] };
  const id = await hospital.schedule({ additional_info: { visit: odd } });
  expect((await hospital.view(id)).additional_info).toEqual({ visit: odd } as never);
});

describe("a text with a NUL in it", () => {
  const fieldOf = async (body: unknown) => {
    const answer = await hospital.request("POST", "/v1/calls", { body });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    return (answer.json as { error: { details: { field: string }[] } }).error.details[0]?.field;
  };
  const call = { agent_id: "agent_x", user_number: "+919810012345" };

  test("is rejected with its field, at any depth", async () => {
    expect(await fieldOf({ ...call, user_name: "Kama\0la" })).toBe("user_name");
    expect(await fieldOf({ ...call, additional_info: { visit: [{ note: "\0" }] } })).toBe(
      "additional_info.visit.0.note",
    );
    expect(await fieldOf({ ...call, additional_info: { "a\0b": 1 } })).toBe("additional_info");
    expect(await fieldOf(JSON.stringify("\0"))).toBe("body");
  });

  test("is not detected in six characters that only look like it", () => {
    const text = JSON.stringify({ note: String.raw`\u0000` });
    expect(text).toContain(String.raw`\u0000`);
    expect(parseJson(new TextEncoder().encode(text))).toEqual({ note: String.raw`\u0000` });
  });
});
