// The check of open sessions at a real OpenID Connect provider: who is out again, and which faults sign nobody out.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createApp } from "../../../src/compose/app.ts";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Database } from "../../../src/db/database.ts";
import { askDashboard } from "../../support/dashboard.ts";
import type { TestApp } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/temp.ts";
import { API, startOidcWard, type OidcWard } from "../../support/oidc-ward.ts";

let ward: OidcWard;

beforeAll(async () => {
  ward = await startOidcWard();
}, 60_000);
afterAll(() => ward.close());
beforeEach(() => ward.heal());

/** Everybody is due. */
async function dueFor(on: TestApp): Promise<void> {
  on.clock.pass(15 * MINUTE_MS);
  on.clock.jump(Date.now() - on.clock.now());
  await on.db.write(async (tx) => {
    await tx
      .updateTable("directory_people")
      .set({ tried_at: on.clock.now() - 15 * MINUTE_MS })
      .execute();
  });
}

async function recheck(on: TestApp = ward.testApp): Promise<void> {
  await dueFor(on);
  await on.app.services.directories.recheck();
}

/** An appliance whose database refuses writes at times. */
const applianceThatFails = (isFailing: () => boolean): Promise<TestApp> =>
  ward.appliance({}, { open: async (dataDir, logger) => failing(await openTestDatabase(dataDir, logger), isFailing) });

function failing(db: Database, isFailing: () => boolean): Database {
  const write: Database["write"] = async (work) => {
    if (isFailing()) throw new Error("The disk is full.");
    return db.write(work);
  };
  return new Proxy(db, { get: (target, key) => (key === "write" ? write : Reflect.get(target, key)) });
}

/** The last confirmation of everybody, put back. */
async function confirmedBefore(minutes: number): Promise<void> {
  const { clock, db } = ward.testApp;
  const confirmed_at = clock.now() - minutes * MINUTE_MS;
  await db.write(async (tx) => {
    await tx.updateTable("directory_people").set({ confirmed_at }).execute();
  });
}

const timesAsked = (path: string) => ward.hospital.asked.filter((each) => each === path).length;

describe("an open session", () => {
  test("ends once the provider names no groups at all", async () => {
    const { id } = ward.person();
    const cookie = await ward.enterAs(id);
    delete ward.hospital.people.get(id)!.groups;
    await recheck();
    expect(await ward.isIn(cookie)).toBeFalse();
  });

  test("ends once the person is disabled at the provider, and stays for others", async () => {
    const [gone, staying] = [ward.person(), ward.person()];
    const [first, second] = [await ward.enterAs(gone.id), await ward.enterAs(staying.id)];
    await recheck();
    expect([await ward.isIn(first), await ward.isIn(second)]).toEqual([true, true]);
    ward.hospital.people.delete(gone.id);
    await recheck();
    expect([await ward.isIn(first), await ward.isIn(second), await ward.isIn(ward.owner.cookie)]).toEqual([
      false,
      true,
      true,
    ]);
    // The refresh token was rotated and kept.
    await recheck();
    expect(await ward.isIn(second)).toBeTrue();
  });

  test("ends once no group gives a role, and changes with the role", async () => {
    const { id } = ward.person({ groups: ["ringward-owners"] });
    const cookie = await ward.enterAs(id);
    ward.hospital.people.get(id)!.groups = ["ringward-readers"];
    await recheck();
    expect((await ward.personIn(cookie)).role).toBe("viewer");
    ward.hospital.people.get(id)!.groups = ["others"];
    await recheck();
    expect(await ward.isIn(cookie)).toBeFalse();
  });

  test("is not kept by an answer about another person, nor by a forged one for long", async () => {
    const [first, second] = [ward.person(), ward.person()];
    const cookie = await ward.enterAs(first.id);
    ward.hospital.lie = { key: "foreign" };
    await recheck();
    expect(await ward.isIn(cookie)).toBeTrue();
    const rows = await ward.testApp.db.reader.selectFrom("directory_people").select("unreachable_since").execute();
    expect(rows.filter(({ unreachable_since: since }) => since !== null).length).toBeGreaterThan(0);
    const other = await (async () => {
      ward.hospital.lie = null;
      return ward.enterAs(second.id);
    })();
    ward.hospital.lie = { claims: (claims) => ({ ...claims, sub: "someone-else" }) };
    await recheck();
    expect([await ward.isIn(other), await ward.isIn(ward.owner.cookie)]).toEqual([false, true]);
  });

  test("is not asked about before its time", async () => {
    await ward.enterAs(ward.person().id);
    const before = ward.hospital.asked.length;
    await ward.app.services.directories.recheck();
    expect(ward.hospital.asked.length).toBe(before);
  });

  test("goes on for a limited time while the provider does not answer, and says so", async () => {
    const cookie = await ward.enterAs(ward.person().id);
    ward.hospital.health = "down";
    await recheck();
    expect(await ward.isIn(cookie)).toBeTrue();
    const notices = await askDashboard(ward.app, "GET", `${API}/account/notices`, { cookie });
    expect(notices.json as object).toMatchObject({ silent_directory: { name: "City Hospital" } });
    await confirmedBefore(76);
    await recheck();
    expect(await ward.isIn(cookie)).toBeFalse();
    expect(await ward.isIn(ward.owner.cookie)).toBeTrue();
  });
});

describe("a refresh token that the provider replaces", () => {
  /** The ID token has no groups, so that the userinfo endpoint is asked too. */
  const withoutGroups = { claims: ({ groups: _groups, ...claims }: object & { groups?: unknown }) => claims };

  test.each(["/me", "/jwks"])("is kept if %s fails after the refresh", async (path) => {
    ward.hospital.lie = withoutGroups;
    const cookie = await ward.enterAs(ward.person().id);
    ward.hospital.faults.set(path, "down");
    const before = timesAsked(path);
    await recheck();
    expect(timesAsked(path)).toBeGreaterThan(before);
    expect(await ward.isIn(cookie)).toBeTrue();
    ward.hospital.faults.clear();
    await recheck();
    await recheck();
    expect(await ward.isIn(cookie)).toBeTrue();
  });

  test("is kept if the database fails after the refresh", async () => {
    let failsAfter = Infinity;
    const own = await applianceThatFails(() => timesAsked("/token") > failsAfter);
    const cookie = await ward.enterAs(ward.person().id, own.app);
    failsAfter = timesAsked("/token");
    await recheck(own).catch(() => {});
    expect(timesAsked("/token")).toBe(failsAfter + 1);
    failsAfter = Infinity;
    await recheck(own);
    await recheck(own);
    expect(await ward.isIn(cookie, own.app)).toBeTrue();
    await own.close();
  });

  test("is not used twice by two checks at once", async () => {
    const cookie = await ward.enterAs(ward.person().id);
    const { config, db, clock } = ward.testApp;
    // The same root key as the test app's.
    const rootKey = new Uint8Array(32).fill(7);
    const second = createApp({ config, db, clock, logger: silentLogger, rootKey });
    await dueFor(ward.testApp);
    const before = timesAsked("/token");
    const open = ward.testApp.db.reader.selectFrom("sessions").where("method", "=", "oidc");
    const people = await open.select("person_id").distinct().execute();
    await Promise.all([ward.app.services.directories.recheck(), second.services.directories.recheck()]);
    expect(timesAsked("/token") - before).toBe(people.length);
    await recheck();
    expect(await ward.isIn(cookie)).toBeTrue();
  });

  test.each(["lost", "cut"] as const)("and is %s on its way ends no session at once", async (fault) => {
    const { id } = ward.person();
    const cookie = await ward.enterAs(id);
    ward.hospital.faults.set("/token", fault);
    await recheck();
    expect(await ward.isIn(cookie)).toBeTrue();
    ward.hospital.faults.clear();
    for (let round = 0; round < 3; round++) await recheck();
    expect(await ward.isIn(cookie)).toBeTrue();
    const notices = await askDashboard(ward.app, "GET", `${API}/account/notices`, { cookie });
    expect(notices.json as object).toMatchObject({ silent_directory: { name: "City Hospital" } });
    // A sign-in brings a new one.
    const again = await ward.enterAs(id);
    for (let round = 0; round < 2; round++) await recheck();
    expect([await ward.isIn(cookie), await ward.isIn(again)]).toEqual([true, true]);
    // Nor is one held open by it.
    ward.hospital.faults.set("/token", fault);
    await recheck();
    ward.hospital.faults.clear();
    await confirmedBefore(76);
    await recheck();
    expect([await ward.isIn(cookie), await ward.isIn(again)]).toEqual([false, false]);
  });

  test("is refused for the person's sake if the provider was not reached before", async () => {
    const { id } = ward.person();
    const cookie = await ward.enterAs(id);
    ward.hospital.faults.set("/token", "down");
    await recheck();
    expect(await ward.isIn(cookie)).toBeTrue();
    ward.hospital.faults.clear();
    ward.hospital.people.delete(id);
    await recheck();
    expect(await ward.isIn(cookie)).toBeFalse();
  });
});

test("a fault of ours with some people's checks does not stop the others'", async () => {
  let failures = 0;
  const own = await applianceThatFails(() => failures-- > 0);
  for (let i = 0; i < 8; i++) await ward.enterAs(ward.person().id, own.app);
  const { id } = ward.person();
  const cookie = await ward.enterAs(id, own.app);
  ward.hospital.people.delete(id);
  await dueFor(own);
  failures = 8;
  await own.app.services.directories.recheck();
  expect(await ward.isIn(cookie, own.app)).toBeFalse();
  await own.close();
});
