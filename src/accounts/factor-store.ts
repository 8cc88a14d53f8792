// Tables of second factors: secrets of authenticator apps, recovery codes and passkeys.
import type { Executor, Row, Tx } from "../db/tables.ts";

export type TotpSecret = Row<"totp_secrets">;
export type Passkey = Row<"passkeys">;

/** The confirmed secret, or the newest one that waits for its first code. */
export async function totpOf(
  executor: Executor,
  personId: string,
  isConfirmed: boolean,
): Promise<TotpSecret | undefined> {
  const query = executor.selectFrom("totp_secrets").selectAll().where("person_id", "=", personId);
  return query
    .where("confirmed_at", isConfirmed ? "is not" : "is", null)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
}

/** Replaces a secret that was never confirmed. */
export async function insertTotp(tx: Tx, row: TotpSecret): Promise<void> {
  await tx
    .deleteFrom("totp_secrets")
    .where("person_id", "=", row.person_id)
    .where("confirmed_at", "is", null)
    .execute();
  await tx.insertInto("totp_secrets").values(row).execute();
}

/** Removes every other secret of the person. */
export async function confirmTotp(tx: Tx, { id, person_id }: TotpSecret, confirmedAt: number): Promise<void> {
  await tx.deleteFrom("totp_secrets").where("person_id", "=", person_id).where("id", "<>", id).execute();
  await tx.updateTable("totp_secrets").set({ confirmed_at: confirmedAt }).where("id", "=", id).execute();
}

export async function deleteTotp(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom("totp_secrets").where("person_id", "=", personId).execute();
}

export async function replaceRecoveryCodes(
  tx: Tx,
  personId: string,
  hashes: readonly string[],
  createdAt: number,
): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("person_id", "=", personId).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({
    code_hash: hash,
    person_id: personId,
    created_at: createdAt,
    used_at: null,
  }));
  await tx.insertInto("recovery_codes").values(rows).execute();
}

/** False if the code is unknown or was used before. */
export async function takeRecoveryCode(tx: Tx, personId: string, hash: string, usedAt: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("recovery_codes")
    .set({ used_at: usedAt })
    .where("code_hash", "=", hash)
    .where("person_id", "=", personId)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function recoveryCodesLeft(executor: Executor, personId: string): Promise<number> {
  const { left } = await executor
    .selectFrom("recovery_codes")
    .select((eb) => eb.fn.countAll<number>().as("left"))
    .where("person_id", "=", personId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return left;
}

export async function passkeysOf(executor: Executor, personId: string): Promise<Passkey[]> {
  const query = executor.selectFrom("passkeys").selectAll().where("person_id", "=", personId);
  return query.orderBy("created_at").orderBy("id").execute();
}

export async function passkeyByCredential(executor: Executor, credentialId: string): Promise<Passkey | undefined> {
  return executor.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();
}

export async function insertPasskey(tx: Tx, row: Passkey): Promise<void> {
  await tx.insertInto("passkeys").values(row).execute();
}

/** False if another sign-in has moved the counter meanwhile. */
export async function notePasskeyUse(tx: Tx, passkey: Passkey, counter: number, usedAt: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("passkeys")
    .set({ counter, last_used_at: usedAt })
    .where("id", "=", passkey.id)
    .where("counter", "=", passkey.counter)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function renamePasskey(tx: Tx, personId: string, id: string, name: string): Promise<boolean> {
  const query = tx.updateTable("passkeys").set({ name }).where("id", "=", id).where("person_id", "=", personId);
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}

export async function deletePasskey(tx: Tx, personId: string, id: string): Promise<boolean> {
  const query = tx.deleteFrom("passkeys").where("id", "=", id).where("person_id", "=", personId);
  return (await query.executeTakeFirst()).numDeletedRows === 1n;
}

export async function deletePasskeysOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom("passkeys").where("person_id", "=", personId).execute();
}

export interface Factors {
  hasCode: boolean;
  passkeys: number;
}

/** By person; a person without a second factor is omitted. */
export async function factorsOf(executor: Executor, personIds: readonly string[]): Promise<Map<string, Factors>> {
  const found = new Map<string, Factors>();
  if (personIds.length === 0) return found;
  const codes = await executor
    .selectFrom("totp_secrets")
    .select("person_id")
    .where("person_id", "in", personIds)
    .where("confirmed_at", "is not", null)
    .execute();
  const keys = await executor
    .selectFrom("passkeys")
    .select(["person_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where("person_id", "in", personIds)
    .groupBy("person_id")
    .execute();
  for (const { person_id } of codes) found.set(person_id, { hasCode: true, passkeys: 0 });
  for (const { person_id, count } of keys)
    found.set(person_id, { hasCode: found.get(person_id)?.hasCode ?? false, passkeys: count });
  return found;
}
