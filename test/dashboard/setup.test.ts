// First setup over HTTP: the code sets up an empty appliance, once, and guessing it is cheap for the server.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { createSetupService } from "../../src/accounts/setup-service.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createAccounts } from "../support/accounts.ts";
import { askDashboard, cookieOf, createEmptyAppliance, PASSWORD } from "../support/dashboard.ts";
import { rejectionOf } from "../support/temp.ts";

const FORM = {
  organisation: "St. Mary",
  time_zone: "Asia/Kolkata",
  email: "Owner@Hospital.example",
  name: "Kamala",
  password: PASSWORD,
};

let appliance: Awaited<ReturnType<typeof createEmptyAppliance>>;
beforeEach(async () => void (appliance = await createEmptyAppliance()));
afterEach(() => appliance.close());

const setUp = (changes: Record<string, unknown>, source?: string) =>
  askDashboard(appliance.app, "POST", "/dashboard/api/setup", {
    body: { ...FORM, ...changes },
    ...(source === undefined ? {} : { source }),
  });
const welcome = async () => (await askDashboard(appliance.app, "GET", "/dashboard/api/welcome")).json as object;

test("the code creates the hospital and its owner, who is signed in", async () => {
  expect(await welcome()).toEqual({
    needs_setup: true,
    demo: false,
    signed_in: false,
    locked: false,
    sends_mail: false,
    directories: { ldap: null, oidc: null },
  });
  const answer = await setUp({ code: await appliance.app.services.setup.issueCode() });
  expect(answer.status).toBe(200);
  const session = await askDashboard(appliance.app, "GET", "/dashboard/api/session", { cookie: cookieOf(answer) });
  expect(session.json as object).toMatchObject({
    person: { email: "owner@hospital.example", name: "Kamala", role: "owner" },
    organisation: { name: "St. Mary", time_zone: "Asia/Kolkata", plan: "base" },
  });
  expect(await welcome()).toEqual({
    needs_setup: false,
    demo: false,
    signed_in: false,
    locked: false,
    sends_mail: false,
    directories: { ldap: null, oidc: null },
  });
});

test("the code works once, and no code works on a set-up appliance", async () => {
  const { setup } = appliance.app.services;
  const code = await setup.issueCode();
  expect((await setUp({ code })).status).toBe(200);
  expect((await setUp({ code, email: "second@hospital.example" })).status).toBe(409);
  const late = await setup.issueCode();
  expect((await setUp({ code: late, email: "second@hospital.example" })).status).toBe(409);
});

test("an error in the form needs only a correction", async () => {
  const code = await appliance.app.services.setup.issueCode();
  const short = await setUp({ code, password: "short" });
  expect([short.status, short.json.error.details?.[0]?.field]).toEqual([400, "password"]);
  expect((await setUp({ code })).status).toBe(200);
});

test("however many clients guess, the right code works immediately", async () => {
  for (let i = 0; i < 100; i++) expect((await setUp({ code: `guess${i}` }, "198.51.100.1")).status).toBe(401);
  const code = await appliance.app.services.setup.issueCode();
  expect(Buffer.from(code, "base64url")).toHaveLength(18);
  expect((await setUp({ code }, "198.51.100.1")).status).toBe(200);
});

test("a wrong code is rejected before any password is hashed", async () => {
  const accounts = await createAccounts();
  let hashed = 0;
  const { people } = accounts;
  const counted: Parameters<typeof createSetupService>[0]["people"] = {
    prepare: (input) => (hashed++, people.prepare(input)),
    createWithin: (...person) => people.createWithin(...person),
  };
  const setup = createSetupService({ ...accounts, people: counted });
  const code = await setup.issueCode();
  const first = { organisation: "St. Mary", timeZone: "UTC", email: "a@x.example", name: "A", password: PASSWORD };
  expect((await rejectionOf<AppError>(setup.redeemCode("guess", first, SYSTEM_ACTOR))).code).toBe("UNAUTHORIZED");
  expect(hashed).toBe(0);
  await setup.redeemCode(code, first, SYSTEM_ACTOR);
  expect(hashed).toBe(1);
  expect((await rejectionOf<AppError>(setup.redeemCode(code, first, SYSTEM_ACTOR))).code).toBe("CONFLICT");
  expect(hashed).toBe(1);
  await accounts.db.close();
});
