// Named filters of the call list. Each person sees only their own.
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Session } from "../accounts/session-service.ts";
import type { Database } from "../db/database.ts";
import { deleteSavedFilter, insertSavedFilter, savedFiltersOf } from "./saved-filter-store.ts";

const MOST_PER_PERSON = 20;

export function createSavedFilters({ db, clock, ids }: { db: Database; clock: Clock; ids: Ids }) {
  return {
    async list({ personId }: Session) {
      const rows = await savedFiltersOf(db.reader, personId);
      return rows.map(({ id, name, filters }) => ({ id, name, filters }));
    },

    async save({ organisationId, personId }: Session, name: string, filters: Record<string, string>): Promise<string> {
      const id = ids.next("flt");
      await db.write(async (tx) => {
        const known = await savedFiltersOf(tx, personId);
        // A filter with the same name is replaced.
        const same = known.find((row) => row.name === name);
        if (same) await deleteSavedFilter(tx, personId, same.id);
        else if (known.length >= MOST_PER_PERSON) {
          throw new AppError("CONFLICT", `You have saved ${MOST_PER_PERSON} filters. Remove one first.`);
        }
        await insertSavedFilter(tx, {
          id,
          organisation_id: organisationId,
          person_id: personId,
          name,
          filters,
          created_at: clock.now(),
        });
      });
      return id;
    },

    async remove({ personId }: Session, id: string): Promise<void> {
      if (await db.write((tx) => deleteSavedFilter(tx, personId, id))) return;
      throw new AppError("NOT_FOUND", "There is no saved filter with this id.");
    },
  };
}

export type SavedFilters = ReturnType<typeof createSavedFilters>;
