// Adds new contacts to the trigram index in the background, in small batches that do not delay due calls.
import { othersFirst } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import { areContactsToIndex, indexSomeContacts } from "./contact-index-store.ts";

/** Per run. The next run continues. */
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
    /** Throws the error of the previous run. Until a run succeeds, new contacts are scanned. */
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
