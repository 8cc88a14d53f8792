// Invitations and password resets by e-mail: a link that works once, for its person alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { App } from "../../src/compose/app.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createMailLoop } from "../../src/mail/mail-queue.ts";
import type { Mail } from "../../src/mail/smtp.ts";
import { askDashboard, PASSWORD, signedIn, type Visitor } from "../support/dashboard.ts";
import { mailSettings } from "../support/smtp-server.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

const API = "/dashboard/api";
const NEW_PASSWORD = "a new correct horse";

let testApp: TestApp;
let app: App;
let sent: Mail[];
let sources = 0;
beforeAll(async () => {
  const settings = { ...mailSettings({ port: 25, caFile: "" }), RINGWARD_BASE_URL: "https://ringward.example" };
  testApp = await createTestApp({ logged: true, settings });
  ({ app } = testApp);
});
afterAll(() => testApp.close());

let person: Visitor;
let owner: Visitor;
beforeEach(async () => {
  testApp.clock.jump(2 * HOUR_MS);
  person = await signedIn(app, testApp.organisationId, "staff");
  owner = await signedIn(app, testApp.organisationId, "owner");
  sent = [];
});

/** Sends what waits. */
async function mails(): Promise<Mail[]> {
  await app.services.passwordLinks.settled();
  const { clock, db } = testApp;
  const smtp = { send: async (mail: Mail) => void sent.push(mail), stop() {} };
  const { secrets } = app.services;
  await createMailLoop({
    clock,
    db,
    secrets,
    smtp,
    wake() {},
    logger: silentLogger,
    metrics: createMetrics(),
  }).runDue();
  await clock.advance(0);
  return sent;
}

const post = (path: string, body: object, source = `198.51.100.${++sources}`) =>
  askDashboard(app, "POST", `${API}/${path}`, { body, source, headers: { "x-ringward-dashboard": "1" } });
const forgot = (email: string, source?: string) => post("forgot-password", { email }, source);
const tokenIn = ({ text }: Mail): string => /https:\/\/ringward\.example\/dashboard\/password#(\S+)/.exec(text)![1]!;
const use = (token: string, password = NEW_PASSWORD) => post("password-link/use", { token, password });
const signInWith = async (password: string) => (await post("login", { email: person.email, password })).status;
const isShown = async (token: string) => (await post("password-link", { token })).json as unknown;

/** The token of a reset that the person asked for. */
async function resetToken(): Promise<string> {
  await forgot(person.email);
  return tokenIn((await mails()).at(-1)!);
}

describe("a forgotten password", () => {
  test("is set anew by the link of an e-mail, which ends every session and signs nobody in", async () => {
    expect((await forgot(` ${person.email.toUpperCase()} `)).json as object).toEqual({ ok: true });
    const [mail] = await mails();
    expect(mail!.to).toBe(person.email);
    const token = tokenIn(mail!);
    expect(await isShown(token)).toEqual({ link: { purpose: "reset", email: person.email } });
    const { status, headers } = await use(token);
    expect([status, headers.get("set-cookie")]).toEqual([200, null]);
    expect((await person.ask("GET", `${API}/session`)).status).toBe(401);
    expect([await signInWith(PASSWORD), await signInWith(NEW_PASSWORD)]).toEqual([401, 200]);
  });

  test("answers the same for an unknown and a disabled person, who get no e-mail", async () => {
    await app.services.people.disable(testApp.organisationId, person.email, CLI_ACTOR);
    const known = await forgot(owner.email);
    for (const email of ["nobody@hospital.example", person.email]) {
      const { status, text } = await forgot(email);
      expect([status, text]).toEqual([known.status, known.text]);
    }
    expect((await mails()).map(({ to }) => to)).toEqual([owner.email]);
  });

  test("is sent at most three times an hour, and asked for at most twenty times from one address", async () => {
    for (let i = 0; i < 4; i++) await forgot(person.email);
    expect(await mails()).toHaveLength(3);
    const source = "203.0.113.7";
    for (let i = 0; i < 20; i++) expect((await forgot(`nobody${i}@hospital.example`, source)).status).toBe(200);
    const { status, headers } = await forgot("nobody@hospital.example", source);
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await forgot(owner.email)).status).toBe(200);
  });
});

describe("a link", () => {
  test("works once, also when it is used twice at once", async () => {
    const token = await resetToken();
    const both = await Promise.all([use(token), use(token, "another correct horse")]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await use(token)).status).toBe(401);
    expect(await isShown(token)).toEqual({ link: null });
  });

  test("ends after 30 minutes, with a newer one, and with a new password", async () => {
    const late = await resetToken();
    testApp.clock.jump(30 * MINUTE_MS);
    expect((await use(late)).status).toBe(401);
    const older = await resetToken();
    const newer = await resetToken();
    expect((await use(older)).status).toBe(401);
    await app.services.people.setPassword(testApp.organisationId, person.email, "set by an owner", CLI_ACTOR);
    expect((await use(newer)).status).toBe(401);
    expect(await signInWith("set by an owner")).toBe(200);
  });

  test("of a person who was disabled since does nothing", async () => {
    const token = await resetToken();
    await app.services.people.disable(testApp.organisationId, person.email, CLI_ACTOR);
    expect([await isShown(token), (await use(token)).status]).toEqual([{ link: null }, 401]);
  });

  test("needs a password that is long enough, and still works after a refused one", async () => {
    const token = await resetToken();
    expect((await use(token, "short")).status).toBe(400);
    expect((await use(token)).status).toBe(200);
  });

  test("that was made up is refused", async () => {
    for (const token of ["x", "0".repeat(64), "'; DROP TABLE password_links; --"])
      expect([await isShown(token), (await use(token)).status]).toEqual([{ link: null }, 401]);
    expect((await post("password-link", { token: "x".repeat(101) })).status).toBe(400);
  });

  test("is neither stored nor logged, and its use is on record", async () => {
    const token = await resetToken();
    await use(token);
    const rows = await testApp.db.reader.selectFrom("password_links").selectAll().execute();
    const entries = await testApp.db.reader
      .selectFrom("audit_entries")
      .selectAll()
      .where("subject_id", "=", person.personId)
      .execute();
    expect(JSON.stringify(rows) + JSON.stringify(entries) + testApp.logLines.join("\n")).not.toContain(token);
    expect(testApp.logLines.join("\n")).not.toContain(person.email);
    const actions = entries.map(({ action }) => action);
    expect(actions).toContain("person.reset_requested");
    expect(actions).toContain("person.password_reset");
  });
});

describe("an invitation", () => {
  const invite = (who: Visitor, email = person.email) =>
    who.ask("POST", `${API}/people/${encodeURIComponent(email)}/invitation`, {});

  test("is sent by an owner, and works for seven days", async () => {
    expect((await invite(owner)).status).toBe(200);
    const token = tokenIn((await mails())[0]!);
    testApp.clock.jump(7 * DAY_MS - MINUTE_MS);
    expect(await isShown(token)).toEqual({ link: { purpose: "invitation", email: person.email } });
    testApp.clock.jump(MINUTE_MS);
    expect((await use(token)).status).toBe(401);
  });

  test("is for owners, for their own people, who are not disabled, three times an hour", async () => {
    const other = await app.services.organisations.create({ name: "Other", timeZone: "Asia/Kolkata" }, CLI_ACTOR);
    const stranger = await signedIn(app, other.id, "owner");
    expect((await invite(stranger)).status).toBe(404);
    expect((await invite(person)).status).toBe(403);
    expect((await invite(owner, "nobody@hospital.example")).status).toBe(404);
    for (let i = 0; i < 3; i++) expect((await invite(owner)).status).toBe(200);
    expect((await invite(owner)).status).toBe(429);
    await app.services.people.disable(testApp.organisationId, person.email, CLI_ACTOR);
    expect((await invite(owner)).status).toBe(409);
    expect((await mails()).map(({ to }) => to)).toEqual([person.email, person.email, person.email]);
  });
});

test("the emergency account has its sealed password alone: it gets no link", async () => {
  const seal = await owner.ask("POST", `${API}/settings/break-glass/seal`, { password: PASSWORD });
  expect(seal.status).toBe(200);
  const account = (await app.services.people.list(testApp.organisationId, CLI_ACTOR)).find((row) => row.is_emergency);
  expect((await forgot(account!.email)).status).toBe(200);
  const invitation = await owner.ask("POST", `${API}/people/${encodeURIComponent(account!.email)}/invitation`, {});
  expect(invitation.status).toBe(409);
  expect(await mails()).toEqual([]);
});

test("without a mail server there are no links", async () => {
  const silent = await createTestApp();
  const ask = (path: string, body: object) => askDashboard(silent.app, "POST", `${API}/${path}`, { body });
  expect((await ask("forgot-password", { email: "owner@hospital.example" })).status).toBe(404);
  await silent.close();
});
