// A directory that drops connections, refers elsewhere or hangs: no operation goes in clear or without its bind, and
// local accounts sign in.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createLdapConnector } from "../../../src/accounts/directories/ldap-connection.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { PASSWORD, signedIn, signIn } from "../../support/dashboard.ts";
import {
  bindResult,
  referral,
  searchDone,
  searchEntry,
  searchReference,
  startScriptedDirectory,
  startTlsResult,
  type LdapAnswer,
  type LdapRequest,
  type LdapScript,
} from "../../support/scripted-directory.ts";
import {
  attributesOf,
  BASE,
  dnOf,
  except,
  honest,
  LDAP,
  SERVICE,
  startScriptedWard,
  type ScriptedWard,
} from "../../support/scripted-ward.ts";
import type { TestApp } from "../../support/test-app.ts";
import { until } from "../../support/until.ts";

let ward: ScriptedWard;

beforeAll(async () => {
  ward = await startScriptedWard();
}, 60_000);
beforeEach(() => ward.heal());
afterAll(() => ward.close());

const ways = [
  ["LDAPS", () => ({})],
  ["StartTLS", () => ward.upgraded()],
] as const;

describe.each(ways)("over %s", (_name, settings) => {
  let on: TestApp;
  beforeAll(async () => {
    on = await ward.appliance(settings());
  }, 60_000);

  test("people sign in", async () => {
    expect((await ward.give(on, ward.someone())).status).toBe(200);
    expect((await ward.give(on, ward.someone(), "wrong")).status).toBe(401);
    expect(ward.directory.asked.filter(({ op, isEncrypted }) => op !== "startTls" && !isEncrypted)).toEqual([]);
  });

  test.each(["startTls", "bind", "search"] as const)(
    "a connection that ends after %s is not replaced",
    async (last) => {
      ward.directory.script = async (request) => {
        const answer = await honest()(request);
        return request.op === last ? { ...answer, closes: true } : answer;
      };
      const answer = await ward.give(on, ward.someone());
      const used = ward.directory.asked.map(({ connection, op }) => `${connection} ${op}`);
      // A sign-in has two: for the search, and for the person's own password.
      expect(new Set(ward.directory.asked.map(({ connection }) => connection)).size).toBeLessThanOrEqual(2);
      expect(new Set(used).size).toBe(used.length);
      const careless = ward.directory.asked.filter(
        ({ op, isEncrypted, isBound }) => (op === "search" && !isBound) || (op !== "startTls" && !isEncrypted),
      );
      expect(careless).toEqual([]);
      expect([200, 503]).toContain(answer.status);
      on.clock.pass(60_000);
    },
  );
});

test.each(ways)("over %s, a connection that ends between two operations is not replaced", async (_name, settings) => {
  const { config } = await ward.appliance(settings());
  const { ldap } = config.sign_in;
  const caPem = readFileSync(ldap.ca_file, "utf8");
  const connector = createLdapConnector({ settings: ldap, clock: systemClock, caPem });
  ward.directory.script = except(({ op, id }) => (op === "bind" ? { send: [bindResult(id)], closes: true } : null));
  const before = ward.directory.connections.total;
  let isClosed = false;
  let second: Promise<unknown> | null = null;
  const run = connector.run(async (client) => {
    await client.bind(ldap.bind_dn, ldap.bind_password);
    await until(() => !client.isConnected || isClosed);
    second = client.bind(ldap.bind_dn, ldap.bind_password);
    await second;
  });
  run.catch(() => (isClosed = true));
  await expect(run).rejects.toThrow("closed the connection");
  await until(() => second !== null);
  await expect(second).rejects.toThrow();
  expect(ward.directory.connections.total - before).toBe(1);
  expect(ward.directory.asked.filter(({ op, isEncrypted }) => op !== "startTls" && !isEncrypted)).toEqual([]);
});

describe("StartTLS", () => {
  test.each([1, 2, 52, 53])(
    "that is refused (code %i) leads to the next address, and never on in clear",
    async (code) => {
      ward.directory.script = except(({ op, id }) => (op === "startTls" ? { send: [startTlsResult(id, code)] } : null));
      const other = await startScriptedDirectory(honest());
      const urls = `ldap://localhost:${ward.directory.port}`;
      const two = await ward.appliance({
        ...ward.upgraded(),
        [`${LDAP}URLS`]: `ldap://localhost:${other.port},${urls}`,
        [`${LDAP}CA_FILE`]: other.caFile,
      });
      other.script = ward.directory.script;
      const refused = await ward.give(two, ward.someone());
      expect([refused.status, refused.json.error.message]).toEqual([503, expect.stringContaining("does not answer")]);
      expect([...ward.directory.asked, ...other.asked].map(({ op }) => op)).toEqual(["startTls", "startTls"]);
      const next = await ward.appliance({
        ...ward.upgraded(),
        [`${LDAP}URLS`]: `${urls},ldap://localhost:${other.port}`,
        [`${LDAP}CA_FILE`]: other.caFile,
      });
      other.script = honest();
      expect((await ward.give(next, ward.someone())).status).toBe(200);
      expect(ward.directory.asked.filter(({ op }) => op !== "startTls")).toEqual([]);
      other.stop();
    },
  );

  test("followed by words in clear is refused: they would count as encrypted ones", async () => {
    const on = await ward.appliance(ward.upgraded());
    // All but the last byte: the first encrypted byte would complete it.
    const forged = bindResult(3).subarray(0, -1);
    ward.directory.script = except(({ op, id }) => (op === "startTls" ? { send: [startTlsResult(id), forged] } : null));
    expect((await ward.give(on, ward.someone(), "wrong")).status).toBe(503);
    expect(ward.directory.asked.map(({ op }) => op)).toEqual(["startTls"]);
  });
});

describe("referrals", () => {
  test("lead nowhere", async () => {
    const on = await ward.appliance();
    const elsewhere = await startScriptedDirectory(() => ({ send: [] }));
    const url = `ldap://localhost:${elsewhere.port}/${BASE}`;
    const scripts: [number, LdapScript][] = [
      [200, except(({ op, id }) => (op === "search" ? referenced(id, url) : null))],
      [503, except(({ op, id }) => (op === "search" ? { send: [referral(id, "search", url)] } : null))],
      [503, except(({ op, id }) => (op === "bind" ? { send: [referral(id, "bind", url)] } : null))],
      [
        503,
        except(({ op, id, dn }) => (op === "bind" && dn !== SERVICE.dn ? { send: [referral(id, "bind", url)] } : null)),
      ],
    ];
    for (const [status, script] of scripts) {
      ward.directory.script = script;
      expect((await ward.give(on, "person77")).status).toBe(status);
      on.clock.pass(60_000);
    }
    expect(elsewhere.connections.total).toBe(0);
    elsewhere.stop();
  });

  const referenced = (id: number, url: string): LdapAnswer => ({
    send: [searchReference(id, url), searchEntry(id, dnOf("person77"), attributesOf("person77")), searchDone(id)],
  });
});

describe("a directory that hangs", () => {
  const steps: [string, Record<string, string> | null, (request: LdapRequest) => boolean][] = [
    ["at StartTLS", null, ({ op }) => op === "startTls"],
    ["at the bind of the service account", {}, ({ op, dn }) => op === "bind" && dn === SERVICE.dn],
    ["at the search", {}, ({ op, base }) => op === "search" && base.startsWith("ou=people")],
    [
      "at the search of groups",
      { [`${LDAP}GROUP_BASE`]: `ou=groups,${BASE}` },
      ({ op, base }) => op === "search" && base.startsWith("ou=groups"),
    ],
    ["at the person's password", {}, ({ op, dn }) => op === "bind" && dn !== SERVICE.dn],
  ];
  test.each(steps)("%s holds one sign-in for its time, and no local account", async (_name, further, isHung) => {
    const on = await ward.appliance(further ?? ward.upgraded());
    const local = await signedIn(on.app, on.organisationId, "owner");
    let hung = 0;
    ward.directory.script = except((request) => {
      if (!isHung(request)) return null;
      hung++;
      return { send: [] };
    });
    const waiting = ward.give(on, ward.someone());
    await until(() => hung === 1);
    await signIn(on.app, local.email, PASSWORD);
    await on.clock.advance(10_000);
    expect((await waiting).status).toBe(503);
    await until(() => ward.directory.connections.open === 0);
    await signIn(on.app, local.email, PASSWORD);
    // Nor later.
    ward.directory.script = honest();
    on.clock.pass(60_000);
    if (further?.[`${LDAP}GROUP_BASE`] === undefined) expect((await ward.give(on, ward.someone())).status).toBe(200);
  });

  test("at the handshake holds no more connections than the settings allow", async () => {
    let [now, most] = [0, 0];
    const hanging = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: () => void (most = Math.max(most, ++now)),
        close: () => void now--,
        data() {},
      },
    });
    const on = await ward.appliance({
      [`${LDAP}URLS`]: `ldaps://localhost:${hanging.port}`,
      [`${LDAP}CONNECTIONS`]: "3",
    });
    const local = await signedIn(on.app, on.organisationId, "owner");
    const waiting = Array.from({ length: 12 }, () => ward.give(on, ward.someone()));
    await until(() => now === 3);
    // While all connections hang.
    await signIn(on.app, local.email, PASSWORD);
    await on.clock.advance(10_000);
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(most).toBe(3);
    await until(() => now === 0);
    hanging.stop(true);
  });
});
