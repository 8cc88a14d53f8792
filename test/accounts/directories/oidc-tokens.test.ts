// What a provider says that proves nothing, and providers that fail: nobody gets in, and local accounts go on.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { JWTPayload } from "jose";
import { checkDirectories } from "../../../src/cli/doctor-directories.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { HOUR_MS } from "../../../src/core/clock.ts";
import { askDashboard, signedIn } from "../../support/dashboard.ts";
import type { Fault, Lie } from "../../support/oidc-hospital.ts";
import { API, refusedBy, returnedIn, startOidcWard, type OidcWard } from "../../support/oidc-ward.ts";
import { createTestApp, type TestApp } from "../../support/test-app.ts";
import { until } from "../../support/until.ts";

let ward: OidcWard;

beforeAll(async () => {
  ward = await startOidcWard();
}, 60_000);
afterAll(() => ward.close());
beforeEach(() => ward.heal());

const forOthers = (claims: JWTPayload) => ({ ...claims, aud: [claims.aud as string, "another"], azp: "another" });

describe("a token is refused", () => {
  const lies: [string, Lie][] = [
    ["for another audience", { claims: (claims) => ({ ...claims, aud: "another-client" }) }],
    ["of another issuer", { claims: (claims) => ({ ...claims, iss: "https://evil.example" }) }],
    ["of another issuer's path", { claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }) }],
    ["for others too, and made for one of them", { claims: forOthers }],
    ["without a signature", { key: "none" }],
    ["without a signature, in other letters", { key: "None" }],
    ["signed with the public key as a secret", { key: "public_key" }],
    ["signed by another key", { key: "foreign" }],
    ["signed with the client's secret", { key: "client_secret" }],
    ["that has expired", { shiftSeconds: -3_600 }],
    ["of the future", { shiftSeconds: 3_600, claims: (claims) => ({ ...claims, nbf: (claims.iat ?? 0) + 3_600 }) }],
    ["made in an hour", { claims: (claims) => ({ ...claims, iat: (claims.iat ?? 0) + 3_600 }) }],
    ["made an hour ago", { claims: (claims) => ({ ...claims, iat: (claims.iat ?? 0) - 3_600 }) }],
    ["without an end", { claims: ({ exp: _exp, ...claims }) => claims }],
    ["for another nonce", { claims: (claims) => ({ ...claims, nonce: "another" }) }],
    ["without a nonce", { claims: ({ nonce: _nonce, ...claims }) => claims }],
    ["without a person", { claims: ({ sub: _sub, ...claims }) => claims }],
  ];
  for (const [words, lie] of lies) {
    test(words, async () => {
      ward.hospital.lie = lie;
      const { id, email } = ward.person({ groups: ["ringward-owners"] });
      const { status } = await refusedBy(ward.enter(id));
      expect([401, 503]).toContain(status);
      const made = await ward.testApp.db.reader.selectFrom("people").select("id").where("email", "=", email).execute();
      expect(made).toEqual([]);
    });
  }

  test("by the appliance's clock, whichever way it is off", async () => {
    for (const ms of [HOUR_MS, -HOUR_MS, 2 * HOUR_MS, -2 * HOUR_MS]) {
      ward.testApp.clock.jump(ms);
      expect(await refusedBy(ward.enter(ward.person().id))).toMatchObject({ status: 401 });
      ward.testApp.clock.jump(-ms);
    }
    await ward.enterAs(ward.person().id);
  });
});

describe("a provider that is hostile", () => {
  const DISCOVERY = "/.well-known/openid-configuration";
  const PATHS = [DISCOVERY, "/token", "/jwks", "/me"];
  /** The ID token has no groups, so that the userinfo endpoint is asked too. */
  const withoutGroups: Lie = { claims: ({ groups: _groups, ...claims }) => claims };

  /** A sign-in on a new appliance, with this fault at one step. */
  async function enterWith(path: string, fault: Fault, meanwhile: (on: TestApp) => Promise<void> = async () => {}) {
    const on = await ward.appliance();
    ward.hospital.lie = withoutGroups;
    const { id } = ward.person({ groups: ["ringward-owners"] });
    const before = timesAsked(path);
    const isFirst = path === DISCOVERY;
    if (isFirst) ward.hospital.faults.set(path, fault);
    const begin = () => askDashboard(on.app, "POST", `${API}/sign-in/oidc/begin`);
    const finish = async () => {
      const { flow, url } = await ward.begin(on.app);
      const back = await ward.hospital.visit(url, id);
      ward.hospital.faults.set(path, fault);
      return ward.finish(flow, returnedIn(back), on.app);
    };
    const answer = isFirst ? begin() : finish();
    await until(() => timesAsked(path) > before && ward.hospital.faults.has(path));
    await meanwhile(on);
    const refused = await refusedBy(answer);
    ward.heal();
    // It is over with the fault, and the ward's own account was never in question.
    await signedIn(on.app, on.organisationId, "staff");
    await ward.enterAs(id, on.app);
    await on.close();
    return refused;
  }

  const timesAsked = (path: string) => ward.hospital.asked.filter((each) => each === path).length;

  test.each(PATHS)("hangs at %s: for no longer than the settings say", async (path) => {
    const refused = await enterWith(path, "hang", async (on) => {
      await signedIn(on.app, on.organisationId, "owner");
      await on.clock.advance(10_000);
      on.clock.jump(-10_000);
    });
    expect(refused).toMatchObject({ status: 503 });
  });

  test.each(PATHS)("never ends its answer at %s: for no longer than the settings say", async (path) => {
    const refused = await enterWith(path, "trickle", async (on) => {
      await until(() => ward.hospital.flooded > 10);
      await on.clock.advance(10_000);
      on.clock.jump(-10_000);
    });
    expect(refused).toMatchObject({ status: 503 });
  });

  test.each(PATHS)("answers with a gigabyte at %s: little of it is read", async (path) => {
    const refused = await enterWith(path, "flood", async () => {
      const { hospital } = ward;
      await until(() => !hospital.isFlooding);
      expect(hospital.flooded).toBeLessThan(64 * 2 ** 20);
    });
    expect(refused).toMatchObject({ status: 503 });
  });

  test.each(PATHS)("redirects elsewhere at %s: nothing follows", async (path) => {
    let visits = 0;
    const elsewhere = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => (visits++, new Response("{}")) });
    ward.hospital.elsewhere = elsewhere.url.origin;
    const { status } = await enterWith(path, "elsewhere");
    expect([401, 503]).toContain(status);
    expect(visits).toBe(0);
    await elsewhere.stop(true);
  });
});

describe("a provider that fails", () => {
  test("is reported in plain words, and local accounts go on", async () => {
    ward.hospital.health = "down";
    const fresh = await createTestApp({ settings: ward.settings() });
    const local = await signedIn(fresh.app, fresh.organisationId, "owner");
    const answer = await askDashboard(fresh.app, "POST", `${API}/sign-in/oidc/begin`);
    expect(answer.status).toBe(503);
    expect(answer.json.error.message).toContain("City Hospital does not answer");
    expect(await ward.isIn(local.cookie, fresh.app)).toBeTrue();
    await fresh.close();
  });

  test("is waited for no longer than the settings say", async () => {
    ward.hospital.health = "hang";
    const fresh = await createTestApp({ settings: ward.settings() });
    const before = ward.hospital.asked.length;
    let isOver = false;
    const answer = askDashboard(fresh.app, "POST", `${API}/sign-in/oidc/begin`).finally(() => (isOver = true));
    await until(() => ward.hospital.asked.length > before);
    await signedIn(fresh.app, fresh.organisationId, "staff");
    expect(isOver).toBeFalse();
    await fresh.clock.advance(10_000);
    expect((await answer).status).toBe(503);
    await fresh.close();
  });

  test("is found by the doctor, and so is an issuer of another name", async () => {
    const look = (further: Record<string, string> = {}) =>
      checkDirectories(loadConfig({ environment: ward.settings(further) }));
    expect(await look()).toMatchObject([{ check: "oidc", state: "ok" }]);
    const issuer = ward.hospital.issuer.replace("127.0.0.1", "localhost");
    expect(await look({ RINGWARD_SIGN_IN__OIDC__ISSUER: issuer })).toMatchObject([{ check: "oidc", state: "FAIL" }]);
    ward.hospital.health = "down";
    expect(await look()).toMatchObject([{ check: "oidc", state: "FAIL" }]);
  });

  test("calls no host but its own", async () => {
    const { createBoundedFetch } = await import("../../../src/accounts/directories/bounded-fetch.ts");
    const host = new URL(ward.hospital.issuer).host;
    const bounded = createBoundedFetch({
      clock: ward.testApp.clock,
      hosts: new Set([host]),
      caPem: null,
      timeoutMs: 1_000,
    });
    expect((await bounded(`${ward.hospital.issuer}/.well-known/openid-configuration`, {})).status).toBe(200);
    for (const url of [
      "http://127.0.0.1:1/",
      "https://evil.example/",
      ward.hospital.issuer.replace("127.0.0.1", "localhost"),
    ])
      await expect(bounded(url, {})).rejects.toThrow("not among its hosts");
  });
});
