// Refresh tokens in use: claimed before they are sent, so that none is sent twice, and kept as soon as the provider
// replaces them. A token that cannot be stored is held in memory until it can.
import type { Clock } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import { claimRefresh, keepRefreshToken, type DirectoryPerson } from "../directory-store.ts";
import type { DirectoryPeople } from "./directory-people.ts";
import type { TokenUse } from "./model.ts";

export interface TokenKeeperDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  people: Pick<DirectoryPeople, "sealToken" | "refreshTokenOf">;
}

export function createTokenKeeper({ db, clock, logger, people }: TokenKeeperDeps) {
  /** By person. `confirmedAt`: a sign-in since brought a newer token. */
  const unstored = new Map<string, { confirmedAt: number; token: string }>();

  const heldFor = ({ person_id: id, confirmed_at: confirmedAt }: DirectoryPerson): string | null => {
    const held = unstored.get(id);
    if (held?.confirmedAt === confirmedAt) return held.token;
    unstored.delete(id);
    return null;
  };

  async function answered(row: DirectoryPerson, next: string | null): Promise<void> {
    const { person_id: id, confirmed_at: confirmedAt } = row;
    const token = next ?? heldFor(row);
    // An answer without a token, such as a refusal, leaves the earlier doubt.
    if (token === null && row.refresh_sent_at !== null) return;
    if (token !== null) unstored.set(id, { confirmedAt, token });
    try {
      const sealed = token === null ? undefined : (people.sealToken(id, token) ?? undefined);
      await db.write((tx) => keepRefreshToken(tx, row, sealed));
      unstored.delete(id);
    } catch (error) {
      logger.error("refresh token not stored", { error: messageOf(error) });
    }
  }

  return {
    /** `isInDoubt`: the provider may have replaced it, because it did not answer the last use. */
    of(row: DirectoryPerson): { token: string | null; isInDoubt: boolean } {
      const held = heldFor(row);
      if (held !== null) return { token: held, isInDoubt: false };
      const token = people.refreshTokenOf(row.person_id, row.sealed_refresh_token);
      return { token, isInDoubt: row.refresh_sent_at !== null };
    },

    useOf: (row: DirectoryPerson): TokenUse => ({
      begin: () => db.write((tx) => claimRefresh(tx, row, clock.now())),
      answered: (next) => answered(row, next),
    }),
  };
}
