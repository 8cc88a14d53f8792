// Sign-in with a real OpenID Connect provider: who gets in, and what a browser may bring back.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { askDashboard, PASSWORD } from "../../support/dashboard.ts";
import {
  API,
  BRANCH,
  cookiesOf,
  refusedBy,
  returnedIn,
  startOidcWard,
  type OidcWard,
} from "../../support/oidc-ward.ts";

let ward: OidcWard;

beforeAll(async () => {
  ward = await startOidcWard();
}, 60_000);
afterAll(() => ward.close());
beforeEach(() => ward.heal());

describe("a person of the provider", () => {
  test("is made at the first sign-in with the role of their group, and is the same at the next", async () => {
    const { id, email } = ward.person();
    const first = await ward.personIn(await ward.enterAs(id));
    expect(first).toMatchObject({ email, role: "staff" });
    expect((await ward.personIn(await ward.enterAs(id))).person_id).toBe(first.person_id);
  });

  test("has the highest role of their groups, and a new one at the next sign-in", async () => {
    const { id } = ward.person({ groups: ["ringward-readers", "others", "ringward-owners"] });
    expect((await ward.personIn(await ward.enterAs(id))).role).toBe("owner");
    ward.hospital.people.get(id)!.groups = ["ringward-readers"];
    expect((await ward.personIn(await ward.enterAs(id))).role).toBe("viewer");
  });

  test("is bound to the branches of their groups, until one gives the whole organisation", async () => {
    const { id } = ward.person({ groups: ["ringward-ward-3"] });
    const branchesOf = async () => {
      const { person_id: personId } = await ward.personIn(await ward.enterAs(id));
      const rows = await ward.app.services.people.list(ward.testApp.organisationId, CLI_ACTOR);
      return rows.find((row) => row.person_id === personId)?.branches;
    };
    expect(await branchesOf()).toEqual([BRANCH]);
    ward.hospital.people.get(id)!.groups = ["ringward-ward-3", "ringward-ward"];
    expect(await branchesOf()).toBeNull();
    ward.hospital.people.get(id)!.groups = ["ringward-ward-3"];
    expect(await branchesOf()).toEqual([BRANCH]);
    ward.hospital.people.get(id)!.groups = ["ringward-owners"];
    expect(await branchesOf()).toBeNull();
  });

  test("is refused in plain words without a group that has a role", async () => {
    for (const groups of [[], ["others"], ["ringward-wards"], ["RINGWARD-OWNERS"], undefined]) {
      const answer = await ward.enter(ward.person(groups ? { groups } : { groups: [] }).id);
      expect(await refusedBy(answer)).toEqual({ status: 403, code: "INSUFFICIENT_SCOPE" });
      expect(answer.json.error.message).toContain("in no group that may use Ringward");
    }
  });

  test("is refused without a confirmed e-mail address, or with one that a local account has", async () => {
    expect(await refusedBy(ward.enter(ward.person({ email_verified: false }).id))).toMatchObject({ status: 403 });
    const answer = await ward.enter(ward.person({ email: ward.owner.email, groups: ["ringward-owners"] }).id);
    expect(await refusedBy(answer)).toEqual({ status: 409, code: "CONFLICT" });
    expect(await ward.isIn(ward.owner.cookie)).toBeTrue();
  });

  test("has no password here: none is taken, set, sent or changed", async () => {
    const { id, email } = ward.person();
    const cookie = await ward.enterAs(id);
    expect((await askDashboard(ward.app, "POST", `${API}/login`, { body: { email, password: PASSWORD } })).status).toBe(
      401,
    );
    for (const body of [{ password: PASSWORD }, { role: "owner" }]) {
      const answer = await ward.owner.ask("PATCH", `${API}/people/${encodeURIComponent(email)}`, body);
      expect(answer.status).toBe(409);
      expect(answer.json.error.message).toContain("hospital's directory");
    }
    const own = await askDashboard(ward.app, "POST", `${API}/password`, {
      cookie,
      body: { current: PASSWORD, password: "another long password" },
    });
    expect(own.json.error.message).toContain("comes from City Hospital and has no password here");
    expect(await ward.isIn(cookie)).toBeTrue();
    const { services } = ward.app;
    await expect(services.people.setPassword(ward.testApp.organisationId, email, PASSWORD, CLI_ACTOR)).rejects.toThrow(
      "hospital's directory",
    );
  });

  test("is shown with the directory, and with the sign-in in the list of sessions and the audit log", async () => {
    const { id, email } = ward.person();
    const cookie = await ward.enterAs(id);
    const people = (await ward.owner.ask("GET", `${API}/people`)).json as unknown as {
      email: string;
      comes_from: string | null;
    }[];
    expect(people.find((each) => each.email === email)?.comes_from).toBe("City Hospital");
    expect(people.find((each) => each.email === ward.owner.email)?.comes_from).toBeNull();
    const sessions = await askDashboard(ward.app, "GET", `${API}/account/sessions`, { cookie });
    expect(sessions.text).toContain('"method":"oidc"');
    const rows = await ward.testApp.db.reader.selectFrom("audit_entries").select("action").execute();
    expect(rows.map(({ action }) => action)).toContain("person.linked_to_directory");
  });

  test("stays out while an owner has disabled the access here", async () => {
    const { id, email } = ward.person();
    const cookie = await ward.enterAs(id);
    await ward.app.services.people.disable(ward.testApp.organisationId, email, CLI_ACTOR);
    expect(await ward.isIn(cookie)).toBeFalse();
    expect(await refusedBy(ward.enter(id))).toMatchObject({ status: 401 });
  });
});

describe("links by e-mail", () => {
  test("are neither sent to a person of the provider nor taken", async () => {
    const mailing = await ward.appliance({
      RINGWARD_MAIL__HOST: "127.0.0.1",
      RINGWARD_MAIL__FROM: "ringward@city.example",
      RINGWARD_MAIL__SECURITY: "plain",
    });
    const { id, email } = ward.person();
    await ward.enterAs(id, mailing.app);
    const { passwordLinks } = mailing.app.services;
    await expect(passwordLinks.invite(mailing.organisationId, email, CLI_ACTOR)).rejects.toThrow(
      "hospital's directory",
    );
    passwordLinks.request(email, "192.0.2.1");
    await passwordLinks.settled();
    expect(await mailing.db.reader.selectFrom("password_links").selectAll().execute()).toEqual([]);
    await mailing.close();
  });
});

describe("the second factor", () => {
  const demand = (...roles: string[]) =>
    ward.app.services.organisations.setSecondFactor(ward.testApp.organisationId, roles, CLI_ACTOR);

  test("of Ringward applies unless the provider says that it asked for one", async () => {
    await demand("staff");
    const answer = await ward.enter(ward.person().id);
    expect(answer.json as object).toMatchObject({ next: "set_up" });
    expect(await ward.isIn(cookiesOf(answer))).toBeFalse();
    const twice = await ward.enterAs(ward.person({ amr: ["pwd", "mfa"] }).id);
    const sessions = await askDashboard(ward.app, "GET", `${API}/account/sessions`, { cookie: twice });
    expect(sessions.text).toContain('"factor":"directory"');
    await ward.enterAs(ward.person({ acr: "phr" }).id);
    await demand();
  });

  test("of the provider does not count if the settings say so", async () => {
    const strict = await ward.appliance({ RINGWARD_SIGN_IN__OIDC__TRUST_SECOND_FACTOR: "false" });
    await strict.app.services.organisations.setSecondFactor(strict.organisationId, ["staff"], CLI_ACTOR);
    const answer = await ward.enter(ward.person({ amr: ["mfa"] }).id, strict.app);
    expect(answer.json as object).toMatchObject({ next: "set_up" });
    await strict.close();
  });
});

describe("what the browser brings", () => {
  test("counts once: neither code, state nor cookie a second time", async () => {
    const { flow, url } = await ward.begin();
    const returned = returnedIn(await ward.hospital.visit(url, ward.person().id));
    expect((await ward.finish(flow, returned)).status).toBe(200);
    expect(await refusedBy(ward.finish(flow, returned))).toMatchObject({ status: 401 });
    // The code in a flow of the attacker's own.
    const other = await ward.begin();
    const state = new URL(other.url).searchParams.get("state")!;
    expect(await refusedBy(ward.finish(other.flow, { ...returned, state }))).toMatchObject({ status: 401 });
  });

  test("is refused with a fresh code that another person was given", async () => {
    const [attacker, victim] = [await ward.begin(), await ward.begin()];
    const theirs = returnedIn(await ward.hospital.visit(attacker.url, ward.person().id));
    const state = new URL(victim.url).searchParams.get("state")!;
    // The victim's browser is sent to the attacker's answer as it is, or with the victim's own state.
    for (const returned of [theirs, { ...theirs, state }])
      expect(await refusedBy(ward.finish(victim.flow, returned))).toMatchObject({ status: 401 });
    // And an answer that names another provider.
    const own = await ward.begin();
    const back = returnedIn(await ward.hospital.visit(own.url, ward.person().id));
    const mixedUp = { ...back, iss: "https://evil.example" };
    expect(await refusedBy(ward.finish(own.flow, mixedUp))).toMatchObject({ status: 401 });
  });

  test("is refused without the cookie of the flow, with a forged one, or with another's", async () => {
    const { flow, url } = await ward.begin();
    const returned = returnedIn(await ward.hospital.visit(url, ward.person().id));
    const other = await ward.begin();
    for (const cookie of [
      null,
      "ringward_oidc=",
      "ringward_oidc=v1.AAAA",
      `${flow.slice(0, -12)}AAAAAAAAAAAA`,
      other.flow,
    ])
      expect(await refusedBy(ward.finish(cookie, returned))).toMatchObject({ status: 401 });
    for (const state of [undefined, "", "x", new URL(other.url).searchParams.get("state")!])
      expect(await refusedBy(ward.finish(flow, { ...returned, state }))).toMatchObject({ status: 401 });
    expect((await ward.finish(flow, returned)).status).toBe(200);
  });

  test("is refused in another browser: a stolen cookie of the flow opens nothing", async () => {
    const { flow, url } = await ward.begin();
    const returned = returnedIn(await ward.hospital.visit(url, ward.person().id));
    const stolen = await askDashboard(ward.app, "POST", `${API}/sign-in/oidc/finish`, {
      cookie: flow,
      body: returned,
      headers: { "x-ringward-dashboard": "1", "user-agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0" },
    });
    expect(await refusedBy(stolen)).toMatchObject({ status: 401 });
  });

  test("is refused ten minutes later, and if the provider sends an error", async () => {
    const { flow, url } = await ward.begin();
    const returned = returnedIn(await ward.hospital.visit(url, ward.person().id));
    ward.testApp.clock.pass(10 * MINUTE_MS);
    expect(await refusedBy(ward.finish(flow, returned))).toMatchObject({ status: 401 });
    ward.testApp.clock.jump(-10 * MINUTE_MS);
    const again = await ward.begin();
    const state = new URL(again.url).searchParams.get("state")!;
    expect(await refusedBy(ward.finish(again.flow, { error: "access_denied", state }))).toMatchObject({ status: 401 });
    expect(await refusedBy(ward.finish(flow, { code: "x".repeat(4_001) }))).toMatchObject({ status: 400 });
  });

  test("goes with PKCE, state and nonce, and its cookie is strict", async () => {
    const answer = await askDashboard(ward.app, "POST", `${API}/sign-in/oidc/begin`);
    const { url } = answer.json as unknown as { url: string };
    const asked = new URL(url).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    for (const name of ["code_challenge", "state", "nonce"]) expect(asked.get(name)!.length).toBeGreaterThan(40);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toContain("Path=/dashboard/api/sign-in/oidc");
    expect(cookie).toContain("HttpOnly; SameSite=Strict");
    // Sealed: nobody reads the verifier in it.
    expect(cookie).not.toContain(asked.get("state")!);
  });
});

test("a flood of sign-ins from one address is refused, and others are not", async () => {
  for (let i = 0; i < 1_200; i++) await ward.begin(ward.app, "203.0.113.77");
  const flood = () => askDashboard(ward.app, "POST", `${API}/sign-in/oidc/begin`, { source: "203.0.113.77" });
  expect((await flood()).status).toBe(429);
  await ward.begin(ward.app, "203.0.113.78");
  ward.testApp.clock.pass(HOUR_MS);
  ward.testApp.clock.jump(Date.now() - ward.testApp.clock.now());
  expect((await flood()).status).toBe(200);
}, 120_000);
