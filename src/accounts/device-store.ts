// Table of known devices: browsers on which a person has signed in before. The cookie's token is stored hashed.
import type { Executor, Tx } from "../db/tables.ts";

export async function isDeviceOf(
  executor: Executor,
  tokenHash: string,
  personId: string,
  usedSince: number,
): Promise<boolean> {
  const row = await executor
    .selectFrom("known_devices")
    .select("person_id")
    .where("token_hash", "=", tokenHash)
    .where("person_id", "=", personId)
    .where("used_at", ">", usedSince)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether any person is known on this device. Many people share a ward's computer. */
export async function isDeviceOfAnybody(executor: Executor, tokenHash: string): Promise<boolean> {
  const row = await executor
    .selectFrom("known_devices")
    .select("person_id")
    .where("token_hash", "=", tokenHash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps the person's `most` recently used devices. */
export async function rememberDevice(
  tx: Tx,
  device: { tokenHash: string; personId: string; usedAt: number },
  most: number,
): Promise<void> {
  const { tokenHash, personId, usedAt } = device;
  await tx.deleteFrom("known_devices").where("token_hash", "=", tokenHash).where("person_id", "=", personId).execute();
  await tx
    .insertInto("known_devices")
    .values({ token_hash: tokenHash, person_id: personId, used_at: usedAt })
    .execute();
  const kept = await tx
    .selectFrom("known_devices")
    .select("used_at")
    .where("person_id", "=", personId)
    .orderBy("used_at", "desc")
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst();
  if (!kept) return;
  await tx.deleteFrom("known_devices").where("person_id", "=", personId).where("used_at", "<", kept.used_at).execute();
}

export async function deleteDevicesOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom("known_devices").where("person_id", "=", personId).execute();
}

export async function deleteDevicesUnusedSince(tx: Tx, since: number): Promise<void> {
  await tx.deleteFrom("known_devices").where("used_at", "<=", since).execute();
}
