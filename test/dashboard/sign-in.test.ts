// Signing in and out: the cookie, its lifetime, and protection against guessing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { App } from "../../src/compose/app.ts";
import { NOBODYS_HASH, hashPassword } from "../../src/accounts/password.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import {
  askDashboard,
  cookieOf,
  createEmptyAppliance,
  PASSWORD,
  signedIn,
  signIn,
  type Visitor,
} from "../support/dashboard.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";
import { cpuMsOf } from "../support/cpu-time.ts";

let testApp: TestApp;
let app: App;
beforeAll(async () => {
  testApp = await createTestApp();
  ({ app } = testApp);
});
afterAll(() => testApp.close());

const HERE = { source: "192.0.2.1", deviceToken: null };
const isWelcome = async (cookie: string, on = app) =>
  (await askDashboard(on, "GET", "/dashboard/api/session", { cookie })).status === 200;
const tryPassword = (email: string, password: string, source = "192.0.2.1") =>
  askDashboard(app, "POST", "/dashboard/api/login", { body: { email, password }, source });

describe("the cookie", () => {
  test("is HttpOnly, same-site, and limited to the dashboard's path", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    const { headers } = await tryPassword(person.email, PASSWORD);
    const [pair, ...attributes] = headers.getSetCookie()[0]!.split("; ");
    expect(pair).toMatch(/^ringward_session=[\w-]{43}$/);
    expect(attributes.toSorted()).toEqual([
      "HttpOnly",
      `Max-Age=${7 * 24 * 3600}`,
      "Path=/dashboard",
      "SameSite=Strict",
    ]);
  });

  test("is sent only over TLS if the dashboard is served by https", async () => {
    const secure = await createTestApp({
      settings: { RINGWARD_DASHBOARD_URL: "https://calls.hospital.example/dashboard" },
    });
    const person = await signedIn(secure.app, secure.organisationId, "viewer");
    const answer = await askDashboard(secure.app, "POST", "/dashboard/api/login", {
      body: { email: person.email, password: PASSWORD },
    });
    expect(answer.headers.get("set-cookie")).toContain("; Secure");
    const out = await askDashboard(secure.app, "POST", "/dashboard/api/logout", { cookie: cookieOf(answer) });
    expect(out.headers.get("set-cookie")).toMatch(/^ringward_session=; .*Max-Age=0; .*Secure/);
    await secure.close();
  });

  test("is stored hashed", async () => {
    const { cookie } = await signedIn(app, testApp.organisationId, "viewer");
    const rows = await testApp.db.reader.selectFrom("sessions").selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(cookie.split("=")[1]!);
  });
});

describe("a session", () => {
  let person: Visitor;
  let owner: Visitor;
  beforeEach(async () => {
    person = await signedIn(app, testApp.organisationId, "staff");
    owner = await signedIn(app, testApp.organisationId, "owner");
  });

  test("ends at sign-out, also for a stolen cookie", async () => {
    expect(await isWelcome(person.cookie)).toBeTrue();
    await person.ask("POST", "/dashboard/api/logout");
    expect(await isWelcome(person.cookie)).toBeFalse();
  });

  test("ends immediately when an owner sets the password, or disables the person", async () => {
    await owner.ask("PATCH", `/dashboard/api/people/${person.email}`, { password: "another long password" });
    expect(await isWelcome(person.cookie)).toBeFalse();
    const again = await signIn(app, person.email, "another long password");
    await owner.ask("PATCH", `/dashboard/api/people/${person.email}`, { enabled: false });
    expect(await isWelcome(again)).toBeFalse();
    expect((await tryPassword(person.email, "another long password")).status).toBe(401);
    await owner.ask("PATCH", `/dashboard/api/people/${person.email}`, { enabled: true });
    expect(await isWelcome(again)).toBeFalse();
    expect((await tryPassword(person.email, "another long password")).status).toBe(200);
  });

  test("of a disabled person is invalid, even if its row was left", async () => {
    await testApp.db.write((tx) =>
      tx.updateTable("people").set({ disabled_at: 1 }).where("email", "=", person.email).execute(),
    );
    expect(await isWelcome(person.cookie)).toBeFalse();
  });

  test("and all others of the person end when they change the password themselves; a new one starts", async () => {
    const elsewhere = await signIn(app, person.email, PASSWORD);
    const wrong = await person.ask("POST", "/dashboard/api/password", {
      current: "not this one",
      password: "another long password",
    });
    expect([wrong.status, wrong.json.error.details?.[0]?.field]).toEqual([400, "current"]);
    expect(await isWelcome(person.cookie)).toBeTrue();
    const changed = await person.ask("POST", "/dashboard/api/password", {
      current: PASSWORD,
      password: "another long password",
    });
    expect(changed.status).toBe(200);
    expect([await isWelcome(person.cookie), await isWelcome(elsewhere), await isWelcome(cookieOf(changed))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("does not let owners change their own account without the old password", async () => {
    for (const body of [{ role: "viewer" }, { enabled: false }, { password: "another long password" }]) {
      expect((await owner.ask("PATCH", `/dashboard/api/people/${owner.email}`, body)).status).toBe(409);
    }
    expect(await isWelcome(owner.cookie)).toBeTrue();
  });
});

describe("the lifetime of a session", () => {
  test("ends seven days after its last use", async () => {
    const { cookie } = await signedIn(app, testApp.organisationId, "viewer");
    testApp.clock.jump(7 * DAY_MS - 1);
    // Asking for the current user is not activity.
    expect((await askDashboard(app, "GET", "/dashboard/api/welcome", { cookie })).json as object).toMatchObject({
      signed_in: true,
    });
    testApp.clock.jump(1);
    expect(await isWelcome(cookie)).toBeFalse();
  });

  test("is extended by activity, and the browser's cookie is updated", async () => {
    const { ask, cookie } = await signedIn(app, testApp.organisationId, "viewer");
    testApp.clock.jump(9 * MINUTE_MS);
    expect((await ask("GET", "/dashboard/api/session")).headers.get("set-cookie")).toBeNull();
    testApp.clock.jump(6 * DAY_MS);
    const { headers } = await ask("GET", "/dashboard/api/session");
    expect(headers.get("set-cookie")).toStartWith(`${cookie}; Path=/dashboard; Max-Age=${7 * 24 * 3600}`);
    testApp.clock.jump(6 * DAY_MS);
    expect(await isWelcome(cookie)).toBeTrue();
  });

  test("ends after 30 days, whatever the activity", async () => {
    const { cookie } = await signedIn(app, testApp.organisationId, "viewer");
    for (let day = 1; day < 30; day++) {
      testApp.clock.jump(DAY_MS);
      expect(`day ${day}: ${await isWelcome(cookie)}`).toBe(`day ${day}: true`);
    }
    testApp.clock.jump(DAY_MS);
    expect(await isWelcome(cookie)).toBeFalse();
  });

  test("that is over leaves no row", async () => {
    await signedIn(app, testApp.organisationId, "viewer");
    testApp.clock.jump(8 * DAY_MS);
    await app.services.sessions.forgetExpired(testApp.clock.now());
    expect(await testApp.db.reader.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });
});

describe("guessing", () => {
  const wrongTries = async (email: string, source: string, tries: number) => {
    for (let i = 0; i < tries; i++) expect((await tryPassword(email, "wrong password", source)).status).toBe(401);
  };
  const deviceOf = (headers: Headers) => headers.getSetCookie()[1]!.split(";")[0]!;

  test("from elsewhere does not lock out the correct password", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    for (let i = 0; i < 5; i++) await wrongTries(person.email, `198.51.100.${i}`, 1);
    expect((await tryPassword(person.email, PASSWORD, "203.0.113.7")).status).toBe(200);
  });

  test("from the same address delays the correct password, but accepts it", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    await wrongTries(person.email, "198.51.100.7", 3);
    const answer = tryPassword(person.email, PASSWORD, "198.51.100.7");
    await testApp.clock.advance(1_000);
    expect((await answer).status).toBe(200);
  });

  test("concurrently is no faster than sequentially, and the rest get a Retry-After", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    const all = Array.from({ length: 12 }, () => tryPassword(person.email, "wrong password", "198.51.100.99"));
    await testApp.clock.advance(20_000);
    const answers = await Promise.all(all);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeWithin(1, 5 * 60 + 1);
  });

  test("does not affect a device on which the person signed in before, wherever it is", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    const { headers } = await tryPassword(person.email, PASSWORD);
    const device = deviceOf(headers);
    expect(headers.getSetCookie()[1]).toMatch(
      /^ringward_device=[\w-]{43}; Path=\/dashboard\/api; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    );
    const attack = Array.from({ length: 12 }, () => tryPassword(person.email, "wrong password", "10.0.0.1"));
    const signInHere = (cookie: string) =>
      askDashboard(app, "POST", "/dashboard/api/login", {
        body: { email: person.email, password: PASSWORD },
        source: "10.0.0.1",
        cookie,
      });
    const welcomed = await signInHere(device);
    expect(welcomed.status).toBe(200);
    expect(deviceOf(welcomed.headers)).toBe(device);
    // Another person's device, an invented one and none at all count as unknown.
    const other = await signedIn(app, testApp.organisationId, "viewer");
    const others = deviceOf((await tryPassword(other.email, PASSWORD)).headers);
    for (const cookie of [others, `ringward_device=${"A".repeat(43)}`, "ringward_device=%", ""])
      expect((await signInHere(cookie)).status).toBe(429);
    await testApp.clock.advance(20_000);
    await Promise.all(attack);
  });

  test("is not easier with an old device: a new password, or half a year, makes it unknown", async () => {
    const owner = await signedIn(app, testApp.organisationId, "owner");
    const person = await signedIn(app, testApp.organisationId, "viewer");
    await tryPassword(person.email, PASSWORD);
    const devices = () => testApp.db.reader.selectFrom("known_devices").selectAll().execute();
    const ofPerson = async () => (await devices()).filter(({ person_id }) => person_id === person.personId).length;
    expect(await ofPerson()).toBe(2);
    await owner.ask("PATCH", `/dashboard/api/people/${person.email}`, { password: "another long password" });
    expect(await ofPerson()).toBe(0);
    testApp.clock.jump(180 * DAY_MS);
    await app.services.sessions.forgetExpired(testApp.clock.now());
    expect(await devices()).toEqual([]);
  });

  test("and devices: a person has at most twenty, and the cookie is stored hashed", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    let device = "";
    for (let i = 0; i < 25; i++) {
      testApp.clock.jump(1_000);
      device = (await app.services.sessions.openFor(person.email, HERE, { method: "setup" })).deviceToken;
    }
    const rows = await testApp.db.reader
      .selectFrom("known_devices")
      .selectAll()
      .where("person_id", "=", person.personId)
      .execute();
    expect(rows).toHaveLength(20);
    expect(JSON.stringify(rows)).not.toContain(device);
  });

  test("is slowed for the own password too, separately from unknown clients", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    const attack = Array.from({ length: 12 }, () => tryPassword(person.email, "wrong password", "192.0.2.1"));
    const guess = () =>
      person.ask("POST", "/dashboard/api/password", { current: "wrong password", password: "another long password" });
    const all = Array.from({ length: 12 }, guess);
    await testApp.clock.advance(20_000);
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    await Promise.all(attack);
  });

  test("a delayed attempt does not sign in a person who was disabled meanwhile", async () => {
    const owner = await signedIn(app, testApp.organisationId, "owner");
    const person = await signedIn(app, testApp.organisationId, "viewer");
    await wrongTries(person.email, "198.51.100.8", 3);
    const held = tryPassword(person.email, PASSWORD, "198.51.100.8");
    await owner.ask("PATCH", `/dashboard/api/people/${person.email}`, { enabled: false });
    await testApp.clock.advance(1_000);
    expect((await held).status).toBe(401);
  });

  test("reveals nothing about whether the address is known: same answer, about the same time", async () => {
    testApp.clock.jump(HOUR_MS);
    const person = await signedIn(app, testApp.organisationId, "viewer");
    const medianMs = async (emailOf: (i: number) => string) => {
      const times: number[] = [];
      for (let i = 0; i < 5; i++) {
        const costMs = await cpuMsOf(async () => {
          const { status, json } = await tryPassword(emailOf(i), "wrong password", `198.51.100.${50 + i}`);
          expect([status, json.error.message]).toEqual([401, "The e-mail address or the password is wrong."]);
        });
        times.push(costMs);
      }
      return times.toSorted((a, b) => a - b)[2]!;
    };
    const known = await medianMs(() => person.email);
    const unknown = await medianMs((i) => `stranger${i}@hospital.example`);
    expect(unknown / known).toBeWithin(0.4, 2.5);
    expect(NOBODYS_HASH.split("$").slice(0, 4)).toEqual((await hashPassword(PASSWORD)).split("$").slice(0, 4));
  });
});

test("the demo's one-click sign-in works only in a demo", async () => {
  expect((await askDashboard(app, "POST", "/dashboard/api/demo-login")).status).toBe(404);
  const demo = await createEmptyAppliance({ demoEmail: "owner@demo.invalid" });
  await demo.app.services.setup.createFirst(
    { organisation: "Demo", timeZone: "UTC", email: "owner@demo.invalid", name: "Owner", password: PASSWORD },
    { kind: "cli", id: null },
  );
  const answer = await askDashboard(demo.app, "POST", "/dashboard/api/demo-login");
  expect(answer.status).toBe(200);
  expect(await isWelcome(cookieOf(answer), demo.app)).toBeTrue();
  const byName = async (host: string) =>
    (
      await demo.app.handle(
        new Request("http://localhost/dashboard/api/demo-login", {
          method: "POST",
          headers: { "x-ringward-dashboard": "1", host },
        }),
      )
    ).status;
  // DNS rebinding: a page of another site whose name points here.
  expect(await byName("rebound.attacker.example:8080")).toBe(401);
  expect(await byName("127.0.0.1:8080")).toBe(200);
  await demo.close();
});
