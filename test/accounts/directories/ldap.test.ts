// Sign-in with a real LDAP directory (slapd): who gets in, which tricks do not work, and who is out again.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkDirectories } from "../../../src/cli/doctor-directories.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { App } from "../../../src/compose/app.ts";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import { askDashboard, cookieOf, OWN_PAGE, signedIn, type Visitor } from "../../support/dashboard.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import { BASE, SERVICE, startSlapd, type Slapd } from "../../support/slapd.ts";
import { createTestApp, type TestApp } from "../../support/test-app.ts";

const API = "/dashboard/api";
const LDAP = "RINGWARD_SIGN_IN__LDAP__";
const THEIRS = "a password of the directory";

let slapd: Slapd;
let testApp: TestApp;
let app: App;
let owner: Visitor;

const settings = (further: Record<string, string> = {}) => ({
  [`${LDAP}URLS`]: `ldaps://localhost:${slapd.tlsPort}`,
  [`${LDAP}CA_FILE`]: slapd.caFile,
  [`${LDAP}NAME`]: "Hospital AD",
  [`${LDAP}BIND_DN`]: SERVICE.dn,
  [`${LDAP}BIND_PASSWORD`]: SERVICE.password,
  [`${LDAP}USER_BASE`]: `ou=people,${BASE}`,
  [`${LDAP}GROUPS`]: JSON.stringify([
    { group: `CN=Owners, OU=groups,${BASE}`, role: "owner" },
    { group: `cn=ward,ou=groups,${BASE}`, role: "staff" },
  ]),
  ...further,
});

const people: Record<string, string> = {};

interface PasskeyOptions {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user: { id: string };
}

beforeAll(async () => {
  slapd = await startSlapd();
  for (const uid of ["asha", "ravi", "meera", "stranger", "leaver", "moved", "kiran"])
    people[uid] = slapd.addPerson(uid, THEIRS, uid === "kiran" ? ["sAMAccountName: HOSP-kiran"] : []);
  slapd.addPerson("twin", THEIRS, ["mail: double@directory.example"]);
  slapd.addPerson("twin2", THEIRS, ["mail: double@directory.example"]);
  slapd.addGroup("owners", [people["asha"]!]);
  slapd.addGroup(
    "ward",
    ["ravi", "meera", "leaver", "moved", "kiran"].map((uid) => people[uid]!),
  );
  testApp = await createTestApp({ settings: settings() });
  ({ app } = testApp);
  owner = await signedIn(app, testApp.organisationId, "owner");
}, 180_000);
afterAll(async () => {
  await slapd.stop();
  await testApp.close();
});

let source = 0;
/** Each from an address of its own, so that the throttle tells nothing about the directory. */
const give = (email: string, password: string, on = app) =>
  askDashboard(on, "POST", `${API}/login`, { body: { email, password }, source: `198.51.100.${++source % 250}` });
const isIn = async (cookie: string, on = app) =>
  (await askDashboard(on, "GET", `${API}/session`, { cookie })).status === 200;
const roleIn = async (cookie: string) =>
  ((await askDashboard(app, "GET", `${API}/session`, { cookie })).json as unknown as { person: { role: string } })
    .person.role;
const enter = async (login: string, on = app) => {
  const answer = await give(login, THEIRS, on);
  expect(answer.text).toContain('"open"');
  return cookieOf(answer);
};

describe("a person of the directory", () => {
  test("signs in by user name, mail address or account name, with the role of their group", async () => {
    expect(await roleIn(await enter("asha"))).toBe("owner");
    for (const login of ["ravi", "RAVI", " ravi ", "ravi@directory.example"])
      expect(await roleIn(await enter(login))).toBe("staff");
    await enter("HOSP-kiran");
    const rows = await testApp.db.reader.selectFrom("people").select("email").where("email", "like", "ravi%").execute();
    expect(rows).toEqual([{ email: "ravi@directory.example" }]);
  });

  test("is refused with a wrong password, without a group, or if two have the name", async () => {
    expect((await give("ravi", "wrong")).status).toBe(401);
    const answer = await give("stranger", THEIRS);
    expect(answer.status).toBe(403);
    expect(answer.json.error.message).toContain("in no group that may use Ringward");
    expect((await give("double@directory.example", THEIRS)).status).toBe(401);
  });

  test("unlocks the screen with the password of the directory, and cannot change it here", async () => {
    const cookie = await enter("ravi");
    await askDashboard(app, "POST", `${API}/lock`, { cookie });
    const unlock = (password: string) => askDashboard(app, "POST", `${API}/unlock`, { cookie, body: { password } });
    expect((await unlock("wrong")).status).toBe(400);
    expect((await unlock(THEIRS)).status).toBe(200);
    expect(await isIn(cookie)).toBeTrue();
    const body = { current: THEIRS, password: "another long password" };
    const answer = await askDashboard(app, "POST", `${API}/password`, { cookie, body });
    expect(answer.json.error.message).toContain("hospital's directory");
  });

  test("is asked for Ringward's second factor if the role needs one", async () => {
    const demand = (...roles: string[]) =>
      app.services.organisations.setSecondFactor(testApp.organisationId, roles, { kind: "cli", id: null });
    await demand("staff");
    expect((await give("meera", THEIRS)).json as object).toMatchObject({ next: "set_up" });
    await demand();
  });
});

describe("nobody gets in", () => {
  test("by a passkey alone, which the directory has no say in; it is a second factor", async () => {
    const PAGE = { origin: "http://localhost", rpId: "localhost" };
    const ask = async (path: string, body: object, cookie = "") => {
      const headers = { ...OWN_PAGE, origin: PAGE.origin };
      const answer = await askDashboard(app, "POST", `${API}${path}`, { body, cookie, headers });
      return { ...answer, options: answer.json as unknown as PasskeyOptions, cookie: cookieOf(answer) };
    };
    const session = await enter("meera");
    const authenticator = createAuthenticator();
    const adding = await ask("/account/factors/passkeys/options", { password: THEIRS }, session);
    const credential = authenticator.create(adding.options, PAGE);
    const added = await ask("/account/factors/passkeys", { name: "Key", credential }, `${session}; ${adding.cookie}`);
    expect(added.status).toBe(200);
    const alone = await ask("/sign-in/passkey/options", { alone: true });
    const refused = await ask("/sign-in/passkey", authenticator.get(alone.options, PAGE), alone.cookie);
    expect([refused.status, refused.json.error.message]).toEqual([401, expect.stringContaining("directory")]);
    const half = await give("meera", THEIRS);
    expect(half.json as object).toMatchObject({ next: "factor" });
    const asked = await ask("/sign-in/passkey/options", { alone: false }, cookieOf(half));
    const done = await ask("/sign-in/passkey", authenticator.get(asked.options, PAGE), asked.cookie);
    expect([done.status, await isIn(done.cookie)]).toEqual([200, true]);
    const reset = await owner.ask("POST", `${API}/people/meera%40directory.example/reset-factor`);
    expect(reset.status).toBe(200);
  });

  test("with an empty password, which the directory itself would accept", async () => {
    const { createLdapConnector } = await import("../../../src/accounts/directories/ldap-connection.ts");
    const { createLdapDirectory } = await import("../../../src/accounts/directories/ldap-directory.ts");
    const { createHashGate } = await import("../../../src/accounts/hash-gate.ts");
    const { ldap } = testApp.config.sign_in;
    const caPem = await Bun.file(slapd.caFile).text();
    const connector = createLdapConnector({ settings: ldap, clock: testApp.clock, caPem });
    // It does: this is the trap.
    await connector.run((client) => client.bind(people["ravi"]!, ""));
    const directory = createLdapDirectory({ settings: ldap, connector, gate: createHashGate(), clock: testApp.clock });
    const found = await directory.find("ravi", null);
    expect(await directory.prove(found, "")).toBeFalse();
    expect(await directory.prove(found, THEIRS)).toBeTrue();
    expect((await give("ravi", "")).status).toBe(400);
  });

  test("by an injection into the filter", async () => {
    const injections = [
      "*",
      "r*",
      "ravi*",
      "*)(uid=*",
      "ravi)(|(uid=*",
      "ravi)(&)",
      "*)(objectClass=*))(|(objectClass=*",
      "ravi\\2a",
      "\\2a",
      "(uid=ravi)",
      "ravi)(userPassword=*",
      "ravi\u0000",
      "ra\nvi",
      "ravi,ou=people",
      people["ravi"]!,
      `uid=ravi)(memberOf=cn=owners,ou=groups,${BASE}`,
      "!",
      "&",
      "|",
      "ra\\vi",
      "ｒavi*",
    ];
    for (const login of injections) {
      const { status } = await give(login, THEIRS);
      // The API itself refuses NUL.
      expect([login, status]).toEqual([login, login.includes("\u0000") ? 400 : 401]);
    }
  });

  test("with an account that is disabled or has expired, though its password is right", async () => {
    const [disabled, expired, never] = [
      ["userAccountControl: 514"],
      ["accountExpires: 116444736000000000"],
      ["userAccountControl: 512", "accountExpires: 9223372036854775807"],
    ];
    slapd.addGroup("more", [
      slapd.addPerson("disabled", THEIRS, disabled),
      slapd.addPerson("expired", THEIRS, expired),
      slapd.addPerson("never", THEIRS, never),
    ]);
    slapd.change(
      `dn: cn=ward,ou=groups,${BASE}\nchangetype: modify\nadd: member\nmember: uid=disabled,ou=people,${BASE}\nmember: uid=expired,ou=people,${BASE}\nmember: uid=never,ou=people,${BASE}`,
    );
    expect((await give("disabled", THEIRS)).status).toBe(401);
    expect((await give("expired", THEIRS)).status).toBe(401);
    await enter("never");
  });
});

describe("an open session", () => {
  const recheck = async () => {
    await testApp.db.write(async (tx) => {
      await tx
        .updateTable("directory_people")
        .set({ tried_at: testApp.clock.now() - 15 * MINUTE_MS })
        .execute();
    });
    await app.services.directories.recheck();
  };

  test("ends once the person is disabled, moved out of the group or deleted", async () => {
    const [leaver, moved, kiran, ravi] = [
      await enter("leaver"),
      await enter("moved"),
      await enter("kiran"),
      await enter("ravi"),
    ];
    const all = async () => [await isIn(leaver), await isIn(moved), await isIn(kiran), await isIn(ravi)];
    await recheck();
    expect(await all()).toEqual([true, true, true, true]);
    slapd.change(`dn: ${people["leaver"]}\nchangetype: modify\nadd: userAccountControl\nuserAccountControl: 514`);
    await recheck();
    expect(await all()).toEqual([false, true, true, true]);
    slapd.change(`dn: cn=ward,ou=groups,${BASE}\nchangetype: modify\ndelete: member\nmember: ${people["moved"]}`);
    slapd.change(`dn: ${people["kiran"]}\nchangetype: delete`);
    await recheck();
    expect(await all()).toEqual([false, false, false, true]);
    expect(await isIn(owner.cookie)).toBeTrue();
    // Another person with the same name later is another person.
    slapd.addPerson("kiran", THEIRS);
    for (const act of ["delete", "add"])
      slapd.change(`dn: cn=ward,ou=groups,${BASE}\nchangetype: modify\n${act}: member\nmember: ${people["kiran"]}`);
    expect((await give("kiran", THEIRS)).status).toBe(409);
  });
});

describe("groups", () => {
  test("are also found by their members, where entries have no memberOf", async () => {
    const searched = await createTestApp({ settings: settings({ [`${LDAP}GROUP_BASE`]: `ou=groups,${BASE}` }) });
    await enter("ravi", searched.app);
    expect((await give("stranger", THEIRS, searched.app)).status).toBe(403);
    await searched.close();
  });
});

describe("the connection", () => {
  test("is refused in clear by the settings", () => {
    const load = (further: Record<string, string>) => () => loadConfig({ environment: settings(further) });
    expect(load({ [`${LDAP}URLS`]: "ldap://dc1.hospital.example" })).toThrow("sends passwords in clear");
    expect(load({ [`${LDAP}START_TLS`]: "true" })).toThrow("it is for ldap:// alone");
    expect(load({ [`${LDAP}GROUPS`]: "[]" })).toThrow();
    expect(load({ [`${LDAP}GROUPS`]: '[{"group":"Owners","role":"owner"}]' })).toThrow("distinguished name");
    expect(load({ [`${LDAP}BIND_PASSWORD`]: "" })).toThrow("bind_password");
    expect(load({})).not.toThrow();
  });

  test("may be upgraded by StartTLS", async () => {
    const upgraded = await createTestApp({
      settings: settings({ [`${LDAP}URLS`]: `ldap://localhost:${slapd.port}`, [`${LDAP}START_TLS`]: "true" }),
    });
    await enter("ravi", upgraded.app);
    await upgraded.close();
  });

  test("goes to the next address, and needs the right name and a trusted certificate", async () => {
    const urls = `ldaps://localhost:1,ldaps://localhost:${slapd.tlsPort}`;
    const second = await createTestApp({ settings: settings({ [`${LDAP}URLS`]: urls }) });
    await enter("ravi", second.app);
    await second.close();
    const bad = [
      { [`${LDAP}URLS`]: `ldaps://127.0.0.1:${slapd.tlsPort}` },
      { [`${LDAP}CA_FILE`]: "" },
      { [`${LDAP}URLS`]: `ldap://127.0.0.1:${slapd.port}`, [`${LDAP}START_TLS`]: "true" },
      { [`${LDAP}URLS`]: `ldap://localhost:${slapd.port}`, [`${LDAP}START_TLS`]: "true", [`${LDAP}CA_FILE`]: "" },
    ];
    for (const further of bad) {
      const refused = await createTestApp({ settings: settings(further) });
      const answer = await give("ravi", THEIRS, refused.app);
      expect([further, answer.status]).toEqual([further, 503]);
      expect(answer.json.error.message).toContain("Hospital AD does not answer");
      await refused.close();
    }
  });
});

test("the doctor says whether the directory answers and accepts the service account", async () => {
  const look = (further: Record<string, string> = {}) =>
    checkDirectories(loadConfig({ environment: settings(further) }));
  expect(await look()).toMatchObject([{ check: "ldap", state: "ok" }]);
  const failing = [
    { [`${LDAP}URLS`]: "ldaps://localhost:1" },
    { [`${LDAP}BIND_PASSWORD`]: "wrong" },
    { [`${LDAP}USER_BASE`]: `ou=nowhere,${BASE}` },
    { [`${LDAP}USER_FILTER`]: "(nonsense)" },
  ];
  for (const further of failing) {
    const [finding] = await look(further);
    expect([further, finding?.state]).toEqual([further, "FAIL"]);
    expect(finding?.message).toContain("Local accounts still sign in.");
  }
});
