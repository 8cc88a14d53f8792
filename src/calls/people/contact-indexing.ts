// Puts new people into the index of trigrams in the background, some at a time: no call that is due waits for it.
import { othersFirst } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import { areContactsToIndex, indexSomeContacts } from "./contact-index-store.ts";

/** Of one run. The rest is for the next one. */
const MOST_BATCHES = 50;

export function createContactIndexing(db: Database) {
  let running: Promise<void> | null = null;
  let fault: Error | null = null;

  async function run(): Promise<void> {
    try {
      await indexContacts(db);
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error));
    }
    running = null;
  }

  return {
    /** Throws what the run before failed with. Until one succeeds, new people are looked at one by one. */
    start(): void {
      const failed = fault;
      fault = null;
      running ??= run();
      if (failed) throw failed;
    },
  };
}

export async function indexContacts(db: Database): Promise<void> {
  if (db.engine !== "sqlite") return;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    if (!(await areContactsToIndex(db.reader))) return;
    await db.write(indexSomeContacts);
    await othersFirst();
  }
}
