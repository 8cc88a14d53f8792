// What the hardening points read from the database, on both engines.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { storedFacts } from "../../../src/cli/hardening/hardening-points.ts";
import { IDLE_AFTER_MS } from "../../../src/cli/hardening/people-points.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createServices, type Services } from "../../../src/compose/services.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { Database } from "../../../src/db/database.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { newDataFolder, openTestDatabase } from "../../support/temp.ts";

let db: Database;
let clock: ManualClock;
let services: Services;
let organisationId: string;
beforeEach(async () => {
  clock = createManualClock();
  db = await openTestDatabase(await newDataFolder());
  const config = loadConfig({ environment: { RINGWARD_WEBHOOKS__ALLOW_PRIVATE: "10.0.0.5" } });
  services = createServices({ config, db, clock, logger: silentLogger, rootKey: new Uint8Array(32) });
  ({ id: organisationId } = await services.organisations.create({ name: "General", timeZone: "UTC" }, CLI_ACTOR));
});
afterEach(() => db.close());

const facts = () => storedFacts(db.reader, clock.now());

const person = async (role: "owner" | "staff", email: string) => {
  const input = { name: "Asha Rao", email, role, password: "correct horse battery" };
  return (await services.people.create(organisationId, input, CLI_ACTOR)).person_id;
};

test("accounts: roles, second factors, the emergency account, and who was not there for long", async () => {
  const owner = await person("owner", "owner@hospital.example");
  const idle = await person("staff", "idle@hospital.example");
  const disabled = await person("staff", "gone@hospital.example");
  await db.write(async (tx) => {
    await tx.updateTable("people").set({ disabled_at: clock.now() }).where("id", "=", disabled).execute();
    const secret = { id: "otp_1", person_id: owner, sealed_secret: "x", created_at: 1, confirmed_at: 1 };
    await tx.insertInto("totp_secrets").values(secret).execute();
    await tx
      .insertInto("totp_secrets")
      .values({ ...secret, id: "otp_2", person_id: idle, confirmed_at: null })
      .execute();
  });
  await services.breakGlass.seal(organisationId, CLI_ACTOR);
  clock.jump(IDLE_AFTER_MS + DAY_MS);
  const origin = { deviceToken: null, source: "203.0.113.9" };
  await services.sessions.openFor("owner@hospital.example", origin, { method: "password" });
  const { accounts, organisations } = await facts();
  const known = new Map(accounts.map((account) => [account.id, account]));
  expect(known.size).toBe(3);
  expect(known.get(owner)).toMatchObject({ role: "owner", hasSecondFactor: true, isIdle: false, isEmergency: false });
  expect(known.get(idle)).toMatchObject({ role: "staff", hasSecondFactor: false, isIdle: true, directory: null });
  expect(accounts.filter(({ isEmergency }) => isEmergency)).toHaveLength(1);
  expect(organisations).toMatchObject([
    { id: organisationId, secondFactorRoles: [], seal: { sealedAt: expect.any(Number), usedAt: null } },
  ]);
  // No session and no device is left: the audit trail alone knows the sign-in.
  await db.write(async (tx) => {
    await tx.deleteFrom("sessions").execute();
    await tx.deleteFrom("known_devices").execute();
  });
  const again = (await facts()).accounts;
  expect(again.filter(({ isIdle }) => !isIdle).map(({ id }) => id)).toContain(owner);
});

test("keys: those that are revoked or expired count no more", async () => {
  const make = (name: string, expiresAt: number | null) =>
    services.keys.create(organisationId, { name, scopes: ["calls:read"], expiresAt }, CLI_ACTOR);
  const endless = await make("endless", null);
  const short = await make("short", clock.now() + DAY_MS);
  const revoked = await make("revoked", null);
  await services.keys.revoke(organisationId, revoked.key_id, CLI_ACTOR);
  const madeAt = clock.now();
  expect((await facts()).keys.map(({ id }) => id).toSorted()).toEqual([endless.key_id, short.key_id].toSorted());
  clock.jump(2 * DAY_MS);
  expect((await facts()).keys).toEqual([{ id: endless.key_id, expiresAt: null, lastUsedAt: madeAt }]);
});

test("endpoints over http to other machines, those that get alarms, and the protection of trunks", async () => {
  const endpoint = async (url: string, eventTypes = ["call.completed"]) =>
    (await services.endpoints.create(organisationId, { url, eventTypes }, CLI_ACTOR)).endpoint_id;
  const plain = await endpoint("https://receiver.example/hook");
  await db.write((tx) =>
    tx.updateTable("webhook_endpoints").set({ url: "http://10.0.0.5/hook" }).where("id", "=", plain).execute(),
  );
  expect(await facts()).toMatchObject({ plainEndpoints: [plain], alarmEndpoints: 0 });
  await db.write((tx) =>
    tx
      .updateTable("webhook_endpoints")
      .set({ url: "http://127.0.0.1:9000/hook", event_types: "appliance.alarm" })
      .where("id", "=", plain)
      .execute(),
  );
  expect(await facts()).toMatchObject({ plainEndpoints: [], alarmEndpoints: 1 });
  const trunk = async (name: string, more: object) =>
    (await services.trunks.create(organisationId, { name, host: "pbx.example", ...more }, CLI_ACTOR)).trunk_id;
  const clear = await trunk("a", {});
  const closed = await trunk("b", { transport: "tls", srtp: "required" });
  const { trunks } = await facts();
  expect(trunks.find(({ id }) => id === clear)).toEqual({ id: clear, hasTls: false, needsSrtp: false });
  expect(trunks.find(({ id }) => id === closed)).toEqual({ id: closed, hasTls: true, needsSrtp: true });
  await db.write((tx) => tx.updateTable("trunks").set({ enabled: 0 }).execute());
  expect((await facts()).trunks).toEqual([]);
});
