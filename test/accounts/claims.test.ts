// Data of another organisation is not revealed, as far as possible.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/core/clock.ts";
import { PASSWORD, signedIn, type Visitor } from "../support/dashboard.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const EMAIL = "asha@elsewhere.example";
const NUMBER = "+15555550100";

let testApp: TestApp;
let owner: Visitor;
let otherId: string;
beforeEach(async () => {
  testApp = await createTestApp();
  owner = await signedIn(testApp.app, testApp.organisationId, "owner");
  const { organisations, people, agents } = testApp.app.services;
  otherId = (await organisations.create({ name: "Elsewhere", timeZone: "UTC" }, CLI_ACTOR)).id;
  await people.create(otherId, { email: EMAIL, name: "Asha", role: "owner", password: PASSWORD }, CLI_ACTOR);
  await agents.addNumber(otherId, { number: NUMBER }, CLI_ACTOR);
});
afterEach(() => testApp.close());

const addPerson = (email: string) =>
  owner.ask("POST", "/dashboard/api/people", { email, name: "Somebody", role: "viewer", password: PASSWORD });
const addNumber = (number: string) => owner.ask("POST", "/dashboard/api/numbers", { number });
const refusals = () =>
  testApp.db.reader.selectFrom("audit_entries").selectAll().where("action", "like", "%.refused").execute();

describe("another organisation's", () => {
  test.each([
    ["e-mail address", () => addPerson(EMAIL), "person.refused"],
    ["phone number", () => addNumber(NUMBER), "phone_number.refused"],
  ])("%s is refused without saying why, and noted without it", async (_, add, action) => {
    const { status, text, json } = await add();
    expect([status, json.error.code]).toEqual([409, "CONFLICT"]);
    expect(text).not.toMatch(/exist|already|taken|organisation|elsewhere/i);
    const entries = await refusals();
    expect(entries).toMatchObject([
      { action, organisation_id: testApp.organisationId, actor_id: owner.personId, subject_id: null, detail: "{}" },
    ]);
  });

  test("addresses and numbers cannot be enumerated", async () => {
    for (let i = 0; i < 3; i++) expect((await addPerson(EMAIL)).status).toBe(409);
    for (let i = 0; i < 2; i++) expect((await addNumber(NUMBER)).status).toBe(409);
    // From here on the answer is the same, whether it is free or not.
    for (const add of [
      addPerson(EMAIL),
      addPerson("free@hospital.example"),
      addNumber(NUMBER),
      addNumber("+15555550111"),
    ])
      expect((await add).status).toBe(429);
    expect(await refusals()).toHaveLength(5);
    testApp.clock.jump(DAY_MS);
    expect((await addNumber("+15555550111")).status).toBe(200);
  });

  test("a rejection says when the oldest of the five is a day old, and then one more can be tried", async () => {
    for (let i = 0; i < 5; i++) {
      expect((await addNumber(NUMBER)).status).toBe(409);
      testApp.clock.jump(HOUR_MS);
    }
    const refused = await addNumber("+15555550111");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, String(19 * 3_600)]);
    testApp.clock.jump(19 * HOUR_MS - SECOND_MS);
    expect((await addNumber("+15555550111")).status).toBe(429);
    testApp.clock.jump(SECOND_MS);
    expect((await addNumber(NUMBER)).status).toBe(409);
    expect((await addNumber(NUMBER)).headers.get("retry-after")).toBe("3600");
  });

  test("concurrent attempts do not exceed the limit", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => addNumber(NUMBER)));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

test("the organisation's own is named as such, and not counted", async () => {
  expect((await addNumber("+15555550111")).status).toBe(200);
  for (let i = 0; i < 7; i++) {
    const { status, json } = await addNumber("+15555550111");
    expect([status, json.error.message]).toEqual([409, "This phone number is already registered."]);
  }
  const { json } = await addPerson(owner.email);
  expect(json.error.message).toBe("A person with this e-mail address already exists.");
  expect(await refusals()).toEqual([]);
});

test("the command line is told the reason, and not limited", async () => {
  const { agents } = testApp.app.services;
  for (let i = 0; i < 7; i++) {
    await expect(agents.addNumber(testApp.organisationId, { number: NUMBER }, CLI_ACTOR)).rejects.toThrow(
      "This phone number is in use in another organisation.",
    );
  }
});
