// A root key that does not belong to the database is refused before it opens or seals anything; on both engines.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createIds } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import type { Database } from "../../src/db/database.ts";
import { acceptRootKey, assertRootKey, settleRootKey } from "../../src/db/key-check.ts";
import { RootKeyError } from "../../src/db/root-key.ts";
import { HOOK_PURPOSE, NOTHING_SHUT, renewWords, shutSecrets } from "../../src/db/sealed-secrets.ts";
import { createProofKeys } from "../../src/rules/proof/proof-keys.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { openTempDatabase } from "../support/temp.ts";

const RIGHT = Buffer.alloc(32, 1);
const WRONG = Buffer.alloc(32, 2);

let db: Database;
beforeEach(async () => void ({ db } = await openTempDatabase()));
afterEach(() => db.close());

const checks = () => db.reader.selectFrom("key_checks").selectAll().execute();

async function sealWith(key: Uint8Array, organisation: string): Promise<void> {
  await db.write(async (tx) => {
    const at = { created_at: 1, updated_at: 1 };
    await tx
      .insertInto("organisations")
      .values({
        id: organisation,
        name: "A",
        plan: "base",
        time_zone: "UTC",
        unlimited_credits: 0,
        credit_balance: 0,
        share_calls: 0,
        share_expiry: "none",
        idle_lock_minutes: 15,
        callback_number: null,
        recording_mode: null,
        asks_before_calls: 0,
        second_factor_roles: "",
        ...at,
      })
      .execute();
    await tx
      .insertInto("inbound_hooks")
      .values({
        organisation_id: organisation,
        token_hash: organisation,
        sealed_signing_secret: createSecretBox(key).seal("s", HOOK_PURPOSE),
        signature_required: 0,
        quota_date: "2026-11-15",
        quota_used: 0,
        ...at,
      })
      .execute();
  });
}

describe("a database that was never asked for its key", () => {
  test("and holds no secret takes the first key", async () => {
    expect(await settleRootKey(db, RIGHT)).toEqual(NOTHING_SHUT);
    expect(await checks()).toHaveLength(1);
    expect(await settleRootKey(db, RIGHT)).toEqual(NOTHING_SHUT);
  });

  test("takes a key that opens a secret of it", async () => {
    await sealWith(RIGHT, "org_1");
    await settleRootKey(db, RIGHT);
    expect(await checks()).toHaveLength(1);
  });

  test("takes a key that opens one of them; the others are told of", async () => {
    await sealWith(RIGHT, "org_1");
    await sealWith(WRONG, "org_2");
    expect(await settleRootKey(db, RIGHT)).toEqual({ ...NOTHING_SHUT, hooks: 1 });
  });

  test("refuses a key that opens none, and does not remember it", async () => {
    await sealWith(RIGHT, "org_1");
    await expect(settleRootKey(db, WRONG)).rejects.toThrow(RootKeyError);
    expect(await checks()).toEqual([]);
    await settleRootKey(db, RIGHT);
  });
});

describe("a database that knows its key", () => {
  beforeEach(async () => {
    await sealWith(RIGHT, "org_1");
    await settleRootKey(db, RIGHT);
  });

  test("refuses another, to a server and to a command, and says the way on", async () => {
    for (const ask of [() => settleRootKey(db, WRONG), () => assertRootKey(db.reader, WRONG)])
      await expect(ask()).rejects.toThrow(/signing secrets of 1 inbound webhook\..*"ringward key accept"/);
    await settleRootKey(db, RIGHT);
  });

  test("refuses another that opens some secrets: it was sealed with by mistake", async () => {
    await sealWith(WRONG, "org_2");
    await expect(settleRootKey(db, WRONG)).rejects.toThrow(RootKeyError);
    expect(await settleRootKey(db, RIGHT)).toEqual({ ...NOTHING_SHUT, hooks: 1 });
  });

  test("takes another that a person has accepted, and then refuses the old one", async () => {
    await acceptRootKey(db, WRONG);
    expect(await settleRootKey(db, WRONG)).toEqual({ ...NOTHING_SHUT, hooks: 1 });
    expect(await checks()).toHaveLength(1);
  });

  test("refuses it where the check itself was tampered with", async () => {
    await db.write((tx) => tx.updateTable("key_checks").set({ sealed: "v1.AAAA" }).execute());
    await sealWith(WRONG, "org_2");
    await expect(settleRootKey(db, RIGHT)).rejects.toThrow(RootKeyError);
  });
});

test("the key that signs proofs of calls is a secret too: another root key does not replace it silently", async () => {
  await settleRootKey(db, RIGHT);
  const clock = createManualClock();
  const keys = (rootKey: Uint8Array) =>
    createProofKeys({ db, clock, ids: createIds(clock), logger: silentLogger, secrets: createSecretBox(rootKey) });
  const { key } = await keys(RIGHT).current();
  expect(await shutSecrets(db.reader, null)).toEqual({ ...NOTHING_SHUT, proofKeys: 1 });
  await expect(settleRootKey(db, WRONG)).rejects.toThrow(
    /sealed the key that signs proofs of calls\. .*"ringward key accept"/,
  );
  expect(await settleRootKey(db, RIGHT)).toEqual(NOTHING_SHUT);
  // A person gives it up: the server makes another one, and the retired one is none to open.
  await acceptRootKey(db, WRONG);
  const shut = await settleRootKey(db, WRONG);
  expect(renewWords(shut)).toEqual([expect.stringContaining("publish the new public key") as string]);
  expect((await keys(WRONG).current()).key).not.toBe(key);
  expect(await settleRootKey(db, WRONG)).toEqual(NOTHING_SHUT);
});

test("without any secret another key does no harm, and is taken", async () => {
  await settleRootKey(db, RIGHT);
  expect(await settleRootKey(db, WRONG)).toEqual(NOTHING_SHUT);
  expect(await assertRootKey(db.reader, WRONG)).toEqual(NOTHING_SHUT);
});
