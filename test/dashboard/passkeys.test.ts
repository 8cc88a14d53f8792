// Passkeys at the dashboard's routes, with an authenticator in software.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { App } from "../../src/compose/app.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/core/clock.ts";
import { createAuthenticator, type Misbehaviour } from "../support/authenticator.ts";
import { askDashboard, cookieOf, OWN_PAGE, PASSWORD, signedIn, type Visitor } from "../support/dashboard.ts";
import { createTestApp, type TestApp } from "../support/test-app.ts";

let testApp: TestApp;
let app: App;
beforeAll(async () => {
  testApp = await createTestApp({
    settings: { RINGWARD_DASHBOARD_URL: "https://calls.hospital.example/dashboard" },
  });
  ({ app } = testApp);
});
afterAll(() => testApp.close());

const API = "/dashboard/api";
const PAGE = { origin: "https://calls.hospital.example", rpId: "calls.hospital.example" };

interface Options {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user: { id: string };
  allowCredentials?: { id: string }[];
  excludeCredentials?: { id: string }[];
}

const ask = async (path: string, body: unknown, cookie = "", origin = PAGE.origin) => {
  const headers = { ...OWN_PAGE, origin };
  const answer = await askDashboard(app, "POST", `${API}${path}`, { body, cookie, headers });
  return { ...answer, options: answer.json as unknown as Options, cookie: cookieOf(answer) };
};
const both = (...cookies: string[]) => cookies.filter(Boolean).join("; ");

type Authenticator = ReturnType<typeof createAuthenticator>;

async function addPasskey(person: Visitor, authenticator: Authenticator, odd: Misbehaviour = {}) {
  const asked = await ask("/account/factors/passkeys/options", { password: PASSWORD }, person.cookie);
  const credential = authenticator.create(asked.options, PAGE, odd);
  return ask("/account/factors/passkeys", { name: "Key", credential }, both(person.cookie, asked.cookie));
}

async function signInAlone(authenticator: Authenticator, odd: Misbehaviour = {}) {
  const asked = await ask("/sign-in/passkey/options", { alone: true });
  return { asked, done: await ask("/sign-in/passkey", authenticator.get(asked.options, PAGE, odd), asked.cookie) };
}

const isOpen = async (cookie: string) => (await askDashboard(app, "GET", `${API}/session`, { cookie })).status === 200;

describe("a passkey", () => {
  test("is registered with the password, and signs in alone", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const authenticator = createAuthenticator();
    const wrong = await ask("/account/factors/passkeys/options", { password: "not this one" }, person.cookie);
    expect(wrong.status).toBe(400);
    const added = await addPasskey(person, authenticator);
    expect(added.status).toBe(200);
    expect((added.json as unknown as { recovery_codes: string[] }).recovery_codes).toHaveLength(10);
    const { asked, done } = await signInAlone(authenticator);
    expect(asked.options).toMatchObject({ rpId: PAGE.rpId, userVerification: "required", allowCredentials: [] });
    expect(done.status).toBe(200);
    expect(await isOpen(done.cookie)).toBeTrue();
    // Its challenge is used.
    const again = await ask("/sign-in/passkey", authenticator.get(asked.options, PAGE), asked.cookie);
    expect(again.status).toBe(401);
  });

  test("is the second factor after a password, of this person alone", async () => {
    const [person, other] = [
      await signedIn(app, testApp.organisationId, "staff"),
      await signedIn(app, testApp.organisationId, "staff"),
    ];
    const [own, others] = [createAuthenticator("ed25519"), createAuthenticator()];
    await addPasskey(person, own);
    await addPasskey(other, others);
    const half = await ask("/login", { email: person.email, password: PASSWORD });
    expect(half.json as object).toMatchObject({ next: "factor", ways: { code: false, passkey: true } });
    const asked = await ask("/sign-in/passkey/options", { alone: false }, half.cookie);
    expect(asked.options.allowCredentials?.map(({ id }) => id)).toEqual([own.id]);
    const foreign = await ask("/sign-in/passkey", others.get(asked.options, PAGE), asked.cookie);
    expect(foreign.status).toBe(401);
    const done = await ask("/sign-in/passkey", own.get(asked.options, PAGE), asked.cookie);
    expect([done.status, await isOpen(done.cookie)]).toEqual([200, true]);
    const sessions = await app.services.sessionList.list(
      await app.services.sessionList.holderOf(testApp.organisationId, person.email),
      CLI_ACTOR,
    );
    expect(sessions.map(({ method, factor }) => `${method} ${factor}`)).toContain("password passkey");
  });

  const ODD: [what: string, odd: Misbehaviour][] = [
    ["of another site", { origin: "https://evil.example" }],
    ["for another host name", { rpId: "evil.example" }],
    ["with another challenge", { challenge: "AAAA" }],
    ["of an unverified user", { flags: 0x01 }],
    ["of another ceremony", { type: "webauthn.create" }],
    ["inside another site's frame", { isCrossOrigin: true }],
    ["of another user", { userHandle: Buffer.from("per_other").toString("base64url") }],
  ];
  test.each(ODD)("does not sign in with an answer %s", async (_, odd) => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const authenticator = createAuthenticator();
    await addPasskey(person, authenticator);
    const { done } = await signInAlone(authenticator, odd);
    expect(done.status).toBe(401);
    expect(done.headers.get("set-cookie")).toBeNull();
  });

  test("that was copied is refused, and recorded", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const authenticator = createAuthenticator();
    await addPasskey(person, authenticator);
    expect((await signInAlone(authenticator, { counter: 7 })).done.status).toBe(200);
    expect((await signInAlone(authenticator, { counter: 7 })).done.status).toBe(401);
    expect((await signInAlone(authenticator, { counter: 3 })).done.status).toBe(401);
    const recorded = await testApp.db.reader
      .selectFrom("audit_entries")
      .select("detail")
      .where("action", "=", "person.passkey_refused")
      .where("subject_id", "=", person.personId)
      .execute();
    expect(recorded.map(({ detail }) => (JSON.parse(detail) as { reason: string }).reason)).toEqual([
      "the counter went back: the passkey may have been copied",
      "the counter went back: the passkey may have been copied",
    ]);
  });

  test("answered twice at once opens one session", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const authenticator = createAuthenticator();
    await addPasskey(person, authenticator);
    const asked = await ask("/sign-in/passkey/options", { alone: true });
    const answer = authenticator.get(asked.options, PAGE);
    const all = Promise.all([1, 2].map(() => ask("/sign-in/passkey", answer, asked.cookie)));
    await testApp.clock.advance(5 * SECOND_MS);
    expect((await all).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  test("is not accepted late, from another attempt, of a disabled person, or after its removal", async () => {
    const owner = await signedIn(app, testApp.organisationId, "owner");
    const person = await signedIn(app, testApp.organisationId, "staff");
    const authenticator = createAuthenticator();
    await addPasskey(person, authenticator);
    const [first, second] = [
      await ask("/sign-in/passkey/options", { alone: true }),
      await ask("/sign-in/passkey/options", { alone: true }),
    ];
    const crossed = await ask("/sign-in/passkey", authenticator.get(first.options, PAGE), second.cookie);
    expect(crossed.status).toBe(401);
    expect((await ask("/sign-in/passkey", authenticator.get(first.options, PAGE))).status).toBe(401);
    testApp.clock.jump(10 * MINUTE_MS);
    expect((await ask("/sign-in/passkey", authenticator.get(first.options, PAGE), first.cookie)).status).toBe(401);
    await owner.ask("PATCH", `${API}/people/${person.email}`, { enabled: false });
    expect((await signInAlone(authenticator)).done.status).toBe(401);
    await owner.ask("PATCH", `${API}/people/${person.email}`, { enabled: true });
    await owner.ask("POST", `${API}/people/${person.email}/reset-factor`);
    expect((await signInAlone(authenticator)).done.json.error.message).toStartWith("This passkey is not known here.");
  });

  test("is listed, renamed and removed by its person alone", async () => {
    const [person, other] = [
      await signedIn(app, testApp.organisationId, "staff"),
      await signedIn(app, testApp.organisationId, "staff"),
    ];
    await addPasskey(person, createAuthenticator());
    const view = await person.ask("GET", `${API}/account/factors`);
    const [passkey] = (view.json as unknown as { passkeys: { passkey_id: string; name: string; host: string }[] })
      .passkeys;
    expect(passkey).toMatchObject({ name: "Key", host: PAGE.rpId });
    const path = `${API}/account/factors/passkeys/${passkey!.passkey_id}`;
    expect((await other.ask("PATCH", path, { name: "Mine" })).status).toBe(404);
    expect((await other.ask("POST", `${path}/remove`, { password: PASSWORD })).status).toBe(404);
    expect((await person.ask("PATCH", path, { name: "Ward laptop" })).status).toBe(200);
    expect((await person.ask("POST", `${path}/remove`, { password: "not this one" })).status).toBe(400);
    expect((await person.ask("POST", `${path}/remove`, { password: PASSWORD })).status).toBe(200);
    const after = await person.ask("GET", `${API}/account/factors`);
    expect(after.json as object).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
  });

  test("is registered once, for the session that asked, and twenty are the most", async () => {
    const person = await signedIn(app, testApp.organisationId, "staff");
    const authenticator = createAuthenticator();
    expect((await addPasskey(person, authenticator)).status).toBe(200);
    const asked = await ask("/account/factors/passkeys/options", { password: PASSWORD }, person.cookie);
    expect(asked.options.excludeCredentials?.map(({ id }) => id)).toEqual([authenticator.id]);
    expect((await addPasskey(person, authenticator)).status).toBe(409);
    const other = await signedIn(app, testApp.organisationId, "staff");
    const credential = createAuthenticator().create(asked.options, PAGE);
    const stolen = await ask(
      "/account/factors/passkeys",
      { name: "Key", credential },
      both(other.cookie, asked.cookie),
    );
    expect(stolen.status).toBe(409);
    expect((await addPasskey(person, createAuthenticator(), { challenge: "AAAA" })).status).toBe(400);
    for (let i = 1; i < 20; i++) expect((await addPasskey(person, createAuthenticator())).status).toBe(200);
    expect((await addPasskey(person, createAuthenticator())).status).toBe(409);
  });
});

test("a challenge registers one passkey, once", async () => {
  const person = await signedIn(app, testApp.organisationId, "staff");
  const asked = await ask("/account/factors/passkeys/options", { password: PASSWORD }, person.cookie);
  const add = (authenticator: Authenticator) =>
    ask(
      "/account/factors/passkeys",
      { name: "Key", credential: authenticator.create(asked.options, PAGE) },
      both(person.cookie, asked.cookie),
    );
  const [wrong, first] = [createAuthenticator(), createAuthenticator()];
  expect((await addPasskey(person, wrong, { challenge: "AAAA" })).status).toBe(400);
  expect((await add(first)).status).toBe(200);
  expect((await add(createAuthenticator())).status).toBe(409);
  const { passkeys } = (await person.ask("GET", `${API}/account/factors`)).json as unknown as {
    passkeys: { passkey_id: string }[];
  };
  expect(passkeys).toHaveLength(1);
  const remove = `${API}/account/factors/passkeys/${passkeys[0]!.passkey_id}/remove`;
  expect((await person.ask("POST", remove, { password: PASSWORD })).status).toBe(200);
  // A removed passkey is not brought back by the answer that registered it.
  expect((await add(first)).status).toBe(409);
});

test("a passkey is set up at sign-in where the role needs a second factor", async () => {
  await app.services.organisations.setSecondFactor(testApp.organisationId, ["viewer"], CLI_ACTOR);
  const person = await signedInWithout("viewer");
  const half = await ask("/login", { email: person, password: PASSWORD });
  expect(half.json as object).toMatchObject({ next: "set_up" });
  const asked = await ask("/sign-in/set-up/passkey/options", undefined, half.cookie);
  const authenticator = createAuthenticator("rs256");
  const credential = authenticator.create(asked.options, PAGE);
  const done = await ask("/sign-in/set-up/passkey", { name: "Phone", credential }, asked.cookie);
  expect([done.status, await isOpen(done.cookie)]).toEqual([200, true]);
  expect((await signInAlone(authenticator)).done.status).toBe(200);
  await app.services.organisations.setSecondFactor(testApp.organisationId, [], CLI_ACTOR);
});

/** A person who has never signed in. */
async function signedInWithout(role: string): Promise<string> {
  const email = `new-${role}@hospital.example`;
  await app.services.people.create(testApp.organisationId, { email, name: "New", role, password: PASSWORD }, CLI_ACTOR);
  return email;
}

test("pages elsewhere, and addresses without a name, get no challenge", async () => {
  const from = async (origin: string) => (await ask("/sign-in/passkey/options", { alone: true }, "", origin)).status;
  // The cross-site check refuses the first.
  expect(await from("https://evil.example")).toBe(401);
  const headers = (host: string, origin: string) => ({ ...OWN_PAGE, host, origin });
  const rebound = async (host: string) => {
    const answer = await askDashboard(app, "POST", `${API}/sign-in/passkey/options`, {
      body: { alone: true },
      headers: headers(host, `http://${host}`),
    });
    return [answer.status, answer.json.error.message];
  };
  expect(await rebound("rebound.example:8080")).toEqual([
    409,
    "Passkeys work at the dashboard's own address. Open https://calls.hospital.example.",
  ]);
  expect((await rebound("127.0.0.1:8080"))[0]).toBe(409);
  expect((await rebound("[::1]:8080"))[1]).toContain("Passkeys need a host name");
  const local = await askDashboard(app, "POST", `${API}/sign-in/passkey/options`, {
    body: { alone: true },
    headers: headers("localhost:8080", "http://localhost:8080"),
  });
  expect(local.json as object).toMatchObject({ rpId: "localhost" });
});
