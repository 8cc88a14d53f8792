// Check that a root key belongs to this database: it must open a text that was sealed at the first start. A server with
// a different key would fail each call and delivery that needs a secret, and would seal new secrets that the right key
// cannot open.
import { createSecretBox } from "../core/secret-box.ts";
import type { Database } from "./port.ts";
import { RootKeyError, wrongKeyWords } from "./root-key.ts";
import { isAnyShut, shutSecrets, type SealedCounts } from "./sealed-secrets.ts";
import type { Executor, Tx } from "./tables.ts";

const ROOT = "root";
const PURPOSE = "key-check";
const TEXT = "ringward";

type Verdict = "right" | "wrong" | "unknown";

async function verdictOn(executor: Executor, rootKey: Uint8Array): Promise<Verdict> {
  const row = await executor.selectFrom("key_checks").select("sealed").where("name", "=", ROOT).executeTakeFirst();
  if (!row) return "unknown";
  try {
    return createSecretBox(rootKey).open(row.sealed, PURPOSE) === TEXT ? "right" : "wrong";
  } catch {
    return "wrong";
  }
}

/** Makes this key the key of the database. */
export async function acceptRootKey(db: Pick<Database, "write">, rootKey: Uint8Array): Promise<void> {
  const sealed = createSecretBox(rootKey).seal(TEXT, PURPOSE);
  await db.write((tx: Tx) =>
    tx
      .insertInto("key_checks")
      .values({ name: ROOT, sealed })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ sealed }))
      .execute(),
  );
}

/**
 * Throws if the key is not the database's key. If the database has no check value yet, throws if the key opens none of
 * the existing secrets. Returns the secrets it does not open: some may remain after `key accept`.
 */
export async function assertRootKey(executor: Executor, rootKey: Uint8Array): Promise<SealedCounts> {
  const shut = await shutSecrets(executor, rootKey);
  const verdict = await verdictOn(executor, rootKey);
  if (verdict === "right" || !isAnyShut(shut)) return shut;
  if (verdict === "wrong" || isEqual(shut, await shutSecrets(executor, null)))
    throw new RootKeyError(wrongKeyWords(shut));
  return shut;
}

/** For the server: the same, and stores a check value if the database has none yet. */
export async function settleRootKey(db: Database, rootKey: Uint8Array): Promise<SealedCounts> {
  const shut = await assertRootKey(db.reader, rootKey);
  if ((await verdictOn(db.reader, rootKey)) !== "right") await acceptRootKey(db, rootKey);
  return shut;
}

const isEqual = (a: SealedCounts, b: SealedCounts): boolean => JSON.stringify(a) === JSON.stringify(b);
