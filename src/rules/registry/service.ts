// Results of registry scrubs: import, lookup, export and removal.
import type { Audit } from "../../accounts/audit.ts";
import type { ReadNotes } from "../../accounts/read-notes.ts";
import type { Actor } from "../../core/actor.ts";
import { createTurns, toIso, type Clock } from "../../core/clock.ts";
import { checkedName } from "../../core/names.ts";
import { assertDiallable } from "../../core/phone.ts";
import type { Database } from "../../db/database.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import { createImporting, dayOf, dialledForm, LONGEST_REGISTRY_NAME, type Scrub } from "./importing.ts";
import type { RegistryResult } from "./records.ts";
import { numbersIn, pageOfResults, removeResults, resultsOf, scrubsOf, type StoredScrub } from "./registry-store.ts";

const PER_EXPORTED_PAGE = 2_000;
const PER_REMOVED_SLICE = 2_000;
/** Registries and days. */
const SCRUBS_SHOWN = 50;

interface Person {
  organisationId: string;
  number: string;
}

export interface RegistryDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
  readNotes: ReadNotes;
  /** Results of people under a retention hold stay. */
  keeping: { erasable(executor: Executor, numbers: string[], about: (number: string) => Person): Promise<string[]> };
}

export interface RemovedScrub {
  removed: number;
  /** Under a retention hold. */
  kept: number;
}

export function createRegistryService(deps: RegistryDeps) {
  const { db, audit, readNotes, keeping } = deps;

  /** One slice: the numbers after one, up to another. */
  async function removeSlice(tx: Tx, stored: StoredScrub, after: string, last: string): Promise<RemovedScrub> {
    const found = await numbersIn(tx, stored, { after, limit: PER_REMOVED_SLICE });
    const numbers = found.filter((number) => number <= last);
    const { organisationId } = stored;
    const free = new Set(await keeping.erasable(tx, numbers, (number) => ({ organisationId, number })));
    const kept = numbers.filter((number) => !free.has(number));
    return { removed: await removeResults(tx, stored, { after, last, kept }), kept: kept.length };
  }

  return {
    ...createImporting(deps),

    /** Removes a whole scrub in slices, except held people. An older result of its numbers does not come back. */
    async remove(
      organisationId: string,
      scrub: Pick<Scrub, "registry" | "scrubbedOn">,
      actor: Actor,
    ): Promise<RemovedScrub> {
      const registry = checkedName("registry", scrub.registry, LONGEST_REGISTRY_NAME);
      const stored = { organisationId, registry, scrubbedOn: dayOf(scrub.scrubbedOn) };
      const turn = createTurns();
      const all: RemovedScrub = { removed: 0, kept: 0 };
      let after = "";
      for (;;) {
        const last = (await numbersIn(db.heavy, stored, { after, limit: PER_REMOVED_SLICE })).at(-1);
        if (last === undefined) return all;
        const from: string = after;
        const { removed, kept } = await db.write(async (tx) => {
          const done = await removeSlice(tx, stored, from, last);
          const detail = { removed: done.removed, scrubbed_on: stored.scrubbedOn };
          if (done.removed > 0) await audit.record(tx, { organisationId, actor, action: "registry.removed", detail });
          return done;
        });
        all.removed += removed;
        all.kept += kept;
        after = last;
        await turn();
      }
    },

    /**
     * The result of each number, in the order asked; null where there is none. Of several registries the one that
     * decides: a refusal, otherwise the newest.
     */
    async lookUp(organisationId: string, numbers: readonly string[], actor: Actor) {
      const asked = [...new Set(numbers.map(dialledForm))];
      for (const number of asked) assertDiallable(number, "numbers");
      const results = (await resultsOf(db.reader, organisationId, asked)).toSorted(byWeight);
      const found = new Map(results.map((row) => [row.number, row]));
      await readNotes.note({ organisationId, actor, action: "registry.read", detail: { count: asked.length } });
      return asked.map((number) => {
        const row = found.get(number);
        return row ? resultView(row) : { number, verdict: null, registry: null, scrubbed_on: null, imported_at: null };
      });
    },

    /** Numbers by scrub and verdict, newest first. */
    scrubs: (organisationId: string) => scrubsOf(db.heavy, organisationId, SCRUBS_SHOWN),

    /** All results in pages; the export is recorded before the first. */
    async *pages(organisationId: string, actor: Actor) {
      await readNotes.note({ organisationId, actor, action: "registry.exported" });
      let after: RegistryResult | undefined;
      for (;;) {
        const page = await pageOfResults(db.heavy, { organisationId, after, limit: PER_EXPORTED_PAGE });
        yield page.map(resultView);
        if (page.length < PER_EXPORTED_PAGE) return;
        after = page.at(-1);
      }
    },
  };
}

export type RegistryService = ReturnType<typeof createRegistryService>;

/** The one that decides last. */
const byWeight = (a: RegistryResult, b: RegistryResult): number =>
  Number(a.verdict === "refused") - Number(b.verdict === "refused") || a.scrubbed_on.localeCompare(b.scrubbed_on);

const resultView = ({ number, verdict, registry, scrubbed_on, imported_at }: RegistryResult) => ({
  number,
  verdict,
  registry,
  scrubbed_on,
  imported_at: toIso(imported_at),
});
