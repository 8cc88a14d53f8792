// The routes behind the question before a call: who may see and change it, and what is shown of its secret.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { signedInHospital, type SignedInHospital } from "./signed-in.ts";

let inside: SignedInHospital;
beforeAll(async () => {
  inside = await signedInHospital();
});
afterAll(() => inside.hospital.close());

const URL = "https://his.hospital.example/before-call";

test("owners set, rotate and remove it; staff see it; the secret is shown once", async () => {
  const body = { url: URL, fails: "closed" };
  for (const role of ["viewer", "staff"] as const) {
    expect((await inside.ask(role, "PUT", "question", body)).status).toBe(403);
    expect((await inside.ask(role, "POST", "question/try")).status).toBe(403);
  }
  expect((await inside.ask("viewer", "GET", "question")).status).toBe(403);
  expect((await inside.ask("staff", "GET", "question")).json as unknown).toEqual({ question: null });
  expect((await inside.ask("owner", "POST", "question/rotate")).status).toBe(404);

  const made = (await inside.ask("owner", "PUT", "question", body)).json as unknown as { secret: string };
  expect(made.secret).toMatch(/^whsec_/);
  const shown = (await inside.ask("staff", "GET", "question")).json;
  expect(shown).toMatchObject({ question: { url: URL, fails: "closed", previous_secret_until: null } });
  expect(JSON.stringify(shown)).not.toContain("whsec_");

  const changed = (await inside.ask("owner", "PUT", "question", { url: URL, fails: "open" })).json;
  expect(changed).toMatchObject({ fails: "open", secret: null });
  const rotated = (await inside.ask("owner", "POST", "question/rotate")).json as unknown as typeof made;
  expect(rotated.secret).not.toBe(made.secret);
  expect(rotated).toMatchObject({ previous_secret_until: expect.any(String) });

  expect((await inside.ask("owner", "DELETE", "question")).status).toBe(200);
  expect((await inside.ask("staff", "GET", "question")).json as unknown).toEqual({ question: null });
  const actions = await inside.hospital.actionsOnRecord();
  for (const action of ["question.changed", "question.secret_rotated", "question.removed"])
    expect(actions).toContain(action);
});

test.each([
  ["url", { url: "http://his.hospital.example/", fails: "open" }],
  ["url", { url: "https://10.1.2.3/", fails: "open" }],
  ["url", { url: "https://user:pass@his.hospital.example/", fails: "open" }],
  ["fails", { url: URL, fails: "maybe" }],
])("a wrong %s is refused: %j", async (field, body) => {
  const { status, json } = await inside.ask("owner", "PUT", "question", body);
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(`"${field}"`)]);
});
