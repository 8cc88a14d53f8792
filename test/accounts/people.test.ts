import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { hashPassword, verifyPassword } from "../../src/accounts/password.ts";
import type { AppError } from "../../src/core/errors.ts";
import { createAccounts, type Accounts } from "../support/accounts.ts";
import { rejectionOf } from "../support/temp.ts";

const PASSWORD = "correct horse battery";
const KAMALA = { email: "Kamala@Hospital.example", name: " Kamala ", role: "owner", password: PASSWORD };

let accounts: Accounts;
let organisationId: string;

beforeEach(async () => {
  accounts = await createAccounts();
  organisationId = (await accounts.organisations.create({ name: "General", timeZone: "Asia/Kolkata" }, CLI_ACTOR)).id;
});
afterEach(() => accounts.db.close());

const rowOf = (email: string) =>
  accounts.db.reader.selectFrom("people").selectAll().where("email", "=", email).executeTakeFirstOrThrow();

describe("passwords", () => {
  test("are stored as argon2id with OWASP's parameters", async () => {
    const hash = await hashPassword(PASSWORD);
    expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(hash).not.toBe(await hashPassword(PASSWORD));
    expect(await verifyPassword(PASSWORD, hash)).toBeTrue();
    expect(await verifyPassword(`${PASSWORD} `, hash)).toBeFalse();
  });

  test.each([9, 201])("of %d characters are rejected", async (length) => {
    const refusal = await rejectionOf<AppError>(hashPassword("x".repeat(length)));
    expect(refusal.details).toEqual([{ field: "password", message: "password must have 10 to 200 characters." }]);
  });

  test("above the maximum length are not hashed", async () => {
    const hash = await hashPassword(PASSWORD);
    expect(await verifyPassword("x".repeat(100_000), hash)).toBeFalse();
  });
});

describe("a new person", () => {
  test("has a trimmed name, a lower-case address and no password in the response", async () => {
    const person = await accounts.people.create(organisationId, KAMALA, CLI_ACTOR);
    expect(person).toMatchObject({
      email: "kamala@hospital.example",
      name: "Kamala",
      role: "owner",
      disabled_at: null,
    });
    expect(JSON.stringify(await accounts.people.list(organisationId, CLI_ACTOR))).not.toContain("argon2id");
    expect((await rowOf("kamala@hospital.example")).password_hash).toStartWith("$argon2id$");
  });

  test("with an address in use is rejected, in any case and organisation", async () => {
    await accounts.people.create(organisationId, KAMALA, CLI_ACTOR);
    const other = await accounts.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    for (const organisation of [organisationId, other.id]) {
      const again = { ...KAMALA, email: " KAMALA@hospital.EXAMPLE " };
      expect((await rejectionOf<AppError>(accounts.people.create(organisation, again, CLI_ACTOR))).code).toBe(
        "CONFLICT",
      );
    }
  });

  test("is created once by two concurrent requests", async () => {
    const results = await Promise.allSettled(
      [1, 2].map(() => accounts.people.create(organisationId, KAMALA, CLI_ACTOR)),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test.each([
    ["email", { email: "kamala" }],
    ["email", { email: "a b@c.example" }],
    ["email", { email: `${"a".repeat(250)}@b.example` }],
    ["name", { name: " " }],
    ["role", { role: "admin" }],
    ["password", { password: "short" }],
  ])("with a wrong %s is refused", async (field, change) => {
    const refusal = await rejectionOf<AppError>(
      accounts.people.create(organisationId, { ...KAMALA, ...change }, CLI_ACTOR),
    );
    expect(refusal.details[0]?.field).toBe(field);
  });
});

describe("a person", () => {
  beforeEach(async () => void (await accounts.people.create(organisationId, KAMALA, CLI_ACTOR)));

  test("can be disabled and enabled again", async () => {
    await accounts.people.disable(organisationId, KAMALA.email, CLI_ACTOR);
    expect((await rowOf("kamala@hospital.example")).disabled_at).toBe(accounts.clock.now());
    await accounts.people.enable(organisationId, KAMALA.email, CLI_ACTOR);
    expect((await rowOf("kamala@hospital.example")).disabled_at).toBeNull();
  });

  test("can get a new password, by the same rules", async () => {
    await accounts.people.setPassword(organisationId, KAMALA.email, "another password", CLI_ACTOR);
    expect(await verifyPassword("another password", (await rowOf("kamala@hospital.example")).password_hash)).toBeTrue();
    await rejectionOf(accounts.people.setPassword(organisationId, KAMALA.email, "short", CLI_ACTOR));
  });

  test("of another organisation is answered like an unknown one", async () => {
    const other = await accounts.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    const refusals = await Promise.all([
      rejectionOf<AppError>(accounts.people.disable(other.id, KAMALA.email, CLI_ACTOR)),
      rejectionOf<AppError>(accounts.people.disable(organisationId, "nobody@x.example", CLI_ACTOR)),
    ]);
    for (const { code, message } of refusals) {
      expect([code, message]).toEqual(["NOT_FOUND", "There is no person with this e-mail address."]);
    }
    expect(await accounts.people.list(other.id, CLI_ACTOR)).toEqual([]);
  });
});
