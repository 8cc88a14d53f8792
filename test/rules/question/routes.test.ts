// The question before the call over the API: address, secret, test question; scopes and walls between organisations.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SafePost } from "../../../src/events/safe-post/safe-post.ts";
import { createHospital, outcome, type Hospital } from "../../support/hospital.ts";

const URL = "https://his.hospital.example/before-call";
const PATH = "/v1/call-question";

const posted: string[] = [];
/** Set by a test that holds the next answer back. */
let held: { asked: PromiseWithResolvers<void>; answered: PromiseWithResolvers<void> } | null = null;
const safePost: SafePost = {
  checkUrl: () => {},
  async post({ body }) {
    posted.push(String(body));
    held?.asked.resolve();
    await held?.answered.promise;
    return { kind: "answered", status: 200, excerpt: '{"answer":"drop","reason":"admitted"}', durationMs: 12 };
  },
};

let hospital: Hospital;
beforeAll(async () => void (hospital = await createHospital({ safePost })));
afterAll(() => hospital.close());

const ask = (method: string, path = "", body?: unknown, key?: string) =>
  hospital.request(method, PATH + path, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

test("is set, read, changed, rotated and removed; the secret is shown once", async () => {
  for (const [method, path] of [["GET"], ["DELETE"], ["POST", "/try"], ["POST", "/rotate"]] as const)
    expect(outcome(await ask(method, path))).toBe("404 NOT_FOUND");

  const made = (await ask("PUT", "", { url: URL, fails: "closed" })).json.data as unknown as { secret: string };
  expect(made.secret).toMatch(/^whsec_/);
  const { text, json } = await ask("GET");
  expect(json.data).toMatchObject({ url: URL, fails: "closed", previous_secret_until: null });
  expect(text).not.toContain('secret"');

  const changed = await ask("PUT", "", { url: URL, fails: "open" });
  expect(changed.json.data).toMatchObject({ fails: "open", secret: null });
  const rotated = (await ask("POST", "/rotate")).json.data as unknown as typeof made;
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(made.secret);

  expect((await ask("POST", "/try")).json.data as unknown).toEqual({
    answer: "drop",
    until: null,
    reason: "admitted",
    problem: null,
    duration_ms: 12,
  });
  expect(posted.at(-1)).toContain('"test":true');

  expect((await ask("DELETE")).json.data as unknown).toEqual({ deleted: true });
  expect(outcome(await ask("GET"))).toBe("404 NOT_FOUND");
  const actions = await hospital.actionsOnRecord();
  for (const action of ["question.changed", "question.secret_rotated", "question.tried", "question.removed"])
    expect(actions).toContain(action);
});

test("one test question of an organisation is under way at a time", async () => {
  await ask("PUT", "", { url: URL, fails: "open" });
  const now = { asked: Promise.withResolvers<void>(), answered: Promise.withResolvers<void>() };
  held = now;
  const first = ask("POST", "/try");
  await now.asked.promise;
  const second = await ask("POST", "/try");
  expect([outcome(second), second.headers.get("retry-after")]).toEqual(["429 RATE_LIMITED", "2"]);
  held = null;
  now.answered.resolve();
  expect(outcome(await first)).toBe("200 ok");
  expect(outcome(await ask("POST", "/try"))).toBe("200 ok");
});

test("other organisations neither see nor change it", async () => {
  await ask("PUT", "", { url: URL, fails: "closed" });
  const { key } = await hospital.neighbour();
  expect(outcome(await ask("GET", "", undefined, key))).toBe("404 NOT_FOUND");
  expect(outcome(await ask("DELETE", "", undefined, key))).toBe("404 NOT_FOUND");
  expect(outcome(await ask("POST", "/try", undefined, key))).toBe("404 NOT_FOUND");
  await ask("PUT", "", { url: "https://other.example/", fails: "open" }, key);
  expect((await ask("GET")).json.data).toMatchObject({ url: URL, fails: "closed" });
});

test("reading and writing have a scope each", async () => {
  const [reads, writes] = [await hospital.newKey(["question:read"]), await hospital.newKey(["question:write"])];
  expect(outcome(await ask("GET", "", undefined, reads))).toBe("200 ok");
  expect(outcome(await ask("GET", "", undefined, writes))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await ask("PUT", "", { url: URL, fails: "open" }, reads))).toBe("403 INSUFFICIENT_SCOPE");
  for (const [method, path] of [["DELETE"], ["POST", "/try"], ["POST", "/rotate"]] as const)
    expect(outcome(await ask(method, path, undefined, reads))).toBe("403 INSUFFICIENT_SCOPE");
  expect(outcome(await ask("PUT", "", { url: URL, fails: "open" }, writes))).toBe("200 ok");
});

test.each([
  ["url", { fails: "open" }],
  ["fails", { url: URL, fails: "maybe" }],
  ["fails", { url: URL }],
])("a wrong %s is rejected: %j", async (field, body) => {
  const { status, text } = await ask("PUT", "", body);
  expect([status, text]).toEqual([400, expect.stringContaining(`"${field}"`)]);
});
