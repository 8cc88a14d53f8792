// A directory that says too much, or what nobody expects: nobody gets in who should not, and others sign in.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { EqualityFilter } from "ldapts";
import { nameFilter } from "../../../src/accounts/directories/ldap-directory.ts";
import { PASSWORD, signedIn, signIn } from "../../support/dashboard.ts";
import { searchDone, searchEntry, type LdapAnswer, type LdapRequest } from "../../support/scripted-directory.ts";
import {
  attributesOf,
  BASE,
  dnOf,
  except,
  honest,
  LDAP,
  startScriptedWard,
  WARD,
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

describe("huge answers", () => {
  const GROUPS = Array.from({ length: 10_000 }, (_, i) => `cn=group ${i} of a hospital,ou=groups,${BASE}`);

  test("of a person with 10,000 groups in memberOf are read", async () => {
    const on = await ward.appliance();
    ward.directory.script = honest((uid) => ({ ...attributesOf(uid), memberOf: [...GROUPS, WARD] }));
    expect((await ward.give(on, ward.someone())).status).toBe(200);
    ward.directory.script = honest((uid) => ({ ...attributesOf(uid), memberOf: GROUPS }));
    expect((await ward.give(on, ward.someone())).status).toBe(403);
  });

  test("that are cut, as Active Directory does, are not taken for the whole", async () => {
    const on = await ward.appliance();
    ward.directory.script = honest((uid) => ({ ...attributesOf(uid), memberOf: [], "memberOf;range=0-1499": [WARD] }));
    expect((await ward.give(on, ward.someone())).status).toBe(503);
    ward.directory.script = honest();
    // It was about one person: others need not wait.
    expect((await ward.give(on, ward.someone())).status).toBe(200);
  });

  test("without end are cut off, whoever is asked about, and others sign in at once", async () => {
    const on = await ward.appliance();
    const local = await signedIn(on.app, on.organisationId, "owner");
    let sent = 0;
    const endless = async ({ socket, id }: LdapRequest): Promise<LdapAnswer> => {
      const part = searchEntry(id, dnOf("person0"), { cn: ["x".repeat(100_000)] });
      while (!socket.destroyed && sent < 2 ** 30) {
        sent += part.length;
        if (!socket.write(part))
          await Promise.race(["drain", "close"].map((event) => new Promise((go) => void socket.once(event, go))));
      }
      return {};
    };
    ward.directory.script = except((request) => (request.op === "search" ? endless(request) : null));
    expect((await ward.give(on, ward.someone())).status).toBe(503);
    await until(() => ward.directory.connections.open === 0);
    // What was read, and what was in buffers on the way.
    expect(sent).toBeLessThan(64 * 2 ** 20);
    ward.directory.script = honest();
    expect((await ward.give(on, ward.someone())).status).toBe(200);
    await signIn(on.app, local.email, PASSWORD);
  });

  test.each([
    ["a length of 2 GB", Buffer.from("3084ffffffff", "hex")],
    ["a negative length", Buffer.from("3084fffffff0020102", "hex")],
    ["zeros", Buffer.alloc(100_000)],
    ["another protocol", Buffer.from("HTTP/1.1 200 OK\r\n\r\n".repeat(1_000))],
    ["100,000 messages to nobody", Buffer.concat(Array.from({ length: 100_000 }, () => searchDone(1_000)))],
  ])("of %s end nothing but that sign-in", async (_name, bytes) => {
    const on = await ward.appliance();
    ward.directory.script = except(({ op }) => (op === "search" ? { send: [bytes], closes: true } : null));
    expect((await ward.give(on, ward.someone())).status).toBe(503);
    ward.directory.script = honest();
    on.clock.pass(60_000);
    expect((await ward.give(on, ward.someone())).status).toBe(200);
  });
});

describe("odd attributes", () => {
  const BYTES = Buffer.from([0xff, 0xfe, 0x00, 0x01]);
  const pairsOf = (uid: string) =>
    Object.entries(attributesOf(uid)).map(([name, values]) => [name, values as string[]] as const);
  const odd: [string, number, (uid: string) => Parameters<typeof searchEntry>[2]][] = [
    ["two ids", 503, (uid) => ({ ...attributesOf(uid), entryUUID: ["one", "two"] })],
    ["no id", 503, (uid) => ({ ...attributesOf(uid), entryUUID: [] })],
    ["an id of bytes", 200, (uid) => ({ ...attributesOf(uid), objectGUID: [Buffer.from(uid)] })],
    ["groups of bytes", 403, (uid) => ({ ...attributesOf(uid), memberOf: [BYTES] })],
    ["names of bytes", 200, (uid) => ({ ...attributesOf(uid), cn: [BYTES], displayName: [BYTES] })],
    ["an address of bytes and none else", 403, (uid) => ({ ...attributesOf(uid), mail: [BYTES] })],
    ["no address", 403, (uid) => ({ ...attributesOf(uid), mail: [] })],
    ["several addresses", 200, (uid) => ({ ...attributesOf(uid), mail: [`${uid}@a.example`, "b@hospital.example"] })],
    ["two states, one disabled", 401, (uid) => ({ ...attributesOf(uid), userAccountControl: ["512", "514"] })],
    ["a state of bytes", 401, (uid) => ({ ...attributesOf(uid), userAccountControl: [BYTES] })],
    ["attributes twice", 200, (uid) => [...pairsOf(uid), ...pairsOf(uid)]],
    ["a name of 100,000 letters", 200, (uid) => ({ ...attributesOf(uid), cn: ["x".repeat(100_000)] })],
    ["the name of a prototype", 200, (uid) => ({ ...attributesOf(uid), constructor: ["x"] })],
  ];
  let on: TestApp;
  beforeAll(async () => {
    on = await ward.appliance();
  }, 60_000);

  test.each(odd)("%s: %i", async (_name, status, attributes) => {
    ward.directory.script = honest(attributes);
    const answer = await ward.give(on, ward.someone());
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    // Nor does it hold others.
    ward.directory.script = honest();
    expect((await ward.give(on, ward.someone())).status).toBe(200);
  });
});

describe("groups that are searched", () => {
  const GROUP_BASE = { [`${LDAP}GROUP_BASE`]: `ou=groups,${BASE}` };

  test("are asked for by name: a person in thousands of others is found in theirs", async () => {
    const on = await ward.appliance(GROUP_BASE);
    ward.directory.script = except(({ op, id, base, bytes }) => {
      if (op !== "search" || !base.startsWith("ou=groups")) return null;
      // A directory sends the first thousand of what fits, and says that there is more.
      const isNarrow = bytes.includes("ward");
      const others = Array.from({ length: 1_000 }, (_, i) => searchEntry(id, `cn=other ${i},ou=groups,${BASE}`, {}));
      return { send: isNarrow ? [searchEntry(id, WARD, {}), searchDone(id)] : [...others, searchDone(id, 4)] };
    });
    expect((await ward.give(on, ward.someone())).status).toBe(200);
  });

  test.each([
    ["CN=Ward 3,OU=Groups,DC=x", "(CN=Ward 3)"],
    [" cn = Ward , dc=x", "(cn=Ward)"],
    ["CN=Ward\\, third,DC=x", "(CN=Ward, third)"],
    ["CN=Stra\\C3\\9Fe,DC=x", "(CN=Straße)"],
    ["cn=a+ou=b,dc=x", "(cn=a)"],
  ])("%s is searched as %s", (dn, filter) => {
    const found = nameFilter(dn);
    if (!(found instanceof EqualityFilter)) throw new Error(`No filter for ${dn}.`);
    expect(`(${found.attribute}=${String(found.value)})`).toBe(filter);
  });

  test.each(["cn=#04024869,dc=x", "Ward", "2.5.4.3=Ward,dc=x"])("%s narrows nothing", (dn) => {
    expect(nameFilter(dn)).toBeNull();
  });
});
