// The appliance's signing key: generated once, its private part sealed with the root key. Once a lost root key was
// given up, a new signing key replaces it. Public keys of earlier ones stay, so older proofs remain verifiable.
import type { Clock } from "../../core/clock.ts";
import { toIso, toIsoOrNull } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import { PROOF_KEY_PURPOSE } from "../../db/sealed-secrets.ts";
import type { Executor } from "../../db/tables.ts";
import { currentKey, insertKey, proofKeys } from "./key-store.ts";
import type { ProofKey } from "./records.ts";
import { createSigner, type Signer } from "./signature.ts";

const SEED_BYTES = 32;
export interface ProofKeysDeps {
  db: Database;
  clock: Clock;
  ids: Pick<Ids, "secret">;
  logger: Logger;
  secrets: Pick<SecretBox, "seal" | "open">;
}

export interface PublicKey {
  public_key: string;
  created_at: string;
  retired_at: string | null;
}

export type ProofKeys = ReturnType<typeof createProofKeys>;

export function createProofKeys({ db, clock, ids, logger, secrets }: ProofKeysDeps) {
  let known: Signer | null = null;

  const opened = (row: ProofKey): Signer | null => (known?.key === row.public_key ? known : signerOf(row, secrets));

  async function replace(executor: Executor): Promise<Signer> {
    const former = await currentKey(executor);
    const seed = Buffer.from(ids.secret(SEED_BYTES), "base64url").toString("hex");
    const signer = createSigner(seed);
    const row = { public_key: signer.key, sealed_seed: secrets.seal(seed, PROOF_KEY_PURPOSE), created_at: clock.now() };
    const isMade = await db.write(async (tx) => {
      // Another process may have replaced it meanwhile.
      if ((await currentKey(tx))?.public_key !== former?.public_key) return false;
      await insertKey(tx, row);
      return true;
    });
    if (!isMade) return current();
    if (former) logger.warn("A new key signs proofs from now on. Publish it.", { public_key: signer.key });
    return signer;
  }

  /** The current key. It is made at first use, and again if the root key does not open it. */
  async function current(): Promise<Signer> {
    const row = await currentKey(db.reader);
    known = (row && opened(row)) ?? (await replace(db.reader));
    return known;
  }

  return {
    current,
    replace: () => replace(db.reader),
    list: () => publicKeys(db.reader),
  };
}

/** Null if the root key does not open it. */
export function signerOf({ public_key, sealed_seed }: ProofKey, secrets: Pick<SecretBox, "open">): Signer | null {
  try {
    if (sealed_seed === null) return null;
    const signer = createSigner(secrets.open(sealed_seed, PROOF_KEY_PURPOSE));
    return signer.key === public_key ? signer : null;
  } catch {
    return null;
  }
}

/** All keys that ever signed proofs here, oldest first. */
export async function publicKeys(executor: Executor): Promise<PublicKey[]> {
  return (await proofKeys(executor)).map(({ public_key, created_at, retired_at }) => ({
    public_key,
    created_at: toIso(created_at),
    retired_at: toIsoOrNull(retired_at),
  }));
}
