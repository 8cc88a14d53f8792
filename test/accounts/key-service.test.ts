import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import type { AppError } from "../../src/core/errors.ts";
import { DAY_MS, toIso } from "../../src/core/clock.ts";
import { createAccounts, type Accounts } from "../support/accounts.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { rejectionOf } from "../support/temp.ts";

let accounts: Accounts;
let organisationId: string;

beforeEach(async () => {
  accounts = await createAccounts();
  organisationId = (await accounts.organisations.create({ name: "General", timeZone: "Asia/Kolkata" }, CLI_ACTOR)).id;
});
afterEach(() => accounts.db.close());

const createKey = (
  input: { scopes?: string[]; expiresAt?: number; name?: string } = {},
  organisation = organisationId,
) => accounts.keys.create(organisation, { name: "k", scopes: ["calls:read"], ...input }, CLI_ACTOR);

describe("a new key", () => {
  test("is shown once, with its scopes in canonical order", async () => {
    const created = await createKey({ name: "  EHR  ", scopes: ["slots:read", "calls:create", "slots:read"] });
    expect(created).toMatchObject({
      name: "EHR",
      scopes: ["calls:create", "slots:read"],
      status: "active",
      last_used_at: null,
    });
    const [listed] = await accounts.keys.list(organisationId);
    const { key, ...rest } = created;
    expect(listed).toEqual(rest);
    expect(JSON.stringify(listed)).not.toContain(key.slice(-43));
  });

  test("is stored nowhere, neither whole nor its secret alone", async () => {
    const { key } = await createKey();
    await accounts.keys.authenticate(key);
    await accounts.keys.flushLastUsed();
    expect(filesHolding(accounts.dataDir, [key.slice(-43), key.slice(-20)])).toEqual({});
  });

  test.each([
    ["no scope", { scopes: [] }, "scopes"],
    ["an unknown scope", { scopes: ["calls:read", "calls:fly"] }, "scopes"],
    ["no name", { name: "  " }, "name"],
    ["a name too long", { name: "x".repeat(101) }, "name"],
  ])("with %s is refused", async (_, input, field) => {
    const refusal = await rejectionOf<AppError>(createKey(input));
    expect(refusal.code).toBe("VALIDATION_ERROR");
    expect(refusal.details[0]?.field).toBe(field);
  });

  test("with an expiry in the past is rejected", async () => {
    const refusal = await rejectionOf<AppError>(createKey({ expiresAt: accounts.clock.now() }));
    expect(refusal.details[0]?.field).toBe("expires_at");
  });

  test("for an unknown organisation is rejected", async () => {
    expect((await rejectionOf<AppError>(createKey({}, "org_none"))).code).toBe("NOT_FOUND");
  });
});

describe("a plan's limit", () => {
  const fill = async (count: number) => {
    const made = [];
    for (let i = 0; i < count; i++) made.push(await createKey());
    return made;
  };

  test("rejects the sixth key on base, and says what to do", async () => {
    await fill(5);
    const refusal = await rejectionOf<AppError>(createKey());
    expect(refusal.code).toBe("PLAN_LIMIT_REACHED");
    expect(refusal.message).toBe("The base plan allows 5 active API keys. Revoke one first.");
  });

  test("holds for ten concurrent requests", async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => createKey()));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  test("does not count revoked keys", async () => {
    const [first] = await fill(5);
    await accounts.keys.revoke(organisationId, first!.key_id, CLI_ACTOR);
    expect((await createKey()).status).toBe("active");
  });

  test("does not count expired keys", async () => {
    await fill(4);
    await createKey({ expiresAt: accounts.clock.now() + DAY_MS });
    await rejectionOf(createKey());
    await accounts.clock.advance(DAY_MS);
    expect((await createKey()).status).toBe("active");
  });

  test("does not count another organisation's keys", async () => {
    await fill(5);
    const other = await accounts.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    expect((await createKey({}, other.id)).status).toBe("active");
  });

  test("does not exist on professional", async () => {
    await accounts.organisations.setPlan(organisationId, "professional", CLI_ACTOR);
    await fill(12);
    expect(await accounts.keys.list(organisationId)).toHaveLength(12);
  });
});

describe("a request's key", () => {
  test("acts for its organisation with its scopes and the limits of the plan", async () => {
    const { key, key_id } = await createKey({ scopes: [...ALL_SCOPES] });
    expect(await accounts.keys.authenticate(key)).toEqual({
      organisationId,
      keyId: key_id,
      scopes: new Set(ALL_SCOPES),
      limits: accounts.config.plans.base,
    });
  });

  test("of another organisation acts for that one only", async () => {
    const other = await accounts.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    const { key } = await createKey({}, other.id);
    expect((await accounts.keys.authenticate(key))?.organisationId).toBe(other.id);
  });

  test("is invalid when malformed or unknown", async () => {
    const { key } = await createKey();
    const otherSecret = key.slice(0, -43) + "A".repeat(43);
    const otherId = key.replace(/^rw_live_.{26}/, `rw_live_${"0".repeat(26)}`);
    for (const text of ["", "x", otherSecret, otherId, `${key} `, key.toUpperCase()]) {
      expect(await accounts.keys.authenticate(text)).toBeNull();
    }
  });

  test("is invalid from the moment it is revoked", async () => {
    const { key, key_id } = await createKey();
    await accounts.keys.revoke(organisationId, key_id, CLI_ACTOR);
    expect(await accounts.keys.authenticate(key)).toBeNull();
    expect((await accounts.keys.list(organisationId))[0]).toMatchObject({
      status: "revoked",
      revoked_at: toIso(accounts.clock.now()),
    });
  });

  test("is invalid from the moment it expires", async () => {
    const { key } = await createKey({ expiresAt: accounts.clock.now() + 1_000 });
    await accounts.clock.advance(999);
    expect(await accounts.keys.authenticate(key)).not.toBeNull();
    await accounts.clock.advance(1);
    expect(await accounts.keys.authenticate(key)).toBeNull();
    expect((await accounts.keys.list(organisationId))[0]?.status).toBe("expired");
  });

  test("follows a plan change immediately", async () => {
    const { key } = await createKey();
    await accounts.organisations.setPlan(organisationId, "enterprise", CLI_ACTOR);
    expect((await accounts.keys.authenticate(key))?.limits.requests_per_minute).toBe("unlimited");
  });
});

describe("revoking", () => {
  test("an unknown key, a revoked one, or another organisation's is answered alike", async () => {
    const other = await accounts.organisations.create({ name: "Other", timeZone: "UTC" }, CLI_ACTOR);
    const mine = await createKey();
    const theirs = await createKey({}, other.id);
    await accounts.keys.revoke(organisationId, mine.key_id, CLI_ACTOR);
    const refusals = await Promise.all(
      ["key_none", mine.key_id, theirs.key_id].map((id) =>
        rejectionOf<AppError>(accounts.keys.revoke(organisationId, id, CLI_ACTOR)),
      ),
    );
    for (const { code, message } of refusals)
      expect([code, message]).toEqual(["NOT_FOUND", "There is no active API key with this id."]);
    expect(await accounts.keys.authenticate(theirs.key)).not.toBeNull();
  });
});

describe("the last use of a key", () => {
  test("is written at the flush, not at the request", async () => {
    const { key } = await createKey();
    const usedAt = accounts.clock.now();
    await accounts.keys.authenticate(key);
    const commits = accounts.db.stats.commits;
    expect((await accounts.keys.list(organisationId))[0]?.last_used_at).toBeNull();
    expect(accounts.db.stats.commits).toBe(commits);
    await accounts.clock.advance(5_000);
    await accounts.keys.flushLastUsed();
    expect((await accounts.keys.list(organisationId))[0]?.last_used_at).toBe(toIso(usedAt));
  });

  test("costs no write when nothing was used since", async () => {
    const { key } = await createKey();
    await accounts.keys.authenticate(key);
    await accounts.keys.flushLastUsed();
    const { commits } = accounts.db.stats;
    await accounts.keys.flushLastUsed();
    expect(accounts.db.stats.commits).toBe(commits);
  });

  test("is not updated by a rejected key", async () => {
    const { key, key_id } = await createKey();
    await accounts.keys.revoke(organisationId, key_id, CLI_ACTOR);
    await accounts.keys.authenticate(key);
    await accounts.keys.flushLastUsed();
    expect((await accounts.keys.list(organisationId))[0]?.last_used_at).toBeNull();
  });

  test("is kept when the write fails: the next flush writes it", async () => {
    const { key } = await createKey();
    const usedAt = accounts.clock.now();
    await accounts.keys.authenticate(key);
    const { write } = accounts.db;
    accounts.db.write = () => Promise.reject(new Error("disk full"));
    await rejectionOf(accounts.keys.flushLastUsed());
    accounts.db.write = write;
    await accounts.keys.flushLastUsed();
    expect((await accounts.keys.list(organisationId))[0]?.last_used_at).toBe(toIso(usedAt));
  });
});
