import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, type Actor } from "../../src/core/actor.ts";
import { listAuditPage } from "../../src/accounts/audit.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createAccounts, type Accounts } from "../support/accounts.ts";
import { rejectionOf } from "../support/temp.ts";

let accounts: Accounts;
beforeEach(async () => void (accounts = await createAccounts()));
afterEach(() => accounts.db.close());

const create = (name = "General", timeZone = "Asia/Kolkata") =>
  accounts.organisations.create({ name, timeZone }, CLI_ACTOR);

describe("an organisation", () => {
  test("starts on the base plan", async () => {
    expect(await create(" General ")).toMatchObject({ name: "General", plan: "base", time_zone: "Asia/Kolkata" });
  });

  test.each([
    ["name", "", "UTC"],
    ["name", "x".repeat(201), "UTC"],
    ["time_zone", "General", "Asia/Nowhere"],
    ["time_zone", "General", "+05:30"],
  ])("with a wrong %s is refused", async (field, name, zone) => {
    expect((await rejectionOf<AppError>(create(name, zone))).details[0]?.field).toBe(field);
  });

  test("can change to an existing plan", async () => {
    const { id } = await create();
    await accounts.clock.advance(1_000);
    await accounts.organisations.setPlan(id, "enterprise", CLI_ACTOR);
    expect(await accounts.organisations.get(id)).toMatchObject({
      plan: "enterprise",
      updated_at: accounts.clock.now(),
    });
    expect((await rejectionOf<AppError>(accounts.organisations.setPlan(id, "gold", CLI_ACTOR))).code).toBe(
      "VALIDATION_ERROR",
    );
  });

  test("that is unknown is not found", async () => {
    for (const act of [
      () => accounts.organisations.get("org_none"),
      () => accounts.organisations.setPlan("org_none", "base", CLI_ACTOR),
    ]) {
      expect((await rejectionOf<AppError>(act())).code).toBe("NOT_FOUND");
    }
  });
});

describe("the audit trail", () => {
  test("shows who did what, newest first, within one organisation", async () => {
    const { id } = await create();
    await create("Other");
    await accounts.clock.advance(10);
    const actor: Actor = { kind: "person", id: "per_1", requestId: "req_1" };
    const key = await accounts.keys.create(id, { name: "k", scopes: ["calls:read"] }, actor);
    expect(await listAuditPage(accounts.db.reader, { organisationId: id, limit: 10 })).toMatchObject([
      {
        action: "api_key.created",
        actor_kind: "person",
        actor_id: "per_1",
        request_id: "req_1",
        subject_id: key.key_id,
        detail: { scopes: ["calls:read"] },
      },
      {
        action: "organisation.created",
        actor_kind: "cli",
        actor_id: null,
        request_id: null,
        subject_id: id,
        detail: {},
      },
    ]);
    expect(await listAuditPage(accounts.db.reader, { organisationId: id, limit: 1 })).toHaveLength(1);
  });

  test("has an entry for every action, and neither personal data nor a secret in any", async () => {
    const { id } = await create("Saint Hidden");
    const person = {
      email: "kamala@hidden.example",
      name: "Kamala Hidden",
      role: "staff",
      password: "hidden password",
    };
    await accounts.people.create(id, person, CLI_ACTOR);
    await accounts.people.setPassword(id, person.email, "hidden password two", CLI_ACTOR);
    await accounts.people.disable(id, person.email, CLI_ACTOR);
    await accounts.people.enable(id, person.email, CLI_ACTOR);
    await accounts.organisations.setPlan(id, "professional", CLI_ACTOR);
    const key = await accounts.keys.create(id, { name: "Hidden EHR", scopes: ["calls:read"] }, CLI_ACTOR);
    await accounts.keys.revoke(id, key.key_id, CLI_ACTOR);

    const entries = await listAuditPage(accounts.db.reader, { organisationId: id, limit: 100 });
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      "api_key.created",
      "api_key.revoked",
      "organisation.created",
      "organisation.plan_changed",
      "person.created",
      "person.disabled",
      "person.enabled",
      "person.password_changed",
    ]);
    // Names are looked up on reading; stored entries have none.
    expect(entries.map(({ subject_name }) => subject_name)).toContain("Kamala Hidden");
    const kept = await accounts.db.reader.selectFrom("audit_entries").selectAll().execute();
    const text = JSON.stringify(kept).toLowerCase();
    for (const secret of ["hidden", "kamala", "argon2", key.key.slice(-43).toLowerCase()])
      expect(text).not.toContain(secret);
  });

  test("has no entry for a rejected action", async () => {
    const { id } = await create();
    await rejectionOf(accounts.keys.revoke(id, "key_none", CLI_ACTOR));
    expect(await listAuditPage(accounts.db.reader, { organisationId: id, limit: 10 })).toHaveLength(1);
  });
});
