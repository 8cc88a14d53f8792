// Secrets of trunks: stored encrypted, each bound to its trunk, and decrypted for the carrier only.
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { trunkPurpose } from "../db/sealed-secrets.ts";
import type { Trunk } from "./records.ts";

export function createTrunkSecrets(box: SecretBox, logger: Logger) {
  const seal = (id: string, secret: string): string => box.seal(secret, trunkPurpose(id));

  const open = (row: Trunk): string | null =>
    row.sealed_secret === null ? null : box.open(row.sealed_secret, trunkPurpose(row.id));

  return {
    seal,
    open,

    /** A trunk without its secret still works if the peer trusts our address, and reports an error otherwise. */
    openOrNull(row: Trunk): string | null {
      try {
        return open(row);
      } catch (error) {
        logger.error("A trunk's secret cannot be opened. Put secret.key back, or give the trunk its secret again.", {
          trunk_id: row.id,
          error: messageOf(error),
        });
        return null;
      }
    },
  };
}

export type TrunkSecrets = ReturnType<typeof createTrunkSecrets>;
