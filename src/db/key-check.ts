// Whether a root key is the one of this database: a text that it sealed at the first start must open with it. A server
// with another key would refuse each call and delivery that needs a secret, one by one, and seal new secrets that the
// right key does not open.
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

/** From now on this key is the one of the database. */
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
 * Throws where it is another key than that of the database: of one that was never asked before, where it opens none of
 * the secrets that there are. Answers which of them it does not open: after `key accept` some may be left.
 */
export async function assertRootKey(executor: Executor, rootKey: Uint8Array): Promise<SealedCounts> {
  const shut = await shutSecrets(executor, rootKey);
  const verdict = await verdictOn(executor, rootKey);
  if (verdict === "right" || !isAnyShut(shut)) return shut;
  if (verdict === "wrong" || isEqual(shut, await shutSecrets(executor, null)))
    throw new RootKeyError(wrongKeyWords(shut));
  return shut;
}

/** For the server: the same, and a database that did not know its key knows it from now on. */
export async function settleRootKey(db: Database, rootKey: Uint8Array): Promise<SealedCounts> {
  const shut = await assertRootKey(db.reader, rootKey);
  if ((await verdictOn(db.reader, rootKey)) !== "right") await acceptRootKey(db, rootKey);
  return shut;
}

const isEqual = (a: SealedCounts, b: SealedCounts): boolean => JSON.stringify(a) === JSON.stringify(b);
