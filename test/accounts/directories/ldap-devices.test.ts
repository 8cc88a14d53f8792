// Strangers' guesses at people of a directory: whatever name is typed, they do not hold a person on a known device.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { SECOND_MS } from "../../../src/core/clock.ts";
import { cookiesOf } from "../../support/oidc-ward.ts";
import { searchDone } from "../../support/scripted-directory.ts";
import { except, honest, LDAP, startScriptedWard, type ScriptedWard } from "../../support/scripted-ward.ts";
import { until } from "../../support/until.ts";

let ward: ScriptedWard;

beforeAll(async () => {
  ward = await startScriptedWard();
}, 60_000);
beforeEach(() => ward.heal());
afterAll(() => ward.close());

/** As Active Directory's account name, e-mail address and user name. */
const namesOf = (uid: string) => [uid, uid.toUpperCase(), `${uid}@directory.example`, `HOSP-${uid}`];

test("guesses at the password do not hold the person on a known device, whatever name either types", async () => {
  const on = await ward.appliance();
  // The directory finds everybody in any case.
  const usual = honest();
  ward.directory.script = (request) =>
    usual({ ...request, bytes: Buffer.from(request.bytes.toString("latin1").toLowerCase()) });
  const uid = ward.someone();
  const first = await ward.give(on, uid);
  expect(first.status).toBe(200);
  const device = cookiesOf(first);
  const names = namesOf(uid);
  for (let i = 0; i < 24; i++) await ward.give(on, names[i % names.length]!, "wrong");
  for (const name of names) {
    expect([name, (await ward.give(on, name)).status]).toEqual([name, 429]);
    expect([name, (await ward.give(on, name, undefined, { cookie: device })).status]).toEqual([name, 200]);
  }
  // Of this person alone.
  const other = ward.someone();
  for (let i = 0; i < 24; i++) await ward.give(on, other, "wrong");
  expect((await ward.give(on, other, undefined, { cookie: device })).status).toBe(429);
});

test("a flood of user names does not hold a known device in the queue of searches", async () => {
  const on = await ward.appliance({ [`${LDAP}CONNECTIONS`]: "1" });
  const uid = ward.someone();
  const device = cookiesOf(await ward.give(on, uid));
  const released = Promise.withResolvers<void>();
  let searches = 0;
  ward.directory.script = except(({ op, id }) => {
    if (op !== "search" || ++searches > 1) return null;
    return released.promise.then(() => ({ send: [searchDone(id)] }));
  });
  const flood = Array.from({ length: 300 }, () => ward.give(on, "nobody"));
  await until(() => searches === 1);
  // More than may wait.
  expect((await Promise.race(flood)).status).toBe(429);
  expect((await ward.give(on, uid)).status).toBe(429);
  const waiting = ward.give(on, uid, undefined, { cookie: device });
  ward.directory.script = honest();
  released.resolve();
  expect((await waiting).status).toBe(200);
  ward.directory.script = () => ({ closes: true });
  await Promise.all(flood);
}, 180_000);

test("wrong passwords count for the person, whatever name is typed, and hold nobody else", async () => {
  const on = await ward.appliance();
  const { connections } = ward.directory;
  const usual = honest();
  ward.directory.script = (request) =>
    usual({ ...request, bytes: Buffer.from(request.bytes.toString("latin1").toLowerCase()) });
  const uid = ward.someone();
  const names = [...namesOf(uid), ` ${uid}`, `${uid} `];
  const statuses: number[] = [];
  const before = connections.total;
  const guesses = names.map(async (name) => {
    statuses.push((await ward.give(on, name, "wrong", { from: "203.0.113.9" })).status);
  });
  // A connection for each search, and one for each password that was tried. The clock moves only between them: it also
  // ends what waits for the directory.
  const isQuiet = () => connections.open === 0 && connections.total - before === names.length + statuses.length;
  await until(() => statuses.length === 3 && isQuiet());
  await until(async () => {
    if (isQuiet()) await on.clock.advance(SECOND_MS);
    return statuses.length === names.length;
  });
  await Promise.all(guesses);
  expect(statuses).toEqual(names.map(() => 401));
  // The pauses double: 1, 2 and 4 s.
  expect(on.clock.elapsedMs()).toBeGreaterThanOrEqual(7 * SECOND_MS);
  expect((await ward.give(on, ward.someone(), undefined, { from: "203.0.113.9" })).status).toBe(200);
});
