// The second factor at sign-in: codes, recovery codes, set-up on demand, and what an unfinished sign-in opens.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bytesOfBase32, hotp, stepAt } from "../../src/accounts/totp.ts";
import type { App } from "../../src/compose/app.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import {
  askDashboard,
  cookieOf,
  dashboardRoutes,
  PASSWORD,
  signedIn,
  type DashboardAnswer,
  type Visitor,
} from "../support/dashboard.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

let testApp: TestApp;
let app: App;
let owner: Visitor;
beforeAll(async () => {
  testApp = await createTestApp();
  ({ app } = testApp);
  owner = await signedIn(app, testApp.organisationId, "owner");
});
afterAll(() => testApp.close());

const API = "/dashboard/api";
const codeOf = (secret: string, steps = 0) => hotp(bytesOfBase32(secret), stepAt(testApp.clock.now()) + steps);
const nextStep = () => testApp.clock.advance(30 * SECOND_MS);
const isOpen = async (cookie: string) => (await askDashboard(app, "GET", `${API}/session`, { cookie })).status === 200;
const tryPassword = (email: string, password = PASSWORD) =>
  askDashboard(app, "POST", `${API}/login`, { body: { email, password } });
const giveCode = (cookie: string, code: string, source = "192.0.2.1") =>
  askDashboard(app, "POST", `${API}/sign-in/code`, { cookie, body: { code }, source });
const valueOf = <T>({ json }: DashboardAnswer) => json as unknown as T;
const fingerprint = ({ cookie }: Visitor) => app.services.sessions.fingerprintOf(tokenOf(cookie));
const tokenOf = (cookie: string) => cookie.split("=").slice(1).join("=");

/** Sets up an authenticator app; returns its secret and the recovery codes. */
async function withApp(person: Visitor): Promise<{ secret: string; codes: string[] }> {
  const begun = await person.ask("POST", `${API}/account/factors/code`, { password: PASSWORD });
  const { secret } = valueOf<{ secret: string }>(begun);
  const done = await person.ask("POST", `${API}/account/factors/code/confirm`, { code: codeOf(secret) });
  expect(done.status).toBe(200);
  const codes = valueOf<{ recovery_codes: string[] }>(done).recovery_codes;
  await nextStep();
  return { secret, codes };
}

const demand = (...roles: string[]) =>
  app.services.organisations.setSecondFactor(testApp.organisationId, roles, CLI_ACTOR);

describe("an authenticator app", () => {
  test("is asked for after the password, and opens the session", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const { secret, codes } = await withApp(person);
    expect(codes).toHaveLength(10);
    const half = await tryPassword(person.email);
    expect(half.json as object).toEqual({ ok: true, next: "factor", ways: { code: true, passkey: false } });
    expect(half.headers.getSetCookie()).toHaveLength(1);
    expect(half.headers.getSetCookie()[0]).toMatch(
      /^ringward_sign_in=[\w.-]+; Path=\/dashboard\/api; Max-Age=600; HttpOnly; SameSite=Strict$/,
    );
    const done = await giveCode(cookieOf(half), codeOf(secret));
    expect(done.status).toBe(200);
    expect(await isOpen(cookieOf(done))).toBeTrue();
    expect(done.headers.getSetCookie()[2]).toStartWith("ringward_sign_in=; ");
    const [session] = await app.services.sessionList.list(
      await app.services.sessionList.holderOf(testApp.organisationId, person.email),
      CLI_ACTOR,
    );
    expect(session).toMatchObject({ method: "password", factor: "code", address: "192.0.2.1" });
  });

  test("needs the password for its set-up, and a right first code", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const wrong = await person.ask("POST", `${API}/account/factors/code`, { password: "not this one" });
    expect([wrong.status, wrong.json.error.details?.[0]?.field]).toEqual([400, "password"]);
    const early = await person.ask("POST", `${API}/account/factors/code/confirm`, { code: "123456" });
    expect(early.status).toBe(409);
    const begun = await person.ask("POST", `${API}/account/factors/code`, { password: PASSWORD });
    const { secret } = valueOf<{ secret: string }>(begun);
    const off = await person.ask("POST", `${API}/account/factors/code/confirm`, { code: codeOf(secret, 60) });
    expect([off.status, off.json.error.details?.[0]?.field]).toEqual([400, "code"]);
    expect((await tryPassword(person.email)).json as object).toMatchObject({ next: "open" });
    testApp.clock.jump(31 * MINUTE_MS);
    const late = await person.ask("POST", `${API}/account/factors/code/confirm`, { code: codeOf(secret) });
    expect(late.status).toBe(409);
  });

  test("is stored sealed, and its recovery codes hashed", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const { secret, codes } = await withApp(person);
    const rows = JSON.stringify([
      await testApp.db.reader.selectFrom("totp_secrets").selectAll().execute(),
      await testApp.db.reader.selectFrom("recovery_codes").selectAll().execute(),
    ]);
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))])
      expect(rows).not.toContain(text);
  });

  test("ends the other sessions when it is set up and removed", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const other = cookieOf(await tryPassword(person.email));
    await withApp(person);
    expect([await isOpen(person.cookie), await isOpen(other)]).toEqual([true, false]);
    const removed = await person.ask("POST", `${API}/account/factors/code/remove`, { password: PASSWORD });
    expect(removed.status).toBe(200);
    const again = await tryPassword(person.email);
    expect(again.json as object).toMatchObject({ next: "open" });
    const left = await testApp.db.reader
      .selectFrom("recovery_codes")
      .selectAll()
      .where("person_id", "=", person.personId)
      .execute();
    expect(left).toEqual([]);
  });
});

describe("a code", () => {
  let person: Visitor;
  let secret: string;
  let codes: string[];
  beforeAll(async () => {
    person = await signedIn(app, testApp.organisationId, "staff");
    ({ secret, codes } = await withApp(person));
  });

  test("that was used is refused within its window, and in another sign-in", async () => {
    await nextStep();
    const code = codeOf(secret);
    const first = cookieOf(await tryPassword(person.email));
    const second = cookieOf(await tryPassword(person.email));
    expect((await giveCode(first, code)).status).toBe(200);
    const replayed = await giveCode(second, code);
    expect([replayed.status, replayed.json.error.message]).toEqual([
      400,
      "This code was used already. Wait for the next one.",
    ]);
    await nextStep();
    expect((await giveCode(second, code)).status).toBe(400);
    expect((await giveCode(second, codeOf(secret))).status).toBe(200);
  });

  test("given twice at once opens one session", async () => {
    await nextStep();
    const tickets = [cookieOf(await tryPassword(person.email)), cookieOf(await tryPassword(person.email))];
    const code = codeOf(secret);
    const all = Promise.all(tickets.map((ticket) => giveCode(ticket, code)));
    await testApp.clock.advance(5 * SECOND_MS);
    expect((await all).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  test("stays used if the clock is set back", async () => {
    await nextStep();
    const code = codeOf(secret);
    expect((await giveCode(cookieOf(await tryPassword(person.email)), code)).status).toBe(200);
    testApp.clock.jump(60 * MINUTE_MS);
    const ticket = cookieOf(await tryPassword(person.email));
    testApp.clock.jump(-60 * MINUTE_MS);
    const replayed = await giveCode(ticket, code);
    expect([replayed.status, replayed.json.error.message]).toEqual([
      400,
      "This code was used already. Wait for the next one.",
    ]);
  });

  test("of another time says how the clocks differ, and codes of a clock set far back work again", async () => {
    await nextStep();
    const ticket = cookieOf(await tryPassword(person.email));
    const off = await giveCode(ticket, codeOf(secret, 10));
    expect(off.json.error.message).toStartWith(
      "The code is for another time: the telephone's clock is about 5 min ahead of the appliance's.",
    );
    // A clock that was a year ahead locks out no app afterwards.
    testApp.clock.jump(365 * 24 * 60 * MINUTE_MS);
    expect((await giveCode(cookieOf(await tryPassword(person.email)), codeOf(secret))).status).toBe(200);
    testApp.clock.jump(-365 * 24 * 60 * MINUTE_MS);
    await nextStep();
    expect((await giveCode(cookieOf(await tryPassword(person.email)), codeOf(secret))).status).toBe(200);
  });

  test("that is wrong is refused, recorded, and slowed down for strangers only", async () => {
    const ticket = cookieOf(await tryPassword(person.email));
    const tries = Array.from({ length: 12 }, () => giveCode(ticket, "000000", "198.51.100.9"));
    await testApp.clock.advance(20 * SECOND_MS);
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    const recorded = await testApp.db.reader
      .selectFrom("audit_entries")
      .select("detail")
      .where("action", "=", "person.second_factor_refused")
      .where("subject_id", "=", person.personId)
      .execute();
    expect(recorded.length).toBeGreaterThanOrEqual(7);
    // The person, elsewhere, is not locked out.
    await nextStep();
    const own = cookieOf(await tryPassword(person.email));
    expect((await giveCode(own, codeOf(secret), "203.0.113.77")).status).toBe(200);
  });

  test("of the recovery codes works once, typed in any way", async () => {
    const [code = ""] = codes;
    const ticket = cookieOf(await tryPassword(person.email));
    const done = await giveCode(ticket, ` ${code.toUpperCase().replaceAll("-", " ")}`, "203.0.113.78");
    expect(done.status).toBe(200);
    const view = await askDashboard(app, "GET", `${API}/account/factors`, { cookie: cookieOf(done) });
    expect(view.json as object).toMatchObject({ recovery_codes_left: 9 });
    const again = cookieOf(await tryPassword(person.email));
    expect((await giveCode(again, code, "203.0.113.79")).status).toBe(400);
    // Another person's code is none.
    const other = await signedIn(app, testApp.organisationId, "staff");
    const { secret: otherSecret } = await withApp(other);
    const others = cookieOf(await tryPassword(other.email));
    expect((await giveCode(others, codes[1]!, "203.0.113.80")).status).toBe(400);
    expect((await giveCode(others, codeOf(otherSecret), "203.0.113.80")).status).toBe(200);
  });

  test("of the recovery codes stops working when new ones are made", async () => {
    await nextStep();
    const done = await giveCode(cookieOf(await tryPassword(person.email)), codeOf(secret), "203.0.113.81");
    const renewed = await askDashboard(app, "POST", `${API}/account/factors/recovery-codes`, {
      cookie: cookieOf(done),
      body: { password: PASSWORD },
    });
    const { recovery_codes: fresh } = valueOf<{ recovery_codes: string[] }>(renewed);
    expect(fresh).toHaveLength(10);
    const ticket = cookieOf(await tryPassword(person.email));
    expect((await giveCode(ticket, codes[2]!, "203.0.113.82")).status).toBe(400);
    expect((await giveCode(ticket, fresh[0]!, "203.0.113.82")).status).toBe(200);
  });
});

describe("an unfinished sign-in", () => {
  test("opens no route, as its own cookie or as a session", async () => {
    const person = await signedIn(app, testApp.organisationId, "owner");
    await withApp(person);
    const ticket = cookieOf(await tryPassword(person.email));
    const routes = dashboardRoutes(app).filter(({ role }) => role !== "nobody");
    expect(routes.length).toBeGreaterThan(100);
    for (const { method, path } of routes) {
      for (const cookie of [ticket, `ringward_session=${tokenOf(ticket)}`]) {
        const address = path.replaceAll(/:\w+/g, "x");
        const { status } = await askDashboard(app, method, address, { cookie, ...(method !== "GET" && { body: {} }) });
        expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: 401`);
      }
    }
    const welcome = await askDashboard(app, "GET", `${API}/welcome`, { cookie: ticket });
    expect(welcome.json as object).toMatchObject({ signed_in: false });
  });

  test("is refused forged, late, used, of another step, and after a new password", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const { secret, codes } = await withApp(person);
    const give = async (cookie: string, code = codeOf(secret)) => (await giveCode(cookie, code)).status;
    const ticket = cookieOf(await tryPassword(person.email));
    const [body = "", mac = ""] = tokenOf(ticket).split(".");
    const changed = { ...(JSON.parse(Buffer.from(body, "base64url").toString()) as object), personId: owner.personId };
    const forged = Buffer.from(JSON.stringify(changed)).toString("base64url");
    expect(await give(`ringward_sign_in=${forged}.${mac}`)).toBe(401);
    expect(await give("ringward_sign_in=")).toBe(401);
    expect(await give(`ringward_sign_in=${"A".repeat(3_000)}`)).toBe(401);
    const setUp = await askDashboard(app, "POST", `${API}/sign-in/set-up/code`, { cookie: ticket });
    expect(setUp.status).toBe(401);

    expect(await give(ticket)).toBe(200);
    await nextStep();
    // The same ticket with a fresh code.
    expect(await give(ticket)).toBe(401);

    const late = cookieOf(await tryPassword(person.email));
    testApp.clock.jump(10 * MINUTE_MS);
    expect(await give(late, codes[0])).toBe(401);

    const before = cookieOf(await tryPassword(person.email));
    await owner.ask("PATCH", `${API}/people/${person.email}`, { password: "another long password" });
    expect(await give(before, codes[0])).toBe(401);
    const disabled = cookieOf(await tryPassword(person.email, "another long password"));
    await owner.ask("PATCH", `${API}/people/${person.email}`, { enabled: false });
    expect(await give(disabled, codes[0])).toBe(401);
  });
});

describe("a second factor on demand", () => {
  test("is set up at the next sign-in, before anything else", async () => {
    const person = await signedIn(app, testApp.organisationId, "viewer");
    await demand("viewer");
    expect(await isOpen(person.cookie)).toBeFalse();
    const half = await tryPassword(person.email);
    expect(half.json as object).toMatchObject({ next: "set_up" });
    const cookie = cookieOf(half);
    expect(await isOpen(cookie)).toBeFalse();
    expect((await giveCode(cookie, "123456")).status).toBe(401);
    const begun = await askDashboard(app, "POST", `${API}/sign-in/set-up/code`, { cookie });
    const { secret, url } = valueOf<{ secret: string; url: string }>(begun);
    expect(url).toContain(`secret=${secret}`);
    const confirm = (code: string, as = cookie) =>
      askDashboard(app, "POST", `${API}/sign-in/set-up/code/confirm`, { cookie: as, body: { code } });
    expect((await confirm("12345")).status).toBe(400);
    const second = cookieOf(await tryPassword(person.email));
    const done = await confirm(codeOf(secret));
    expect([done.status, valueOf<{ recovery_codes: string[] }>(done).recovery_codes.length]).toEqual([200, 10]);
    expect(await isOpen(cookieOf(done))).toBeTrue();
    // A second set-up with the same password is too late.
    const again = await askDashboard(app, "POST", `${API}/sign-in/set-up/code`, { cookie: second });
    const other = valueOf<{ secret: string }>(again).secret;
    expect((await confirm(codeOf(other), second)).status).toBe(409);
    await nextStep();
    expect((await tryPassword(person.email)).json as object).toMatchObject({ next: "factor" });
    // The last factor of such a role stays.
    const remove = await askDashboard(app, "POST", `${API}/account/factors/code/remove`, {
      cookie: cookieOf(done),
      body: { password: PASSWORD },
    });
    expect(remove.status).toBe(409);
    expect((await tryPassword(person.email)).json as object).toMatchObject({ next: "factor" });
    await demand();
  });

  test("is set by owners, for known roles", async () => {
    const staff = await signedIn(app, testApp.organisationId, "staff");
    const put = (who: Visitor, roles: string[]) => who.ask("PUT", `${API}/settings/second-factor`, { roles });
    expect((await put(staff, [])).status).toBe(403);
    expect((await put(owner, ["admin"])).status).toBe(400);
    expect((await put(owner, ["staff", "auditor"])).status).toBe(200);
    const { organisation } = valueOf<{ organisation: { second_factor_roles: string[] } }>(
      await owner.ask("GET", `${API}/settings`),
    );
    expect(organisation.second_factor_roles).toEqual(["staff", "auditor"]);
    expect((await put(owner, [])).status).toBe(200);
  });

  test("ends every session that has none, whichever way the person comes to need it", async () => {
    const { organisationId } = testApp;
    const { people } = app.services;
    const patch = (email: string, role: string) => owner.ask("PATCH", `${API}/people/${email}`, { role });
    const ways: Record<string, (email: string) => Promise<unknown>> = {
      dashboard: (email) => patch(email, "staff"),
      cli: (email) => people.setBounds(organisationId, email, { role: "staff" }, CLI_ACTOR),
    };
    await demand("staff");
    for (const [way, promote] of Object.entries(ways)) {
      const person = await signedIn(app, organisationId, "viewer");
      const stream = await app.services.sessions.liveAmong([fingerprint(person)]);
      expect([way, await isOpen(person.cookie), stream.size]).toEqual([way, true, 1]);
      await promote(person.email);
      const after = await app.services.sessions.liveAmong([fingerprint(person)]);
      expect([way, await isOpen(person.cookie), after.size]).toEqual([way, false, 0]);
      const unlock = await person.ask("POST", `${API}/unlock`, { password: PASSWORD });
      expect(unlock.status).toBe(401);
      expect((await tryPassword(person.email)).json as object).toMatchObject({ next: "set_up" });
      const holder = await app.services.sessionList.holderOf(organisationId, person.email);
      expect(await app.services.sessionList.list(holder, CLI_ACTOR)).toEqual([]);
    }
    await demand();
  });

  test("keeps sessions with one: a code, a passkey alone, or one set up in the session", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const { secret } = await withApp(person);
    const byCode = cookieOf(await giveCode(cookieOf(await tryPassword(person.email)), codeOf(secret), "203.0.113.90"));
    const passkeyAlone = await signedIn(app, testApp.organisationId, "staff");
    await testApp.db.write((tx) =>
      tx.updateTable("sessions").set({ method: "passkey" }).where("person_id", "=", passkeyAlone.personId).execute(),
    );
    await demand("staff");
    for (const cookie of [byCode, person.cookie, passkeyAlone.cookie]) expect(await isOpen(cookie)).toBeTrue();
    await demand();
  });

  test("is reset by another owner or the command line, and the person signs in again", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    await withApp(person);
    const staff = await signedIn(app, testApp.organisationId, "staff");
    const reset = (who: Visitor, email: string) => who.ask("POST", `${API}/people/${email}/reset-factor`);
    expect((await reset(staff, person.email)).status).toBe(403);
    expect((await reset(owner, owner.email)).status).toBe(409);
    expect((await reset(owner, "nobody@hospital.example")).status).toBe(404);
    const elsewhere = await app.services.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    const stranger = await signedIn(app, elsewhere.id, "owner");
    expect((await reset(stranger, person.email)).status).toBe(404);
    expect(await isOpen(person.cookie)).toBeTrue();
    expect((await reset(owner, person.email)).status).toBe(200);
    expect(await isOpen(person.cookie)).toBeFalse();
    expect((await tryPassword(person.email)).json as object).toMatchObject({ next: "open" });
    const view = await askDashboard(app, "GET", `${API}/people`, { cookie: owner.cookie });
    const row = valueOf<{ email: string; second_factor: string }[]>(view).find(({ email }) => email === person.email);
    expect(row?.second_factor).toBe("none");
    const asStaff = valueOf<{ second_factor: string | null }[]>(await staff.ask("GET", `${API}/people`));
    expect(new Set(asStaff.map(({ second_factor }) => second_factor))).toEqual(new Set([null]));
  });
});

test("used codes and tickets are forgotten after their time", async () => {
  const rows = () => testApp.db.reader.selectFrom("spent_proofs").selectAll().execute();
  expect((await rows()).length).toBeGreaterThan(0);
  await app.services.sessions.forgetExpired(testApp.clock.now() + 500 * 24 * 60 * MINUTE_MS);
  expect(await rows()).toEqual([]);
});

test("a clock that is not trusted is named where a code is refused", async () => {
  const person = await signedIn(app, testApp.organisationId, "staff");
  await withApp(person);
  const doubted = { ...testApp.clock, doubtedMs: () => 0 };
  const { createFactorService } = await import("../../src/accounts/factor-service.ts");
  const { ids, audit, secrets } = app.services;
  const factors = createFactorService({ db: testApp.db, clock: doubted, ids, audit, secrets });
  const row = await testApp.db.reader
    .selectFrom("people")
    .selectAll()
    .where("id", "=", person.personId)
    .executeTakeFirstOrThrow();
  const taken = await testApp.db.write((tx) => factors.takeCode(tx, row, "000000"));
  expect(taken).toMatchObject({ refused: "wrong" });
  expect(JSON.stringify(taken)).toContain("The clock of this appliance is not trusted");
});
