// Sign-in of a person of the provider whose e-mail address a local account has: taken over only if the settings say so
// and the provider says that the address is confirmed, and never from an owner.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Role } from "../../../src/accounts/records.ts";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { askDashboard, PASSWORD, signedIn, type Visitor } from "../../support/dashboard.ts";
import { API, refusedBy, startOidcWard, type OidcWard } from "../../support/oidc-ward.ts";
import type { TestApp } from "../../support/test-app.ts";

const TAKES_OVER = "RINGWARD_SIGN_IN__OIDC__TAKES_OVER";

let ward: OidcWard;
let taking: TestApp;
beforeAll(async () => {
  ward = await startOidcWard();
  taking = await ward.appliance({ [TAKES_OVER]: "true" });
}, 180_000);
afterAll(async () => {
  await taking.close();
  await ward.close();
});
beforeEach(() => ward.heal());

const local = (role: Role) => signedIn(taking.app, taking.organisationId, role);
const passwordOf = async ({ email }: Visitor) =>
  (await askDashboard(taking.app, "POST", `${API}/login`, { body: { email, password: PASSWORD } })).status;

test("an account is taken over if the settings say so, and its password ends", async () => {
  const viewer = await local("viewer");
  const theirs = ward.person({ email: viewer.email.toUpperCase(), email_verified: true });
  const cookie = await ward.enterAs(theirs.id, taking.app);
  expect(await ward.personIn(cookie, taking.app)).toMatchObject({ person_id: viewer.personId, role: "staff" });
  expect(await ward.isIn(viewer.cookie, taking.app)).toBeFalse();
  expect(await passwordOf(viewer)).toBe(401);
  // It is this person's now, and no other's.
  const other = ward.person({ email: viewer.email, email_verified: true });
  expect(await refusedBy(ward.enter(other.id, taking.app))).toMatchObject({ status: 409 });
});

test("an account is not taken over unless the provider says that the address is confirmed", async () => {
  const viewer = await local("viewer");
  const { email } = viewer;
  for (const given of [undefined, "true ", 1]) {
    const answer = await ward.enter(ward.person({ email, email_verified: given as never }).id, taking.app);
    expect(await refusedBy(answer)).toEqual({ status: 409, code: "CONFLICT" });
    expect(answer.json.error.message).toContain("confirmed");
  }
  const unconfirmed = ward.person({ email, email_verified: "false" as never });
  expect(await refusedBy(ward.enter(unconfirmed.id, taking.app))).toMatchObject({ status: 403 });
  expect([await ward.isIn(viewer.cookie, taking.app), await passwordOf(viewer)]).toEqual([true, 200]);
});

test("an account is not taken over by another claim than the confirmed one", async () => {
  const other = await ward.appliance({ [TAKES_OVER]: "true", RINGWARD_SIGN_IN__OIDC__EMAIL_CLAIM: "name" });
  const viewer = await signedIn(other.app, other.organisationId, "viewer");
  const { id } = ward.person({ email: "own@city.example", email_verified: true, name: viewer.email });
  expect(await refusedBy(ward.enter(id, other.app))).toMatchObject({ status: 409 });
  expect(await ward.isIn(viewer.cookie, other.app)).toBeTrue();
  await other.close();
});

test("an owner's account is never taken over, whatever the groups give", async () => {
  const [first] = [await local("owner"), await local("owner")];
  for (const groups of [["ringward-ward"], ["ringward-owners"]]) {
    const answer = await ward.enter(ward.person({ email: first.email, email_verified: true, groups }).id, taking.app);
    expect(await refusedBy(answer)).toEqual({ status: 409, code: "CONFLICT" });
    expect(answer.json.error.message).toContain("owner's account");
  }
  expect([await ward.isIn(first.cookie, taking.app), await passwordOf(first)]).toEqual([true, 200]);
  const tried = await taking.db.reader
    .selectFrom("audit_entries")
    .select("detail")
    .where("subject_id", "=", first.personId)
    .where("action", "=", "person.takeover_refused")
    .execute();
  expect(tried.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual([
    { directory: "oidc", reason: "owner" },
    { directory: "oidc", reason: "owner" },
  ]);
});

test("an open session ends when the groups give a role that needs a second factor", async () => {
  const { app, testApp, owner } = ward;
  const demand = (...roles: string[]) =>
    app.services.organisations.setSecondFactor(testApp.organisationId, roles, CLI_ACTOR);
  const { id } = ward.person({ groups: ["ringward-readers"] });
  const cookie = await ward.enterAs(id);
  await demand("owner");
  expect(await ward.isIn(cookie)).toBeTrue();
  ward.hospital.people.get(id)!.groups = ["ringward-owners"];
  await testApp.db.write((tx) => tx.updateTable("directory_people").set({ tried_at: 0 }).execute());
  await app.services.directories.recheck();
  expect(await ward.isIn(cookie)).toBeFalse();
  expect((await ward.enter(id)).json as object).toMatchObject({ next: "set_up" });
  await demand();
  await testApp.db.write((tx) => tx.deleteFrom("sessions").where("person_id", "<>", owner.personId).execute());
});
