import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { useSetupCode } from "../../src/accounts/setup-store.ts";
import type { AppError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/hmac.ts";
import { createAccounts, type Accounts } from "../support/accounts.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { rejectionOf } from "../support/temp.ts";

const FIRST = {
  organisation: "General",
  timeZone: "Asia/Kolkata",
  email: "owner@hospital.example",
  name: "Owner",
  password: "correct horse battery",
};

let accounts: Accounts;
beforeEach(async () => void (accounts = await createAccounts()));
afterEach(() => accounts.db.close());

describe("the first setup", () => {
  test("creates one organisation with one owner", async () => {
    expect(await accounts.setup.isEmpty()).toBeTrue();
    const { organisationId, personId } = await accounts.setup.createFirst(FIRST, SYSTEM_ACTOR);
    expect(await accounts.setup.isEmpty()).toBeFalse();
    expect(await accounts.organisations.get(organisationId)).toMatchObject({ name: "General", plan: "base" });
    expect(await accounts.people.list(organisationId, CLI_ACTOR)).toMatchObject([
      { person_id: personId, role: "owner" },
    ]);
  });

  test("happens only once", async () => {
    await accounts.setup.createFirst(FIRST, SYSTEM_ACTOR);
    const refusal = await rejectionOf<AppError>(
      accounts.setup.createFirst({ ...FIRST, email: "b@x.example" }, SYSTEM_ACTOR),
    );
    expect(refusal.code).toBe("CONFLICT");
    expect(await accounts.organisations.list()).toHaveLength(1);
  });

  test("of two concurrent ones succeeds once", async () => {
    const results = await Promise.allSettled(
      ["a@x.example", "b@x.example"].map((email) => accounts.setup.createFirst({ ...FIRST, email }, SYSTEM_ACTOR)),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await accounts.organisations.list()).toHaveLength(1);
  });

  test.each([
    ["name", { organisation: " " }],
    ["time_zone", { timeZone: "+05:30" }],
    ["email", { email: "owner" }],
    ["password", { password: "short" }],
  ])("with an invalid %s leaves nothing behind", async (field, change) => {
    const refusal = await rejectionOf<AppError>(accounts.setup.createFirst({ ...FIRST, ...change }, SYSTEM_ACTOR));
    expect(refusal.details[0]?.field).toBe(field);
    expect(await accounts.setup.isEmpty()).toBeTrue();
  });
});

describe("a setup code", () => {
  test("works once, and is stored hashed", async () => {
    const code = await accounts.setup.issueCode();
    expect(filesHolding(accounts.dataDir, [code])).toEqual({});
    await accounts.setup.redeemCode(code, FIRST, SYSTEM_ACTOR);
    expect((await rejectionOf<AppError>(accounts.setup.redeemCode(code, FIRST, SYSTEM_ACTOR))).code).toBe("CONFLICT");
    const row = await accounts.db.reader.selectFrom("setup_codes").selectAll().executeTakeFirstOrThrow();
    expect(row.used_at).toBe(accounts.clock.now());
  });

  test("that is wrong, or older than the newest, is rejected and nothing is created", async () => {
    const old = await accounts.setup.issueCode();
    await accounts.setup.issueCode();
    for (const code of [old, "", "guess"]) {
      expect((await rejectionOf<AppError>(accounts.setup.redeemCode(code, FIRST, SYSTEM_ACTOR))).code).toBe(
        "UNAUTHORIZED",
      );
    }
    expect(await accounts.setup.isEmpty()).toBeTrue();
  });

  test("survives an error in the form", async () => {
    const code = await accounts.setup.issueCode();
    await rejectionOf(accounts.setup.redeemCode(code, { ...FIRST, timeZone: "Nowhere" }, SYSTEM_ACTOR));
    expect((await accounts.setup.redeemCode(code, FIRST, SYSTEM_ACTOR)).organisationId).toStartWith("org_");
  });

  test("is consumed by its use, whatever else the appliance contains", async () => {
    const code = await accounts.setup.issueCode();
    const use = () => accounts.db.write((tx) => useSetupCode(tx, sha256Hex(code), accounts.clock.now()));
    expect([await use(), await use()]).toEqual([true, false]);
  });

  test("used twice concurrently works once", async () => {
    const code = await accounts.setup.issueCode();
    const results = await Promise.allSettled([1, 2].map(() => accounts.setup.redeemCode(code, FIRST, SYSTEM_ACTOR)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});
